"""The goal: what the work is for, whatever small order or rule came last."""

from __future__ import annotations

import pytest

from redline.facts.extract import extract
from redline.handoff.state import State
from redline.ledger.detect import detect
from tests.sessions_in_memory import Draft, reply, session, user


def goal(*said: str, earlier: str = "", answered: bool = True) -> str:
    drafts: list[Draft] = [draft for text in said for draft in (user(text), reply("Done."))]
    opened = session(*(drafts if answered else drafts[:-1]))
    rules = {rule.text for rule in detect(opened).rules}
    return State(opened, None, extract(opened), rules).goal(earlier).text


EXPORT = "Goal: finish the CSV export by Friday."


@pytest.mark.parametrize("answered", [True, False])
@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ((EXPORT, "Fix the typo in the README header please.", "Do not edit src/a.py."), EXPORT),
        (("目标：周五之前完成 CSV 导出。", "超时改为 60 秒。"), "目标：周五之前完成 CSV 导出。"),
        (("We want to move to Postgres 16.", "Add a test for the parser."), None),
        (("I need a CSV export of all orders.", "Set the timeout to 60 seconds."), None),
        (("Fix the rounding in all totals.", "Do not edit src/auth/logout.py."), None),
        (("Fix the rounding in all totals.", "超时改为 60 秒。"), None),
        (("/mode", "the totals are wrong", "Never edit vendor/."), "the totals are wrong"),
        ((EXPORT, "Goal: ship version 2 of the shop."), "Goal: ship version 2 of the shop."),
        (("Do not edit src/auth/logout.py.", "make totals exact"), "make totals exact"),
    ],
)
def test_the_goal_is_what_the_work_is_for(
    said: tuple[str, ...], meant: str | None, answered: bool
) -> None:
    assert goal(*said, answered=answered) == (meant or said[0])


def test_larger_work_takes_the_place_of_what_was_wanted_before() -> None:
    large = "Add a page for the yearly prices in src/pages. Its totals must match the invoice to "
    large += "the cent, and every line must name the article it is for."
    assert goal("We want to move to Postgres 16.", large) == large.partition(". ")[0] + "."


def test_a_goal_that_an_earlier_handoff_names_outlasts_small_orders() -> None:
    assert goal("Fix the typo in the README header.", earlier=EXPORT) == EXPORT
    assert goal("Goal: ship version 2 of the shop.", earlier=EXPORT).startswith("Goal: ship")


def test_where_only_rules_were_said_the_first_of_them_is_better_than_nothing() -> None:
    assert goal("Do not edit src/auth/logout.py.") == "Do not edit src/auth/logout.py."
