"""`codex`: what Codex does where it compacts by itself, with a provider that is not OpenAI."""

from __future__ import annotations

from collections.abc import Iterator

from redline.agents.codex.retaining import LOCAL_TOKENS, newest
from redline.agents.codex.shortening import token_count
from redline.compaction.outline import Outline
from redline.compaction.plan import Pins, Plan
from redline.compaction.strategies.codex_history import Block, History, Sort, history_of
from redline.compaction.strategies.codex_plan import Kept, keep_agents, plan_of
from redline.compaction.strategies.codex_triggers import triggers
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger


class Codex:
    """The local form.

    Its own estimator is ceil(bytes of UTF-8 / 4). A prompt's texts are taken as one.
    """

    name = "codex"
    about = "keeps your newest 20k tokens of prompts, no images; the summary stands last"

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
        """The plan. Settings it used: `tail_tokens`, the budget of the prompts."""
        del facts
        budget = LOCAL_TOKENS if settings.tail_tokens is None else settings.tail_tokens
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
            sealed=False,
        )


def retained(history: History, budget: int) -> Kept:
    """The newest prompts within `budget`, without images and their labels; the one at the edge
    without its middle."""
    kept = Kept()
    for (i, blocks, tokens), left in newest(_spoken(history), budget):
        if left is None:
            kept.whole(i, blocks)
        else:
            kept.shorten(i, blocks, left)
        kept.tokens += tokens if left is None else left
    keep_agents(history, kept, budget)
    return kept


def _spoken(history: History) -> Iterator[tuple[tuple[int, list[Block], int], int]]:
    """The texts of each prompt with their tokens, the newest first."""
    for i in history.of(Sort.PROMPT):
        blocks = [block for block in history.blocks(i) if block.texts and not block.label]
        tokens = token_count("".join(text for block in blocks for text in block.texts))
        yield (i, blocks, tokens), tokens


STRATEGY = Codex()
