"""A plan from what a form of Codex's compaction leaves in the clear; all else is its summary."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from redline.agents.codex.retaining import fitting, left_of
from redline.agents.codex.settings import TOKEN_BUDGET
from redline.compaction.drafting import Proposal, finish
from redline.compaction.outline import Outline, Place, answers
from redline.compaction.pinning import pinned_cut
from redline.compaction.plan import STAYING, Action, Pins, Plan, action_for
from redline.compaction.strategies.codex_history import Block, History, Sort
from redline.compaction.strategies.retelling import retell
from redline.compaction.strategies.strategy import StrategySettings
from redline.context.window import Window
from redline.ledger.rule import Ledger
from redline.model import Agent, Kind, PartType, Role

_REASONS: Mapping[Sort, str] = {
    Sort.PROMPT: "your words, among the newest",
    Sort.HOOK: "a hook's words, among the newest",
    Sort.SUMMARY: "the previous summary, in the clear",
    Sort.AGENT: "a message of another agent",
    Sort.FINAL: "a reply that ended a turn",
}
_OLDER: Mapping[Sort, str] = {
    Sort.PROMPT: "your words, beyond the budget",
    Sort.AGENT: "a message of another agent, beyond the budget",
}
_TURNS = (Sort.PROMPT, Sort.AGENT)  # what a turn starts with
AGAIN = "Codex puts it in anew"
SHORTENED = "your words, shortened in the middle"
NO_IMAGES = "Codex keeps no images"


@dataclass(slots=True)
class Kept:
    """What stays of the messages, by index: of each part the characters that are left, None for the
    whole of it. `entire` are messages of which all stays. `tokens` are Codex's own of the user's
    messages, `edge` the message that was cut and to how many of them."""

    parts: dict[int, dict[int, int | None]] = field(default_factory=dict)
    entire: list[int] = field(default_factory=list)
    tokens: int = 0
    edge: tuple[int, int] | None = None

    def whole(self, index: int, blocks: Iterable[Block]) -> None:
        """Keeps blocks of message `index` as they are."""
        places = (place for block in blocks for place in block.places)
        self.parts.setdefault(index, {}).update(dict.fromkeys(places))

    def shorten(self, index: int, blocks: Sequence[Block], left: int) -> None:
        """Takes the middle out of `blocks`, as if they were one text, but for `left` tokens."""
        places = [place for block in blocks for place in block.places]
        texts = [text for block in blocks for text in block.texts]
        chars = zip(places, texts, left_of(texts, left), strict=True)
        found = {j: None if kept == len(text) else kept for j, text, kept in chars if kept}
        self.parts.setdefault(index, {}).update(found)
        self.edge = (index, left)


def keep_agents(history: History, kept: Kept, budget: int) -> None:
    """Messages of other agents, from the newest on, each where it still fits; they have a budget of
    their own. (0.171; that those which tell of progress or an end may be longer is not seen.)"""
    sizes = ((i, history.agent_tokens(i)) for i in history.of(Sort.AGENT))
    kept.entire += fitting(sizes, budget)


def plan_of(
    kept: Kept,
    history: History,
    *,
    strategy: str,
    window: Window,
    outline: Outline,
    ledger: Ledger,
    settings: StrategySettings,
    pins: Pins,
    budget: int | None,
    sealed: bool,
) -> Plan:
    """The plan. The summary stands last, or before the first message of another agent, and is there
    even where all stays: Codex asks for one whatever there is. A pinned cut keeps what follows it,
    which Codex never does."""
    warnings = _about_settings(settings)
    first = pinned_cut(outline, pins, warnings)
    draft = _Draft(window, outline, ledger, history)
    for i, parts in kept.parts.items():
        draft.keep(i, parts)
    for i in kept.entire:
        draft.keep(i, dict.fromkeys(range(len(outline.messages[i].parts))))
    if first is not None:
        draft.keep_from(first)
        kept.edge = kept.edge if kept.edge is not None and kept.edge[0] < first else None
    if kept.edge is not None:
        i, left = kept.edge
        if outline.turn_starts and i == outline.turn_starts[-1]:
            said = f"{left} of its {history.estimates[i]} tokens"
            warnings.append(f"the last prompt loses its middle: Codex keeps {said}")
    lost = draft.lost_images(kept)
    if lost:
        warnings.append(f"{lost} images of your prompts do not stay: {NO_IMAGES}")
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
        details=_details(kept, history, outline, sealed=sealed),
    )
    plan = finish(
        proposal,
        strategy=strategy,
        settings={} if budget is None else {"tail_tokens": budget},
        outline=outline,
        pins=pins,
        window=window,
        last_prompt=NO_IMAGES if lost and not pins.actions and not pins.parts else "a pin does it",
    )
    if plan.summary_at is not None or not plan.actions:
        return plan
    return replace(plan, summary_at=bisect_left(plan.staying, summary_before))


def _about_settings(settings: StrategySettings) -> list[str]:
    budgeted = settings.own.get(Agent.CODEX, {}).get(TOKEN_BUDGET)
    if budgeted is None or not budgeted.value:
        return []
    return [f"{budgeted.source} turns token_budget on: Codex would start anew, without a summary"]


def _details(
    kept: Kept, history: History, outline: Outline, *, sealed: bool
) -> dict[str, int | str | bool]:
    """Figures of Codex: tokens of the user's messages that stay, and before which of them it puts
    its instructions and the environment in again (0.171: by hand and before a turn too)."""
    details: dict[str, int | str | bool] = {"retained_tokens": kept.tokens, "sealed": sealed}
    if kept.edge is not None:
        details["shortened"] = outline.messages[kept.edge[0]].id
        details["shortened_to"] = kept.edge[1]
    turns = (i for i in (*kept.parts, *kept.entire) if history.sorts[i] in _TURNS)
    last = max(turns, default=-1)
    if last >= 0:
        details["instructions_before"] = outline.messages[last].id
    return details


class _Draft:
    """Actions, reasons and overrides, from all going into the summary on."""

    def __init__(self, window: Window, outline: Outline, ledger: Ledger, history: History) -> None:
        self._window = window
        self._outline = outline
        self._history = history
        self.parts: dict[Place, Action] = {}
        self.left: dict[Place, int] = {}
        self.actions, self.reasons = retell(outline, ledger, before="goes into the summary")
        for i, message in enumerate(outline.messages):
            if message.role is Role.SYSTEM:
                self.actions[i], self.reasons[i] = Action.KEEP, "system prompt"
            elif history.sorts[i] in _OLDER:
                self.actions[i], self.reasons[i] = Action.SUMMARISE, _OLDER[history.sorts[i]]
            elif self.actions[i] is Action.QUOTE:
                self.actions[i] = Action.SUMMARISE
            elif self.actions[i] is Action.DROP:
                self.reasons[i] = AGAIN

    def keep(self, i: int, kept: Mapping[int, int | None]) -> None:
        """Keeps the parts of message `i` that `kept` names."""
        message = self._outline.messages[i]
        sort = self._history.sorts[i]
        fates = {
            j: (Action.KEEP if kept[j] is None else Action.SHORTEN)
            if j in kept
            else self._gone(i, j)
            for j in range(len(message.parts))
        }
        cut = Action.SHORTEN in fates.values()
        if not any(fate in STAYING for fate in fates.values()):
            if all(self._gone(i, j) is Action.DROP for j in range(len(message.parts))):
                self.actions[i], self.reasons[i] = Action.DROP, NO_IMAGES
            return
        tied = len(self._outline.members[self._outline.group[i]]) > 1 or any(
            answers(part) or part.type is PartType.TOOL_CALL for part in message.parts
        )
        base = Action.SUMMARISE if tied else Action.SHORTEN if cut else Action.KEEP
        self.actions[i] = base
        self.reasons[i] = SHORTENED if cut and sort is Sort.PROMPT else _REASONS[sort]
        for j, part in enumerate(message.parts):
            if action_for(base, part) is not fates[j]:
                self.parts[i, j] = fates[j]
            chars = kept.get(j)
            if chars is not None:
                tokens = self._window.parts[i][j]
                self.left[i, j] = max(1, tokens * chars // max(1, part.chars))

    def _gone(self, i: int, j: int) -> Action:
        part = self._outline.messages[i].parts[j]
        put_in = part.kind in (Kind.INJECTED, Kind.NOTICE) or part.type is PartType.IMAGE
        return Action.DROP if put_in and not answers(part) else Action.SUMMARISE

    def keep_from(self, first: int) -> None:
        """Keeps every message from `first` on."""
        for i in range(first, len(self.actions)):
            self.actions[i], self.reasons[i] = Action.KEEP, "after the pinned cut"
        for place in [place for place in self.parts if place[0] >= first]:
            del self.parts[place]
        for place in [place for place in self.left if place[0] >= first]:
            del self.left[place]

    def lost_images(self, kept: Kept) -> int:
        """How many images of the prompts that stay do not."""
        return sum(
            part.type is PartType.IMAGE
            and not answers(part)
            and self.parts.get((i, j), action_for(self.actions[i], part)) not in STAYING
            for i in kept.parts
            for j, part in enumerate(self._outline.messages[i].parts)
        )
