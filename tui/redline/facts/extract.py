"""Facts of a session: one pass over its history."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from redline.facts.code import CodeLog, is_source, shown_in
from redline.facts.commits import commits_made
from redline.facts.decisions import decisions
from redline.facts.errors import ErrorLog
from redline.facts.fact import (
    CodeShown,
    CommandFact,
    CommitFact,
    DecisionFact,
    Facts,
    FileUse,
    FindingFact,
    PromptFact,
    ReferenceFact,
    RejectedFact,
    StateFact,
)
from redline.facts.files import FileLog
from redline.facts.findings import findings
from redline.facts.outcome import Outcome, outcome
from redline.facts.pasted import own_words
from redline.facts.references import references, urls
from redline.facts.rejected import rejected, taken_back
from redline.facts.shell import Command, exit_status, take_apart
from redline.facts.shell_files import files_changed
from redline.facts.todos import TodoLog
from redline.facts.tools import ToolCall, ToolUse, arguments, read_call, tool_use
from redline.model import Kind, Message, Part, PartType, Session

_NOTHING_DONE = re.compile(r"[Nn]o such file|[Nn]ot a directory|[Pp]ermission denied|cannot ")
_SHOWS_A_URL = re.compile(
    r"\b(?:gh|glab)\s+(?:pr|issue|mr|release|repo)\s+(?:create|edit|comment|review)\b"
)
_A_READ = "a read"
_WENT_ON = "the agent went on without it"
_USER_COMMAND = re.compile(r"\ARan `([^\n]*)`\n?")


@dataclass(slots=True)
class _Open:
    """A call that waits for its result."""

    call: ToolCall
    message: Message
    command: Command | None
    given: dict[str, object]
    said: str = ""


class _Mentions:
    """References or URLs: each once, with its first message and how often."""

    def __init__(self) -> None:
        self._found: dict[str, tuple[str, int]] = {}

    def add(self, text: str, message: str) -> None:
        first, count = self._found.get(text, (message, 0))
        self._found[text] = (first, count + 1)

    def facts(self) -> tuple[ReferenceFact, ...]:
        return tuple(
            ReferenceFact(text, message, count) for text, (message, count) in self._found.items()
        )


class _Extraction:
    """The facts gathered so far."""

    def __init__(self, text: Callable[[Part], str], value: Callable[[Part], object]) -> None:
        self.text = text
        self.value = value
        self.files = FileLog()
        self.errors = ErrorLog()
        self.todos = TodoLog()
        self.references = _Mentions()
        self.urls = _Mentions()
        self.code = CodeLog()
        self.commits: dict[str, CommitFact] = {}
        self.commands: list[CommandFact] = []
        self.decisions: dict[str, DecisionFact] = {}
        self.prompts: list[PromptFact] = []
        self.skills: dict[str, None] = {}
        self.rejected: dict[str, RejectedFact] = {}
        self.findings: dict[str, FindingFact] = {}
        self.said = ""
        self.last_reply: StateFact | None = None
        self.open: dict[str, _Open] = {}

    def take(self, message: Message) -> None:
        for part in message.parts:
            match part.kind:
                case Kind.PROMPT if part.type is PartType.TEXT:
                    self._prompt(message, part)
                case Kind.REPLY if part.type is PartType.TEXT:
                    self._reply(message, part)
                case Kind.TOOL_CALL:
                    self._call(message, part)
                case Kind.TOOL_RESULT if part.type is PartType.TOOL_RESULT:
                    self._result(message, part)
                case _ if part.wire == "bashExecution":
                    self._user_command(message, part)

    def _prompt(self, message: Message, part: Part) -> None:
        text = own_words(self.text(part))
        if not text.strip():
            return
        self.prompts.append(PromptFact(text, message.id, part.index, message.time))
        self.code.shown(message.id, shown_in(text))
        self._mentions(text, message)
        for sentence, reason in decisions(text, by_user=True):
            self._decided(DecisionFact(sentence, message.id, message.time, reason, True))
        for sentence in rejected(text, by_user=True):
            self.rejected.setdefault(sentence, RejectedFact(sentence, message.id, True))
        self.said = text

    def _reply(self, message: Message, part: Part) -> None:
        text = self.text(part)
        if not text.strip():
            return
        self.last_reply = StateFact(text, message.id, message.time)
        self.code.shown(message.id, shown_in(text))
        self._mentions(text, message, sure=False)
        for sentence, reason in decisions(text, by_user=False):
            self._decided(DecisionFact(sentence, message.id, message.time, reason, False))
        for sentence in rejected(text, by_user=False):
            self.rejected.setdefault(sentence, RejectedFact(sentence, message.id))
        for sentence, weight in findings(text):
            self.findings.setdefault(sentence, FindingFact(sentence, message.id, weight))
        self.said = text

    def _decided(self, decision: DecisionFact) -> None:
        self.decisions.setdefault(decision.text, decision)

    def _mentions(self, text: str, message: Message, *, sure: bool = True) -> None:
        if "://" in text:
            for url in urls(text):
                self.urls.add(url, message.id)
        for reference in references(text, sure=sure):
            self.references.add(reference, message.id)

    def _call(self, message: Message, part: Part) -> None:
        value = self.value(part)
        call = read_call(part.tool, value)
        given: dict[str, object] = {}
        command = None
        match call.use:
            case ToolUse.SHELL:
                command = take_apart(call.command)
                if "://" in call.command:
                    for url in urls(call.command):
                        self.urls.add(url, message.id)
                if command.commits or any(step.program in ("gh", "glab") for step in command.steps):
                    for reference in references(call.command):
                        self.references.add(reference, message.id)
                for path in call.paths:  # of a patch
                    self.code.shown(message.id, CodeShown.DIFF, path)
            case ToolUse.TODO:
                given = arguments(value)
                self.todos.called(given, message.id)
            case ToolUse.SKILL:
                skill = arguments(value)
                for name in (skill.get("skill"), skill.get("command"), skill.get("name")):
                    if isinstance(name, str) and name.strip():
                        self.skills[name.strip()] = None
                        break
            case ToolUse.CHANGE:
                for path in call.paths or ("",):
                    self.code.shown(message.id, CodeShown.DIFF, path)
            case ToolUse.OTHER if call.url:
                for url in urls(call.url):
                    self.urls.add(url, message.id)
        if part.call_id is not None:
            self.open[part.call_id] = _Open(call, message, command, given, self.said)

    def _result(self, message: Message, part: Part) -> None:
        waiting = self.open.pop(part.call_id or "", None)
        call = waiting.call if waiting else ToolCall(part.tool or "", tool_use(part.tool))
        wanted = part.error or call.use in (ToolUse.SHELL, ToolUse.TODO)
        text = self.text(part) if wanted else ""
        ended = outcome(call, waiting.command if waiting else None, part, text)
        if ended is None:
            return
        if waiting is not None and waiting.command is not None:
            self._ran(message, part, waiting, waiting.command, ended)
        elif ended.failed:
            self.errors.failed(
                ended.lines,
                message=message.id,
                key=_key(call),
                call_id=part.call_id,
                command=" ".join((call.tool, *call.paths)).strip() or None,
                time=message.time,
            )
        elif waiting is not None:
            self._worked(message, waiting, ended.output)

    def _worked(self, message: Message, waiting: _Open, text: str) -> None:
        call = waiting.call
        how = f"{call.tool or 'the tool'} worked later"
        self.errors.passed(call.tool, message.id, how)
        self.errors.passed(_A_READ, message.id, _WENT_ON)
        if call.use is not ToolUse.READ:  # to read a file mends no change that failed
            for path in call.paths:
                self.errors.passed(f"file {path}", message.id, how)
        match call.use:
            case ToolUse.READ | ToolUse.CHANGE:
                use = FileUse.READ if call.use is ToolUse.READ else FileUse.CHANGED
                for path in call.paths:
                    self.files.used(path, use, waiting.message.id, waiting.said)
                    if use is FileUse.READ and is_source(path):
                        self.code.shown(message.id, CodeShown.SIGNATURE, path)
            case ToolUse.TODO:
                self.todos.created(waiting.given, text, waiting.message.id)

    def _ran(
        self, message: Message, part: Part, waiting: _Open, command: Command, ended: Outcome
    ) -> None:
        """The result of a shell command."""
        line = waiting.call.command.strip()
        self.commands.append(
            CommandFact(
                line, waiting.message.id, ended.status, ended.failed, part.call_id, message.time
            )
        )
        if not ended.known:
            return
        output = ended.output
        self.code.shown(message.id, shown_in(output))
        if not command.looking:
            self._committed(message, command, line, output)
        if _SHOWS_A_URL.search(line) and not ended.failed:
            for url in urls(output[-4_000:]):
                self.urls.add(url, message.id)
        if not ended.failed and not _NOTHING_DONE.search(output[:4_000]):
            for path in dict.fromkeys((*waiting.call.paths, *files_changed(line))):
                self.files.used(path, FileUse.CHANGED, waiting.message.id, waiting.said)
            if back := taken_back(line):
                self.rejected[back] = RejectedFact(f"took changes back: `{back}`", message.id)
        if ended.error:
            self.errors.ran_again(line, output, message.id)
            self.errors.failed(
                ended.lines,
                message=message.id,
                key=command.last or line,
                call_id=part.call_id,
                command=line,
                time=message.time,
            )
        elif not waiting.call.background and ended.status is not None:
            self.errors.command_passed(command, message.id)
            self.errors.passed(_A_READ, message.id, _WENT_ON)
        self.errors.tests_passed(output, message.id)

    def _committed(self, message: Message, command: Command, line: str, text: str) -> None:
        for sha, subject, branch in commits_made(line, text, asked=command.commits):
            last = next(reversed(self.commits.values()), None)
            if command.amends and last is not None and last.branch == branch and last.sha != sha:
                self.commits[last.sha] = replace(last, replaced_by=sha)
            self.commits.setdefault(sha, CommitFact(sha, subject, message.id, branch))

    def _user_command(self, message: Message, part: Part) -> None:
        """A command the person ran in pi: "Ran `command`" and its output. An error in it is theirs
        to bring up, so that it counts as a command only."""
        text = self.text(part)
        if match := _USER_COMMAND.match(text):
            status = exit_status(text, error=part.error)
            failed = part.error or bool(status)
            self.commands.append(
                CommandFact(match[1], message.id, status, failed, part.call_id, message.time)
            )

    def facts(self) -> Facts:
        last = self.prompts[-1] if self.prompts else None
        return Facts(
            files=self.files.facts(),
            commits=tuple(self.commits.values()),
            references=self.references.facts(),
            urls=self.urls.facts(),
            errors=self.errors.facts(),
            commands=tuple(self.commands),
            decisions=tuple(self.decisions.values()),
            prompts=tuple(self.prompts),
            todos=self.todos.facts(),
            skills=tuple(self.skills),
            last_reply=self.last_reply,
            last_prompt=StateFact(last.text, last.message, last.time) if last else None,
            code=self.code.facts(),
            rejected=tuple(self.rejected.values()),
            findings=tuple(self.findings.values()),
        )


def extract(session: Session) -> Facts:
    """The facts of the whole live branch, also from before its compactions.

    Bodies are fetched only where they are needed. Nothing in a session makes it raise; RedlineError
    comes from the source where the file has changed under it.
    """
    extraction = _Extraction(session.source.text, session.source.value)
    for message in session.source.history():
        extraction.take(message)
    return extraction.facts()


class Gathering:
    """The facts of a session that grows: what was taken once is not read again."""

    def __init__(self, session: Session, give_way: Callable[[], None] = lambda: None) -> None:
        """`give_way` is called after each message, by work that must not hold up a screen."""
        self._give_way = give_way
        self._extraction = _Extraction(session.source.text, session.source.value)
        self._taken: dict[str, int] = {}
        self._take(session, session.source.history())

    def grown(self, session: Session) -> None:
        """Takes in what `session` has more in its context. For one that was compacted, or went
        back, a new gathering is needed. Raises RedlineError as its source does."""
        self._take(session, session.context)

    def _take(self, session: Session, messages: Iterable[Message]) -> None:
        self._extraction.text, self._extraction.value = session.source.text, session.source.value
        for message in messages:
            known = self._taken.get(message.id, 0)
            if known < len(message.parts):
                self._taken[message.id] = len(message.parts)
                self._extraction.take(replace(message, parts=message.parts[known:]))
                self._give_way()

    def facts(self) -> Facts:
        """All facts so far."""
        return self._extraction.facts()


def _key(call: ToolCall) -> str:
    """What a tool that failed is recognised by when it works: the file it changes, or its name.

    A file that could not be read was a try: whatever works next is the way on.
    """
    if call.use is ToolUse.READ:
        return _A_READ
    if call.paths:
        return f"file {call.paths[0]}"
    return call.tool
