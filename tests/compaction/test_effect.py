from __future__ import annotations

from redline.compaction.effect import after, layers, plan_tokens
from redline.compaction.plan import Action, Pins
from redline.context.window import Category
from redline.facts.fact import CommitFact, Facts
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState
from tests.compaction.windows import OVERHEAD, propose, window_of
from tests.sessions_in_memory import injected, ran, reply, session, thinking, together, user

OPENED = session(
    injected("i" * 50),
    user("u" * 100),
    *ran("ls", "x" * 3_000, call_id="a"),
    together(thinking("t" * 70), reply("r" * 30)),
)


def test_the_bar_afterwards_counts_what_stays_by_category() -> None:
    window = window_of(OPENED)
    plan = propose(window, pins=Pins(cut="m3", actions={"m4": Action.CLEAR}))
    bar = after(plan, window, 400)
    called = window.tokens[2]
    assert bar == {
        Category.SYSTEM: OVERHEAD,
        Category.USER: 0,
        Category.ASSISTANT: 30,
        Category.THINKING: 70,
        Category.TOOL: called + 12,
        Category.SUMMARY: 400,
    }


def test_shortening_leaves_a_beginning_and_an_end() -> None:
    window = window_of(OPENED)
    plan = propose(window, pins=Pins(cut="m1", actions={"m4": Action.SHORTEN}))
    assert plan_tokens(plan, window).cleared == 2_600


def test_without_anything_retold_no_summary_is_counted() -> None:
    window = window_of(OPENED)
    plan = propose(window, pins=Pins(cut="m1"))
    assert after(plan, window, 400)[Category.SUMMARY] == 0


def test_the_three_layers_add_up() -> None:
    window = window_of(OPENED)
    plan = propose(window, pins=Pins(cut="m3"))
    rule = Rule("r", "Never push", RuleFamily.PROHIBIT, RuleState.ACTIVE)
    facts = Facts(commits=(CommitFact("abc1234", "Fix it", "m3"),))
    buffer, summary, memory = layers(plan, window, facts, Ledger((rule,)))
    assert (buffer.count, buffer.tokens) == (3, sum(window.tokens[2:]))
    assert (summary.count, summary.tokens) == (1, 100)  # what was injected is dropped
    assert memory.count == 2
    assert memory.tokens > 0
