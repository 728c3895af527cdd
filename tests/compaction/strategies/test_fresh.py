from __future__ import annotations

from redline.compaction.effect import after, plan_tokens
from redline.compaction.plan import Action
from redline.compaction.saved import dump_plan
from redline.context.window import Category
from tests.compaction.windows import OVERHEAD, propose, window_of
from tests.sessions_in_memory import ran, reply, session, user

OPENED = session(user("go"), *ran("ls", "x", call_id="a"), reply("done"))


def test_nothing_is_kept_and_the_words_are_quoted() -> None:
    plan = propose(window_of(OPENED), "fresh")
    assert plan.staying == ()
    assert plan.actions[0] is Action.QUOTE
    assert plan.summary_at is None
    data = dump_plan(plan, window_of(OPENED))
    assert data["cut"] is None
    assert data["result"] == []


def test_the_next_window_holds_the_system_share_and_the_handoff() -> None:
    window = window_of(OPENED)
    plan = propose(window, "fresh")
    assert plan_tokens(plan, window).kept == OVERHEAD
    bar = after(plan, window, 900)
    assert bar[Category.SUMMARY] == 900
    assert sum(bar.values()) == OVERHEAD + 900
