"""Compactions that refill at once: recognised, and what refills the window named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from redline.amounts import short
from redline.context.window import Window
from redline.facts.tools import ToolUse, read_call
from redline.model import CompactionKind, Kind, Part, PartType, PastCompaction, Session
from redline.text import counted, one_line

# Claude Code (2.1.89) stops after three refills in a row, each within three turns; here two are
# told, so that there is time to act.
_IN_A_ROW = 2
_AT_ONCE = 10  # messages between two compactions, or since the last
_LITTLE = 0.75  # of what was there before: a compaction that left as much has freed next to nothing
_NAMED = 4
_BY_HAND = "manual"


@dataclass(frozen=True, slots=True)
class Refill:
    """What a part of the window goes to: `name` is a file, a tool, or a kind of text."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True)
class Thrash:
    """`times` compactions in a row did not help. `after` is what the last one left, `used` what is
    used now, in tokens; `refills` are the largest parts of the window since, the largest first."""

    times: int
    after: int | None
    used: int
    limit: int | None
    refills: tuple[Refill, ...]

    @property
    def words(self) -> str:
        """`2 compactions in a row refilled at once: 150k left by the last, 165k of 200k used now;
        by: logs/all.txt 90k, ...`."""
        left = f"{short(self.after)} left by the last, " if self.after is not None else ""
        now = f"{short(self.used)} of {short(self.limit)}" if self.limit else short(self.used)
        by = ", ".join(f"{one_line(each.name, 60)} {short(each.tokens)}" for each in self.refills)
        times = counted(self.times, "compaction")
        return f"{times} in a row refilled at once: {left}{now} used now; by: {by}"


def thrash(window: Window) -> Thrash | None:
    """Whether the newest compactions of `window`'s session refilled at once; None where they did
    not. Raises RedlineError where the file has changed under the session."""
    session = window.session
    past = [each for each in session.compactions if each.kind is not CompactionKind.MICRO]
    times = 0
    for number in range(len(past) - 1, -1, -1):
        following = past[number + 1] if number + 1 < len(past) else None
        if following is None:
            times += _full_again(window, past[number])
        elif _helped_little(past[number], following):
            times += 1
        else:
            break
    if times < _IN_A_ROW:
        return None
    after = past[-1].tokens_after
    after = past[-1].reported_after if after is None else after
    return Thrash(times, after, window.used, window.limit, _refills(window))


def _helped_little(past: PastCompaction, following: PastCompaction) -> bool:
    """Whether the agent had to compact again at once. What a person asks for is no loop."""
    if following.trigger == _BY_HAND:
        return False
    if following.messages_before - past.messages_before <= _AT_ONCE:
        return True
    return _freed_nothing(past)


def _freed_nothing(past: PastCompaction) -> bool:
    after = past.tokens_after if past.tokens_after is not None else past.reported_after
    before = past.tokens_before
    return bool(after and before and after >= before * _LITTLE)


def _full_again(window: Window, past: PastCompaction) -> bool:
    at = window.threshold or window.limit
    if at is None or window.used < at * _LITTLE:
        return False
    kept = set(past.preserved)
    since = [message for message in window.session.context if message.id not in kept]
    return len(since) <= _AT_ONCE or _freed_nothing(past)


def _refills(window: Window) -> tuple[Refill, ...]:
    weights: Counter[str] = Counter()
    if window.overhead > 0:
        weights["system prompt and tools"] = window.overhead
    names = _names(window.session)
    for message, tokens in zip(window.session.context, window.parts, strict=True):
        for part, weight in zip(message.parts, tokens, strict=True):
            weights[names.get(part.call_id or "") or _kind(part)] += weight
    return tuple(Refill(name, tokens) for name, tokens in weights.most_common(_NAMED) if tokens)


def _names(session: Session) -> dict[str, str]:
    """What each call is about: the file it reads or changes, or the tool."""
    return {part.call_id: _about(session, part) for part in _calls(session) if part.call_id}


def _calls(session: Session) -> Iterator[Part]:
    return (
        part
        for message in session.context
        for part in message.parts
        if part.type is PartType.TOOL_CALL
    )


def _about(session: Session, part: Part) -> str:
    call = read_call(part.tool, session.source.value(part))
    if call.use in (ToolUse.READ, ToolUse.CHANGE) and call.paths:
        return call.paths[0]
    return part.tool or "a tool"


def _kind(part: Part) -> str:
    match part.kind:
        case Kind.PROMPT:
            return "your prompts"
        case Kind.SUMMARY:
            return "the summary"
        case Kind.REPLY:
            return "thinking" if part.type is PartType.THINKING else "the agent's words"
        case Kind.TOOL_RESULT:
            return part.tool or "tool results"
        case _:
            return "injected text"
