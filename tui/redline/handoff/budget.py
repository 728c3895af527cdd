"""How long a handoff may be."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from redline.amounts import tokens_of
from redline.errors import RedlineError
from redline.facts.compacted import summary_of
from redline.model import CompactionKind, Session
from redline.settings import Settings

_AMOUNT = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)(%|c)")


@dataclass(frozen=True, slots=True)
class Budget:
    """`limit` in what `measure` counts of a text: characters, unless it says otherwise.

    One that is not `strict` gives way where what must not be lost (rules, prompts, changed files,
    commits, open errors) needs more.
    """

    limit: int
    measure: Callable[[str], int] = len
    strict: bool = True

    def holds(self, text: str) -> bool:
        """Whether `text` is no longer than this."""
        return self.measure(text) <= self.limit


_DEFAULT = 6_000  # tokens
_OF_OWN = 1.5  # times what the agent's own last summary took, where that is more
# About what o200k makes a token of: 0 to 15 % more of them on handoffs of the real sessions.
_SAFE, _MOST_OVER = 1.03, 1.18  # the first keeps the estimate above the count, the second is both
_PIECES = re.compile(
    r"[A-Z]?[a-z]{1,8}|[A-Z]{1,3}|\d{1,3}|[\u0080-\uffff]|[^\sA-Za-z\d\u0080-\uffff]{1,2}|\n+"
)


class Unit(StrEnum):
    """What the size of a handoff is told in; a share is one of the tokens of the context."""

    TOKENS = "tokens"
    CHARACTERS = "characters"
    SHARE = "%"


@dataclass(frozen=True, slots=True)
class Size:
    """A length as a person asks for it."""

    amount: float
    unit: Unit


def size_of(text: str) -> Size | None:
    """`8k` or `8000` (tokens), `20%` (of the context), `4000c` (characters) as a size above 0;
    None where it is no such."""
    plain = text.strip().lower().replace(",", "").replace("_", "")
    if found := _AMOUNT.fullmatch(plain):
        size = Size(float(found[1]), Unit.SHARE if found[2] == "%" else Unit.CHARACTERS)
    else:
        tokens = tokens_of(plain)
        if tokens is None:
            return None
        size = Size(tokens, Unit.TOKENS)
    too_much = size.unit is Unit.SHARE and size.amount > 100
    return None if size.amount <= 0 or too_much else size


def default_budget(session: Session) -> Budget:
    """What a handoff of `session` may take where nobody says: 6,000 tokens, or half as much again
    as the agent's own last summary. Estimated, which needs no tokenizer; not strict."""
    from redline.context.billed import model_of
    from redline.context.families import TextKind, family, text_kind

    factors = family(model_of(session)).factors

    def measure(text: str) -> int:
        chinese = not text.isascii() and text_kind(text) is TextKind.CHINESE
        factor = factors[TextKind.CHINESE if chinese else TextKind.CODE]
        return round(len(_PIECES.findall(text)) * factor * _SAFE)

    past = [one for one in session.compactions if one.kind is not CompactionKind.MICRO]
    own = 0
    if past:
        try:
            own = measure(summary_of(session, past[-1]))
        except RedlineError:
            own = 0  # a summary that cannot be read has no length
    return Budget(max(_DEFAULT, round(own * _OF_OWN / _MOST_OVER)), measure, strict=False)


def budget_of(
    size: Size,
    session: Session,
    settings: Settings,
    environment: Mapping[str, str],
    *,
    used: int,
) -> Budget:
    """The budget of `size` for a handoff of `session`, whose context has `used` tokens. Tokens are
    counted as its model is expected to."""
    from redline.context.weighing import weigh

    if size.unit is Unit.CHARACTERS:
        return Budget(max(1, round(size.amount)))
    share = size.unit is Unit.SHARE
    limit = round(used * size.amount / 100) if share else round(size.amount)
    return Budget(max(1, limit), lambda text: weigh(text, session, settings, environment))
