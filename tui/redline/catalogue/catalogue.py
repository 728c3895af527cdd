"""The catalogue: every session of every agent as it was seen last, and what was said in them.

Everything here comes from the cache alone; `refresh` brings it up to date.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

import apsw

from redline.agents.discover import newest_first
from redline.agents.finder import Looked
from redline.agents.times import read_time
from redline.catalogue.cache_file import CacheFile, Damaged
from redline.catalogue.query import Query, is_below
from redline.catalogue.search import LIMIT, Candidate, Found, hits
from redline.catalogue.stored_info import WRONG, read
from redline.model import Agent, SessionInfo


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of the index: its size in bytes, how many sessions it lists and of how many all
    texts are in it, when it was refreshed last, why it is only in memory ("" where not), and the
    files whose texts could not be read, with the reason."""

    path: Path
    size: int = 0
    sessions: int = 0
    read: int = 0
    refreshed: datetime | None = None
    problem: str = ""
    unread: tuple[str, ...] = ()


class Catalogue:
    """The catalogue in the file at `path`. Any thread may call, also while it is written."""

    def __init__(self, path: Path) -> None:
        self.file = CacheFile(path)

    def sessions(self) -> tuple[SessionInfo, ...]:
        """The sessions, newest first, as they were listed last; whether one is live is not kept."""
        try:
            with self.file.reading() as connection:
                if connection is None:
                    return ()
                rows = connection.execute(
                    "SELECT s.info, f.agent, f.path FROM sessions s JOIN files f ON f.id = s.file"
                    " WHERE s.aside = 0"
                )
                return newest_first([read(info, a, path_of(path)) for info, a, path in rows])
        except Damaged:
            return ()
        except WRONG:
            self.file.damaged = True
            return ()

    def looked(self) -> tuple[Looked, ...]:
        """The folders that were looked into, with what was wrong with them."""
        try:
            with self.file.reading() as connection:
                if connection is None:
                    return ()
                rows = connection.execute(
                    "SELECT agent, path, found, problem FROM looked ORDER BY rowid"
                )
                return tuple(
                    Looked(Agent(agent), path_of(path), found, problem)
                    for agent, path, found, problem in rows
                )
        except Damaged:
            return ()
        except WRONG:
            self.file.damaged = True
            return ()

    def standing(self) -> Standing:
        """The state of the index."""
        path, problem = self.file.path, self.file.problem
        try:
            with self.file.reading() as connection:
                if connection is None:
                    return Standing(path, problem=problem)
                counted = connection.execute(
                    "SELECT count(*), total(read != '') FROM sessions WHERE aside = 0"
                ).fetchone()
                told = connection.execute(
                    "SELECT value FROM about WHERE name = 'refreshed'"
                ).fetchone()
                failed = connection.execute(
                    "SELECT f.path, s.problem FROM sessions s JOIN files f ON f.id = s.file"
                    " WHERE s.problem != '' ORDER BY s.id"
                ).fetchall()
        except Damaged:
            return Standing(path, problem="it is damaged and will be made anew")
        return Standing(
            path,
            self._size(),
            counted[0] if counted else 0,
            int(counted[1]) if counted else 0,
            read_time(told[0]) if told else None,
            problem,
            tuple(f"{path_of(name)}: {why}" for name, why in failed),
        )

    def _size(self) -> int:
        size = 0
        for ending in ("", "-wal"):
            try:
                size += os.stat(f"{self.file.path}{ending}").st_size
            except OSError:
                continue
        return size

    def search(
        self,
        query: Query,
        *,
        limit: int = LIMIT,
        each: int | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Found:
        """The passages that `query` asks for: exact, sessions newest first, in each in the order
        of the text, at most `limit`, and at most `each` of one session. Raises RedlineError for
        an unknown role, and ValueError for a limit below 0."""
        if limit < 0:
            raise ValueError("a limit is a number from 0")
        try:
            with self.file.reading() as connection:
                if connection is None:
                    return Found((), complete=True)
                return _search(connection, query, limit, each, cancelled)
        except Damaged:
            self.file.damaged = True
        return Found((), complete=False, problem="the index was damaged and has to be made anew")


def _search(
    connection: apsw.Connection,
    query: Query,
    limit: int,
    each: int | None,
    cancelled: Callable[[], bool],
) -> Found:
    rows: list[Any] = connection.execute(
        "SELECT s.id, s.updated, s.info, f.agent, f.path, s.read, s.problem FROM sessions s"
        " JOIN files f ON f.id = s.file ORDER BY s.updated DESC, s.name DESC"
    ).fetchall()
    known = {row: (info, agent, path) for row, _updated, info, agent, path, _read, _why in rows}

    def info_of(row: int) -> SessionInfo:
        info, agent, path = known[row]
        try:
            return read(info, agent, path_of(path))
        except WRONG as error:
            raise Damaged(str(error)) from error

    candidates = [
        Candidate(row, updated)
        for row, updated, _info, agent, _path, _read, _why in rows
        if query.agent is None or agent == query.agent.value
    ]
    if query.project is not None:
        folder = query.project
        candidates = [
            candidate
            for candidate in candidates
            if is_below(info_of(candidate.row).project, folder)
        ]
    cut: set[int] = set()
    every = hits(connection, query, candidates, info_of, cancelled, each=each, cut=cut)
    found = tuple(islice(every, min(limit, sys.maxsize - 1) + 1))
    complete = len(found) <= limit and not cut and not cancelled()
    unread = sum(1 for row in rows if not row[5])
    wrong = {row[0]: row[6] for row in rows if row[6]}
    asked = (candidate.row for candidate in candidates if candidate.row in wrong)
    unreadable = tuple((info_of(row).path, wrong[row]) for row in asked)
    return Found(found[:limit], complete, unread, unreadable=unreadable)


def path_of(stored: object) -> Path:
    """A path as it is stored: its bytes. Raises TypeError for anything else."""
    if not isinstance(stored, bytes):
        raise TypeError("a path was expected")
    return Path(os.fsdecode(stored))
