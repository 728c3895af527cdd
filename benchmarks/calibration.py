"""How well the calibrated count predicts what a session is billed ten requests later.

    python benchmarks/calibration.py [FOLDER]

FOLDER holds sessions of Claude Code (default: $REDLINE_REAL_SESSIONS). Files of subagents are no
sessions and are left out. Every stretch of every session between two boundaries is taken, and in it
all pairs of a request and the tenth after it. The prediction is the billed input of the first plus
the tokens of what was added, by the same functions that the program measures with, fitted only to
growths up to the first request. Beside it stand characters / 4, and the same calibration without
the outputs billed in between (which a person who adds ten more messages would not know either).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tui"))

from redline.agents.claude_code.reader import open_session
from redline.context.billed import billed_input
from redline.context.calibration import Calibration, Growth, calibrate, starting
from redline.context.counting import Counted, count_messages, growths, requests
from redline.context.families import family
from redline.context.tokenizer import tokenizer
from redline.errors import RedlineError
from redline.model import CompactionKind, Message, PartState, PartType, Session

AHEAD = 10
Errors = dict[str, list[float]]


def stretches(path: Path) -> Iterator[tuple[Session, tuple[Message, ...]]]:
    """Each stretch of messages of the live branch with no boundary inside."""
    session = open_session(path)
    for number, compaction in enumerate(session.compactions, 1):
        if compaction.kind is not CompactionKind.MICRO:
            earlier = open_session(path, before=number)
            yield earlier, earlier.context
    yield session, session.context


def without_micro(session: Session, messages: Sequence[Message]) -> Iterator[Sequence[Message]]:
    """`messages` cut where results were cleared: after the reply nearest before the boundary."""
    times = [c.time for c in session.compactions if c.kind is CompactionKind.MICRO and c.time]
    begin = 0
    for at, message in enumerate(messages):
        if times and message.time and message.time > times[0]:
            yield messages[begin:at]
            begin = at
            while times and message.time > times[0]:
                times.pop(0)
    yield messages[begin:]


def characters(message: Message) -> int:
    return sum(part.chars for part in message.parts if part.type is not PartType.IMAGE)


def collect(path: Path, errors: Errors) -> None:
    for session, whole in stretches(path):
        for messages in without_micro(session, whole):
            predict(session, messages, errors)


def predict(session: Session, messages: Sequence[Message], errors: Errors) -> None:
    answered = requests(messages)
    if len(answered) <= AHEAD:
        return
    models = family(messages[answered[-1]].model)
    live = [
        replace(m, parts=tuple(replace(p, state=PartState.LIVE) for p in m.parts)) for m in messages
    ]
    counted = count_messages(live, session.source, tokenizer(), models).counted
    known = growths(live, counted, models)
    for first, second in zip(answered, answered[AHEAD:], strict=False):
        past: list[Growth] = [growth for _, end, growth in known if end <= first]
        fitted = calibrate(past, models)
        start, truth = billed_input(messages[first]) or 0, billed_input(messages[second]) or 0
        added = counted[first:second]
        chars = sum(map(characters, messages[first:second]))
        guesses = {
            "calibrated": total(fitted, added, Calibration.tokens),
            "calibrated, texts only": total(fitted, added, Calibration.estimate),
            "starting factors": total(starting(models), added, Calibration.tokens),
            "characters / 4": chars / 4,
        }
        for name, grown in guesses.items():
            errors.setdefault(name, []).append(abs(start + grown - truth) / truth)


def total(fitted: Calibration, added: Sequence[Counted], weigh: Callable[..., float]) -> float:
    return sum(weigh(fitted, each.added) for each in added)


def quantile(values: Sequence[float], share: float) -> float:
    """The value that `share` of `values` do not exceed."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def show(title: str, errors: Errors) -> None:
    for name, values in errors.items():
        middle, high = quantile(values, 0.5), quantile(values, 0.95)
        print(
            f"{title[:34]:34} {name:24} {len(values):5} pairs"
            f"  median {middle:6.2%}  95th percentile {high:6.2%}"
        )


def main() -> int:
    folder = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("REDLINE_REAL_SESSIONS", "")
    if not folder or not Path(folder).is_dir():
        print("name a folder with sessions of Claude Code", file=sys.stderr)
        return 2
    inner = Path(folder) / "claude_code"
    root = inner if inner.is_dir() else Path(folder)
    pooled: Errors = {}
    paths = [p for p in sorted(root.rglob("*.jsonl")) if "subagents" not in p.parts]
    for path in paths:
        errors: Errors = {}
        try:
            collect(path, errors)
        except RedlineError as error:
            print(f"{path.name}: {error.message}", file=sys.stderr)
        show(path.stem, {k: v for k, v in errors.items() if k == "calibrated"})
        for name, values in errors.items():
            pooled.setdefault(name, []).extend(values)
    if not pooled:
        print("no session has more than ten requests", file=sys.stderr)
        return 1
    print()
    show("all", pooled)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
