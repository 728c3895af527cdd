"""One statement is told to be another said again only where both are surely of the same thing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.ledger.restating import Restated, restates

PAIRS = [
    (line[0], *line[2:].split(" || "))
    for line in (Path(__file__).parent / "restatements.txt").read_text("utf-8").splitlines()
    if line[:2] in ("= ", "! ")
]
UPDATES = [(older, newer) for mark, older, newer in PAIRS if mark == "="]
OTHERS = [(older, newer) for mark, older, newer in PAIRS if mark == "!"]

NAMES = ("gateway", "orders", "src/cart.py", "api_v2", "OrderService", "db-7", "billing", "`jobs`")
STATED = (
    "{0} listens on port {1}",
    "the timeout of {0} is {1} seconds",
    "Alice owns {0}",
    "{0} has {1} replicas",
    "never edit {0}",
    "keep at most {1} backups of {0}",
    "use Postgres for {0}",
    "{0} lives in lib/{1}",
    "turn {0} on",
)
AGAIN = (
    "{0} listens on port {1} now",
    "actually the timeout of {0} is {1} seconds",
    "Bob took over {0}",
    "no wait, {0} has {1} replicas",
    "never edit {0} again",
    "keep at most {1} backups of {0} from now on",
    "switch to MySQL for {0}",
    "{0} moved to app/{1}",
    "turn {0} off instead",
)


def sure(older: str, newer: str) -> bool:
    found = restates(older, newer)
    return found is not None and found.sure


def test_another_value_of_the_same_thing_is_a_restatement_that_gives_both_values() -> None:
    found = restates("The staging DB is on port 5433", "no wait, staging database moved to 5434")
    assert found == Restated("5433", "5434", sure=True)


def test_there_are_enough_pairs() -> None:
    assert len(UPDATES) >= 240
    assert len(OTHERS) >= 260


def test_most_restatements_are_resolved() -> None:
    assert sum(sure(*pair) for pair in UPDATES) >= 0.9 * len(UPDATES)


@pytest.mark.parametrize(("first", "second"), OTHERS)
def test_two_different_things_are_never_merged_in_either_order(first: str, second: str) -> None:
    assert not sure(first, second)
    assert not sure(second, first)


@pytest.mark.parametrize("text", sorted({text for pair in (*UPDATES, *OTHERS) for text in pair}))
def test_a_statement_said_again_in_the_same_words_is_the_same(text: str) -> None:
    assert restates(text, text) == Restated()


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Never touch src/legacy", "please don't ever touch src/legacy"),
        ("Port 5433 is for the staging DB", "the staging database is on 5433"),
        ("测试库的端口是 5433", "测试数据库用 5433 端口"),
    ],
)
def test_the_same_value_in_other_words_is_the_same_statement(older: str, newer: str) -> None:
    found = restates(older, newer)
    assert found is not None
    assert found.same
    assert found.sure


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("The request timeout of billing is 30s", "bump the timeout to 45s"),
        ("Tests live in tests/unit", "Tests live in tests/e2e"),
        ("Use the timeout 30s and the port 80 for orders", "orders: port 81"),
    ],
)
def test_what_may_say_it_again_is_told_as_not_sure(older: str, newer: str) -> None:
    found = restates(older, newer)
    assert found is not None
    assert not found.sure


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Alice owns billing", "Bob owns billing too"),
        ("张三负责后端", "李四也负责后端"),
        ("The API listens on 80", "The API also listens on 443"),
    ],
)
def test_what_holds_beside_it_takes_the_place_of_nothing(older: str, newer: str) -> None:
    assert not sure(older, newer)


@given(
    form=st.sampled_from(range(len(STATED))),
    names=st.lists(st.sampled_from(NAMES), min_size=2, max_size=2, unique=True),
    values=st.lists(st.integers(1000, 9999), min_size=2, max_size=2),
    again=st.booleans(),
)
def test_statements_of_two_names_are_never_merged(
    form: int, names: list[str], values: list[int], again: bool
) -> None:
    newer = (AGAIN if again else STATED)[form]
    assert not sure(STATED[form].format(names[0], values[0]), newer.format(names[1], values[1]))


@pytest.mark.parametrize(
    ("limited", "plain"),
    [
        ("Keep tests out of src/", "Keep tests in src/"),
        ("Everything but uv is forbidden", "uv is forbidden"),
        ("Deploy the api only after the review", "Deploy the api after the review"),
        ("Run the migrations without the seed data", "Run the migrations with the seed data"),
        ("除了 uv 都不能用", "uv 不能用"),
    ],
)
def test_what_limits_a_sentence_is_no_other_wording_of_it(limited: str, plain: str) -> None:
    for older, newer in ((limited, plain), (plain, limited)):
        found = restates(older, newer)
        assert found is None or not (found.sure and found.same)


@given(
    form=st.sampled_from([0, 1, 2, 3, 6, 7, 8]),
    name=st.sampled_from(NAMES),
    values=st.lists(st.integers(1000, 9999), min_size=2, max_size=2, unique=True),
)
def test_a_new_value_of_one_name_takes_the_place_of_the_old(
    form: int, name: str, values: list[int]
) -> None:
    assert sure(STATED[form].format(name, values[0]), AGAIN[form].format(name, values[1]))


@given(first=st.sampled_from(STATED), second=st.sampled_from(AGAIN), name=st.sampled_from(NAMES))
def test_two_attributes_of_one_thing_are_not_merged(first: str, second: str, name: str) -> None:
    if STATED.index(first) != AGAIN.index(second):
        assert not sure(first.format(name, 4000), second.format(name, 5000))


@given(older=st.text(max_size=80), newer=st.text(max_size=80))
def test_any_text_is_read(older: str, newer: str) -> None:
    found = restates(older, newer)
    if found is not None and found.sure and not found.same:
        assert re.search(r"\w", found.newer_value)
