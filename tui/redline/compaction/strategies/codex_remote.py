"""`codex-remote`: what Codex does with OpenAI as its provider, which writes a sealed summary."""

from __future__ import annotations

from redline.agents.codex.retaining import REMOTE_TOKENS, newest
from redline.compaction.outline import Outline
from redline.compaction.plan import Pins, Plan
from redline.compaction.strategies.codex_history import History, Sort, history_of
from redline.compaction.strategies.codex_plan import Kept, keep_agents, plan_of
from redline.compaction.strategies.codex_triggers import triggers
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger

_KEPT = (Sort.PROMPT, Sort.HOOK, Sort.SUMMARY)


class CodexRemote:
    """The second remote form, since 2026-06-11, run with 0.171 against a stand-in.

    What was found there and its source of 2026-08 does not say: an image is 1,844 tokens of the
    budget, a hook's words and the summary of a local compaction stay like prompts.
    """

    name = "codex-remote"
    about = "keeps your newest 64k tokens of messages with images; the summary is sealed"

    def triggers(self, window: Window, settings: StrategySettings) -> tuple[Trigger, ...]:
        """Codex's, see `codex_triggers`."""
        return triggers(window, settings)

    def propose(
        self,
        window: Window,
        outline: Outline,
        facts: Facts,
        ledger: Ledger,
        settings: StrategySettings,
        pins: Pins,
    ) -> Plan:
        """The plan. Settings it used: `tail_tokens`, the budget of the user's messages."""
        del facts
        budget = REMOTE_TOKENS if settings.tail_tokens is None else settings.tail_tokens
        history = history_of(window.session)
        return plan_of(
            retained(history, budget),
            history,
            strategy=self.name,
            window=window,
            outline=outline,
            ledger=ledger,
            settings=settings,
            pins=pins,
            budget=budget,
            sealed=True,
        )


def retained(history: History, budget: int) -> Kept:
    """The newest blocks of the user's messages within `budget`: of the text at the edge its start
    and its end, of an image nothing."""
    kept = Kept()
    bodies = (
        ((i, block), block.tokens)
        for i in history.of(*_KEPT)
        for block in reversed(history.blocks(i))
    )
    for (i, block), left in newest(bodies, budget):
        if left is None:
            kept.whole(i, [block])
            kept.tokens += block.tokens
        elif block.texts:
            kept.shorten(i, [block], left)
            kept.tokens += left
    keep_agents(history, kept, budget)
    return kept


STRATEGY = CodexRemote()
