"""What the list of sessions says of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from redline.context.window import Window
from redline.facts.fact import Facts
from redline.ledger.rule import Ledger
from redline.model import Agent, Block, Message, Part, Session, SessionInfo
from redline.settings import Settings
from redline.text import counted
from redline.ui.items import Item
from redline.ui.marks import short

LETTER = {
    Agent.CLAUDE_CODE: "C",
    Agent.CODEX: "X",
    Agent.PI: "P",
    Agent.HERMES: "H",
    Agent.MESSAGES: "M",
}
ORDERS = ("recent", "fill", "size")

FULL = 80  # per cent from which a session stands out

_FLOOR = datetime.min.replace(tzinfo=UTC)
_KEYS: dict[str, Callable[[SessionInfo], float]] = {
    "recent": lambda info: (info.updated or _FLOOR).timestamp() if info.updated else 0.0,
    "size": lambda info: float(info.size),
}


def shares_of(
    infos: Iterable[SessionInfo], settings: Settings, environment: Mapping[str, str]
) -> dict[Path, int]:
    """Per cent of its window that each session uses, where usage and window are known. Slow: reads
    the settings of agents."""
    from redline.context.limits import find_limits

    limits: dict[tuple[Agent, str | None, str | None], int | None] = {}
    shares: dict[Path, int] = {}
    for info in infos:
        if info.billed is None:
            continue
        key = (info.agent, info.model, info.project)
        if key not in limits:
            bare = Session(info=info, context=(), source=NothingRead())
            limits[key] = find_limits(bare, info.model, settings, environment).limit
        limit = limits[key]
        if limit is not None and limit >= info.billed:
            shares[info.path] = round(100 * info.billed / limit)
    return shares


class NothingRead:
    """The source of a session that is known by its list entry only: it holds nothing."""

    def text(self, part: Part) -> str:  # noqa: ARG002
        return ""

    def value(self, part: Part) -> object:  # noqa: ARG002
        return None

    def history(self) -> Iterator[Message]:
        return iter(())

    def resume(self) -> Iterator[Block]:
        return iter(())


def matching(infos: Iterable[SessionInfo], text: str) -> list[SessionInfo]:
    """Those that hold every word of `text` in title, project, prompts, model, agent or id."""
    words = text.casefold().split()
    if not words:
        return list(infos)
    found = []
    for info in infos:
        held = "\n".join(
            (
                info.title,
                info.project or "",
                info.first_prompt,
                info.last_prompt,
                info.model or "",
                info.agent.value,
                info.id,
                info.path.name,
            )
        ).casefold()
        if all(word in held for word in words):
            found.append(info)
    return found


def session_items(
    infos: Sequence[SessionInfo],
    order: str,
    now: datetime,
    home: str,
    shares: Mapping[Path, int],
    *,
    wide: bool = True,
) -> list[Item]:
    """The sessions by project, the project with the first session first. `shares` are the per cent
    of their window that they use, where that is known. Tokens are told where it is `wide`."""
    key = _KEYS.get(order, lambda info: float(shares.get(info.path, -1)))
    projects: dict[str, list[SessionInfo]] = {}
    for info in sorted(infos, key=key, reverse=True):
        projects.setdefault(info.project or "", []).append(info)
    items: list[Item] = []
    for project, members in projects.items():
        items.append(Item(_project_name(project, home), heading=True, ending=True))
        for info in members:
            tokens = "" if info.billed is None else short(info.billed)
            figure = _bytes(info.size) if order == "size" else tokens
            share = shares.get(info.path)
            percent = "" if share is None else f"{share}%"
            figures = [f"{figure:>5}"] if wide else []
            items.append(
                Item(
                    info.title or info.first_prompt or info.id,
                    mark="*" if info.live else " ",
                    word=LETTER[info.agent],
                    right=" ".join([f"{ago(info.updated, now):>4}", *figures, f"{percent:>4}"]),
                    style="good" if info.live else "warn" if (share or 0) >= FULL else "faint",
                    key=info,
                )
            )
    return items


def _project_name(project: str, home: str) -> str:
    if not project:
        return "no project"
    if home and (project == home or project.startswith(f"{home}/")):
        return "~" + project[len(home) :]
    return project


@dataclass(frozen=True, slots=True)
class Insight:
    """What is known of a session once it is opened: its window, and what happened in it."""

    session: Session
    window: Window
    facts: Facts
    ledger: Ledger


def detail_items(info: SessionInfo, insight: Insight | None, now: datetime) -> list[Item]:
    """What is known of one session; more of it once it is opened."""
    items = [
        Item(info.title or "untitled", style="strong", whole=True, inert=True, lines=2),
        Item("", inert=True),
        _line("agent", info.agent.value),
        _line("model", info.model or "unknown"),
    ]
    if info.updated is not None:
        local = info.updated.astimezone()
        items.append(_line("changed", f"{ago(info.updated, now)} ago, {local:%Y-%m-%d %H:%M}"))
    items.append(_line("file", f"{_bytes(info.size)}, {info.path.name}"))
    if insight is not None:
        session, facts, ledger = insight.session, insight.facts, insight.ledger
        counts = session.counts
        items.append(
            _line("messages", f"{len(session.context)} in context, {counts.messages} in all")
        )
        items.append(_line("turns", f"{counts.turns}, with {counts.tool_pairs} tool calls"))
        rules = [(len(ledger.active), "rule"), (len(ledger.proposed), "proposed rule")]
        told = ", ".join(counted(count, name) for count, name in rules if count)
        items.append(_line("rules", told or "none stated"))
        changed, errors = len(facts.changed), len(facts.open_errors)
        files = f"{counted(changed, 'file')} changed"
        items.append(
            _line("work", f"{files}, {counted(errors, 'open error')}" if errors else files)
        )
        if session.compactions:
            items.append(_line("compacted", counted(len(session.compactions), "time")))
        if session.subagents:
            items.append(_line("subagents", str(len(session.subagents))))
        if session.damage:
            items.append(_line("damage", counted(len(session.damage), "finding"), style="warn"))
    for name, prompt in (("first", info.first_prompt), ("last", info.last_prompt)):
        if prompt:
            items += [Item("", inert=True), _line(name, prompt, lines=5)]
    return items


def _line(name: str, text: str, *, lines: int = 2, style: str = "faint") -> Item:
    return Item(text, word=name, style=style, inert=True, lines=lines)


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


def _bytes(size: int) -> str:
    for limit, letter in ((1_000_000, "M"), (1_000, "K")):
        if size >= limit:
            return (
                f"{size / limit:.1f}{letter}" if size < 10 * limit else f"{size // limit}{letter}"
            )
    return f"{size}B"
