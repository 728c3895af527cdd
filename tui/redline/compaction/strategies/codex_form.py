"""A form of Codex's compaction as a strategy: they differ in what they leave in the clear."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace

from redline.agents.codex.settings import TOKEN_BUDGET
from redline.compaction.drafting import Proposal, finish
from redline.compaction.outline import Outline
from redline.compaction.pinning import pinned_cut
from redline.compaction.plan import Pins, Plan
from redline.compaction.strategies.codex_history import History, Sort, history_of
from redline.compaction.strategies.codex_plan import Edge, Kept, drafted
from redline.compaction.strategies.codex_triggers import triggers
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger
from redline.model import Agent

_TURNS = (Sort.PROMPT, Sort.AGENT)  # what a turn starts with
_NOT_ALL = "Codex does not keep all of it"


@dataclass(frozen=True, slots=True)
class Form:
    """One of Codex's forms. `budget` is its own in tokens, None where it has none; `retained` tells
    what stays within one and is remembered; `sealed` says that only the provider can read the
    summary."""

    name: str
    about: str
    budget: int | None
    sealed: bool
    retained: Callable[[History, int], Kept]

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
        """The plan. The setting it used: `tail_tokens`, where it has a budget.

        The summary stands last, or before the first message of another agent, and is there even
        where all stays: Codex asks for one whatever there is. A pinned cut keeps what follows it,
        which Codex never does.
        """
        del facts
        used: dict[str, int | float | str | bool] = {}
        budget = self.budget or 0
        if self.budget is not None:
            budget = self.budget if settings.tail_tokens is None else settings.tail_tokens
            used["tail_tokens"] = budget
        history = history_of(window.session)
        kept = self.retained(history, budget)
        warnings = _about_settings(settings)
        first = pinned_cut(outline, pins, warnings)
        draft = drafted(window, outline, ledger, history, kept).copy()
        edge = kept.edge
        if first is not None:
            draft.keep_from(first)
            edge = edge if edge is not None and edge.message < first else None
        if edge is not None and edge.message == max(outline.turn_starts, default=-1):
            left = f"{edge.left} of {edge.tokens} tokens"
            warnings.append(f"the last prompt loses its middle: Codex keeps {left}")
        lost = draft.lost_images(kept)
        if lost:
            warnings.append(_about_images(lost))
        agents = history.of(Sort.AGENT)
        summary_before = agents[-1] if agents else len(outline.messages)
        proposal = Proposal(
            draft.actions,
            draft.reasons,
            history.estimates,
            draft.parts,
            first_kept=first,
            summary_before=summary_before,
            left=draft.left,
            warnings=warnings,
            details=_details(kept, edge, history, outline, sealed=self.sealed),
        )
        plan = finish(
            proposal,
            strategy=self.name,
            settings=used,
            outline=outline,
            pins=pins,
            window=window,
            last_prompt=f"a pin takes it out, or {_NOT_ALL}"
            if pins.actions or pins.parts
            else _NOT_ALL,
        )
        if plan.summary_at is not None or not plan.actions:
            return plan
        return replace(plan, summary_at=bisect_left(plan.staying, summary_before))


def _about_images(count: int) -> str:
    if count == 1:
        return "an image of your prompts does not stay"
    return f"{count} images of your prompts do not stay"


def _about_settings(settings: StrategySettings) -> list[str]:
    budgeted = settings.own.get(Agent.CODEX, {}).get(TOKEN_BUDGET)
    if budgeted is None or not budgeted.value:
        return []
    return [f"{budgeted.source} turns token_budget on: Codex would start anew, without a summary"]


def _details(
    kept: Kept, edge: Edge | None, history: History, outline: Outline, *, sealed: bool
) -> dict[str, int | str | bool]:
    """Figures of Codex: tokens of the user's messages that stay, and before which of them it puts
    its instructions and the environment in again (0.171: by hand and before a turn too)."""
    details: dict[str, int | str | bool] = {"sealed": sealed}
    if kept.tokens is not None:
        details["retained_tokens"] = kept.tokens
    if edge is not None:
        details["shortened"] = outline.messages[edge.message].id
        details["shortened_to"] = edge.left
    turns = (i for i in (*kept.parts, *kept.entire) if history.sorts[i] in _TURNS)
    last = max(turns, default=-1)
    if last >= 0:
        details["instructions_before"] = outline.messages[last].id
    return details
