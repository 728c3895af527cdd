"""What a text claims and the session does not hold is found; what it holds in any form is not."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from redline.agents.opening import open_session
from redline.facts.extract import extract
from redline.handoff.claims import ClaimKind, claims
from redline.handoff.invented import Known
from redline.handoff.markdown import render
from redline.handoff.offline import write
from redline.ledger.detect import detect
from redline.model import Session
from tests.sessions_in_memory import call, ran, reply, result, session, summary, user

_TEST = "pytest -q tests/test_cart.py --maxfail=2"
_CODE = "def f():\n\tto_cents(x)"
_SESSION = session(
    user("The totals in src/cart.py are off by 0.01 with 20 items, see issue 482 and SHOP-77."),
    reply("I look at `CartTotals.round_all` first; the limit is 1,500 ms and 200k tokens."),
    *ran(_TEST, "2 failed, 318 passed in 4.25s", 1, call_id="a"),
    call("Edit", {"file_path": "/home/dev/shop/src/cart.py", "new_string": _CODE}, call_id="b"),
    result("ok", call_id="b"),
    *ran("git commit -m 'Round'", "[main 9f3c2ab] Round\n 1 file changed", call_id="c"),
    *ran("pip list", "redis 5.0.4\npython3.11\nv20.11.1", call_id="d"),
    *ran("cd /srv/app/packages/core && cat lib/io/read.go", "package io", call_id="e"),
    reply("Deployed to https://staging.example.com/cart?x=1 on port 8443. find_user/2 is fine."),
)  # fmt: skip


def _texts(text: str, *, also: Sequence[str] = (), today: date | None = None) -> list[str]:
    return [found.text for found in Known(_SESSION, also=also, today=today).invented(text)]


@pytest.mark.parametrize(
    "text",
    [
        "src/cart.py, ./src/cart.py, /home/dev/shop/src/cart.py and cart.py are one file.",
        "Changed `src/cart.py`, (src/cart.py:12) and src/cart.py.".replace(":12", ":20"),
        "The folder src/ and /home/dev/shop",
        "Commit 9f3c2ab",
        "issue #482, SHOP-77",
        "318 tests pass, 0.01 off, after 4.25 s; 4.25s",
        "1500 ms, 1,500 ms, 1.5k ms",
        "200k, 200,000 and 200000 tokens",
        "`CartTotals.round_all` and `CartTotals`, round_all(), to_cents",
        "`pytest -q tests/test_cart.py --maxfail=2`",
        "redis 5.0.4, Python 3.11, v20.11.1 and 20.11.1",
        "https://staging.example.com/cart and https://staging.example.com/ .",
        "port 8443.",
        "find_user/2",
        "/srv/app/packages/core/lib/io/read.go",
        "Round_all at the start of a sentence",
        "测试src/cart.py，一共318个通过",
        "there are 3 steps, 9 files and 7 ideas",
        "GitHub, JavaScript, UTF-8, and/or, read/write, e.g. this",
        "## 3.2 Results of BetaTest",
        "1. one\n2. two\n11. eleven",
        "step 14, phase 12",
        "cut at `src/cart.py [... 2,345 characters ...] wards_of_it` here",
        "a path that ends in src/ca... is no claim",
        "all of src/*",
        "",
    ],
)
def test_what_the_session_holds_in_some_form_is_not_invented(text: str) -> None:
    assert _texts(text) == []


@pytest.mark.parametrize(
    ("text", "expected", "kind"),
    [
        ("Changed src/order.py today", "src/order.py", ClaimKind.PATH),
        ("Changed src/cart.pyi", "src/cart.pyi", ClaimKind.PATH),
        ("see art.py", "art.py", ClaimKind.PATH),
        ("/home/dev/shop/lib/cart.py", "/home/dev/shop/lib/cart.py", ClaimKind.PATH),
        ("commit 9f3c2ac", "9f3c2ac", ClaimKind.COMMIT),
        ("commit 9f3c2abd0", "9f3c2abd0", ClaimKind.COMMIT),
        ("fixes #48", "#48", ClaimKind.REFERENCE),
        ("fixes SHOP-7", "SHOP-7", ClaimKind.REFERENCE),
        ("31 tests pass", "31", ClaimKind.NUMBER),
        ("3,180 tests pass", "3,180", ClaimKind.NUMBER),
        ("coverage is 93%", "93%", ClaimKind.NUMBER),
        ("a budget of $500", "500", ClaimKind.NUMBER),
        ("0.1 off", "0.1", ClaimKind.NUMBER),
        ("redis 5.0.5", "5.0.5", ClaimKind.VERSION),
        ("calls `round_one`", "round_one", ClaimKind.NAME),
        ("the CartTotal class", "CartTotal", ClaimKind.NAME),
        ("`CartTotals.round_up`", "CartTotals.round_up", ClaimKind.NAME),
        ("with --maxfails", "--maxfails", ClaimKind.NAME),
        ("the helper `rounding` does it", "rounding", ClaimKind.NAME),
        ("the branch `fix-totals`", "fix-totals", ClaimKind.NAME),
        ("https://prod.example.com/cart", "https://prod.example.com/cart", ClaimKind.URL),
        ("due 2027-03-04", "2027-03-04", ClaimKind.DATE),
        ("已修改src/订单.py和src/order.py", "src/order.py", ClaimKind.PATH),
    ],
)
def test_what_the_session_does_not_hold_is_named_with_its_place(
    text: str, expected: str, kind: ClaimKind
) -> None:
    found = [item for item in Known(_SESSION).invented(text) if item.text == expected]
    assert [item.kind for item in found] == [kind]
    assert text[found[0].start : found[0].end] == expected


def test_a_number_that_counts_the_items_of_a_list_is_none() -> None:
    listed = "\n".join(f"- item {letter}" for letter in "abcdefghijklm")
    assert _texts(f"13 things:\n{listed}") == []
    assert _texts(f"14 things:\n{listed}") == ["14"]


def test_today_and_the_days_of_the_session_are_known() -> None:
    text = "2026-01-01, 2026-01-01T09:00 and 2026-11-30"
    assert _texts(text) == ["2026-11-30"]
    assert _texts(text, today=date(2026, 11, 30)) == []


def test_texts_beside_the_session_count_as_well() -> None:
    assert _texts("never `frobnicate`", also=["Never frobnicate."]) == []


def test_what_stands_before_a_compaction_is_known_too() -> None:
    given = session(user("Fix src/old_thing.py"), summary("a b"), user("go on"), context_from=1)
    found = Known(given).invented("src/old_thing.py and src/new_thing.py")
    assert [item.text for item in found] == ["src/new_thing.py"]


def test_what_was_looked_for_once_is_not_looked_for_again() -> None:
    known = Known(_SESSION)
    first = known.invented("src/order.py and src/cart.py")
    again = known.invented("src/order.py and src/cart.py", cancelled=lambda: True)
    assert again == first
    assert known.invented("still src/cart.py") == ()


def test_a_search_that_is_cancelled_names_nothing_it_is_not_sure_of() -> None:
    assert Known(_SESSION).invented("src/order.py", cancelled=lambda: True) == ()


def test_hostile_text_is_read_in_linear_time() -> None:
    # Quadratic patterns would take minutes here; figures are the benchmarks' affair.
    for unit in (
        "a/",
        "1,000",
        "a.",
        "`a",
        "a_",
        "0123456789abcdef",
        "- a\n",
        "#",
        "[... ",
        "12:",
        "7",
    ):
        claims(unit * (200_000 // len(unit)))


def offline(given: Session) -> str:
    return render(write(given, None, extract(given), detect(given)))


@pytest.mark.real
def test_the_offline_writer_invents_nothing_in_the_real_sessions(real_sessions: Path) -> None:
    for path in sorted(real_sessions.glob("*/*.jsonl")):
        if path.name == "export_sessions.jsonl":
            continue  # several sessions
        given = open_session(path)
        assert [item.text for item in Known(given).invented(offline(given))] == [], path.name


@pytest.mark.real
def test_of_claims_with_one_character_changed_nearly_all_are_found(real_sessions: Path) -> None:
    tried = found = 0
    for path in sorted(real_sessions.glob("*/*.jsonl")):
        if path.name == "export_sessions.jsonl":
            continue
        given = open_session(path)
        made = claims(offline(given), project=given.info.project or "")
        named = [claim for claim in made if claim.kind not in (ClaimKind.NUMBER, ClaimKind.DATE)]
        text = "\n\n".join(f"`{changed(claim.text)}`" for claim in named)
        tried += len(claims(text))
        found += len(Known(given).invented(text))
    assert tried > 1000
    assert found >= 0.98 * tried


def changed(token: str) -> str:
    """`token` with another letter or digit in its middle."""
    places = [place for place, letter in enumerate(token) if letter.isalnum()]
    place = places[len(places) // 2]
    other = "7" if token[place] == "3" else "3" if token[place].isdigit() else "q"
    return token[:place] + other + token[place + 1 :]
