"""From what Hermes does with its rows to a proposal about messages and their parts."""

from __future__ import annotations

from collections.abc import Sequence

from redline.compaction.drafting import Proposal
from redline.compaction.outline import Outline, Place
from redline.compaction.plan import STAYING, Action, action_for, clearable
from redline.compaction.strategies.hermes_choice import PICTURE_GONE, Choice
from redline.compaction.strategies.hermes_rows import NO_IMAGE, Row
from redline.model import Kind, PartType

_ORDER = (Action.KEEP, Action.QUOTE, Action.SUMMARISE, Action.DROP)


def proposal_of(choice: Choice, rows: Sequence[Row], outline: Outline) -> Proposal:
    """The proposal, with what Hermes leaves of results as stand-ins. A row whose call goes, goes
    too; a call whose results all go is taken out of its message, as Hermes does."""
    draft = _Draft(choice, rows, outline)
    draft.keep_pairs()
    actions, reasons = draft.messages()
    size = len(outline.messages)
    estimates = [0] * size
    newest = next((i for i in reversed(range(len(rows))) if rows[i].role == "assistant"), -1)
    for i, row in enumerate(rows):
        lean = row.lean + (row.thinking if i == newest else 0)
        estimates[row.message] += lean if choice.pruned.lean else row.legacy
    first = None if choice.tail is None else rows[choice.tail].message
    return Proposal(
        actions,
        reasons,
        estimates,
        draft.parts,
        first_kept=None if choice.nothing else first,
        summary=not choice.nothing,
        summary_before=size if first is None else first,
        stand_ins=draft.stand_ins,
        warnings=_about_cut(choice, rows, outline, first),
    )


def _about_cut(
    choice: Choice, rows: Sequence[Row], outline: Outline, first: int | None
) -> list[str]:
    if choice.nothing or choice.tail is None or first is None:
        return []
    if choice.tail and rows[choice.tail - 1].message == first:
        return ["Hermes cuts inside this message: its results are a message of their own there"]
    if first not in outline.cuts:
        return ["Hermes cuts between a call and a result here, and takes out what is left alone"]
    return []


class _Draft:
    """Actions part by part."""

    def __init__(self, choice: Choice, rows: Sequence[Row], outline: Outline) -> None:
        self._choice = choice
        self._outline = outline
        self._rows: dict[int, list[int]] = {}
        self._told = rows
        self.stand_ins: dict[Place, str] = {}
        self.parts: dict[Place, Action] = {}
        self.actions: dict[Place, Action] = {}
        for i, row in enumerate(rows):
            self._rows.setdefault(row.message, []).append(i)
            self._row(i, row)

    def _row(self, i: int, row: Row) -> None:
        action, pruned = self._choice.actions[i], self._choice.pruned
        line = self._choice.demoted.get(i, pruned.lines.get(i))
        word = PICTURE_GONE if i in self._choice.stripped else NO_IMAGE
        bare = i in pruned.pictures or i in self._choice.stripped
        for j in row.places:
            part = self._outline.messages[row.message].parts[j]
            place = (row.message, j)
            if line is not None and clearable(part):
                left = line if part.type is PartType.TOOL_RESULT else ""
            elif bare and part.type is PartType.IMAGE:
                left = word
            else:
                self.actions[place] = action_for(action, part)
                continue
            self.stand_ins[place] = left
            self.actions[place] = Action.CLEAR if action.stays else action_for(action, part)
        if action.stays and row.summary and row.merged and i < (self._choice.start or 0):
            self._unmerge(row)

    def _unmerge(self, row: Row) -> None:
        """0.22 takes a summary out of what it was merged into."""
        if self._choice.pruned.lean:
            for j in row.places:
                if self._outline.messages[row.message].parts[j].kind is Kind.SUMMARY:
                    self.actions[row.message, j] = Action.SUMMARISE

    def keep_pairs(self) -> None:
        """No call without its results, no result without its call."""
        if self._choice.nothing:
            return
        trailing = self._trailing()
        for call, places in self._outline.results.items():
            stays = [self.actions[place] in STAYING for place in (call, *places)]
            if not any(stays) or (all(stays) and (places or call[0] == trailing)):
                continue
            for place, stay in zip((call, *places), stays, strict=True):
                if stay:
                    self.actions[place] = Action.DROP

    def _trailing(self) -> int:
        """The message of calls that 0.22 takes for running: the last that stays, results aside."""
        if not self._choice.pruned.lean:
            return -1
        for row, action in zip(reversed(self._told), reversed(self._choice.actions), strict=True):
            if action.stays and row.role != "tool":
                return row.message if row.role == "assistant" else -1
        return -1

    def messages(self) -> tuple[list[Action], list[str]]:
        """Action and reason of each message; `parts` gets what differs."""
        actions: list[Action] = []
        reasons: list[str] = []
        for index, message in enumerate(self._outline.messages):
            rows = self._rows[index]
            if not message.parts:
                found = self._choice.actions[rows[0]]
                actions.append(Action.SUMMARISE if found is Action.QUOTE else found)
                reasons.append(self._choice.reasons[rows[0]])
                continue
            each = [self.actions[index, j] for j in range(len(message.parts))]
            whole = self._whole(index, each)
            for j, (part, action) in enumerate(zip(message.parts, each, strict=True)):
                if action_for(whole, part) is not action:
                    self.parts[index, j] = action
            actions.append(whole)
            reasons.append(self._reason(rows, whole))
        return actions, reasons

    def _whole(self, index: int, each: Sequence[Action]) -> Action:
        """The action of a message whose parts have `each`."""
        parts = self._outline.messages[index].parts
        rows = {self._choice.actions[i] for i in self._rows[index]}
        if Action.QUOTE in rows and Action.QUOTE in each and not STAYING.intersection(each):
            return Action.QUOTE
        could = [action for part, action in zip(parts, each, strict=True) if clearable(part)]
        if could and set(could) == {Action.CLEAR} and STAYING.issuperset(each):
            return Action.CLEAR
        if STAYING.intersection(each):
            return Action.KEEP
        return next(action for action in _ORDER if action in each)

    def _reason(self, rows: Sequence[int], whole: Action) -> str:
        choice = self._choice
        if whole is Action.CLEAR:
            return "old result, cut to a line"
        fitting = [i for i in rows if choice.actions[i].stays == whole.stays]
        if not fitting:
            return "its results are gone" if whole is Action.DROP else choice.reasons[rows[0]]
        named = [i for i in fitting if choice.actions[i] is whole]
        return choice.reasons[(named or fitting)[0]]
