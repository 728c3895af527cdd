"""`pi`: what pi 1.6.0 itself would do (`prepareCompaction` in `core/compaction/compaction.js`).

pi walks back from the end until its estimate reaches the budget, and cuts at the next message that
is no tool result. A cut inside a turn gives the start of that turn a summary of its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from redline.agents.pi.limits import limits_by
from redline.agents.pi.settings import ENABLED
from redline.compaction.drafting import Proposal, finish, over_budget
from redline.compaction.earlier import bring_up_to_date
from redline.compaction.outline import Outline
from redline.compaction.pinning import pinned_cut
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.remembered import Remembered
from redline.compaction.saved import FIRST_KEPT, FIRST_KEPT_INDEX
from redline.compaction.strategies.pi_branch import (
    COMPACTION,
    SYSTEM,
    Branch,
    BranchEntry,
    branch_of,
)
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.compaction.strategies.whole_groups import keep_groups_whole
from redline.context.billed import model_of
from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger
from redline.model import Agent, Kind, Role

_COMPARED = "the usage of the last reply, with characters / 4 of what came after"
_REFUSED = "the provider's refusal of what is too long: it compacts once and asks again"
_NO_CUT = ("toolResult", SYSTEM)
_STARTS_TURN = frozenset(("user", "bashExecution", "custom", "branchSummary", "compactionSummary"))

_branch_of = Remembered(branch_of)


@dataclass(frozen=True, slots=True)
class Preparation:
    """pi's answer. `first` is the place of its first kept entry in the projection, `turn` that of
    the start of a split turn."""

    first: int
    turn: int | None
    summarised: int
    prefix: int


def prepare(branch: Branch, budget: int) -> Preparation | None:
    """Where pi cuts for `budget` tokens of its estimate, None where it has nothing to compact."""
    if branch.closed or not branch.entries:
        return None
    place = _with_metadata(branch, _cut_place(branch, budget))
    if place >= len(branch.entries):
        return None
    found = prepared_at(branch, place)
    return found if found.summarised or found.prefix else None


def prepared_at(branch: Branch, place: int) -> Preparation:
    """pi's figures for a cut before entry `place`."""
    entries, turn = branch.entries, None
    if not _starts_turn(entries[place]):
        turn = next(
            (i for i in range(place, branch.start - 1, -1) if _starts_turn(entries[i])), None
        )
    end = place if turn is None else turn
    return Preparation(
        first=place,
        turn=turn,
        summarised=_told(entries[branch.start : end]),
        prefix=0 if turn is None else _told(entries[turn:place]),
    )


def _cut_place(branch: Branch, budget: int) -> int:
    entries, start = branch.entries, branch.start
    cuts = [
        i
        for i in range(start, len(entries))
        if _visible(entries[i]) and entries[i].role not in _NO_CUT
    ]
    if not cuts:
        return start
    total = 0
    for i in range(len(entries) - 1, start - 1, -1):
        total += entries[i].tokens
        if entries[i].tokens and total >= budget:
            place = cuts[min(bisect_left(cuts, i), len(cuts) - 1)]
            return place + 1 if _recovered(entries[place + 1 :]) else place
    return cuts[0]


def _with_metadata(branch: Branch, place: int) -> int:
    """Entries just before the cut that give the model nothing are kept with it."""
    while place > branch.start:
        before = branch.entries[place - 1]
        if before.type == COMPACTION or before.role is not None:
            break
        place -= 1
    return place


def _recovered(suffix: Sequence[BranchEntry]) -> bool:
    """Whether all that follows was taken out after a failed attempt: pi then cuts behind the last
    message it sees."""
    omitted = {entry.id for entry in suffix if entry.omitted}
    return bool(omitted) and all(
        entry.type != COMPACTION
        and (entry.omitted or entry.role is None)
        and (entry.replaces is None or entry.replaces in omitted)
        for entry in suffix
    )


def _visible(entry: BranchEntry) -> bool:
    return entry.role is not None and entry.type != COMPACTION


def _starts_turn(entry: BranchEntry) -> bool:
    return _visible(entry) and entry.role in _STARTS_TURN


def _told(entries: Sequence[BranchEntry]) -> int:
    return sum(1 for entry in entries if _visible(entry) and entry.role != SYSTEM)


class Pi:
    """pi's own compaction."""

    name = "pi"
    about = "what pi does: a tail of characters / 4, a split turn gets its own summary"

    def triggers(self, window: Window, settings: StrategySettings) -> tuple[Trigger, ...]:
        """Before a turn and within one (0.84.4 and later: after each batch of calls), after a
        refusal, and by hand. Settings: `compaction.enabled`, `compaction.reserveTokens` and those
        of one model in `compaction.modelOverrides`."""
        own = settings.own.get(Agent.PI, {})
        held = limits_by(own, model_of(window.session))
        source, off = held.source, "" if held.enabled else "switched off"
        if off:
            source = own[ENABLED].source
        elif window.limit is None:
            source = "the model's window is not known"
        tokens = held.threshold(window.limit)
        return (
            Trigger("threshold", "before a turn", tokens, off or _COMPARED, source),
            Trigger("threshold", "within a turn", tokens, off or _COMPARED, source),
            Trigger("overflow", "after a turn", None, off or _REFUSED, source),
            Trigger("manual", "by hand", None, "nothing", "/compact"),
        )

    def propose(
        self,
        window: Window,
        outline: Outline,
        facts: Facts,
        ledger: Ledger,
        settings: StrategySettings,
        pins: Pins,
    ) -> Plan:
        """pi's plan. `details`: `tokens_before`, `messages_to_summarise`, `turn_prefix_messages`,
        `first_kept_entry` and `first_kept_index` (pi's first kept entry and its place in pi's
        branch), or `nothing_to_compact`."""
        del facts, ledger
        held = limits_by(settings.own.get(Agent.PI, {}), model_of(window.session))
        budget = held.keep_recent if settings.tail_tokens is None else settings.tail_tokens
        branch = _branch_of(window.session)
        warnings: list[str] = []
        own = prepare(branch, budget)
        found, first = own, None if own is None else _message_at(branch, own.first, outline)
        asked = first
        if first is None or pins.cut != _name(outline, first):  # a saved plan pins pi's own cut
            asked = pinned_cut(outline, pins, warnings)
        if asked is not None and asked != first:
            place = next(i for i, entry in enumerate(branch.entries) if entry.message == asked)
            found, first = prepared_at(branch, place), asked
        proposal = _proposal(branch, outline, found, first)
        proposal.warnings[:0] = warnings
        if asked is None:
            proposal.warnings += over_budget(proposal, budget, 3 * budget // 2, "pi")
        bring_up_to_date(proposal, window, outline)
        return finish(
            proposal,
            strategy=self.name,
            settings={"tail_tokens": budget},
            outline=outline,
            pins=pins,
            window=window,
            last_prompt=(
                "pi splits the turn" if found and found.turn is not None else "it is summarised"
            ),
        )


def _name(outline: Outline, index: int) -> str | None:
    return outline.messages[index].id if index < len(outline.messages) else None


def _message_at(branch: Branch, place: int, outline: Outline) -> int:
    """The context message that entry `place` is, or the next one that is one."""
    for entry in branch.entries[place:]:
        if entry.message is not None:
            return entry.message
    return len(outline.messages)


def _proposal(
    branch: Branch, outline: Outline, found: Preparation | None, first: int | None
) -> Proposal:
    size = len(outline.messages)
    estimates = [0] * size
    for entry in branch.entries:
        if entry.message is not None:
            estimates[entry.message] = entry.tokens
    details: dict[str, int | str | bool] = {"tokens_before": branch.tokens_before}
    if found is None or first is None:
        details["nothing_to_compact"] = True
        return Proposal(
            [Action.KEEP] * size,
            ["nothing to compact"] * size,
            estimates,
            summary=False,
            warnings=["pi has nothing to compact here: all of it fits its budget"],
            details=details,
        )
    cut = branch.entries[found.first]
    details |= {
        FIRST_KEPT: cut.id,
        FIRST_KEPT_INDEX: cut.index,
        "messages_to_summarise": found.summarised,
        "turn_prefix_messages": found.prefix,
    }
    turn = None if found.turn is None else _message_at(branch, found.turn, outline)
    actions = [Action.SUMMARISE] * first + [Action.KEEP] * (size - first)
    reasons = ["before the cut"] * first + ["in the tail"] * (size - first)
    if turn is not None:
        reasons[turn:first] = ["start of the split turn"] * (first - turn)
    for i in range(first):
        if outline.messages[i].role is Role.SYSTEM:
            actions[i], reasons[i] = Action.KEEP, "system prompt"
        elif outline.purpose[i] is Kind.SUMMARY:
            reasons[i] = "the agent's previous summary"
    proposal = Proposal(
        actions,
        reasons,
        estimates,
        first_kept=first if first < size else None,
        splits_turn=found.turn is not None,
        details=details,
    )
    keep_groups_whole(outline, proposal, "pi")
    return proposal


STRATEGY = Pi()
