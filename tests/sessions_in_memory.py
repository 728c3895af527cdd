"""Sessions in memory for tests: `session(user("..."), reply("..."), *ran("ls", call_id="a"))`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from redline.agents.bodies import call_text
from redline.model import (
    Agent,
    Block,
    Counts,
    Kind,
    Message,
    Origin,
    Part,
    PartState,
    PartType,
    PastCompaction,
    Role,
    Session,
    SessionInfo,
    Usage,
)

START = datetime(2026, 1, 1, 9, 0, tzinfo=UTC)
PATH = Path("memory.jsonl")


@dataclass(frozen=True)
class Piece:
    """A part with its body: a string, or a call's input."""

    type: PartType
    kind: Kind
    body: object
    wire: str
    call_id: str | None = None
    tool: str | None = None
    error: bool = False
    state: PartState = PartState.LIVE
    pixels: tuple[int, int] | None = None


@dataclass(frozen=True)
class Draft:
    """A message that has no place yet. `id` None: `m1`, `m2`, ... by its place in the session."""

    role: Role
    pieces: tuple[Piece, ...]
    id: str | None = None
    time: datetime | None = None
    usage: Usage | None = None
    model: str | None = None
    stop: str | None = None


def user(text: str, *, id: str | None = None, time: datetime | None = None) -> Draft:  # noqa: A002
    """A human prompt."""
    return Draft(Role.USER, (Piece(PartType.TEXT, Kind.PROMPT, text, "text"),), id, time)


def injected(text: str, *, id: str | None = None) -> Draft:  # noqa: A002
    """Text that nobody typed: instructions, environment, command echoes."""
    return Draft(Role.USER, (Piece(PartType.TEXT, Kind.INJECTED, text, "text"),), id)


def summary(text: str, *, id: str | None = None) -> Draft:  # noqa: A002
    """The summary of a past compaction, as a message of the user's role."""
    return Draft(Role.USER, (Piece(PartType.TEXT, Kind.SUMMARY, text, "text"),), id)


def reply(
    text: str,
    *,
    id: str | None = None,  # noqa: A002
    time: datetime | None = None,
    usage: Usage | None = None,
    model: str | None = None,
) -> Draft:
    """Words of the agent."""
    piece = Piece(PartType.TEXT, Kind.REPLY, text, "text")
    return Draft(Role.ASSISTANT, (piece,), id, time, usage, model)


def thinking(text: str, *, id: str | None = None) -> Draft:  # noqa: A002
    return Draft(Role.ASSISTANT, (Piece(PartType.THINKING, Kind.REPLY, text, "thinking"),), id)


def image(
    *,
    id: str | None = None,  # noqa: A002
    pixels: tuple[int, int] | None = (640, 480),
    call_id: str | None = None,
) -> Draft:
    """A pasted image, or with `call_id` one inside a tool result."""
    kind = Kind.PROMPT if call_id is None else Kind.TOOL_RESULT
    piece = Piece(PartType.IMAGE, kind, "", "image", call_id, pixels=pixels)
    return Draft(Role.USER, (piece,), id)


def call(
    tool: str,
    arguments: Mapping[str, object] | str,
    *,
    call_id: str,
    id: str | None = None,  # noqa: A002
) -> Draft:
    """One tool call. Several in one message: `together(call(...), call(...))`."""
    body = arguments if isinstance(arguments, str) else dict(arguments)
    piece = Piece(PartType.TOOL_CALL, Kind.TOOL_CALL, body, "tool_use", call_id, tool)
    return Draft(Role.ASSISTANT, (piece,), id)


def result(
    text: str,
    *,
    call_id: str,
    error: bool = False,
    tool: str | None = None,
    state: PartState = PartState.LIVE,
    id: str | None = None,  # noqa: A002
) -> Draft:
    """The result of the call `call_id`."""
    piece = Piece(
        PartType.TOOL_RESULT, Kind.TOOL_RESULT, text, "tool_result", call_id, tool, error, state
    )
    return Draft(Role.USER, (piece,), id)


def together(*drafts: Draft) -> Draft:
    """One message with the parts of all `drafts`, and otherwise like the first."""
    return replace(drafts[0], pieces=tuple(piece for draft in drafts for piece in draft.pieces))


def ran(command: str, output: str = "", status: int = 0, *, call_id: str) -> tuple[Draft, Draft]:
    """A shell call and its result, as Claude Code writes them."""
    text = output if status == 0 else f"Exit code {status}\n{output}"
    return (
        call("Bash", {"command": command}, call_id=call_id),
        result(text, call_id=call_id, error=status != 0, tool="Bash"),
    )


class MemorySource:
    """A SessionSource over bodies that lie in memory."""

    def __init__(self, messages: tuple[Message, ...], bodies: dict[tuple[int, int], object]):
        self._messages = messages
        self._bodies = bodies

    def value(self, part: Part) -> object:
        return self._bodies[part.origin.record, part.index]

    def text(self, part: Part) -> str:
        if part.type is PartType.IMAGE:
            return ""
        value = self.value(part)
        return call_text(value) if part.type is PartType.TOOL_CALL else str(value)

    def history(self) -> Iterator[Message]:
        return iter(self._messages)

    def resume(self) -> Iterator[Block]:
        for message in self._messages:
            for part in message.parts:
                yield Block(
                    role=message.role.value,
                    type=part.wire,
                    id=part.call_id,
                    text=self.text(part),
                    message=message.id,
                    record=part.origin.record,
                )


def session(
    *drafts: Draft | Iterable[Draft],
    agent: Agent = Agent.CLAUDE_CODE,
    id: str = "session-1",  # noqa: A002
    project: str | None = "/home/dev/shop",
    context_from: int = 0,
    compactions: tuple[PastCompaction, ...] = (),
    model: str | None = None,
) -> Session:
    """A session of `drafts` in order, one minute apart; its context starts at `context_from`."""
    flat: list[Draft] = []
    for draft in drafts:
        flat.extend([draft] if isinstance(draft, Draft) else draft)
    bodies: dict[tuple[int, int], object] = {}
    messages: list[Message] = []
    for number, draft in enumerate(flat, start=1):
        parts: list[Part] = []
        for index, piece in enumerate(draft.pieces):
            bodies[number, index] = piece.body
            length = len(call_text(piece.body)) if piece.type is PartType.TOOL_CALL else 0
            parts.append(
                Part(
                    type=piece.type,
                    kind=piece.kind,
                    origin=Origin(PATH, number, number * 100, number * 100 + 99, (index,)),
                    chars=length or len(str(piece.body)),
                    wire=piece.wire,
                    index=index,
                    call_id=piece.call_id,
                    tool=piece.tool,
                    error=piece.error,
                    state=piece.state,
                    pixels=piece.pixels,
                )
            )
        head = next((str(p.body) for p in draft.pieces if isinstance(p.body, str) and p.body), "")
        messages.append(
            Message(
                id=draft.id or f"m{number}",
                role=draft.role,
                parts=tuple(parts),
                time=draft.time or START + timedelta(minutes=number),
                usage=draft.usage,
                model=draft.model or model,
                stop=draft.stop,
                head=(head.splitlines() or [""])[0][:200],
            )
        )
    history = tuple(messages)
    prompts = sum(len(message.prompts) for message in history)
    return Session(
        info=SessionInfo(agent=agent, id=id, path=PATH, project=project, model=model),
        context=history[context_from:],
        source=MemorySource(history, bodies),
        compactions=compactions,
        counts=Counts(
            records=len(history),
            messages=len(history),
            prompts=prompts,
            turns=sum(1 for message in history if message.prompts),
        ),
        leaf=history[-1].id if history else None,
    )
