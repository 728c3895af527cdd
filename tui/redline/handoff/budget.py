"""How long a handoff may be."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from redline.amounts import tokens_of
from redline.model import Session
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


UNLIMITED = Budget(sys.maxsize)


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
