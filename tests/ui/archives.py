"""Archives of sessions for tests of the screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.model import SessionInfo

if TYPE_CHECKING:
    from redline.agents.finder import Looked, Passage
    from redline.catalogue.query import Query
    from redline.catalogue.refresh import Progress, Refreshed
    from redline.catalogue.search import Found


class MemoryArchive:
    """Sessions in memory. What is in `later` comes with the first refresh, as if it was not indexed
    before. `live_by` says of ids what tells that they are in use; `files` gives the sessions of a
    file that has changed, and a new stamp with them."""

    def __init__(self, infos: Sequence[SessionInfo] = (), later: Sequence[SessionInfo] = ()):
        self.infos = tuple(infos)
        self.later = tuple(later)
        self.wrong: tuple[str, ...] = ()
        self.looked: tuple[Looked, ...] = ()
        self.live_by: dict[str, str] = {}
        self.files: dict[Path, tuple[SessionInfo, ...]] = {}
        self.texts: dict[str, tuple[Passage, ...]] = {}
        self.answer: Callable[[Query], Found] | None = None
        self.refreshed: list[bool] = []
        self.asked: list[Query] = []
        self.during: Callable[[Callable[[Progress], None], Callable[[], bool]], None] | None = None

    def sessions(self) -> tuple[SessionInfo, ...]:
        return self.infos

    def refresh(
        self, advance: Callable[[Progress], None], texts: bool, cancelled: Callable[[], bool]
    ) -> Refreshed:
        from redline.catalogue.refresh import Refreshed

        if texts and self.during is not None:
            self.during(advance, cancelled)
        if cancelled():
            return Refreshed(self.infos, self.looked, complete=False)
        self.refreshed.append(texts)
        self.infos, self.later = self.infos + self.later, ()
        return Refreshed(self.infos, self.looked, problems=self.wrong)

    def search(self, query: Query, limit: int, cancelled: Callable[[], bool]) -> Found:
        from redline.catalogue.search import Found

        self.asked.append(query)
        return Found((), complete=True) if self.answer is None else self.answer(query)

    def live(self, infos: Sequence[SessionInfo], now: datetime) -> list[SessionInfo]:
        return [
            replace(info, live=info.id in self.live_by, live_by=self.live_by.get(info.id, ""))
            for info in infos
        ]

    def stamp(self, info: SessionInfo) -> str:
        return str([(one.size, one.updated) for one in self.files.get(info.path, ())])

    def scan(self, path: Path) -> tuple[SessionInfo, ...]:
        return self.files.get(path, ())

    def passages(self, info: SessionInfo) -> Iterator[Passage]:
        return iter(self.texts.get(info.id, ()))
