"""Which sessions are listed, and in what order: the list as data, for any number of sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from redline.model import Agent, SessionInfo

ORDERS = ("recent", "fill", "size", "title")
SILENT = "nothing said in these"

Key = tuple[str, str]

_NEVER = datetime.min.replace(tzinfo=UTC)


def key_of(info: SessionInfo) -> Key:
    """What tells a session from all others, whatever else is known of it."""
    return str(info.path), info.id


def silent(info: SessionInfo) -> bool:
    """Whether nothing was said in it, as far as the list knows."""
    return not (info.title or info.first_prompt or info.last_prompt) and info.billed is None


@dataclass(frozen=True, slots=True)
class View:
    """What a person asked to see. `project` None shows all; "" are sessions without one. Not
    `grouped`, the sessions stand in one list whatever their project."""

    text: str = ""
    agent: Agent | None = None
    project: str | None = None
    order: str = ORDERS[0]
    grouped: bool = True

    @property
    def narrows(self) -> bool:
        return bool(self.text.strip()) or self.agent is not None or self.project is not None


@dataclass(frozen=True, slots=True)
class Heading:
    """The line above the sessions of a project; above those without a word, `project` is None."""

    project: str | None


@dataclass(frozen=True, slots=True)
class Listing:
    """The rows from top to bottom, where each session stands, and how many sessions those are."""

    rows: Sequence[SessionInfo | Heading] = ()
    places: Mapping[Key, int] = field(default_factory=dict)
    sessions: int = 0


class Roster:
    """All sessions that are known, the per cent of its window that each uses, which are in use now,
    by what tells so, and the files that are gone since they were listed. Each of them is replaced
    whole, so that any thread may read them."""

    def __init__(self) -> None:
        self.infos: tuple[SessionInfo, ...] = ()
        self.shares: Mapping[Key, int] = {}
        self.live: Mapping[Key, str] = {}
        self.gone: frozenset[Path] = frozenset()
        self.families: Mapping[str, tuple[SessionInfo, ...]] = {}
        self._searched: dict[Key, tuple[SessionInfo, str]] = {}

    def take(self, infos: Iterable[SessionInfo]) -> None:
        """These are all there are. Slow for many, as `arranged`."""
        self.infos = tuple(infos)
        families: dict[str, list[SessionInfo]] = {}
        for info in self.infos:
            if info.parent:
                families.setdefault(info.parent, []).append(info)
        self.families = {parent: tuple(forks) for parent, forks in families.items()}

    def update(self, changed: Iterable[SessionInfo]) -> None:
        """Takes `changed` for what was known of the same sessions; new ones are added."""
        new = {key_of(info): info for info in changed}
        if new:
            kept = [new.pop(key_of(info), info) for info in self.infos]
            self.take([*new.values(), *kept])

    def note(self, path: Path, *, gone: bool) -> bool:
        """Whether it is news that the file at `path` is gone, or there again."""
        if gone == (path in self.gone):
            return False
        self.gone = self.gone | {path} if gone else self.gone - {path}
        self.live = self.in_use(self.live)
        return True

    def in_use(self, live: Mapping[Key, str]) -> Mapping[Key, str]:
        """`live` without sessions whose file is gone."""
        return {key: by for key, by in live.items() if Path(key[0]) not in self.gone}

    def forks(self, info: SessionInfo) -> tuple[SessionInfo, ...]:
        """The sessions that copy `info`."""
        return self.families.get(info.id, ()) + self.families.get(str(info.path), ())

    def siblings(self, info: SessionInfo) -> tuple[SessionInfo, ...]:
        """The sessions that copy what `info` copies, itself among them."""
        return self.families.get(info.parent, ()) if info.parent else ()

    def parent(self, info: SessionInfo) -> SessionInfo | None:
        """The session that `info` copies, where it is known."""
        named = info.parent
        if not named:
            return None
        return next((one for one in self.infos if named in (one.id, str(one.path))), None)

    def arranged(self, view: View) -> Listing:
        """The sessions of `view`. Linear, about 5 microseconds a session: not for the screen's own
        thread where there are thousands."""
        words = view.text.casefold().split()
        chosen = [
            info
            for info in self.infos
            if (view.agent is None or info.agent is view.agent)
            and (view.project is None or (info.project or "") == view.project)
            and (not words or self._holds(info, words))
        ]
        chosen.sort(key=self._key(view.order), reverse=view.order != "title")
        rows: list[SessionInfo | Heading] = []
        groups: dict[str | None, list[SessionInfo]] = {}
        last: list[SessionInfo] = []
        for info in chosen:
            if silent(info) and key_of(info) not in self.live:
                last.append(info)
            else:
                groups.setdefault(info.project or "" if view.grouped else None, []).append(info)
        for project, members in groups.items():
            if project is not None:
                rows.append(Heading(project))
            rows += members
        if last:
            rows.append(Heading(None))
            rows += last
        places = {
            key_of(row): place for place, row in enumerate(rows) if not isinstance(row, Heading)
        }
        return Listing(rows, places, len(chosen))

    def _holds(self, info: SessionInfo, words: list[str]) -> bool:
        """Whether title, project, prompts, model, agent or id hold every one of `words`."""
        key = key_of(info)
        known = self._searched.get(key)
        if known is None or known[0] is not info:
            told = (
                info.title,
                info.project or "",
                info.first_prompt,
                info.last_prompt,
                info.model or "",
                info.agent.value,
                info.id,
                info.path.name,
            )
            known = self._searched[key] = (info, "\n".join(told).casefold())
        return all(word in known[1] for word in words)

    def _key(self, order: str) -> Callable[[SessionInfo], Any]:
        match order:
            case "fill":
                return lambda info: self.shares.get(key_of(info), -1)
            case "size":
                return lambda info: info.size
            case "title":
                return lambda info: (info.title or info.first_prompt or info.id).casefold()
        return lambda info: info.updated or _NEVER


def next_agent(infos: Iterable[SessionInfo], view: View) -> View:
    """`view` of the next agent that has sessions; after the last, of all."""
    order: list[Agent | None] = [None, *sorted({info.agent for info in infos})]
    at = order.index(view.agent) if view.agent in order else 0
    return replace(view, agent=order[(at + 1) % len(order)])
