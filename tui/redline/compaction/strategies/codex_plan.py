"""What a form of Codex's compaction leaves in the clear, as actions; all else is its summary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from redline.agents.codex.retaining import fitting, left_of
from redline.compaction.outline import Outline, Place, answers
from redline.compaction.plan import STAYING, Action, action_for
from redline.compaction.remembered import Remembered
from redline.compaction.strategies.codex_history import Block, History, Sort
from redline.compaction.strategies.retelling import retell
from redline.context.window import Window
from redline.ledger.rule import Ledger
from redline.model import Kind, PartType, Role

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
AGAIN = "Codex puts it in anew"
SHORTENED = "your words, shortened in the middle"
NO_IMAGES = "Codex keeps no images"


@dataclass(frozen=True, slots=True)
class Edge:
    """The message that was cut: how many of its words' tokens are left, and of how many."""

    message: int
    left: int
    tokens: int


@dataclass(slots=True)
class Kept:
    """What stays of the messages, by index: of each part the characters that are left, None for the
    whole of it. `entire` are messages of which all stays. `tokens` are Codex's own of the user's
    messages, None where it has no budget of them; `edge` is where they ended."""

    parts: dict[int, dict[int, int | None]] = field(default_factory=dict)
    entire: list[int] = field(default_factory=list)
    tokens: int | None = 0
    edge: Edge | None = None

    def whole(self, index: int, blocks: Iterable[Block], tokens: int) -> None:
        """Keeps blocks of message `index`, which are `tokens` tokens, as they are."""
        places = (place for block in blocks for place in block.places)
        self.parts.setdefault(index, {}).update(dict.fromkeys(places))
        self.tokens = (self.tokens or 0) + tokens

    def shorten(self, index: int, blocks: Sequence[Block], tokens: int, left: int) -> None:
        """Takes the middle out of `blocks`, as if they were one text, but for `left` of `tokens`
        tokens."""
        places = [place for block in blocks for place in block.places]
        texts = [text for block in blocks for text in block.texts]
        chars = zip(places, texts, left_of(texts, left), strict=True)
        found = {j: None if kept == len(text) else kept for j, text, kept in chars if kept}
        self.parts.setdefault(index, {}).update(found)
        self.edge = Edge(index, left, tokens)
        self.tokens = (self.tokens or 0) + left


def keep_agents(history: History, kept: Kept, budget: int) -> None:
    """Messages of other agents, from the newest on, each where it still fits; they have a budget of
    their own. (0.171; that those which tell of progress or an end may be longer is not seen.)"""
    sizes = ((i, history.agent_tokens(i)) for i in history.of(Sort.AGENT))
    kept.entire += fitting(sizes, budget)


@dataclass(slots=True)
class Draft:
    """Actions, reasons and overrides; at first all goes into the summary."""

    window: Window
    outline: Outline
    history: History
    actions: list[Action]
    reasons: list[str]
    parts: dict[Place, Action] = field(default_factory=dict)
    left: dict[Place, int] = field(default_factory=dict)

    def copy(self) -> Draft:
        """One that may be changed."""
        columns = [*self.actions], [*self.reasons], {**self.parts}, {**self.left}
        return Draft(self.window, self.outline, self.history, *columns)

    def keep(self, i: int, kept: Mapping[int, int | None]) -> None:
        """Keeps the parts of message `i` that `kept` names."""
        parts, sort = self.outline.messages[i].parts, self.history.sorts[i]
        tied = len(self.outline.members[self.outline.group[i]]) > 1 or any(
            answers(part) or part.type is PartType.TOOL_CALL for part in parts
        )
        cut = any(kept.values())
        if parts and len(kept) == len(parts) and not cut and not tied:
            self.actions[i], self.reasons[i] = Action.KEEP, _REASONS[sort]
            return
        gone = [self._gone(i, j) for j in range(len(parts))]
        if not kept:
            if all(action is Action.DROP for action in gone):
                self.actions[i], self.reasons[i] = Action.DROP, NO_IMAGES
            return
        base = Action.SUMMARISE if tied else Action.SHORTEN if cut else Action.KEEP
        self.actions[i] = base
        self.reasons[i] = SHORTENED if cut and sort is Sort.PROMPT else _REASONS[sort]
        for j, part in enumerate(parts):
            chars = kept.get(j)
            fate = gone[j] if j not in kept else Action.SHORTEN if chars else Action.KEEP
            if action_for(base, part) is not fate:
                self.parts[i, j] = fate
            if chars:
                self.left[i, j] = max(1, self.window.parts[i][j] * chars // max(1, part.chars))

    def _gone(self, i: int, j: int) -> Action:
        part = self.outline.messages[i].parts[j]
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
            for j, part in enumerate(self.outline.messages[i].parts)
        )


def _draft(window: Window, outline: Outline, ledger: Ledger, history: History, kept: Kept) -> Draft:
    actions, reasons = retell(outline, ledger, before="goes into the summary")
    for i, message in enumerate(outline.messages):
        if message.role is Role.SYSTEM:
            actions[i], reasons[i] = Action.KEEP, "system prompt"
        elif history.sorts[i] in _OLDER:
            actions[i], reasons[i] = Action.SUMMARISE, _OLDER[history.sorts[i]]
        elif actions[i] is Action.QUOTE:
            actions[i] = Action.SUMMARISE
        elif actions[i] is Action.DROP:
            reasons[i] = AGAIN
    draft = Draft(window, outline, history, actions, reasons)
    for i, parts in kept.parts.items():
        draft.keep(i, parts)
    for i in kept.entire:
        draft.keep(i, dict.fromkeys(range(len(outline.messages[i].parts))))
    return draft


drafted = Remembered(_draft, size=4)  # one a form
