"""What the comparison says of one strategy in words."""

from __future__ import annotations

from redline.agents.following import Change
from redline.compaction.strategies.strategy import Trigger
from redline.comparison.compare import Comparison, Row
from redline.comparison.staying import Stays, Thing
from redline.ui.desk_items import action_style, cost_items
from redline.ui.items import Item
from redline.ui.marks import ACTION_MARK, ACTION_WORD, CHECK, CROSS, short

_NAMES = {
    Thing.RULES: "rules",
    Thing.WORDS: "prompts",
    Thing.FILES: "changed files",
    Thing.ERRORS: "open errors",
    Thing.ANCHORS: "commits, issues, URLs, commands",
}


def figure_items(row: Row | None, found: Comparison, spent: str = "") -> list[Item]:
    """The strategy of `row` in figures; `spent` is what the session has cost so far, in words."""
    if row is None:
        return [Item("Working it out ...", style="faint", whole=True, inert=True)]
    items = [Item(row.about or row.strategy, inert=True, lines=3)]
    if row.plan is None or row.cost is None:
        items.append(Item(f"No plan: {row.why_not}", mark="!", style="warn", inert=True, lines=6))
        return items + _triggers(row.triggers, found)
    items += cost_items(row.cost, spent)
    items += [Item("", inert=True), Item("what becomes of the messages", heading=True)]
    items += [
        Item(
            f"{count:,} {ACTION_WORD[action]}",
            mark=ACTION_MARK[action],
            style=action_style(action),
            inert=True,
        )
        for action, count in (row.counts or {}).items()
        if count
    ]
    items += [Item("", inert=True), Item("what stays word for word", heading=True)]
    if row.stays is None:
        items.append(Item("counting ...", style="faint", inert=True))
    else:
        items += [_stays(thing, stays) for thing, stays in row.stays.items()]
    items += _triggers(row.triggers, found)
    if row.plan.warnings:
        items += [Item("", inert=True), Item("warnings", heading=True)]
        items += [
            Item(text, mark="!", style="warn", inert=True, lines=4) for text in row.plan.warnings
        ]
    return items


def _stays(thing: Thing, stays: Stays) -> Item:
    if not stays.of:
        return Item(f"{_NAMES[thing]}: none", mark=" ", style="faint", inert=True)
    words = f"{stays.kept} of {stays.of} {_NAMES[thing]}"
    if stays.quoted:
        words += f", {stays.quoted} more quoted"
    whole = stays.both == stays.of
    return Item(
        words,
        mark=CHECK if whole else CROSS if not stays.both else "<",
        style="good" if whole else "bad" if not stays.both else "warn",
        inert=True,
        lines=2,
    )


def _triggers(triggers: tuple[Trigger, ...], found: Comparison) -> list[Item]:
    """When its agent does this by itself."""
    if not triggers:
        return []
    items = [Item("", inert=True), Item("when its agent does it", heading=True)]
    for one in triggers:
        at = "" if one.tokens is None else f" at {short(one.tokens)}"
        met = one.tokens is not None and found.window.used >= one.tokens
        text = f"{one.name}, {one.phase}{at}: {one.compared} ({one.source})"
        items.append(
            Item(text, mark="!" if met else " ", style="warn" if met else "", inert=True, lines=4)
        )
    return items


def remark_of(found: Comparison, names: int, changed: Change | None = None) -> str:
    """How far the comparison is, and what became of the session since, for the title."""
    if changed is Change.GONE:
        return "file gone"
    if changed is not None:
        return "changed, f5 compares again"
    if not found.whole:
        return f"comparing, {len(found.rows)} of {names} ..."
    broken = len(found.rows) - len(found.planned)
    return f"{names} strategies" + (f", {broken} without a plan" if broken else "")


def differing_words(name: str, found: Comparison, differing: int, messages: int) -> str:
    """How many messages differ, and between which plans."""
    if name == found.chosen:
        return f"{differing:,} of {messages:,} differ at all"
    return f"{differing:,} of {messages:,} differ from {found.chosen}"
