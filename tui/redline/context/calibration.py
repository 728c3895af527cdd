"""Corrects counted tokens by what a session was billed.

Between two requests the billed input grew by exactly the tokens of what was added. From these
differences a few factors are fitted, held near their starting values until enough is known, and
deaf to outliers (an agent may clear results without a word). Pure functions over small data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from redline.context.families import Family

_RELATIVE_ERROR = 0.05  # of a difference that is predicted well: its deviation is this share
_FIXED_ERROR = 30.0  # and this many tokens
_HUBER = 2.0  # deviations from which a sample's pull no longer grows
_OUTLIER = 4.0  # deviations from which a sample is left out
_ROUNDS = 3
_IMAGE_SPREAD = 0.33
_CALL_SPREAD = 15.0
_MESSAGE_SPREAD = 15.0
_FINAL_SHARE = 0.6  # of the estimate: less is a placeholder written while the reply streamed
_PLACEHOLDER = 30  # the placeholders seen in Claude Code 2.0 to 2.1.42 are 1 to 30


class Group(IntEnum):
    """What is corrected together; each group has one factor."""

    REPLY = 0  # text, thinking and calls' inputs, in starting-factor tokens
    CALL = 1  # count of calls
    RESULT = 2  # tool results, in starting-factor tokens
    OTHER = 3  # prompts, injected text, summaries, in starting-factor tokens
    MESSAGE = 4  # count of messages that are no reply
    IMAGE = 5  # count of images


Amounts = tuple[float, float, float, float, float, float]
NOTHING: Amounts = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Added:
    """What one message brings: an amount a group, and for a reply its output as billed."""

    amounts: Amounts
    output: int | None = None


@dataclass(frozen=True, slots=True)
class Growth:
    """What was added between two consecutive requests, and by how much the billed input grew."""

    added: tuple[Added, ...]
    tokens: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """One factor a group: tokens per amount. `samples` tells how many differences it rests on."""

    factors: Amounts
    samples: int = 0

    def estimate(self, added: Added) -> float:
        """The tokens of a message by its texts alone."""
        return weighed(self.factors, added.amounts)

    def tokens(self, added: Added) -> float:
        """The tokens of a message: a reply's billed output where it is final, else the estimate."""
        estimate = self.estimate(added)
        return float(added.output) if is_final(added.output, estimate) else estimate  # type: ignore[arg-type]  # final: not None


def weighed(factors: Amounts, amounts: Amounts) -> float:
    """The tokens that `amounts` come to. Written out: a long context asks for it 40,000 times."""
    f, n = factors, amounts
    return f[0] * n[0] + f[1] * n[1] + f[2] * n[2] + f[3] * n[3] + f[4] * n[4] + f[5] * n[5]


def is_final(output: int | None, estimate: float) -> bool:
    """Whether a reply's output is its real weight, not a placeholder of a stream.

    Claude Code up to 2.1.96 leaves on many replies the output of the moment their first block was
    written; the real figure is about the estimate or, with thinking that is not stored, more.
    """
    return output is not None and output > _PLACEHOLDER and output >= _FINAL_SHARE * estimate


def starting(family: Family, image_tokens: int | None = None) -> Calibration:
    """The factors before anything of a session is known."""
    image = float(image_tokens or family.image)
    return Calibration((1.0, family.call, 1.0, 1.0, family.message, image))


def calibrate(
    growths: Sequence[Growth], family: Family, image_tokens: int | None = None
) -> Calibration:
    """The factors that explain `growths` best.

    Least squares, weighted by the size of each difference, drawn towards the family's starting
    factors, with Huber weights. Differences below zero say nothing about tokens and are left out.
    An image's weight set by a person is not moved.
    """
    start = starting(family, image_tokens)
    spread = family.spread
    image = 0.01 if image_tokens else _IMAGE_SPREAD * start.factors[Group.IMAGE]
    spreads = (spread, _CALL_SPREAD, spread, spread, _MESSAGE_SPREAD, image)
    samples = [_sample(growth, start) for growth in growths if growth.tokens > 0]
    if not samples:
        return start
    factors = start.factors
    for _ in range(_ROUNDS):
        factors = _fit(samples, factors, start.factors, spreads)
    low = (0.6, 0.0, 0.6, 0.6, 0.0, 0.0)
    high = (1.8, 500.0, 1.8, 1.8, 500.0, 20_000.0)
    bounded = tuple(min(max(f, a), b) for f, a, b in zip(factors, low, high, strict=True))
    return Calibration(_amounts(bounded), len(samples))


def _sample(growth: Growth, start: Calibration) -> tuple[Amounts, float]:
    """Amounts and the tokens they explain: a reply with a final output explains itself."""
    total, tokens = [0.0] * len(Group), float(growth.tokens)
    for added in growth.added:
        if is_final(added.output, start.estimate(added)):
            tokens -= added.output or 0
            continue
        for group, amount in enumerate(added.amounts):
            total[group] += amount
    return _amounts(total), tokens


def _fit(
    samples: Sequence[tuple[Amounts, float]],
    factors: Amounts,
    start: Amounts,
    spreads: Amounts,
) -> Amounts:
    """One round of weighted least squares, the weights by the errors of `factors`."""
    size = len(Group)
    matrix = [[0.0] * size for _ in range(size)]
    right = [0.0] * size
    for at in range(size):
        weight = 1 / spreads[at] ** 2
        matrix[at][at] = weight
        right[at] = weight * start[at]
    for amounts, tokens in samples:
        error = abs(tokens - sum(f * n for f, n in zip(factors, amounts, strict=True)))
        deviation = _RELATIVE_ERROR * abs(tokens) + _FIXED_ERROR
        ratio = error / deviation
        if ratio > _OUTLIER:
            continue
        weight = (1 if ratio <= _HUBER else _HUBER / ratio) / deviation**2
        used = [at for at in range(size) if amounts[at]]
        for i in used:
            right[i] += weight * amounts[i] * tokens
            for j in used:
                matrix[i][j] += weight * amounts[i] * amounts[j]
    return _solve(matrix, right)


def _solve(matrix: list[list[float]], right: list[float]) -> Amounts:
    """The solution of a small positive definite system (Gaussian elimination)."""
    size = len(right)
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(size):
        for row in rows[i + 1 :]:
            share = row[i] / rows[i][i]
            for at in range(i, size + 1):
                row[at] -= share * rows[i][at]
    solution = [0.0] * size
    for i in reversed(range(size)):
        known = sum(rows[i][at] * solution[at] for at in range(i + 1, size))
        solution[i] = (rows[i][size] - known) / rows[i][i]
    return _amounts(solution)


def _amounts(values: Sequence[float]) -> Amounts:
    a, b, c, d, e, f = values
    return (a, b, c, d, e, f)
