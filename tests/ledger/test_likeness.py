"""How probable it is that a thing was said again with another value: more where more is shared, the
values fit and a change is told; and what is only probable is never sure."""

from __future__ import annotations

from itertools import pairwise, permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.evaluate.plants import plants_in
from redline.ledger.likeness import ENOUGH, WEIGHTS, candidates, likeness
from redline.ledger.restating import likely, restates, sketch

PHRASINGS = [
    plants_in(path) for path in sorted((Path(__file__).parent / "phrasings").glob("tune_*.json"))
]
RESTATEMENTS = [
    (pair.older.text, pair.newer.text) for plants in PHRASINGS for pair in plants.restatements
]
NEAR = [
    pair
    for plants in PHRASINGS
    for near in plants.near_duplicates
    for pair in (
        (near.first.text, near.second.text),
        (near.second.text, near.first.text),
    )
]


def probability(older: str, newer: str) -> float:
    found = likeness(sketch(older), sketch(newer))
    return 0.0 if found is None else found.probability


def test_what_shows_has_a_weight_and_each_weight_is_of_what_shows() -> None:
    shown = {
        name
        for older, newer in (*RESTATEMENTS, *NEAR)
        for one in candidates(sketch(older), sketch(newer))
        for name in one.features()
    }
    assert shown == set(WEIGHTS)


def test_most_restatements_are_seen_and_few_near_duplicates() -> None:
    assert sum(restates(*pair) is not None for pair in RESTATEMENTS) >= 0.8 * len(RESTATEMENTS)
    assert sum(restates(*pair) is not None for pair in NEAR) <= 0.15 * len(NEAR)


def test_no_near_duplicate_is_surely_said_again() -> None:
    found = [restates(*pair) for pair in NEAR]
    assert not any(one is not None and one.sure for one in found)


def test_of_different_things_not_one_in_a_thousand_is_marked() -> None:
    pairs = [
        pair
        for plants in PHRASINGS
        for pair in permutations([one.newer.text for one in plants.restatements], 2)
    ]
    assert sum(restates(*pair) is not None for pair in pairs) <= 0.001 * len(pairs)


@pytest.mark.parametrize(
    ("older", "newer", "values"),
    [
        (
            "The resizer makes JPEG thumbnails.",
            "The resizer makes WebP thumbnails.",
            ("JPEG", "WebP"),
        ),
        (
            "The maximum length of a nickname is 20 characters.",
            "The nickname character limit is 40.",
            ("20", "40"),
        ),
        ("报表模块由赵敏负责。", "报表模块现已移交给钱进负责。", ("赵敏", "钱进")),
    ],
)
def test_another_value_where_all_else_is_the_same_is_probable(
    older: str, newer: str, values: tuple[str, str]
) -> None:
    found = likeness(sketch(older), sketch(newer))
    assert found is not None
    assert found.probability >= ENOUGH
    assert (found.older_value, found.newer_value) == values


@pytest.mark.parametrize(
    ("older", "same", "other"),
    [
        ("The cache holds 50 items.", "The cache holds 80 items.", "The queue holds 80 items."),
        (
            "Sessions for customers last 2 hours.",
            "Sessions for customers last 5 hours.",
            "Sessions for editors last 5 hours.",
        ),
        (
            "The reader of the archive gets 2 GB.",
            "The reader of the archive gets 4 GB.",
            "The writer of the archive gets 4 GB.",
        ),
    ],
)
def test_another_thing_is_less_probable(older: str, same: str, other: str) -> None:
    assert probability(older, other) < probability(older, same)


@pytest.mark.parametrize(
    ("older", "newer", "with_cue"),
    [
        (
            "The tiles are rendered in the browser.",
            "The tiles are rendered in a worker.",
            "The tiles are now rendered in a worker instead.",
        ),
        ("Heatmaps use the viridis map.", "Heatmaps: cividis.", "Heatmaps moved to cividis."),
    ],
)
def test_what_tells_of_a_change_makes_it_more_probable(
    older: str, newer: str, with_cue: str
) -> None:
    assert probability(older, newer) < probability(older, with_cue)


@pytest.mark.parametrize(
    ("older", "newer", "question"),
    [
        (
            "The sidebar is 280 px wide.",
            "The sidebar is 240 px wide.",
            "Is the sidebar 240 px wide?",
        ),
        ("总线超时是 50 毫秒", "总线超时是 80 毫秒", "总线超时是 80 毫秒吗？"),
    ],
)
def test_a_question_gives_less_than_a_statement(older: str, newer: str, question: str) -> None:
    assert probability(older, question) < probability(older, newer)


def test_sentences_that_share_nothing_have_no_likeness() -> None:
    assert likeness(sketch("The gateway gets 2 GB."), sketch("Ask Nina about invoices.")) is None


def test_what_is_likely_is_never_sure() -> None:
    found = [likely(sketch(older), sketch(newer)) for older, newer in (*RESTATEMENTS, *NEAR)]
    assert any(found)
    assert not any(one is not None and one[1].sure for one in found)


@given(texts=st.lists(st.text(max_size=60), min_size=2, max_size=4))
def test_of_any_texts_it_is_a_probability(texts: list[str]) -> None:
    for older, newer in pairwise(texts):
        assert 0 <= probability(older, newer) <= 1
