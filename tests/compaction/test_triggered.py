"""Triggers: when they are met, when they are held back, and that each is told once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta

import pytest

from redline.compaction.advice import Adviser
from redline.compaction.moment import Moment, Reason, moment
from redline.compaction.strategies.strategy import StrategySettings
from redline.compaction.triggered import AGENT, BY_HAND, CALLS, SHARE, Told, triggered
from redline.context.measure import measure
from redline.context.window import Window
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState
from redline.model import Agent, CompactionKind, Gauge, PastCompaction, Session
from redline.settings import Settings
from tests.sessions_in_memory import (
    START,
    Draft,
    call,
    ran,
    reply,
    result,
    session,
    summary,
    user,
)

FREE = Moment()
HELD = Moment(bad=(Reason("a call is open", "Bash x", "m1"),), open_call=True)
NOW = START + timedelta(minutes=1)
SETTINGS = Settings(tokenizer="estimate")


def window(*drafts: Draft | Iterable[Draft], used: int | None = None, **more: object) -> Window:
    found = measured(session(*drafts))
    if used is not None:
        found = replace(found, used=used)
    return replace(found, **more)  # type: ignore[arg-type]


def measured(made: Session) -> Window:
    return measure(made, SETTINGS, {})


def names(found: Iterable[object]) -> list[str]:
    return [getattr(met, "name", "") for met in found]


def calls(number: int) -> list[Draft]:
    return [draft for each in range(number) for draft in ran("make x", "ok", call_id=f"c{each}")]


@pytest.mark.parametrize(
    ("used", "share", "met"),
    [(149_999, 0.75, False), (150_000, 0.75, True), (99_999, 0.5, False), (100_000, 0.5, True)],
)
def test_the_share_is_met_where_the_window_is_that_full(used: int, share: float, met: bool) -> None:
    found = triggered(
        window(user("x"), used=used, limit=200_000), replace(SETTINGS, trigger_share=share), FREE
    )

    assert (SHARE in names(found)) is met


def test_of_a_window_nobody_knows_no_share_is_met() -> None:
    assert not triggered(window(user("x"), used=10**7, limit=None), SETTINGS, FREE)


@pytest.mark.parametrize(("number", "met"), [(14, False), (15, True), (40, True)])
def test_the_calls_since_the_last_compaction_are_counted(number: int, met: bool) -> None:
    found = triggered(window(user("x"), calls(number)), SETTINGS, FREE)

    assert (CALLS in names(found)) is met


def test_calls_that_a_compaction_preserved_do_not_count() -> None:
    past = PastCompaction("p", CompactionKind.PARTIAL, 1, preserved=("m2", "m4", "m6"))
    made = session(user("x"), calls(16), context_from=1, compactions=(past,))

    assert not triggered(measured(made), SETTINGS, FREE)


def test_the_agents_own_count_is_compared_where_it_tells_one() -> None:
    made = replace(session(user("x"), agent=Agent.CODEX), gauge=Gauge(active=900, trigger=800))
    own = StrategySettings()

    assert names(triggered(measured(made), SETTINGS, FREE, agents=own)) == [AGENT]
    less = replace(made, gauge=Gauge(active=700, trigger=800))
    assert not triggered(measured(less), SETTINGS, FREE, agents=own)


def test_the_agents_own_trigger_is_met_where_its_strategy_says_so() -> None:
    full = window(user("x"), used=190_000, limit=200_000)

    assert AGENT in names(triggered(full, SETTINGS, FREE, agents=StrategySettings()))
    assert AGENT not in names(triggered(full, SETTINGS, FREE))


def test_by_hand_is_always_met_and_held_back_like_the_others() -> None:
    (free,) = triggered(window(user("x")), SETTINGS, FREE, by_hand=True)
    (held,) = triggered(window(user("x")), SETTINGS, HELD, by_hand=True)

    assert (free.name, free.held) == (BY_HAND, "")
    assert held.held == "a call is open: Bash x"


def test_a_trigger_is_told_once_until_it_is_no_longer_met() -> None:
    met = triggered(window(user("x"), used=190_000, limit=200_000), SETTINGS, FREE)

    first, told = Told().news(met)
    again, told = told.news(met)
    _, told = told.news(())
    after, _ = told.news(met)

    assert (names(first), again, names(after)) == ([SHARE], (), [SHARE])


def test_a_trigger_that_was_held_back_is_told_when_it_is_free() -> None:
    full = window(user("x"), used=190_000, limit=200_000)

    held, told = Told().news(triggered(full, SETTINGS, HELD))
    free, _ = told.news(triggered(full, SETTINGS, FREE))

    assert (held, names(free)) == ((), [SHARE])


def test_an_open_call_and_open_edits_hold_every_trigger_back() -> None:
    for last in (
        [call("Bash", {"command": "x"}, call_id="z")],
        [call("Edit", {"file_path": "a"}, call_id="z"), result("ok", call_id="z", tool="Edit")],
    ):
        made = session(user("x"), calls(20), *last)
        found = triggered(measured(made), SETTINGS, moment(made, NOW), by_hand=True)
        assert found
        assert all(met.held for met in found)


# -- faults ----------------------------------------------------------------------------------------


def adviser(first: Window, ledger: Ledger | None = None) -> Adviser:
    return Adviser(first, ledger or Ledger(), SETTINGS, None)


def refilled(times: int) -> Window:
    """A session whose compactions left almost everything, each within three messages."""
    past = tuple(
        PastCompaction(
            f"p{number}",
            CompactionKind.FULL,
            number,
            trigger="auto",
            tokens_before=190_000,
            tokens_after=180_000,
            messages_before=3 * number,
        )
        for number in range(1, times + 1)
    )
    made = session(
        summary("so far"),
        call("Read", {"file_path": "logs/all.txt"}, call_id="a"),
        result("x" * 4_000, call_id="a", tool="Read"),
        compactions=past,
    )
    return replace(measured(made), used=185_000, limit=200_000, threshold=180_000)


def test_a_loop_of_compactions_is_one_notice_with_its_numbers_and_no_more_tries() -> None:
    """B13: what stays is above the limit, whatever is compacted."""
    looping = refilled(3)
    watching = adviser(looping)

    first = watching.advise(looping, NOW)
    again = watching.advise(looping, NOW)

    assert first.thrash is not None
    assert (first.thrash.times, first.thrash.after, first.thrash.used) == (3, 180_000, 185_000)
    assert first.thrash.refills[0].name in ("logs/all.txt", "system prompt and tools")
    assert not first.news
    assert len(first.lines) == 1
    assert not again.lines


def test_one_compaction_that_did_not_help_is_no_loop() -> None:
    once = refilled(1)

    assert adviser(once).advise(once, NOW).thrash is None


def test_a_window_that_has_room_again_or_no_known_limit_is_no_loop() -> None:
    twice = refilled(2)
    roomy = replace(twice, used=20_000)
    unknown = replace(twice, limit=None, threshold=None)

    assert adviser(twice).advise(twice, NOW).thrash is not None
    assert adviser(roomy).advise(roomy, NOW).thrash is None
    assert adviser(unknown).advise(unknown, NOW).thrash is None


def test_what_a_person_compacts_again_and_again_is_no_loop() -> None:
    made = refilled(3)
    past = tuple(replace(each, trigger="manual") for each in made.session.compactions)
    by_hand = replace(made, session=replace(made.session, compactions=past), used=20_000)

    assert adviser(by_hand).advise(by_hand, NOW).thrash is None


def test_a_compaction_settles_a_trigger_and_stale_figures_do_not_bring_it_back() -> None:
    """B32: the usage of the reply before an aborted turn is of the window before."""
    from redline.model import Usage

    full = [user("x"), reply("long", usage=Usage(180_000), model="claude-opus-4-6")]
    before = measured(session(*full, model="claude-opus-4-6"))
    past = PastCompaction("p", CompactionKind.FULL, 3, trigger="manual", tokens_before=180_000)
    after = measured(
        session(
            *full,
            summary("so far"),
            context_from=2,
            compactions=(past,),
            model="claude-opus-4-6",
        )
    )
    watching = adviser(before)

    told = watching.advise(before, NOW)
    settled = watching.advise(after, NOW)

    assert names(told.news) == [SHARE]
    assert (settled.met, settled.news) == ((), ())
    assert after.used < 1_000


def test_what_is_advised_is_of_the_session_as_it_is_now() -> None:
    """B39: rows that came since are in it."""
    made = session(user("x"), calls(3))
    grown = session(user("x"), calls(20))
    watching = adviser(measured(made))

    assert not watching.advise(measured(made), NOW).met
    assert names(watching.advise(measured(grown), NOW).news) == [CALLS]


def test_a_crash_in_the_middle_leaves_no_moment_behind() -> None:
    """B38: the session says interrupted, and the next prompt is an ordinary one."""
    crashed = session(user("x"), call("Bash", {"command": "x"}, call_id="a"))
    after = session(user("x"), call("Bash", {"command": "x"}, call_id="a"), user("go on"))

    assert moment(crashed, NOW).bad[0].text == "interrupted in a call"
    assert not moment(after, NOW).bad


# -- alarms ----------------------------------------------------------------------------------------


def test_only_what_is_done_from_now_on_is_an_alarm() -> None:
    rule = Rule("r", "Do not push", RuleFamily.PROHIBIT, RuleState.ACTIVE, message="m1")
    old = session(user("Do not push"), *ran("git push", call_id="a"))
    new = session(user("Do not push"), *ran("git push", call_id="a"), *ran("git push", call_id="b"))
    watching = adviser(measured(old), Ledger((rule,)))

    first = watching.advise(measured(old), NOW)
    second = watching.advise(measured(new), NOW)
    third = watching.advise(measured(new), NOW)

    assert not first.breaches
    assert [breach.call for breach in second.breaches] == ["b"]
    assert not third.breaches
    assert len(watching.found) == 2
