"""The survival of each kind over the rounds, drawn with characters that every terminal has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from redline.evaluate.figures import RoundFigures

_LINES = 11  # of 10 % each
_AXIS = 6  # cells of "100% |"
_WIDEST = 14  # cells of one round


def plot(rounds: Sequence[RoundFigures], width: int) -> list[str]:
    """One letter for each kind in each round, as high as its survival; kinds stand side by side, so
    that none hides another. A round in which all survive is a row of letters at the top."""
    kinds = list(dict.fromkeys(kind for one in rounds for kind in one.survival))
    if not kinds or not rounds:
        return []
    letters = [kind.value[0].upper() for kind in kinds]
    cell = max(len(kinds) + 1, min(_WIDEST, (width - _AXIS) // len(rounds)))
    canvas = [[" "] * (cell * len(rounds)) for _ in range(_LINES)]
    for column, one in enumerate(rounds):
        for slot, kind in enumerate(kinds):
            share = one.survival.get(kind)
            if share is None or share.percent is None:
                continue
            at = column * cell + slot
            top = _LINES - 1 - round(share.percent * (_LINES - 1) / 100)
            for line in range(top + 1, _LINES):
                canvas[line][at] = ":"
            canvas[top][at] = letters[slot]
    lines = []
    for number, row in enumerate(canvas):
        percent = 100 - number * 100 // (_LINES - 1)
        label = f"{percent:>3}%" if percent % 50 == 0 else ""
        lines.append(f"{label:>4} |{''.join(row)}".rstrip())
    lines.append(f"{'':>4} +{'-' * (cell * len(rounds))}")
    numbers = "".join(f"{one.number:<{cell}}" for one in rounds)
    lines.append(f"{'round':<{_AXIS}}{numbers}".rstrip())
    named = zip(letters, kinds, strict=True)
    lines.append(f"{'':<{_AXIS}}{', '.join(f'{letter} {kind.value}' for letter, kind in named)}")
    return lines
