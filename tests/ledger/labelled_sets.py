"""Sentences labelled by hand, and how the detection does on them.

They were written before the patterns were tuned further, by somebody who had not read the patterns,
and split at random within each family. The tuning half may be read and tuned on. The held-out half
is for the figure alone: who opens it makes the figure worthless.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from redline.ledger.detect import detect
from redline.ledger.rule import RuleFamily
from tests.sessions_in_memory import session, user

LANGUAGES = ("en", "zh")
HALVES = ("tuning", "held_out")
_FOLDER = Path(__file__).parent / "labelled"


@dataclass(frozen=True, slots=True)
class Labelled:
    """What somebody types; `family` where it states a rule."""

    text: str
    family: RuleFamily | None

    @property
    def found(self) -> frozenset[RuleFamily]:
        """The families of the rules that the detection finds in it."""
        return frozenset(rule.family for rule in detect(session(user(self.text))).rules)

    @property
    def right(self) -> bool:
        """Whether a rule is found where there is one, and none where there is none."""
        return bool(self.found) == (self.family is not None)


@dataclass(frozen=True, slots=True)
class Score:
    """Counts; the shares are 1 where there is nothing to count."""

    rules: int
    rules_found: int
    others: int
    others_left: int

    @property
    def recall(self) -> float:
        return self.rules_found / self.rules if self.rules else 1.0

    @property
    def specificity(self) -> float:
        return self.others_left / self.others if self.others else 1.0


def labelled(language: str, half: str) -> tuple[Labelled, ...]:
    """The sentences of a half, in the order of its file."""
    lines = (_FOLDER / f"{language}_{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return tuple(_labelled(line) for line in lines)


def score(items: Iterable[Labelled]) -> Score:
    """How the detection does on `items`."""
    counts = {True: [0, 0], False: [0, 0]}
    for item in items:
        count = counts[item.family is not None]
        count[0] += 1
        count[1] += item.right
    return Score(*counts[True], *counts[False])


def _labelled(line: str) -> Labelled:
    item = json.loads(line)
    family = RuleFamily(item["family"]) if item["family"] is not None else None
    if item["rule"] != (family is not None):
        raise ValueError(f"{item['text']!r}: a rule has a family, and nothing else has one")
    return Labelled(item["text"], family)
