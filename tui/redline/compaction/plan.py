"""A plan: one action for every message of the context, and what the next window then holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from redline.compaction.outline import Outline, answers
from redline.model import Kind, Part, PartType, Role


class Action(StrEnum):
    """What happens to a message or part.

    KEEP, CLEAR and SHORTEN leave it in the next window (word for word; a result's body replaced by
    a placeholder in its place; its middle taken out). QUOTE, SUMMARISE and DROP take it out: its
    prompts stand word for word in the handoff; it is retold there; it is gone.
    """

    KEEP = "keep"
    CLEAR = "clear"
    SHORTEN = "shorten"
    QUOTE = "quote"
    SUMMARISE = "summarise"
    DROP = "drop"

    @property
    def stays(self) -> bool:
        """Whether the message is in the next window, whole or not."""
        return self in STAYING


STAYING = frozenset((Action.KEEP, Action.CLEAR, Action.SHORTEN))

PLACEHOLDER_TOKENS = 12  # "[old result cleared: 3.9k tokens, see the transcript]"
SHORTENED_TOKENS = 400  # what is left of a shortened body, its beginning and its end


@dataclass(frozen=True, slots=True)
class Cut:
    """Where the tail starts: the index of its first message, and whether that is inside a turn."""

    message: str
    index: int
    splits_turn: bool


@dataclass(frozen=True, slots=True)
class Pins:
    """What a person overrides: the cut (id of the first kept message), actions by message id, and
    actions of single parts by (message id, place of the part)."""

    cut: str | None = None
    actions: Mapping[str, Action] = field(default_factory=dict)
    parts: Mapping[tuple[str, int], Action] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlanTokens:
    """Calibrated tokens: of the context before, of what stays (clearing counted), of what clearing
    and shortening take out, of what is summarised, quoted or dropped.

    `before` and `kept` include the system overhead (`overhead`, which stays whatever is planned):
    before == kept + cleared + summarised. `after_without_summary` is what the next window weighs.
    """

    before: int
    kept: int
    cleared: int
    summarised: int
    after_without_summary: int
    overhead: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """Exactly one action a message, columns aligned with `outline.messages`.

    `parts` overrides single parts by (message index, part index). `summary_at` is the place of the
    summary among the resulting messages, None where the strategy writes none into the context.
    `estimates[i]` is the strategy's own estimate (its agent's), in tokens. `cut` is where the tail
    starts, also where a pin keeps something before it (`one_tail` tells). `details` are figures
    of the agent the strategy is named after. `stand_ins` is what its agent writes in the place of a
    cleared body, where that is more than a placeholder; `left` the tokens that a shortened body
    keeps where they are not SHORTENED_TOKENS. `pins` are those it was made with, `pinned` the
    indexes of the messages they act on.

    Construction checks the invariants and raises ValueError where they do not hold:

    * every column has one entry a message, every override names a part that is there;
    * a call and its results stay or go together; a result without a call does not stay;
    * no open call at the end: a call without a result stays only where the conversation went on
      without it, that is where something other than results stays after it;
    * thinking and opaque parts are kept or taken out whole; only results and images are cleared,
      only texts and results shortened, only prompts quoted;
    * `summary_at` and `cut` are places that exist.
    """

    strategy: str
    settings: Mapping[str, int | float | str | bool]
    outline: Outline
    actions: tuple[Action, ...]
    reasons: tuple[str, ...]
    estimates: tuple[int, ...]
    parts: Mapping[tuple[int, int], Action] = field(default_factory=dict)
    pinned: frozenset[int] = frozenset()
    summary_at: int | None = 0
    cut: Cut | None = None
    warnings: tuple[str, ...] = ()
    details: Mapping[str, int | str | bool] = field(default_factory=dict)
    stand_ins: Mapping[tuple[int, int], str] = field(default_factory=dict)
    left: Mapping[tuple[int, int], int] = field(default_factory=dict)
    pins: Pins = field(default_factory=Pins)

    def __post_init__(self) -> None:
        _check_columns(self)
        _check_overrides(self)
        _check_bodies(self)
        _check_pairs(self)
        _check_end(self)
        _check_places(self)

    def action_of(self, message: int, part: int) -> Action:
        """What happens to one part: its override, or what its message's action means for it."""
        override = self.parts.get((message, part))
        if override is not None:
            return override
        return action_for(self.actions[message], self.outline.messages[message].parts[part])

    @property
    def staying(self) -> tuple[int, ...]:
        """Indexes of the messages of which something stays, in order."""
        staying = [i for i, action in enumerate(self.actions) if action in STAYING]
        if not self.parts:
            return tuple(staying)
        extra, gone = _partly(self)
        return tuple(sorted((extra | set(staying)) - gone))

    @property
    def changes(self) -> bool:
        """Whether anything of the context goes, is retold, cleared or shortened."""
        return any(action is not Action.KEEP for action in (*self.actions, *self.parts.values()))

    @property
    def one_tail(self) -> bool:
        """Whether all that stays, system messages aside, stands at or after the cut."""
        if self.cut is None:
            return False
        messages, first = self.outline.messages, self.cut.index
        return all(i >= first or messages[i].role is Role.SYSTEM for i in self.staying)


def action_for(action: Action, part: Part) -> Action:
    """What a message's action means for one of its parts."""
    if action is Action.CLEAR:
        return action if clearable(part) else Action.KEEP
    if action is Action.SHORTEN:
        return action if shortenable(part) else Action.KEEP
    if action is Action.QUOTE and part.kind is not Kind.PROMPT:
        return Action.DROP if part.kind in (Kind.INJECTED, Kind.NOTICE) else Action.SUMMARISE
    return action


def clearable(part: Part) -> bool:
    """Whether a placeholder can stand for the body of `part`."""
    return part.type in (PartType.TOOL_RESULT, PartType.IMAGE)


def shortenable(part: Part) -> bool:
    """Whether the middle of `part` can be taken out."""
    return part.type in (PartType.TEXT, PartType.TOOL_RESULT)


def _partly(plan: Plan) -> tuple[set[int], set[int]]:
    """Messages of which something stays though their action takes them out, and the reverse."""
    extra, gone = set(), set()
    turned = {
        i for (i, _), action in plan.parts.items() if (action in STAYING) != plan.actions[i].stays
    }
    for message in turned:
        count = len(plan.outline.messages[message].parts)
        if any(plan.action_of(message, part) in STAYING for part in range(count)):
            extra.add(message)
        else:
            gone.add(message)
    return extra, gone


def _named(plan: Plan, message: int, part: int | None = None) -> str:
    name = f"message {plan.outline.messages[message].id}"
    return name if part is None else f"{name}, part {part}"


def _check_columns(plan: Plan) -> None:
    size = len(plan.outline.messages)
    for name in ("actions", "reasons", "estimates"):
        if len(getattr(plan, name)) != size:
            raise ValueError(f"{name} must have one entry for each of {size} messages")
    if not _ACTIONS.issuperset(plan.actions) or not _ACTIONS.issuperset(plan.parts.values()):
        raise ValueError("every action must be one of Action")


_ACTIONS = frozenset(Action)


def _check_overrides(plan: Plan) -> None:
    messages = plan.outline.messages
    for message, part in (*plan.parts, *plan.stand_ins, *plan.left):
        if not 0 <= message < len(messages) or not 0 <= part < len(messages[message].parts):
            raise ValueError(f"there is no part {part} of message number {message}")


def _check_bodies(plan: Plan) -> None:
    """Each part is only treated as its type allows."""
    messages = plan.outline.messages
    for (message, place), action in plan.parts.items():
        part = messages[message].parts[place]
        if action in _PARTICULAR and not possible(action, part):
            raise ValueError(
                f"{_named(plan, message, place)} is {part.type}, {part.kind}: "
                f"it cannot have the action {action}"
            )
    if _PARTICULAR.isdisjoint(plan.actions):
        return
    for message, chosen in enumerate(plan.actions):
        if chosen in _PARTICULAR:
            for part in messages[message].parts:
                if possible(chosen, part):
                    break
            else:
                raise ValueError(f"{_named(plan, message)} holds nothing to {chosen}")


_PARTICULAR = frozenset((Action.CLEAR, Action.SHORTEN, Action.QUOTE))


def possible(action: Action, part: Part) -> bool:
    """Whether `part` can have `action` of its own."""
    if action is Action.CLEAR:
        return clearable(part)
    if action is Action.SHORTEN:
        return shortenable(part)
    return action is not Action.QUOTE or part.kind is Kind.PROMPT


def _check_pairs(plan: Plan) -> None:
    outline = plan.outline
    stays = [action in STAYING for action in plan.actions]
    touched = {  # groups of which some parts go another way than their message
        outline.group[i] for (i, _), action in plan.parts.items() if (action in STAYING) != stays[i]
    }
    if stays != [stays[root] for root in outline.group]:
        for i, root in enumerate(outline.group):
            if stays[i] != stays[root] and root not in touched:
                raise ValueError(
                    f"{_named(plan, root)} and {_named(plan, i)} are tied by a call: "
                    "they stay or go together"
                )
    if touched:
        for call, places in outline.results.items():
            if outline.group[call[0]] in touched:
                for place in places:
                    if plan.action_of(*call).stays != plan.action_of(*place).stays:
                        raise ValueError(
                            f"{_named(plan, *call)} is answered by {_named(plan, *place)}: "
                            "they stay or go together"
                        )
    for place in outline.orphans:
        if plan.action_of(*place).stays:
            raise ValueError(f"{_named(plan, *place)} answers no call: it cannot stay")


def _check_end(plan: Plan) -> None:
    """The last thing that stays, results aside, is no open call."""
    outline = plan.outline
    if not outline.open_calls:
        return
    opened = set(outline.open_calls)
    for i in range(len(outline.messages) - 1, outline.open_calls[0][0] - 1, -1):
        went_on = False
        for j, part in enumerate(outline.messages[i].parts):
            if plan.action_of(i, j) in STAYING:
                if (i, j) in opened:
                    raise ValueError(f"{_named(plan, i, j)} is a call without a result at the end")
                went_on = went_on or not answers(part)
        if went_on:
            return


def _check_places(plan: Plan) -> None:
    if plan.summary_at and not 0 < plan.summary_at <= len(plan.staying):
        raise ValueError(f"the summary's place {plan.summary_at} is not among what stays")
    messages = plan.outline.messages
    if plan.cut is not None and not (
        0 <= plan.cut.index < len(messages) and messages[plan.cut.index].id == plan.cut.message
    ):
        raise ValueError(f"the cut names message {plan.cut.message}, which is not at its index")
    if any(not 0 <= i < len(messages) for i in plan.pinned):
        raise ValueError("a pinned message is not there")
