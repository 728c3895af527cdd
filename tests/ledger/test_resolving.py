"""A statement takes the place of an earlier one of its session only where no other can be meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.ledger.resolving import MANY, resolved

SETS = sorted((Path(__file__).parent / "updates").glob("*.txt"))
PAIRS = {
    path.stem: [
        (line[0], *line[2:].split(" || "))
        for line in path.read_text("utf-8").splitlines()
        if line[:2] in ("= ", "! ")
    ]
    for path in SETS
}
OTHERS = [
    (first, second) for pairs in PAIRS.values() for mark, first, second in pairs if mark == "!"
]
TOGETHER = 10  # pairs in a session


def replaced(*texts: str) -> dict[int, int]:
    """What surely took the place of what: by the newer the older."""
    return {at: one.older for at, one in resolved(texts).items() if one.restated.sure}


def updates(name: str) -> list[tuple[str, str]]:
    return [(older, newer) for mark, older, newer in PAIRS[name] if mark == "="]


def test_there_are_enough_pairs() -> None:
    assert sum(len(updates(name)) for name in PAIRS) >= 260
    assert len(OTHERS) >= 290


@pytest.mark.parametrize("name", PAIRS)
def test_most_updates_are_resolved_in_a_session_of_their_own(name: str) -> None:
    found = [replaced(*pair) == {1: 0} for pair in updates(name)]
    assert sum(found) >= 0.85 * len(found)


@pytest.mark.parametrize("name", PAIRS)
def test_beside_others_an_update_takes_the_place_of_no_other(name: str) -> None:
    pairs = updates(name)
    for start in range(0, len(pairs), TOGETHER):
        some = pairs[start : start + TOGETHER]
        older, newer = [pair[0] for pair in some], [pair[1] for pair in some]
        wrong = {
            (older[place] if place < len(some) else newer[place - len(some)], newer[at - len(some)])
            for at, place in replaced(*older, *newer).items()
            if at - place != len(some)
        }
        assert wrong <= SAME_THING


# Pairs of the sets that are of one thing: the upload limit.
SAME_THING = {
    ("Raise the upload limit to 25 MB.", "The cap on uploads is 20 MB after all."),
    ("The upload limit is 10 MB.", "The cap on uploads is 20 MB after all."),
    ("Uploads may be at most 10 MB.", "Raise the upload limit to 25 MB."),
}


@pytest.mark.parametrize(("first", "second"), OTHERS)
def test_two_different_things_both_stay_in_either_order(first: str, second: str) -> None:
    assert replaced(first, second) == {}
    assert replaced(second, first) == {}


def test_what_names_less_is_sure_where_one_thing_is_meant() -> None:
    assert replaced("The request timeout is 30s.", "bump the timeout to 45s") == {1: 0}


def test_where_two_may_be_meant_neither_is_replaced_and_the_newer_is_marked() -> None:
    texts = ("The request timeout is 30s.", "The login timeout is 20s.", "bump the timeout to 45s")
    assert replaced(*texts) == {}
    assert 2 in resolved(texts)


def test_a_value_that_is_named_tells_which_of_two_is_meant() -> None:
    texts = ("The request timeout is 30s.", "The login timeout is 20s.")
    assert replaced(*texts, "30s is too short, make the timeout 45s") == {2: 0}


def test_what_was_replaced_before_is_not_meant_any_more() -> None:
    texts = ("The port is 1111.", "the port moved to 2222", "actually, make the port 3333")
    assert replaced(*texts) == {1: 0, 2: 1}


@pytest.mark.parametrize(
    "newer",
    [
        "3000 is taken, so the dev server gets 4100",
        "we had a clash: the dev server went to 4100",
        "The dev server runs on 4100, not 3000.",
        "I moved the dev server over to 4100 because the other one is taken",
        "dev server: 4100 from now on please",
        "heads up, the dev server's port is 4100 now",
    ],
)
def test_a_statement_is_found_in_a_longer_sentence(newer: str) -> None:
    assert replaced("The dev server listens on port 3000.", newer) == {1: 0}


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The dev server listens on 3000.", "The dev server also listens on 3001 now."),
        ("The port is 3000.", "now run the tests on 8 cores"),
        ("Tests live in tests/unit.", "now open tests/e2e"),
        ("The freeze starts on Monday.", "The freeze ends on Friday now."),
        ("The class Cron extends Job", "Cron is run by Ben now"),
        ("PDF export uses A4 now", "PDF exports are done by Tom now"),
        ("Postgres is on port 5432", "Postgres needs 4 GB"),
        ("Postgres listens on 5432", "Postgres needs 4 GB now"),
        ("Redis is now on port 6379", "Redis needs 1 GB now"),
        ("Timeout is 30s", "For the admin service, the timeout is 10s now"),
    ],
)
def test_what_holds_beside_it_or_is_of_another_thing_replaces_nothing(
    older: str, newer: str
) -> None:
    assert replaced(older, newer) == {}


@pytest.mark.parametrize(
    ("older", "newer", "values"),
    [
        (
            "The timeout must not exceed 30 seconds.",
            "The timeout may be 60 seconds now.",
            ("30 seconds", "60 seconds"),
        ),
        ("Jonas owns X", "X is Priya's now", ("Jonas", "Priya")),
        ("The flag new_checkout is off.", "The flag new_checkout is on now.", ("off", "on")),
        ("Feature flag dark_mode: off", "Feature flag dark_mode: on", ("off", "on")),
        ("The bucket region is eu.", "The bucket region is us.", ("eu", "us")),
        ("The bucket is acme-eu", "The bucket is acme-us now", ("acme-eu", "acme-us")),
        ("Use google style docstrings", "Use numpy style docstrings", ("google", "numpy")),
        (
            "Docstrings follow the Google style.",
            "Docstrings follow the NumPy style now.",
            ("Google", "NumPy"),
        ),
    ],
)
def test_a_thing_that_has_one_value_only_surely_has_the_newer(
    older: str, newer: str, values: tuple[str, str]
) -> None:
    found = resolved([older, newer])[1].restated
    assert found.sure
    assert (found.older_value, found.newer_value) == values


def test_many_different_things_in_one_session_all_stay() -> None:
    texts = [text for pair in OTHERS for text in pair]
    for start in range(0, len(texts), 40):
        some = texts[start : start + 40]
        wrong = {(some[older], some[newer]) for newer, older in replaced(*some).items()}
        assert wrong <= SAID_AGAIN


# Two of those that are of one thing, in two languages.
SAID_AGAIN = {("npm for the frontend", "前端用 npm")}


@given(st.lists(st.text(max_size=60), max_size=6))
def test_of_any_texts_each_is_replaced_once_and_by_a_later_one(texts: list[str]) -> None:
    found = replaced(*texts)
    assert all(older < newer for newer, older in found.items())
    assert len(set(found.values())) == len(found)


def test_an_older_statement_is_perhaps_said_again_by_the_one_that_most_probably_does() -> None:
    older = "The resizer makes JPEG thumbnails."
    near, far = (
        "The resizer makes WebP thumbnails.",
        "The resizer of banners makes AVIF thumbnails.",
    )
    found = resolved([older, far, near])
    assert found[2].older == 0
    assert not found[2].restated.sure
    assert 1 not in found


def test_what_is_only_probable_never_stands_in_the_way_of_what_is_sure() -> None:
    for pairs in map(updates, PAIRS):
        some = pairs[:TOGETHER]
        alone = [replaced(*pair) == {1: 0} for pair in some]
        texts = [*(older for older, _ in some), *(newer for _, newer in some)]
        sure = replaced(*texts)
        marked = {one.older for one in resolved(texts).values() if not one.restated.sure} & set(
            sure.values()
        )
        assert any(alone)
        assert marked == set()


def test_among_very_many_only_rules_show_what_is_said_again() -> None:
    told = (
        "The image resizer produces JPEG thumbnails.",
        "The image resizer produces WebP thumbnails.",
    )
    others = [f"worker_{number} writes to queue_{number}" for number in range(MANY - 2)]
    assert resolved([*others, *told])[MANY - 1].older == MANY - 2
    assert MANY not in resolved([*others, "worker_x sleeps at night", *told])
