"""What the list of sessions says of each, in one line."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import PurePath

from redline.agents.live_words import live_word
from redline.model import Agent, SessionInfo
from redline.text import first_line
from redline.ui.items import Item
from redline.ui.lines import padded
from redline.ui.marks import short
from redline.ui.roster import SILENT, Heading, Roster, View, key_of

LETTER = {
    Agent.CLAUDE_CODE: "C",
    Agent.CODEX: "X",
    Agent.PI: "P",
    Agent.HERMES: "H",
    Agent.MESSAGES: "M",
}
LIVE = "*"
FORK = "\N{DOWNWARDS ARROW WITH TIP RIGHTWARDS} "  # U+21B3, one cell wide everywhere

FULL = 80  # per cent from which a session stands out
_PROJECT_CELLS = 12


def heading_item(heading: Heading, home: str) -> Item:
    """The line above the sessions of a project."""
    text = SILENT if heading.project is None else project_name(heading.project, home)
    return Item(text, heading=True, ending=True)


def session_item(
    info: SessionInfo, roster: Roster, view: View, now: datetime, *, wide: bool = True
) -> Item:
    """A session as a row: live or not, agent, title, age, tokens (bytes where sorted by size), per
    cent of the window. Where it is not `wide`, only age and per cent."""
    key = key_of(info)
    share = roster.shares.get(key)
    live_by = roster.live.get(key, "")
    tokens = "" if info.billed is None else short(info.billed)
    figures = [f"{ago(info.updated, now):>4}"]
    if wide:
        figures.append(f"{size_text(info.size) if view.order == 'size' else tokens:>5}")
        if not view.grouped:
            project = PurePath(info.project or "").name
            figures.insert(0, padded(first_line(project, _PROJECT_CELLS), _PROJECT_CELLS))
        if live_by:
            figures.insert(0, live_word(live_by))
    gone = info.path in roster.gone
    if gone:
        figures.insert(0, "file gone" if wide else "gone")
    figures.append(f"{'' if share is None else f'{share}%':>4}")
    return Item(
        f"{FORK if info.parent else ''}{info.title or info.first_prompt or info.id}",
        mark=LIVE if live_by else "!" if gone else " ",
        word=LETTER[info.agent],
        right=" ".join(figures),
        style="good" if live_by else "warn" if gone or (share or 0) >= FULL else "faint",
        key=info,
    )


def project_name(project: str, home: str) -> str:
    """A project's folder as a person writes it."""
    if not project:
        return "no project"
    if home and (project == home or project.startswith(f"{home}/")):
        return "~" + project[len(home) :]
    return project


def ago(moment: datetime | None, now: datetime) -> str:
    """How long since `moment`, in at most 4 characters."""
    if moment is None:
        return "?"
    gone = max(now - moment, timedelta())
    for unit, letter in (
        (timedelta(days=365), "y"),
        (timedelta(days=1), "d"),
        (timedelta(hours=1), "h"),
        (timedelta(minutes=1), "m"),
    ):
        if gone >= unit:
            return f"{gone // unit}{letter}"
    return "now"


def size_text(size: int) -> str:
    """Bytes in at most 5 characters."""
    for limit, letter in ((1_000_000, "M"), (1_000, "K")):
        if size >= limit:
            return (
                f"{size / limit:.1f}{letter}" if size < 10 * limit else f"{size // limit}{letter}"
            )
    return f"{size}B"
