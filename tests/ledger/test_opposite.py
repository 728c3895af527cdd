"""Who asks the opposite never asks the same, and is told so. The pairs are in opposites.txt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from redline.ledger.asked import asks_the_same, values_apart
from redline.ledger.opposite import opposite

HERE = Path(__file__).parent
ALREADY = HERE.parent / "targets" / "said_already.txt"


def _pairs(path: Path) -> Iterator[tuple[str, str, str]]:
    kind = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            kind = line[2:]
        elif line and not line.startswith("#"):
            one, other = line.split(" | ")
            yield kind, one, other


PAIRS = list(_pairs(HERE / "opposites.txt"))


def _turned(text: str) -> Iterator[str]:
    """`text`, a rule, with one thing in it turned round or limited."""
    bare = text.rstrip("。.")
    if re.search("[\u3400-\u9fff]", text):
        yield from (f"未经允许{bare}", f"除非我说，否则{bare}")
        ban = re.compile("不要|禁止|不得|请勿|不允许|严禁|别(?=动)")
        yield ban.sub("必须", text, count=1) if ban.search(text) else f"不要{text}"
        return
    yield from (
        f"{bare} unless I ask",
        f"{bare} without asking",
        f"Only {bare[0].lower()}{bare[1:]}",
    )
    yield f"{bare} except on Fridays"
    ban = re.compile(r"\b(?:do not|don't(?: ever)?|never|must not|you must not|avoid|no)\b", re.I)
    if not ban.search(text):
        yield f"Never {bare[0].lower()}{bare[1:]}"
    elif not re.search(r"avoid|^no\b|not allowed|forbidden", text, re.I):
        yield ban.sub("always", text, count=1)


def _swapped(text: str) -> Iterator[str]:
    """`text`, which names one thing and not another, with both in each other's place."""
    found = re.search(r"(\w+)(,? (?:and )?(?:not|never|instead of|over|before|after) )(\w+)", text)
    if found and not {found[1], found[3]} & {"must", "be", "me", "you"}:
        yield f"{text[: found.start()]}{found[3]}{found[2]}{found[1]}{text[found.end() :]}"


@pytest.mark.parametrize(("kind", "one", "other"), PAIRS)
def test_the_opposite_is_never_the_same(kind: str, one: str, other: str) -> None:
    for older, newer in ((one, other), (other, one)):
        assert not asks_the_same(older, newer)
        assert values_apart(older, newer) != ("", "")
        assert opposite(older, newer) == (kind == "told")


@pytest.mark.parametrize("text", dict.fromkeys(t for _, *both in _pairs(ALREADY) for t in both))
def test_what_turns_a_rule_round_or_limits_it_is_never_the_same(text: str) -> None:
    for turned in (*_turned(text), *_swapped(text)):
        assert not asks_the_same(text, turned), turned
        assert values_apart(text, turned) != ("", ""), turned
        assert values_apart(turned, text) != ("", ""), turned


@pytest.mark.parametrize(
    ("one", "other"), [(one, other) for kind, one, other in _pairs(ALREADY) if kind == "same"]
)
def test_of_two_wordings_that_are_the_same_neither_is_said_by_the_other_turned(
    one: str, other: str
) -> None:
    assert not opposite(one, other)
    for turned in _turned(one):
        assert values_apart(turned, other) != ("", ""), turned
