"""Two sentences that differ in the thing that they speak of never say each other anew, nor may
they: not alone and not in one session with others like them."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.ledger.resolving import resolved
from redline.ledger.restating import restates

PAIRS = [
    (first, second)
    for line in (Path(__file__).parent / "two_things.txt").read_text("utf-8").splitlines()
    if line.startswith("! ")
    for first, second in [line[2:].split(" || ")]
]


def test_there_are_enough_pairs() -> None:
    assert len(PAIRS) >= 50


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_neither_replaces_the_other(first: str, second: str) -> None:
    for older, newer in ((first, second), (second, first)):
        found = restates(older, newer)
        assert found is None or not found.sure
        assert not any(one.restated.sure for one in resolved([older, newer]).values())


def test_hardly_one_of_them_is_told_to_be_another_perhaps() -> None:
    told = [pair for pair in PAIRS if restates(*pair) or restates(*reversed(pair))]
    assert len(told) <= 0.03 * len(PAIRS)


@pytest.mark.parametrize("swapped", [False, True])
def test_in_one_session_none_of_them_replaces_another(swapped: bool) -> None:
    texts = [text for pair in PAIRS for text in (reversed(pair) if swapped else pair)]
    wrong = [
        (texts[one.older], texts[newer])
        for newer, one in resolved(texts).items()
        if one.restated.sure and not one.restated.same
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Tests live in tests/unit", "Tests live in tests/e2e"),
        ("The request timeout of billing is 30s", "bump the timeout to 45s"),
        (
            "uploads are stored in the `raw-uploads` bucket",
            "the bucket for uploads is `inbox-uploads` now",
        ),
    ],
)
def test_one_thing_with_two_values_may_still_be_said_anew(older: str, newer: str) -> None:
    assert resolved([older, newer])
