"""The sessions and rows of one Hermes database."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Any

from redline.agents.hermes.lineage import Lineage, session_row
from redline.agents.hermes.rows import Row, row_of
from redline.agents.hermes.store import Store, Values, text
from redline.model import Damage

_CACHED_BYTES = 8_000_000
_SESSION_COLUMNS = (
    "id", "source", "model", "model_config", "parent_session_id", "started_at", "ended_at",
    "end_reason", "title", "cwd", "git_repo_root",
)  # fmt: skip


class Database:
    """Reads a store. Bodies of rows that were asked for stay in memory, up to a few megabytes."""

    whole = True

    def __init__(self, store: Store) -> None:
        self.store = store
        self._cache: OrderedDict[int, tuple[int, Values]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    @property
    def version(self) -> str | None:
        """Which schema it is of."""
        if not self.store.columns("schema_version"):
            return None
        found = self.store.fetch("SELECT version FROM schema_version LIMIT 1")
        return f"schema {found[0]['version']}" if found else None

    def lineage(self) -> Lineage:
        """All sessions, and how they hang together."""
        named = [name for name in _SESSION_COLUMNS if name in self.store.columns("sessions")]
        rows = self.store.fetch(f"SELECT {', '.join(named)} FROM sessions ORDER BY rowid")
        newest = self.store.fetch(
            "SELECT id, (SELECT max(timestamp) FROM messages m WHERE m.session_id = s.id) AS newest"
            " FROM sessions s"
        )
        times = {
            row["id"]: row["newest"] for row in newest if isinstance(row["newest"], int | float)
        }
        return Lineage([found for row in rows if (found := session_row(row))], times)

    def ids(self, session: str) -> list[int]:
        """The ids of the rows of a session, in order. An index answers it, not the rows."""
        query = "SELECT id FROM messages WHERE session_id = ? ORDER BY +id"
        return [row["id"] for row in self.store.fetch(query, (session,))]

    def rows(self, numbers: Sequence[int], damage: list[Damage]) -> Iterator[Row]:
        """The rows with these ids, in that order; see `row_of`."""
        for values in self.store.messages(numbers):
            yield row_of(values, values["id"], damage)

    def stored(self, number: int) -> Mapping[str, Any] | None:
        """What the row `number` holds, None where there is none any more."""
        with self._lock:
            if number in self._cache:
                self._cache.move_to_end(number)
                return self._cache[number][1]
        values = next(self.store.messages([number]), None)
        if values is None:
            return None
        size = sum(len(value) for value in values.values() if isinstance(value, str | bytes))
        with self._lock:
            if size <= _CACHED_BYTES and number not in self._cache:
                self._cache[number] = (size, values)
                self._bytes += size
                while self._bytes > _CACHED_BYTES:
                    _, (freed, _values) = self._cache.popitem(last=False)
                    self._bytes -= freed
        return values

    def system_prompt(self, session: str) -> str | None:
        """The system prompt of a session, stored with it (to schema 24) or by its hash."""
        columns = self.store.columns("sessions")
        wanted = [name for name in ("system_prompt", "system_prompt_hash") if name in columns]
        if not wanted:
            return None
        query = f"SELECT {', '.join(wanted)} FROM sessions WHERE id = ?"
        for row in self.store.fetch(query, (session,)):
            if prompt := text(row, "system_prompt"):
                return prompt
            digest = row.get("system_prompt_hash")
            if digest is not None and self.store.columns("system_prompts"):
                query = "SELECT prompt FROM system_prompts WHERE hash = ?"
                for found in self.store.fetch(query, (digest,)):
                    return text(found, "prompt")
        return None
