"""What the last messages of a context come to: calls with their ends, in order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from redline.facts.commits import commits_made
from redline.facts.outcome import Outcome, outcome
from redline.facts.shell import Command, take_apart
from redline.facts.shell_files import files_changed
from redline.facts.todos import TodoLog
from redline.facts.tools import ToolCall, ToolUse, arguments, read_call
from redline.model import Kind, Message, Part, PartType, Role, SessionSource

RECENT = 60  # messages; what lies further back says nothing of this moment
_TESTS = re.compile(
    r"(?:(?:uv|poetry|hatch|pdm|rye|pipenv) run )?(?:"
    r"(?:python[\d.]* -m )?(?:pytest|unittest|nose2|tox|nox)\b"
    r"|(?:npm|pnpm|yarn|bun|deno)(?: run)? (?:run )?[\w:-]*test\b"
    r"|(?:npx |bunx |pnpm (?:exec )?|yarn )?(?:jest|vitest|mocha|ava|playwright test|cypress run)\b"
    r"|(?:cargo|go|mix|swift|dotnet|sbt|rake|rails|bazel|zig build|gleam) (?:nex)?test\b"
    r"|(?:make|just|task) [\w:-]*(?:test|check)[\w:-]*"
    r"|(?:\./)?(?:mvn|mvnw|gradle|gradlew)\b.*\b(?:test|verify|check)\b"
    r"|(?:bundle exec )?(?:rspec|rake)\b|phpunit\b|ctest\b|\S*/run[_-]?tests?\S*"
    r"|\S*(?:^|/|[_-])tests?\.sh\b"
    r")"
)
_COMPLETED = "completed"


class Happened(Enum):
    """What a call came to."""

    TESTS_PASSED = auto()
    FAILED = auto()
    COMMITTED = auto()
    STEP_ENDED = auto()
    EDITED = auto()
    RAN = auto()  # a command that did something else
    LOOKED = auto()


@dataclass(frozen=True, slots=True)
class Event:
    """`message` is that of the result, `words` what it is about, `key` what it is known by when it
    is done again: the file, or the command."""

    happened: Happened
    message: str
    words: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A call without a result. `message` is that of the call."""

    message: str
    words: str
    tool: str


@dataclass(frozen=True, slots=True)
class Recent:
    """The `events` in order, the calls that `wait` for a result now, and the message in which the
    agent handed back to the person last, where nothing came after it."""

    events: tuple[Event, ...] = ()
    wait: tuple[Waiting, ...] = ()
    handed_back: str | None = None


@dataclass(slots=True)
class _Call:
    part: Part
    message: str
    call: ToolCall
    command: Command | None
    given: dict[str, object]


def is_test_run(line: str) -> bool:
    """Whether a simple command, its words joined by spaces, runs tests."""
    return _TESTS.match(line) is not None


def recent(messages: Sequence[Message], source: SessionSource) -> Recent:
    """What the last `RECENT` of `messages` come to. Raises RedlineError as `source` does."""
    reading = _Reading(source)
    for message in messages[-RECENT:]:
        reading.take(message)
    return reading.found()


class _Reading:
    def __init__(self, source: SessionSource) -> None:
        self._source = source
        self._open: dict[str, _Call] = {}
        self._waiting: dict[str, _Call] = {}
        self._todos = TodoLog()
        self._done: frozenset[str] = frozenset()
        self._known_list = False
        self._events: list[Event] = []
        self._handed_back: str | None = None

    def take(self, message: Message) -> None:
        if message.prompts or (message.role is Role.ASSISTANT and message.parts):
            self._waiting.clear()  # the agent went on, or a person did: no result will come
            self._handed_back = None
        for part in message.parts:
            if part.type is PartType.TOOL_CALL:
                self._called(message, part)
            elif part.type is PartType.TOOL_RESULT and part.call_id:
                self._waiting.pop(part.call_id, None)
                if (waiting := self._open.pop(part.call_id, None)) is not None:
                    self._events.extend(self._ended(message, part, waiting))
        if (
            message.role is Role.ASSISTANT
            and any(
                part.kind is Kind.REPLY and part.type is PartType.TEXT for part in message.parts
            )
            and not any(part.type is PartType.TOOL_CALL for part in message.parts)
        ):
            self._handed_back = message.id

    def _called(self, message: Message, part: Part) -> None:
        value = self._source.value(part)
        call = read_call(part.tool, value)
        command = take_apart(call.command) if call.use is ToolUse.SHELL else None
        given = arguments(value) if call.use is ToolUse.TODO else {}
        name = part.call_id or f"{message.id} {part.index}"
        self._open[name] = self._waiting[name] = _Call(part, message.id, call, command, given)

    def _ended(self, message: Message, part: Part, waiting: _Call) -> Iterator[Event]:
        call = waiting.call
        wanted = part.error or call.use in (ToolUse.SHELL, ToolUse.TODO)
        text = self._source.text(part) if wanted else ""
        ended = outcome(call, waiting.command, part, text)
        if ended is None:
            return
        words = _words(call)
        if call.use is ToolUse.TODO and not ended.failed:
            yield from self._listed(waiting, text, message)
        elif waiting.command is not None:
            yield from _ran(call, waiting.command, ended, message.id)
        elif ended.failed and call.use is ToolUse.CHANGE:
            yield Event(Happened.FAILED, message.id, words, _key(call))
        elif call.use is ToolUse.CHANGE:
            for path in call.paths or ("a file",):
                yield Event(Happened.EDITED, message.id, path, path)
        else:
            yield Event(Happened.LOOKED, message.id, words, _key(call))

    def _listed(self, waiting: _Call, text: str, message: Message) -> Iterator[Event]:
        """A step of the agent's list that was open, or was not on it, is completed now."""
        self._todos.called(waiting.given, waiting.message)
        self._todos.created(waiting.given, text, waiting.message)
        items = self._todos.facts()
        done = frozenset(item.text for item in items if item.status == _COMPLETED)
        told = waiting.given.get("status") == _COMPLETED  # a single entry, where the list is older
        fresh = [item.text for item in items if item.text in done - self._done]
        if (fresh and self._known_list) or (told and not fresh):
            yield Event(Happened.STEP_ENDED, message.id, fresh[-1] if fresh else "")
        self._done, self._known_list = done, self._known_list or bool(items)

    def found(self) -> Recent:
        return Recent(
            tuple(self._events),
            tuple(
                Waiting(call.message, _words(call.call), call.call.tool)
                for call in self._waiting.values()
            ),
            self._handed_back,
        )


def _ran(call: ToolCall, command: Command, ended: Outcome, message: str) -> Iterator[Event]:
    line = call.command.strip()
    tests = [step for step in command.steps if is_test_run(step.key)]
    key = command.last or line
    if ended.known and command.commits:
        for sha, subject, _ in commits_made(line, ended.output):
            yield Event(Happened.COMMITTED, message, f"{sha} {subject}".strip(), key)
            return
    if ended.error and not command.looking:
        yield Event(Happened.FAILED, message, line, key)
    elif tests and ended.status == 0 and ended.known:
        yield Event(Happened.TESTS_PASSED, message, tests[-1].key, key)
    elif changed := (*call.paths, *files_changed(line)):
        for path in dict.fromkeys(changed):
            yield Event(Happened.EDITED, message, path, path)
    elif command.looking or not command.steps:
        yield Event(Happened.LOOKED, message, line, key)
    else:
        yield Event(Happened.RAN, message, line, key)


def _words(call: ToolCall) -> str:
    about = call.command.strip() or (call.paths[0] if call.paths else "") or call.url
    return f"{call.tool} {about}".strip()


def _key(call: ToolCall) -> str:
    return call.paths[0] if call.paths else call.tool
