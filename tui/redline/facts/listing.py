"""Makes the table of contents of a session, message by message."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import replace

from redline.facts.contents import (
    Boundary,
    BranchSummary,
    Contents,
    FailedResult,
    Fork,
    Kept,
    Started,
    Turn,
)
from redline.facts.outcome import outcome
from redline.facts.shell import Command, take_apart
from redline.facts.tools import ToolCall, ToolUse, read_call, tool_use
from redline.model import CompactionKind, Kind, Message, Part, PartType, Session
from redline.text import one_line

LONGEST = 200  # characters of a head or an error line
_BRANCH_SUMMARY = "branchsummary"  # pi's word for it
_PER_TOKEN = 4.0  # characters, until the session itself tells better


class Listing:
    """Takes the history in order and gives the contents of what came so far."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._sent = {message.id for message in session.context}
        self._wanted = {name for past in session.compactions for name in past.preserved}
        self._by_summary = {
            past.summary.id: number
            for number, past in enumerate(session.compactions)
            if past.summary is not None
        }
        self._forks = {branch.fork for branch in session.side_branches}
        self._starts = {agent.call_id for agent in session.subagents if agent.call_id}
        self._place = 0
        self._spans: list[list[int]] = []
        self._turns: list[Turn] = []
        self._places: dict[int, int] = {}  # compaction, from 0 -> place
        self._kept: dict[str, Kept] = {}
        self._errors: list[FailedResult] = []
        self._summaries: list[BranchSummary] = []
        self._fork_places: dict[str | None, int] = {}
        self._start_places: dict[str, int] = {}
        self._open: dict[str, tuple[ToolCall, Command | None]] = {}
        self._weight = _Weight()

    @property
    def messages(self) -> int:
        """How many were taken."""
        return self._place

    def take(self, message: Message) -> None:
        """The next message of the history."""
        place = self._place
        self._pass_boundaries(message)
        if message.id in self._sent:
            if self._spans and self._spans[-1][1] == place:
                self._spans[-1][1] = place + 1
            else:
                self._spans.append([place, place + 1])
        if message.id in self._forks:
            self._fork_places[message.id] = place
        if prompts := message.prompts:
            self._turn(message, prompts)
        self._weight.add(message)
        calls, errors = 0, 0
        for part in message.parts:
            match part.kind:
                case Kind.TOOL_CALL:
                    calls += 1
                    self._call(part)
                case Kind.TOOL_RESULT if part.type is PartType.TOOL_RESULT:
                    errors += self._result(message, part)
                case Kind.SUMMARY if part.wire.lower() == _BRANCH_SUMMARY:
                    head = one_line(message.head, LONGEST)
                    self._summaries.append(BranchSummary(place, len(self._turns), message.id, head))
        if message.id in self._wanted:
            self._kept[message.id] = Kept(place, message.id, message.head, bool(prompts))
        if self._turns:
            last = self._turns[-1]
            tokens, billed = self._weight.now
            self._turns[-1] = replace(
                last,
                messages=last.messages + 1,
                calls=last.calls + calls,
                errors=last.errors + errors,
                tokens=tokens,
                billed=billed,
            )
        self._place += 1

    def so_far(self) -> Contents:
        """The contents of what was taken."""
        session = self._session
        return Contents(
            messages=self._place,
            spans=tuple((start, end) for start, end in self._spans),
            turns=tuple(self._turns),
            compactions=tuple(self._boundaries()),
            errors=tuple(self._errors),
            branches=tuple(
                Fork(branch, *self._hung(self._fork_places.get(branch.fork)))
                for branch in session.side_branches
            ),
            subagents=tuple(
                Started(agent, *self._hung(self._start_places.get(agent.call_id or "")))
                for agent in session.subagents
            ),
            summaries=tuple(self._summaries),
        )

    # -- turns, calls, results -----------------------------------------------------------------

    def _turn(self, message: Message, prompts: tuple[Part, ...]) -> None:
        head = message.head
        if prompts[0] is not message.parts[0] and prompts[0].type is PartType.TEXT:
            head = self._session.text(prompts[0])  # the message's head is of what was put before
        self._turns.append(
            Turn(
                number=len(self._turns) + 1,
                place=self._place,
                message=message.id,
                head=one_line(head, LONGEST) or "(image)",
                time=message.time,
                messages=0,
                calls=0,
                errors=0,
                tokens=0,
                billed=False,
                sent=message.id in self._sent,
            )
        )

    def _call(self, part: Part) -> None:
        if part.call_id is None:
            return
        if part.call_id in self._starts:
            self._start_places.setdefault(part.call_id, self._place)
        if tool_use(part.tool) is ToolUse.SHELL:
            call = read_call(part.tool, self._session.source.value(part))
            self._open[part.call_id] = (call, take_apart(call.command))
        else:
            self._open[part.call_id] = (ToolCall(part.tool or "", ToolUse.OTHER), None)

    def _result(self, message: Message, part: Part) -> bool:
        """Whether the result tells of an error, which is listed then."""
        known = self._open.pop(part.call_id or "", None)
        call, command = known or (ToolCall(part.tool or "", ToolUse.OTHER), None)
        if not part.error and command is None:
            return False
        ended = outcome(call, command, part, self._session.text(part))
        if ended is None or not ended.error:
            return False
        self._errors.append(
            FailedResult(
                place=self._place,
                turn=len(self._turns),
                message=message.id,
                call_id=part.call_id,
                call=one_line(call.command or call.tool, LONGEST),
                line=one_line(next(iter(ended.lines), ""), LONGEST),
                time=message.time,
            )
        )
        return True

    # -- compactions, and what hangs on a message ----------------------------------------------

    def _pass_boundaries(self, message: Message) -> None:
        """The compactions that lie just before `message`."""
        numbers: Iterable[int] = ()
        if message.id in self._by_summary:
            numbers = (self._by_summary[message.id],)
        else:
            numbers = (
                number
                for number, past in enumerate(self._session.compactions)
                if past.summary is None and past.messages_before == self._place
            )
        for number in numbers:
            if self._places.setdefault(number, self._place) == self._place:
                past = self._session.compactions[number]
                if past.kind is not CompactionKind.MICRO:
                    self._weight.restart()

    def _boundaries(self) -> Iterable[Boundary]:
        for number, past in enumerate(self._session.compactions):
            place = self._places.get(number)
            if place is None:  # its summary is no message of the branch, or nothing follows it
                place = past.messages_before
            if place > self._place:
                continue  # not reached yet
            kept = (self._kept[name] for name in past.preserved if name in self._kept)
            yield Boundary(
                number + 1,
                past,
                place,
                bisect_right(self._turns, place - 1, key=lambda turn: turn.place),
                tuple(sorted(kept, key=lambda one: one.place)),
            )

    def _hung(self, place: int | None) -> tuple[int | None, int]:
        if place is None:
            return None, 0
        return place, bisect_right(self._turns, place, key=lambda turn: turn.place)


class _Weight:
    """What the model was sent last: as billed, or estimated from characters with the session's own
    ratio of characters to tokens where two bills in a row tell it."""

    def __init__(self) -> None:
        self._base = 0  # tokens as billed last
        self._told = False
        self._since = 0  # characters after that
        self._characters = self._tokens = 0  # between two bills

    def restart(self) -> None:
        """A compaction: what came before is not sent any more."""
        self._base, self._told, self._since = 0, False, 0

    def add(self, message: Message) -> None:
        billed = message.usage.billed if message.usage else None
        if billed is not None:
            if self._told and billed > self._base and self._since:
                self._characters += self._since
                self._tokens += billed - self._base
            self._base, self._told, self._since = billed, True, 0
        self._since += sum(part.chars for part in message.parts)

    @property
    def now(self) -> tuple[int, bool]:
        """Tokens, and whether they were billed."""
        if self._told:
            return self._base, True
        per_token = self._characters / self._tokens if self._tokens else _PER_TOKEN
        return round(self._since / min(max(per_token, 1.0), 8.0)), False
