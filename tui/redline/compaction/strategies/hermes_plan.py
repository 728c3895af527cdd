"""From what Hermes does with its rows to a proposal about messages and their parts."""

from __future__ import annotations

from collections.abc import Sequence

from redline.compaction.drafting import Proposal
from redline.compaction.outline import Outline, Place
from redline.compaction.plan import STAYING, Action, action_for, clearable
from redline.compaction.strategies.hermes_choice import PICTURE_GONE, Choice
from redline.compaction.strategies.hermes_rows import NO_IMAGE, Row, line_price
from redline.model import Kind, PartType

CUT = "old result, cut to a line"
_GONE = (Action.SUMMARISE, Action.DROP)
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


def tail_weights(choice: Choice, rows: Sequence[Row], outline: Outline) -> list[int]:
    """What each message of the tail weighs once its results are cut, by Hermes' own estimate."""
    found = [0] * len(outline.messages)
    if choice.tail is not None:
        prices = choice.pruned.newest()
        for i in range(choice.tail, len(rows)):
            later = choice.demoted.get(i)
            price = prices[i] if later is None else line_price(later, lean=choice.pruned.lean)
            found[rows[i].message] += price
    return found


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
    """Actions of whole messages; part by part where a message needs it."""

    def __init__(self, choice: Choice, rows: Sequence[Row], outline: Outline) -> None:
        self._choice = choice
        self._outline = outline
        self._told = rows
        self.stand_ins: dict[Place, str] = {}
        self.parts: dict[Place, Action] = {}
        self._whole: list[Action] = []
        self._reasons: list[str] = []
        self._mixed: dict[int, list[Action]] = {}
        self._begin()

    def _begin(self) -> None:
        rows, actions, reasons = self._told, self._choice.actions, self._choice.reasons
        changed = {*self._choice.pruned.lines, *self._choice.demoted}
        odd = self._choice.pruned.pictures | self._choice.stripped
        size, end = len(rows), 0
        while end < size:
            first, action, row = end, actions[end], rows[end]
            end += 1
            while end < size and rows[end].message == row.message:
                end += 1
            gone = action in _GONE
            if end == first + 1:
                whole = (gone or action is Action.KEEP) and first not in odd
                whole = whole and not self._mixes(row, first in changed)
            else:
                whole = gone and all(
                    actions[i] is action and i not in odd and not self._mixes(rows[i], i in changed)
                    for i in range(first, end)
                )
            if not whole:
                self._part_by_part(range(first, end))
                continue
            cut = first in changed and not gone
            for i in range(first, end):
                if i in changed:
                    place = (row.message, rows[i].places[0])
                    self.stand_ins[place] = self._choice.line(i) or ""
            self._whole.append(Action.CLEAR if cut else action)
            self._reasons.append(CUT if cut else reasons[first])

    @staticmethod
    def _mixes(row: Row, changed: bool) -> bool:
        """Whether what happens to a row differs from part to part."""
        return row.merged or (changed and (row.chars < 0 or row.images > 0))

    def _part_by_part(self, several: Sequence[int]) -> None:
        """Notes what happens to each part of a message of one or more rows."""
        choice, pruned = self._choice, self._choice.pruned
        index = self._told[several[0]].message
        parts = self._outline.messages[index].parts
        told = [choice.actions[several[0]]] * len(parts)
        self._whole.append(choice.actions[several[0]])
        self._reasons.append(choice.reasons[several[0]])
        self._mixed[index] = told
        for i in several:
            action, line, row = choice.actions[i], choice.line(i), self._told[i]
            stripped = i in choice.stripped
            for j in row.places:
                part = parts[j]
                told[j] = action_for(action, part)
                if line is not None and clearable(part):
                    left = line if part.type is PartType.TOOL_RESULT else ""
                elif part.type is PartType.IMAGE and (stripped or i in pruned.pictures):
                    left = PICTURE_GONE if stripped else NO_IMAGE
                elif pruned.lean and row.merged and action.stays and part.kind is Kind.SUMMARY:
                    told[j] = Action.SUMMARISE  # 0.22 takes it out of what it was merged into
                    continue
                else:
                    continue
                self.stand_ins[index, j] = left
                told[j] = Action.CLEAR if action.stays else told[j]

    def _stays(self, place: Place) -> bool:
        mixed = self._mixed.get(place[0])
        return (self._whole[place[0]] if mixed is None else mixed[place[1]]) in STAYING

    def _take_out(self, place: Place) -> None:
        message, part = place
        if message not in self._mixed:
            parts = self._outline.messages[message].parts
            self._mixed[message] = [action_for(self._whole[message], each) for each in parts]
        self._mixed[message][part] = Action.DROP

    def keep_pairs(self) -> None:
        """No call without its results, no result without its call."""
        if self._choice.nothing:
            return
        trailing = self._trailing()
        mixed, whole = self._mixed, [action in STAYING for action in self._whole]
        for call, places in self._outline.results.items():
            if places and call[0] not in mixed:
                stay = whole[call[0]]
                if all(i not in mixed and whole[i] is stay for i, _ in places):
                    continue
            stays = [self._stays(call), *map(self._stays, places)]
            if not any(stays) or (all(stays) and (places or call[0] == trailing)):
                continue
            for place, stay in zip((call, *places), stays, strict=True):
                if stay:
                    self._take_out(place)

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
        actions, reasons = self._whole, self._reasons
        rows: dict[int, list[int]] = {}
        for i, row in enumerate(self._told):
            if row.message in self._mixed:
                rows.setdefault(row.message, []).append(i)
        for index, each in self._mixed.items():
            whole = self._of_message(index, each, rows[index])
            for j, (part, action) in enumerate(
                zip(self._outline.messages[index].parts, each, strict=True)
            ):
                if action_for(whole, part) is not action:
                    self.parts[index, j] = action
            actions[index], reasons[index] = whole, self._reason(rows[index], whole)
        return actions, reasons

    def _of_message(self, index: int, each: Sequence[Action], rows: Sequence[int]) -> Action:
        """The action of a message whose parts have `each`."""
        if not each:
            return self._whole[index]
        parts = self._outline.messages[index].parts
        quoted = any(self._choice.actions[i] is Action.QUOTE for i in rows)
        if quoted and Action.QUOTE in each and STAYING.isdisjoint(each):
            return Action.QUOTE
        could = {action for part, action in zip(parts, each, strict=True) if clearable(part)}
        if could == {Action.CLEAR} and STAYING.issuperset(each):
            return Action.CLEAR
        if not STAYING.isdisjoint(each):
            return Action.KEEP
        return next(action for action in _ORDER if action in each)

    def _reason(self, rows: Sequence[int], whole: Action) -> str:
        choice = self._choice
        if whole is Action.CLEAR:
            return CUT
        fitting = [i for i in rows if choice.actions[i].stays == whole.stays]
        if not fitting:
            return "its call or its results are gone"
        named = [i for i in fitting if choice.actions[i] is whole]
        return choice.reasons[(named or fitting)[0]]
