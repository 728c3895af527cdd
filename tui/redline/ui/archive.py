"""All sessions of this machine, as the screens ask for them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from redline.agents.finder import Finder, Passage
    from redline.catalogue.catalogue import Catalogue
    from redline.catalogue.query import Query
    from redline.catalogue.refresh import Progress, Refreshed
    from redline.catalogue.search import Found
    from redline.model import SessionInfo
    from redline.places import Places


class Archive(Protocol):
    """What is known of all sessions. Everything here may be slow and be called by any thread."""

    def sessions(self) -> tuple[SessionInfo, ...]:
        """As they were when the index was last brought up to date; `live` is not told."""
        ...

    def refresh(
        self, advance: Callable[[Progress], None], texts: bool, cancelled: Callable[[], bool]
    ) -> Refreshed:
        """Brings the index up to date, without `texts` the list only."""
        ...

    def search(self, query: Query, limit: int, cancelled: Callable[[], bool]) -> Found:
        """At most `limit` hits of `query`, EACH of one session. Raises RedlineError."""
        ...

    def live(self, infos: Sequence[SessionInfo], now: datetime) -> list[SessionInfo]:
        """`infos` with `live` and `live_by` as of `now`."""
        ...

    def stamp(self, info: SessionInfo) -> str:
        """What changes whenever the session may have changed."""
        ...

    def scan(self, path: Path) -> tuple[SessionInfo, ...]:
        """The sessions in the file at `path` as it is now."""
        ...

    def passages(self, info: SessionInfo) -> Iterator[Passage]:
        """The texts of a session in order."""
        ...


class IndexedArchive:
    """The archive over the catalogue in the cache folder and the agents' own files."""

    def __init__(self, environment: Mapping[str, str], places: Places) -> None:
        self._environment = environment
        self._path = places.cache / "catalogue.sqlite"
        self._opened: list[Catalogue] = []

    @property
    def _catalogue(self) -> Catalogue:
        if not self._opened:
            from redline.catalogue.catalogue import Catalogue

            self._opened.append(Catalogue(self._path))
        return self._opened[0]

    def sessions(self) -> tuple[SessionInfo, ...]:
        return self._catalogue.sessions()

    def refresh(
        self, advance: Callable[[Progress], None], texts: bool, cancelled: Callable[[], bool]
    ) -> Refreshed:
        from redline.catalogue.refresh import refresh

        return refresh(
            self._catalogue,
            self._environment,
            texts=texts,
            progress=advance,
            cancelled=cancelled,
        )

    def search(self, query: Query, limit: int, cancelled: Callable[[], bool]) -> Found:
        from redline.catalogue.search import EACH

        return self._catalogue.search(query, limit=limit, each=EACH, cancelled=cancelled)

    def live(self, infos: Sequence[SessionInfo], now: datetime) -> list[SessionInfo]:
        from redline.agents.liveness import mark_live

        return mark_live(infos, self._environment, now)

    def stamp(self, info: SessionInfo) -> str:
        return self._finder(info).stamp(info.path)

    def scan(self, path: Path) -> tuple[SessionInfo, ...]:
        from redline.agents.opening import scan

        return scan(path)

    def passages(self, info: SessionInfo) -> Iterator[Passage]:
        return self._finder(info).passages(info, 0)

    @staticmethod
    def _finder(info: SessionInfo) -> Finder:
        from redline.agents.discover import finders

        return next(finder for finder in finders() if finder.agent is info.agent)
