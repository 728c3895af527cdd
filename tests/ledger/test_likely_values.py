"""Which words may be the older value and the newer one, and where none can be."""

from __future__ import annotations

import pytest

from redline.ledger.likely_values import likely_values
from redline.ledger.restating import sketch


def values(older: str, newer: str) -> list[tuple[str, str] | None]:
    return [
        None if one is None else (one[0].text, one[1].text)
        for one in likely_values(sketch(older), sketch(newer))
    ]


@pytest.mark.parametrize(
    ("older", "newer", "meant"),
    [
        ("The pool has 4 threads", "The pool has 9 threads", ("4", "9")),
        ("Heatmaps in viridis", "cividis for heatmaps", ("viridis", "cividis")),
        ("Logs as plain text", "Logs in nested objects", ("plain text", "nested objects")),
        ("对账由王磊负责", "对账交给陈静负责", ("王磊", "陈静")),
    ],
)
def test_what_only_one_of_them_has_may_be_the_value(
    older: str, newer: str, meant: tuple[str, str]
) -> None:
    assert meant in values(older, newer)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Do not edit the parser", "Do not edit the lexer"),
        ("不要动 src/core", "不要动 src/legacy"),
        ("PDF export keeps the margins", "CSV export keeps the header"),
        ("Document api/v1", "Document api/v2"),
        ("The timeout of billing is long", "The timeout of search is long"),
        ("Requests to a.acme.dev get 5 tries", "Requests to b.acme.dev get 9 tries"),
        ("The worker for invoices sleeps 5 s", "The worker for emails sleeps 9 s"),
        ("Interns approve 2 changes", "Contractors approve 3 changes"),
    ],
)
def test_of_two_things_no_words_are_values(older: str, newer: str) -> None:
    assert values(older, newer) == []


def test_an_amount_is_a_value_before_all_names() -> None:
    found = values("The cache of the web tier holds 50 items", "The cache there holds 80 items")
    assert ("50", "80") in found
    assert all(one is not None and one[0].isdecimal() for one in found)


def test_what_is_allowed_and_then_forbidden_needs_no_value() -> None:
    assert None in values("Raw SQL in the handlers is fine", "Raw SQL in the handlers is not fine")
    assert None not in values("Raw SQL in handlers is fine", "Raw SQL in handlers is great")
