"""`codex-remote-v1`: what Codex did with OpenAI as its provider from 2025-11 to 2026-06."""

from __future__ import annotations

from redline.compaction.outline import Outline
from redline.compaction.plan import Pins, Plan
from redline.compaction.strategies.codex_history import History, Sort, history_of
from redline.compaction.strategies.codex_plan import Kept, plan_of
from redline.compaction.strategies.codex_triggers import triggers
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger


class CodexRemoteV1:
    """The first remote form. The server chose what came back, so that this is what it did in a real
    session of 0.104: every prompt and every reply that ended a turn, with a sealed summary. It had
    a budget where one was reached there, but none was."""

    name = "codex-remote-v1"
    about = "keeps your prompts and the replies that ended turns; the summary is sealed"

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
        """The plan. It uses no settings."""
        del facts
        history = history_of(window.session)
        return plan_of(
            retained(history),
            history,
            strategy=self.name,
            window=window,
            outline=outline,
            ledger=ledger,
            settings=settings,
            pins=pins,
            budget=None,
            sealed=True,
        )


def retained(history: History) -> Kept:
    """Prompts, a hook's words and replies that ended a turn."""
    kept = Kept()
    for i in history.of(Sort.PROMPT, Sort.HOOK, Sort.FINAL):
        blocks = history.blocks(i)
        kept.whole(i, blocks)
        kept.tokens += sum(block.tokens for block in blocks)
    return kept


STRATEGY = CodexRemoteV1()
