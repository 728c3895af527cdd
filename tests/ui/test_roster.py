from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.model import Agent, SessionInfo
from redline.ui.roster import (
    ORDERS,
    Heading,
    Roster,
    View,
    key_of,
    next_agent,
    silent,
)

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def made(name: str, **known: object) -> SessionInfo:
    given = {"title": f"title {name}", "project": "/home/dev/shop", "updated": NOW, **known}
    return SessionInfo(agent=Agent.PI, id=name, path=Path(f"/s/{name}"), **given)  # type: ignore[arg-type]


def names(roster: Roster, view: View) -> list[str]:
    rows = roster.arranged(view).rows
    return [row.project or "-" if isinstance(row, Heading) else row.id for row in rows]


def test_projects_stand_in_the_order_of_their_first_session() -> None:
    roster = Roster()
    roster.take(
        [
            made("a", updated=NOW - timedelta(days=1)),
            made("b", project="/x"),
            made("c", updated=NOW - timedelta(days=2), project="/x"),
            made("d", updated=None),
        ]
    )
    assert names(roster, View()) == ["/x", "b", "c", "/home/dev/shop", "a", "d"]
    assert names(roster, View(grouped=False)) == ["b", "a", "c", "d"]


def test_sessions_without_a_word_come_last_but_are_never_left_out() -> None:
    empty = made("e", title="", size=999)
    roster = Roster()
    roster.take([empty, made("a"), made("b", title="", billed=7)])
    assert silent(empty)
    for order in ORDERS:
        assert names(roster, View(order=order))[-2:] == ["-", "e"]
    roster.live = {key_of(empty): "registry"}
    assert "-" not in names(roster, View()), "one in use is about to begin"


def test_every_word_has_to_be_held_somewhere() -> None:
    roster = Roster()
    roster.take([made("a", last_prompt="Straße grün"), made("b", model="opus")])
    assert names(roster, View("STRASSE a")) == ["/home/dev/shop", "a"]
    assert names(roster, View("opus shop")) == ["/home/dev/shop", "b"]
    assert names(roster, View("opus strasse")) == []
    roster.update([made("b", model="sonnet")])
    assert names(roster, View("opus")) == [], "what is known of it now counts"


def test_only_one_agent_or_one_project() -> None:
    roster = Roster()
    other = replace(made("x", project=None), agent=Agent.CODEX)
    roster.take([made("a"), other])
    assert names(roster, View(agent=Agent.CODEX)) == ["-", "x"]
    assert names(roster, View(project="")) == ["-", "x"]
    assert names(roster, View(project="/home/dev/shop")) == ["/home/dev/shop", "a"]
    view = next_agent(roster.infos, View())
    assert view.agent is Agent.CODEX
    assert next_agent(roster.infos, next_agent(roster.infos, view)).agent is None


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_is_that_of_what_it_is_named_for(order: str) -> None:
    roster = Roster()
    roster.take([made("a", size=5, title="b"), made("b", size=9, title="A", updated=NOW)])
    roster.shares = {key_of(roster.infos[0]): 90}
    first = {"recent": "a", "fill": "a", "size": "b", "title": "b"}[order]
    assert names(roster, View(order=order))[1] == first


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4), st.booleans()), max_size=30))
def test_each_session_is_listed_once_and_stands_where_the_listing_says(
    drafts: list[tuple[int, int, bool]],
) -> None:
    roster = Roster()
    roster.take(
        made(str(number), project=f"/p{project}", title="t" if said else "", size=size)
        for number, (project, size, said) in enumerate(drafts)
    )
    for order in ORDERS:
        listing = roster.arranged(View(order=order))
        shown = [row for row in listing.rows if isinstance(row, SessionInfo)]
        assert sorted(info.id for info in shown) == sorted(info.id for info in roster.infos)
        assert listing.sessions == len(drafts)
        for info in shown:
            assert listing.rows[listing.places[key_of(info)]] is info


def test_copies_know_each_other_and_what_they_copy() -> None:
    parent, one, two = made("p"), made("1", parent="p"), made("2", parent="/s/p")
    roster = Roster()
    roster.take([parent, one, two])
    assert {info.id for info in roster.forks(parent)} == {"1", "2"}
    assert roster.parent(two) is parent
    assert roster.parent(made("3", parent="gone")) is None


def test_what_changed_takes_the_place_of_what_was_known_and_the_new_is_added() -> None:
    roster = Roster()
    roster.take([made("a"), made("b")])
    roster.update([made("b", title="new"), made("c")])
    assert {info.id: info.title for info in roster.infos} == {
        "a": "title a",
        "b": "new",
        "c": "title c",
    }
