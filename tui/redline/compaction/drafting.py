"""From a strategy's proposal to a plan: pins first, then what may not stay, then the checks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import compress

from redline.compaction.cuts import cut_at
from redline.compaction.effect import plan_tokens
from redline.compaction.outline import Outline, Place, answers
from redline.compaction.pinning import apply_pins
from redline.compaction.plan import STAYING, Action, Pins, Plan, action_for
from redline.context.window import Window
from redline.errors import RedlineError
from redline.model import PartType, Role

ORPHAN = "answers no call"
OPEN = "a call without a result"


@dataclass(slots=True)
class Proposal:
    """What a strategy says before the person's pins: columns aligned with the messages.

    `first_kept` is the index the tail starts at, `splits_turn` what the strategy's agent says of
    it (None: by prompts), `summary` whether the strategy puts a summary into the context, and
    `summary_before` the index of the message it stands before (None: before all that stays but the
    system messages; the number of messages: last). `stand_ins` and `left` are the plan's.
    """

    actions: list[Action]
    reasons: list[str]
    estimates: Sequence[int]
    parts: dict[Place, Action] = field(default_factory=dict)
    first_kept: int | None = None
    splits_turn: bool | None = None
    summary: bool = True
    summary_before: int | None = None
    stand_ins: dict[Place, str] = field(default_factory=dict)
    left: dict[Place, int] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    details: dict[str, int | str | bool] = field(default_factory=dict)


def over_budget(proposal: Proposal, budget: int, most: int, agent: str) -> list[str]:
    """A warning where the tail weighs more than `most`, in the agent's own estimate: it keeps some
    messages whatever they weigh, and pairs are not parted."""
    first = len(proposal.actions) if proposal.first_kept is None else proposal.first_kept
    tail = zip(proposal.estimates[first:], proposal.actions[first:], strict=True)
    weight = sum(estimate for estimate, action in tail if action in STAYING)
    if weight <= most:
        return []
    return [
        f"the budget of {budget:,} tokens cannot be kept: what {agent} keeps at the end weighs "
        f"{weight:,} by its own estimate"
    ]


def finish(
    proposal: Proposal,
    *,
    strategy: str,
    settings: Mapping[str, int | float | str | bool],
    outline: Outline,
    pins: Pins,
    last_prompt: str = "a pin takes it out",
    window: Window | None = None,
) -> Plan:
    """The plan of `proposal` with the person's pins.

    `last_prompt` says why the last prompt may be neither kept nor quoted, for the warning. With
    `window` the plan warns where what stays does not fit into the model's. Raises RedlineError
    where a pin names nothing, contradicts another or asks for what cannot be.
    """
    actions, reasons, parts = proposal.actions, proposal.reasons, proposal.parts
    pinned = apply_pins(outline, pins, actions, reasons, parts)
    retelling = proposal.summary or not STAYING.issuperset(actions)
    out = (
        Action.SUMMARISE if retelling else Action.DROP
    )  # nothing is retold where there is no summary
    _leave_out_orphans(outline, pins, actions, reasons, parts, out)
    _leave_out_open_end(outline, pins, actions, reasons, parts, out)
    retold = Action.SUMMARISE in actions or Action.QUOTE in actions
    cut = None if proposal.first_kept is None else cut_at(outline, proposal.first_kept)
    if cut is not None and proposal.splits_turn is not None:
        cut = replace(cut, splits_turn=proposal.splits_turn)
    plan = Plan(
        strategy=strategy,
        settings=settings,
        outline=outline,
        actions=tuple(actions),
        reasons=tuple(reasons),
        estimates=tuple(proposal.estimates),
        parts=parts,
        pinned=frozenset(pinned),
        summary_at=_summary_at(outline, actions) if proposal.summary and retold else None,
        cut=cut,
        warnings=(
            *proposal.warnings,
            *_about_last_prompt(outline, actions, parts, last_prompt),
            *_about_evidence(outline, actions, parts),
        ),
        details=proposal.details,
        stand_ins=proposal.stand_ins,
        left=proposal.left,
        pins=pins,
    )
    before = proposal.summary_before
    if plan.summary_at is not None and before is not None:
        plan = replace(plan, summary_at=bisect_left(plan.staying, before))
    if window is not None and (told := _about_limit(plan, window)):
        plan = replace(plan, warnings=(*plan.warnings, *told))
    return plan


def _about_limit(plan: Plan, window: Window) -> list[str]:
    """An agent that goes on compacting where it cannot get below its limit never ends."""
    limit = window.limit
    if limit is None:
        return []
    most = sum(compress(window.tokens, (action in STAYING for action in plan.actions)))
    most += sum(  # single parts of messages that go
        window.parts[i][j]
        for (i, j), action in plan.parts.items()
        if action in STAYING and plan.actions[i] not in STAYING
    )
    if window.overhead + most < limit:
        return []
    stays = plan_tokens(plan, window).after_without_summary
    if stays < limit:
        return []
    return [f"what stays has {stays} tokens of a window of {limit}: it would compact again at once"]


def _summary_at(outline: Outline, actions: Sequence[Action]) -> int:
    """Before all that stays but the system messages at its start."""
    place = 0
    for message, action in zip(outline.messages, actions, strict=True):
        if action in STAYING:
            if message.role is not Role.SYSTEM:
                break
            place += 1
    return place


def _about_last_prompt(
    outline: Outline, actions: Sequence[Action], parts: Mapping[Place, Action], why: str
) -> list[str]:
    if not outline.turn_starts:
        return []
    last = outline.turn_starts[-1]
    message = outline.messages[last]
    for j in (part for part, body in enumerate(message.parts) if body in message.prompts):
        action = parts.get((last, j), action_for(actions[last], message.parts[j]))
        if action not in STAYING and action is not Action.QUOTE:
            return [f"the last prompt is neither kept nor quoted: {why}"]
    return []


def _about_evidence(
    outline: Outline, actions: Sequence[Action], parts: Mapping[Place, Action]
) -> list[str]:
    """A reply that stays without calls it holds tells of work that nothing shows any more; agents
    then make up the next (fast-jev-compaction#65)."""
    claims = []
    taken = {i for (i, _), action in parts.items() if action not in STAYING}
    for i in sorted(taken):
        message = outline.messages[i]
        chosen = [
            (part.type, parts.get((i, j), action_for(actions[i], part)) in STAYING)
            for j, part in enumerate(message.parts)
        ]
        if (PartType.TEXT, True) in chosen and (PartType.TOOL_CALL, False) in chosen:
            claims.append(message.id)
    return [f"message {name} stays without its calls: what it says is a claim" for name in claims]


def _leave_out_orphans(
    outline: Outline,
    pins: Pins,
    actions: list[Action],
    reasons: list[str],
    parts: dict[Place, Action],
    out: Action,
) -> None:
    """A result whose call is nowhere is refused by every provider: it does not stay."""
    lost = set(outline.orphans)
    for i, j in outline.orphans:
        message = outline.messages[i]
        if parts.get((i, j), actions[i]) not in STAYING:
            continue
        alone = all((i, place) in lost for place in range(len(message.parts)))
        if pins.parts.get((message.id, j)) in STAYING or (
            alone and pins.actions.get(message.id) in STAYING
        ):
            raise RedlineError(
                f"message {message.id} answers a call that is not in the context: it cannot stay",
                "every provider refuses a result without its call; take the pin off",
            )
        if alone:
            actions[i], reasons[i] = out, ORPHAN
        parts[i, j] = out


def _leave_out_open_end(
    outline: Outline,
    pins: Pins,
    actions: list[Action],
    reasons: list[str],
    parts: dict[Place, Action],
    out: Action,
) -> None:
    """A call without a result does not stay as the last thing: with all it is tied to, it goes."""
    if not outline.open_calls:
        return
    opened = set(outline.open_calls)
    for i in range(len(outline.messages) - 1, outline.open_calls[0][0] - 1, -1):
        staying = [
            (place, part)
            for place, part in enumerate(outline.messages[i].parts)
            if parts.get((i, place), actions[i]) in STAYING
        ]
        if any((i, place) in opened for place, _ in staying):
            for member in outline.members[outline.group[i]]:
                _refuse_if_pinned(outline, pins, member)
                actions[member], reasons[member] = out, OPEN
                for place in range(len(outline.messages[member].parts)):
                    parts.pop((member, place), None)
        elif any(not answers(part) for _, part in staying):
            return


def _refuse_if_pinned(outline: Outline, pins: Pins, index: int) -> None:
    message = outline.messages[index]
    if pins.actions.get(message.id) in STAYING or any(
        pins.parts.get((message.id, place)) in STAYING for place in range(len(message.parts))
    ):
        raise RedlineError(
            f"message {message.id} belongs to a call without a result, and nothing that stays "
            "comes after it: it cannot stay",
            "keep what follows it too, or take the pin off",
        )
