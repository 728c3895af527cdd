"""What an agent did after each of its compactions that it need not have done with its memory.

Files it read again though it knew them, commands it ran again though nothing had changed, and how
long it took until it changed a file again (`quality.md`, "Post-compaction behaviour").
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from redline.facts.tools import ToolUse, read_call, tool_use
from redline.model import CompactionKind, Kind, Message, Session


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What followed compaction `number` (from 1), up to the next. `read_again` are files that were
    read or changed before, `ran_again` commands that were run in the same words in the window
    before, both in the order they came. `calls_to_edit` and `minutes_to_edit` are those up to the
    first change of a file, None where none came (or no time is known); `messages` came until the
    next compaction or the end. `known` is how many files were known then."""

    number: int
    read_again: tuple[str, ...] = ()
    ran_again: tuple[str, ...] = ()
    calls: int = 0
    calls_to_edit: int | None = None
    minutes_to_edit: float | None = None
    messages: int = 0
    known: int = 0


@dataclass(slots=True)
class _After:
    """What is gathered behind a boundary."""

    number: int
    time: datetime | None
    known: frozenset[str]
    commands: frozenset[str]
    read_again: dict[str, None] = field(default_factory=dict)
    ran_again: dict[str, None] = field(default_factory=dict)
    calls: int = 0
    calls_to_edit: int | None = None
    edited: datetime | None = None
    messages: int = 0

    def told(self) -> Aftermath:
        minutes = None
        if self.edited is not None and self.time is not None and self.edited >= self.time:
            minutes = (self.edited - self.time).total_seconds() / 60
        return Aftermath(
            self.number,
            tuple(self.read_again),
            tuple(self.ran_again),
            self.calls,
            self.calls_to_edit,
            minutes,
            self.messages,
            len(self.known),
        )


def aftermaths(
    session: Session, cancelled: Callable[[], bool] = lambda: False
) -> tuple[Aftermath, ...]:
    """What followed each full compaction, in their order; reads the history once. Raises
    RedlineError where the session's file has changed under it."""
    boundaries = [
        (past.messages_before, number, past)
        for number, past in enumerate(session.compactions, start=1)
        if past.kind is not CompactionKind.MICRO
    ]
    found: list[Aftermath] = []
    files: set[str] = set()
    commands: set[str] = set()  # of the window so far
    after: _After | None = None
    for place, message in enumerate(session.source.history()):
        if cancelled():
            break
        while boundaries and boundaries[0][0] <= place:
            _, number, past = boundaries.pop(0)
            if after is not None:
                found.append(after.told())
            time = past.time or message.time
            after = _After(number, time, frozenset(files), frozenset(commands))
            commands = set()
        _take(session, message, after, files, commands)
    if after is not None:
        found.append(after.told())
    found += [Aftermath(number) for _, number, _ in boundaries]  # nothing came after
    return tuple(found)


def _take(
    session: Session,
    message: Message,
    after: _After | None,
    files: set[str],
    commands: set[str],
) -> None:
    if after is not None:
        after.messages += 1
    for part in message.parts:
        if part.kind is not Kind.TOOL_CALL:
            continue
        if after is not None:
            after.calls += 1
        use = tool_use(part.tool)
        if use not in (ToolUse.SHELL, ToolUse.READ, ToolUse.CHANGE):
            continue
        call = read_call(part.tool, session.source.value(part))
        changes = call.use is ToolUse.CHANGE or (call.use is ToolUse.SHELL and call.paths)
        if call.use is ToolUse.SHELL and (command := call.command.strip()):
            if after is not None and command in after.commands:
                after.ran_again[command] = None
            commands.add(command)
        if after is not None and call.use is ToolUse.READ:
            after.read_again.update(dict.fromkeys(p for p in call.paths if p in after.known))
        if after is not None and changes and after.calls_to_edit is None:
            after.calls_to_edit, after.edited = after.calls, message.time
        files.update(call.paths)
