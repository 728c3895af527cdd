"""A handoff file made to fit as a whole: summary, kept messages, and what stands around them.

The summary has first call on the room, up to half of it where the kept messages need the rest; of
those the tool output is shortened first, then the oldest go, the user's own words last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redline.errors import RedlineError
from redline.handoff.budget import Budget
from redline.handoff.document import Kept
from redline.handoff.framing import Frame
from redline.handoff.handoff import Handoff
from redline.handoff.layout import SECTIONS, Form
from redline.handoff.markdown import parse, render
from redline.handoff.reading import value_of
from redline.model import Kind, PartType
from redline.text import counted

_ROUNDS = 4  # of writing the summary shorter
_NEXT = 0.9  # of the room that was too much
_FRAME = 4  # times a frame fits into the file, else a smaller one is taken

# What a file is built of: the summary, the frame, the kept messages, and how many are left out.
Build = Callable[[str, Frame, Sequence[Kept], int], str]


@dataclass(frozen=True, slots=True)
class FittedFile:
    """`summary`, `frame` and `kept` make the file; `gone` says in a line each what had to go."""

    summary: str
    frame: Frame
    kept: tuple[Kept, ...]
    left_out: int = 0
    gone: tuple[str, ...] = ()


def fitted_file(
    budget: Budget,
    *,
    build: Build,
    write: Callable[[Budget], str],
    usual: str,
    frames: Sequence[Frame],
    kept: tuple[Kept, ...],
) -> FittedFile:
    """The file no longer than `budget`. `usual` is the summary as long as it is when nobody asks,
    `write` makes one that fits a budget of its own; `frames` are tried from the first on.

    Raises RedlineError with the least size where the confirmed rules alone are too long.
    """

    def size(summary: str, frame: Frame, parts: Sequence[Kept], left_out: int = 0) -> int:
        return budget.measure(build(summary, frame, parts, left_out))

    rules = _rules_alone(usual)
    if (least := size(rules, frames[-1], ())) > budget.limit:
        raise RedlineError(
            f"the file does not fit: with nothing but the rules it takes {least:,} tokens, "
            f"{budget.limit:,} were asked",
            f"give it more: --fit {least}, or retire rules",
            status=1,
        )
    frame = frames[0]
    if size(usual, frame, kept) > budget.limit:
        small = (one for one in frames if size("", one, ()) * _FRAME <= budget.limit)
        frame = next(small, frames[-1])
    around = size("", frame, ())
    room = budget.limit - around
    wanted = max(1, size(usual, frame, ()) - around)
    share = max(room - (size("", frame, kept) - around), min(wanted, room // 2))
    summary = _written(
        write, lambda text: size(text, frame, ()) <= budget.limit, usual, rules, share / wanted
    )(budget)
    parts, left_out, shortened = _kept(
        kept, lambda some, out: size(summary, frame, some, out) <= budget.limit
    )
    gone = list(_left_out(usual, summary))
    if shortened:
        gone.append(f"{counted(shortened, 'kept tool result')} shortened")
    if left_out:
        gone.append(f"{left_out} of {counted(len(kept), 'kept part')} left out")
    if frame != frames[0]:
        gone.append("what stands around it made shorter (git, commands)")
    return FittedFile(summary, frame, parts, left_out, tuple(gone))


def _written(
    write: Callable[[Budget], str],
    fits: Callable[[str], bool],
    usual: str,
    rules: str,
    share: float,
) -> Callable[[Budget], str]:
    """What writes the summary in `share` of what the usual one takes, with all confirmed rules."""

    def made(budget: Budget) -> str:
        limit = max(1, int(budget.measure(usual) * share))
        for _ in range(_ROUNDS):
            text = write(Budget(limit, budget.measure))
            if fits(text):
                return text if _rules(text) >= _rules(rules) else rules
            limit = max(1, int(limit * _NEXT))
        return rules

    return made


def _rules_alone(usual: str) -> str:
    whole = parse(usual)
    confirmed = tuple(rule for rule in whole.constraints if rule.confirmed)
    transcript = whole.transcript.replace("\\", "/").rpartition("/")[2]
    return render(Handoff(constraints=confirmed, transcript=transcript, brief=True))


def _rules(text: str) -> set[str]:
    return {rule.text for rule in parse(text).constraints if rule.confirmed}


def _kept(
    kept: tuple[Kept, ...], fits: Callable[[Sequence[Kept], int], bool]
) -> tuple[tuple[Kept, ...], int, int]:
    """What of `kept` fits, how many parts are left out, and how many results are shortened."""
    if fits(kept, 0):
        return kept, 0, 0
    output = [at for at, one in enumerate(kept) if one.shortened != one and _is_output(one)]

    def with_short(count: int) -> tuple[Kept, ...]:
        places = set(output[:count])
        return tuple(one.shortened if at in places else one for at, one in enumerate(kept))

    count = _least(len(output), lambda some: fits(with_short(some), 0))
    if count is not None:
        return with_short(count), 0, count
    short = with_short(len(output))
    order = sorted(range(len(short)), key=lambda at: (short[at].part.kind is Kind.PROMPT, at))

    def without(count: int) -> tuple[Kept, ...]:
        places = set(order[:count])
        return tuple(one for at, one in enumerate(short) if at not in places)

    left_out = _least(len(short), lambda some: fits(without(some), some))
    gone = len(short) if left_out is None else left_out
    remaining = without(gone)
    return remaining, gone, sum(one not in kept for one in remaining)


def _is_output(one: Kept) -> bool:
    return one.part.type in (PartType.TOOL_RESULT, PartType.TOOL_CALL)


def _least(most: int, holds: Callable[[int], bool]) -> int | None:
    """The least number up to `most` for which `holds`; None where it does for none."""
    if not holds(most):
        return None
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def _left_out(usual: str, summary: str) -> list[str]:
    """What the usual summary has more of, section by section."""
    whole, short = parse(usual), parse(summary)
    lost = []
    for section in SECTIONS:
        before, after = value_of(whole, section.key), value_of(short, section.key)
        if section.form is Form.JSON or not before:
            continue
        if isinstance(before, tuple) and isinstance(after, tuple):
            if (missing := len(before) - len(after)) > 0:  # words are split where room is short
                lost.append(f"{section.title} ({missing} of {len(before)})")
        elif not after:
            lost.append(section.title)
    return [f"left out of the summary: {', '.join(lost)}"] if lost else []
