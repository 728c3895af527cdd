"""Where rows of Hermes come from: its database, or a file that it exported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from redline.agents.hermes.lineage import Lineage
from redline.agents.hermes.rows import Row
from redline.model import Damage


class Archive(Protocol):
    """Sessions and their rows. Raises RedlineError where they cannot be read any more."""

    @property
    def version(self) -> str | None:
        """What it is: the database's schema, the form of an export."""
        ...

    @property
    def whole(self) -> bool:
        """Whether it also holds rows that are out of the context."""
        ...

    def lineage(self, around: str | None = None) -> Lineage:
        """The sessions, and how they hang together: all, or those that the session `around` is the
        end of, with what they started."""
        ...

    def chain(self, session: str) -> list[str]:
        """The ids of the sessions that `session` is the end of over compactions, the first one
        first, itself last; none where there is no such session."""
        ...

    def ids(self, session: str) -> list[int]:
        """The numbers of the rows of a session, in order."""
        ...

    def rows(self, numbers: Sequence[int], damage: list[Damage]) -> Iterator[Row]:
        """The rows with these numbers, in that order. What is wrong with them is added to
        `damage`."""
        ...

    def stored(self, number: int) -> Mapping[str, Any] | None:
        """What the row `number` holds, None where it is gone."""
        ...

    def each_stored(self, numbers: Sequence[int]) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The same of many rows in that order, each with its number; those that are gone are left
        out."""
        ...

    def system_prompt(self, session: str) -> str | None:
        """The system prompt of a session, None where none is stored."""
        ...


def open_archive(path: Path) -> Archive | None:
    """The archive at `path`, None where it is none of Hermes. Raises RedlineError where it is one
    that cannot be read."""
    from redline.agents.hermes.database import Database
    from redline.agents.hermes.exports import read_export
    from redline.agents.hermes.store import hermes_store, is_database

    if not is_database(path):
        return read_export(path)
    store = hermes_store(path)
    return Database(store) if store is not None else None
