"""What is known of one session, beside the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from redline.agents.live_words import live_reason
from redline.model import Gauge, Session, SessionInfo
from redline.text import counted
from redline.ui.items import Item
from redline.ui.marks import short
from redline.ui.roster import Roster, key_of
from redline.ui.session_items import FORK, ago, size_text

if TYPE_CHECKING:
    from redline.context.course import Course
    from redline.context.spending import Spending
    from redline.context.window import Window
    from redline.facts.fact import Facts
    from redline.ledger.rule import Ledger

_NAMED = 3  # forks that are named; of the others the count is told


@dataclass(frozen=True, slots=True)
class Insight:
    """What is known of a session once it is opened: its window, and what happened in it. `course`
    and `spending` are known a moment later."""

    session: Session
    window: Window
    facts: Facts
    ledger: Ledger
    course: Course | None = None
    spending: Spending | None = None


def detail_items(
    info: SessionInfo, roster: Roster, insight: Insight | None, now: datetime
) -> list[Item]:
    """What is known of one session; more of it once it is opened."""
    items = [
        Item(info.title or "untitled", style="strong", whole=True, inert=True, lines=2),
        Item("", inert=True),
    ]
    if live_by := roster.live.get(key_of(info), ""):
        items.append(_line("in use", live_reason(live_by), style="good"))
    items += [
        _line("agent", info.agent.value),
        _line("model", info.model or "unknown"),
    ]
    if info.updated is not None:
        local = info.updated.astimezone()
        gone = ago(info.updated, now)
        said = "just now" if gone == "now" else f"{gone} ago"
        items.append(_line("changed", f"{said}, {local:%Y-%m-%d %H:%M}"))
    file = f"{size_text(info.size)}, {info.path.name}"
    missing = info.path in roster.gone
    items.append(_line("file", f"gone, it was {file}" if missing else file))
    items += _family(info, roster)
    if insight is not None:
        items += _opened(insight)
        info = replace(insight.session.info, live=bool(live_by))
        if damage := replace(insight.session, info=info).lasting_damage:
            items.append(_line("damage", counted(len(damage), "finding"), style="warn"))
    for name, prompt in (("first", info.first_prompt), ("last", info.last_prompt)):
        if prompt:
            items += [Item("", inert=True), _line(name, prompt, lines=5)]
    return items


def _family(info: SessionInfo, roster: Roster) -> list[Item]:
    """The session that this one copies, the other copies of it, and its own copies."""
    items: list[Item] = []
    if info.parent:
        parent = roster.parent(info)
        items.append(_line("copy of", info.parent if parent is None else _named(parent)))
        siblings = [one for one in roster.siblings(info) if key_of(one) != key_of(info)]
        if siblings:
            items.append(_line("as are", _listed(siblings)))
    if forks := roster.forks(info):
        items.append(_line("copies", _listed(forks), lines=4))
    return items


def _named(info: SessionInfo) -> str:
    return info.title or info.first_prompt or info.id


def _listed(infos: Sequence[SessionInfo]) -> str:
    more = len(infos) - _NAMED
    names = "\n".join(f"{FORK}{_named(info)[:200]}" for info in infos[:_NAMED])
    return f"{names}\nand {more} more" if more > 0 else names


def _opened(insight: Insight) -> list[Item]:
    session, facts, ledger = insight.session, insight.facts, insight.ledger
    counts = session.counts
    items = [
        _line("messages", f"{len(session.context)} in context, {counts.messages} in all"),
        _line("turns", f"{counts.turns}, with {counts.tool_pairs} tool calls"),
    ]
    if session.gauge is not None and (told := gauge_words(session.gauge, session)):
        items.append(_line("gauge", told))
    rules = [(len(ledger.active), "rule"), (len(ledger.proposed), "proposed rule")]
    said = ", ".join(counted(count, name) for count, name in rules if count)
    items.append(_line("rules", said or "none stated"))
    errors = len(facts.open_errors)
    files = f"{counted(len(facts.changed), 'file')} changed"
    items.append(_line("work", f"{files}, {counted(errors, 'open error')}" if errors else files))
    if insight.spending is not None and insight.spending.words:
        items.append(_line("spent", f"{insight.spending.words} so far"))
    if session.compactions:
        items.append(_line("compacted", counted(len(session.compactions), "time")))
    if session.side_branches:
        items.append(_line("branches", f"{len(session.side_branches)} beside the live one"))
    if session.subagents:
        items.append(_line("subagents", str(len(session.subagents))))
    return items


def gauge_words(gauge: Gauge, session: Session) -> str:
    """`41% left by Codex, 12k until it compacts`: the agent's own figures."""
    name = session.info.agent.value
    told = []
    if gauge.percent_left is not None:
        told.append(f"{gauge.percent_left}% left by {name}")
    if (until := gauge.until) is not None:
        told.append(f"{short(until)} until it compacts" if until else "it compacts next")
    return ", ".join(told)


def _line(name: str, text: str, *, lines: int = 2, style: str = "faint") -> Item:
    return Item(text, word=name, style=style, inert=True, lines=lines)
