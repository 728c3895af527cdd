"""Brings the catalogue up to date: first the list, then the texts, newest sessions first.

Only one process writes at a time; another one gets the list as it is now without storing it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from itertools import accumulate

import apsw

from redline.agents.finder import Environment, Looked
from redline.catalogue.cache_file import CacheFile, Damaged, Unusable
from redline.catalogue.catalogue import Catalogue
from redline.catalogue.indexing import Task, tasks_of, write_texts
from redline.catalogue.listing import (
    Key,
    KnownFile,
    Listing,
    is_noted,
    key_of,
    known_files,
    list_files,
    store_listing,
)
from redline.errors import RedlineError
from redline.files import LockedError, locked
from redline.model import SessionInfo

_ATTEMPTS = 4
_TOLD_EVERY = 20  # files
_NEVER = datetime.min.replace(tzinfo=UTC)


class Phase(StrEnum):
    """What is being done: files are looked for, or texts are put into the index."""

    LIST = "list"
    TEXTS = "texts"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a refresh is: files looked at (their total is not known: 0), or sessions read of
    `total`, and their bytes."""

    phase: Phase
    done: int
    total: int = 0
    done_bytes: int = 0
    total_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Refreshed:
    """The list as it is now, whatever the state of the cache, and what became of the index.

    `read` counts the sessions whose texts were read, `complete` is false where texts of others are
    still to be read: it was cancelled, or another redline is at it (`busy`). `problems` are for a
    person: why the index is only in memory, and sessions whose texts could not be read.
    """

    sessions: tuple[SessionInfo, ...]
    looked: tuple[Looked, ...]
    read: int = 0
    complete: bool = True
    busy: bool = False
    problems: tuple[str, ...] = ()


class _Cancelled(Exception):
    """The refresh is not wanted any more."""


def refresh(
    catalogue: Catalogue,
    environment: Environment = None,
    *,
    texts: bool = True,
    progress: Callable[[Progress], object] = lambda _progress: None,
    cancelled: Callable[[], bool] = lambda: False,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
) -> Refreshed:
    """Brings `catalogue` up to date; without `texts` only its list.

    It may be cancelled at any time: what is stored by then stays. Nothing about the cache is
    fatal: a damaged file is made anew, and where none can be written memory serves.
    """
    run = _Run(catalogue.file, environment, texts, progress, cancelled, now)
    for _ in range(_ATTEMPTS):
        try:
            return run.once()
        except _Cancelled:
            return Refreshed(catalogue.sessions(), catalogue.looked(), complete=False)
        except Damaged:
            continue  # the next attempt makes the file anew
        except Unusable as error:
            catalogue.file.go_to_memory(str(error))
    raise RedlineError(f"{catalogue.file.path} is damaged again and again", "remove it")


@dataclass(frozen=True, slots=True)
class _Run:
    """One refresh."""

    file: CacheFile
    environment: Environment
    texts: bool
    progress: Callable[[Progress], object]
    cancelled: Callable[[], bool]
    now: Callable[[], datetime]

    def once(self) -> Refreshed:
        """One attempt. Raises what `CacheFile` raises."""
        try:
            return self._stored()
        except LockedError:
            return self._unstored(busy=True)
        except Unusable:
            if self.texts:
                raise
            return self._unstored()

    def _unstored(self, *, busy: bool = False) -> Refreshed:
        """The list as it is now, without a change to the cache."""
        known = self._known()
        listing = list_files(known, self.environment, self._seen)
        behind = bool(listing.changed or self._tasks(listing, known))
        return Refreshed(listing.sessions, listing.looked, 0, not (self.texts and behind), busy)

    def _stored(self) -> Refreshed:
        """The list, and the texts where they are asked for. Raises LockedError where another
        process writes, and what `CacheFile` raises."""
        read, tasks = 0, list[Task]()
        problems = [f"the index is only in memory: {self.file.problem}"] * self.file.in_memory
        with _alone(self.file):
            known = self._known()
            listing = list_files(known, self.environment, self._seen)
            if self._is_current(listing, known):
                self._note(listing, known)
            else:
                with self.file.writing() as connection:
                    store_listing(connection, listing, known, self.now())
                    if self.texts:
                        tasks = self._tasks(listing, known_files(connection))
                        read, wrong = self._write(connection, tasks)
                        problems += wrong
        complete = read == len(tasks)
        return Refreshed(listing.sessions, listing.looked, read, complete, problems=tuple(problems))

    def _note(self, listing: Listing, known: dict[Key, KnownFile]) -> None:
        """Notes that nothing has changed, where that was not noted just before."""
        with self.file.reading() as connection:
            if connection is not None and is_noted(connection, listing, self.now()):
                return
        with contextlib.suppress(Unusable), self.file.writing() as connection:
            store_listing(connection, listing, known, self.now())

    def _known(self) -> dict[Key, KnownFile]:
        with self.file.reading() as connection:
            return known_files(connection)

    def _is_current(self, listing: Listing, known: dict[Key, KnownFile]) -> bool:
        if listing.changed or listing.gone:
            return False
        return not (self.texts and self._tasks(listing, known))

    def _tasks(self, listing: Listing, known: dict[Key, KnownFile]) -> list[Task]:
        """The sessions whose texts have to be read, newest first."""
        found = [
            task
            for file in listing.files
            if (held := known.get(key_of(file))) is not None
            for task in tasks_of(file, held)
        ]
        return sorted(found, key=lambda task: task.info.updated or _NEVER, reverse=True)

    def _write(self, connection: apsw.Connection, tasks: list[Task]) -> tuple[int, list[str]]:
        total = sum(task.info.size for task in tasks)
        sizes = [0, *accumulate(task.info.size for task in tasks)]

        def told(done: int, further: int) -> None:
            reached = min(sizes[done] + further, sizes[min(done + 1, len(tasks))])
            self.progress(Progress(Phase.TEXTS, done, len(tasks), reached, total))

        told(0, 0)
        return write_texts(connection, tasks, told, self.cancelled)

    def _seen(self, count: int) -> None:
        if count % _TOLD_EVERY == 0:
            if self.cancelled():
                raise _Cancelled
            self.progress(Progress(Phase.LIST, count))


@contextlib.contextmanager
def _alone(file: CacheFile) -> Iterator[None]:
    """Holds the lock of the file. Raises LockedError where another process does, and Unusable
    where there can be none."""
    with contextlib.ExitStack() as stack:
        if not file.in_memory:
            try:
                stack.enter_context(locked(file.path, file.path.parent, wait=0))
            except LockedError:
                raise
            except RedlineError as error:
                raise Unusable(error.message) from error
        yield
