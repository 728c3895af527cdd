"""The sessions and rows of one Hermes database."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock
from typing import Any

from redline.agents.hermes.lineage import Lineage, SessionRow, session_row
from redline.agents.hermes.rows import Row, row_of, seconds
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

    def lineage(self, around: str | None = None) -> Lineage:
        """The sessions, and how they hang together; see `Archive.lineage`."""
        if around is not None:
            return self._around(around)
        newest = self.store.fetch(
            "SELECT id, (SELECT max(timestamp) FROM messages m WHERE m.session_id = s.id) AS newest"
            " FROM sessions s"
        )
        times = {row["id"]: time for row in newest if (time := seconds(row["newest"])) is not None}
        return Lineage(self._sessions(), times)

    def chain(self, session: str) -> list[str]:
        """The ids of the sessions that `session` is the end of; see `Archive.chain`."""
        found = Lineage(self._up(session).values())
        row = found.sessions.get(session)
        return [part.id for part in found.ancestors(row)] if row is not None else []

    def _around(self, session: str) -> Lineage:
        found = self._up(session)
        for name in list(found):
            children = self._sessions("parent_session_id = ?", name)
            children += self._sessions("instr(model_config, ?)", f'"{name}"')
            found |= {row.id: row for row in children if row.id not in found}
        return Lineage(found.values())

    def _up(self, session: str) -> dict[str, SessionRow]:
        """A session and those above it, whatever they are to each other."""
        found: dict[str, SessionRow] = {}
        wanted: str | None = session
        while wanted is not None and wanted not in found:
            rows = self._sessions("id = ?", wanted)
            if not rows:
                break
            found[wanted] = rows[0]
            wanted = rows[0].parent
        return found

    def _sessions(self, where: str = "1", *values: object) -> list[SessionRow]:
        """The rows of sessions; a column that this schema does not have is NULL."""
        known = self.store.columns("sessions")
        named = ", ".join(n if n in known else f"NULL AS {n}" for n in _SESSION_COLUMNS)
        if values and not any(name in where for name in known):
            return []
        query = f"SELECT {named} FROM sessions WHERE {where} ORDER BY rowid"
        return [row for found in self.store.fetch(query, values) if (row := session_row(found))]

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

    def each_stored(self, numbers: Sequence[int]) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """What each of the rows holds; see `Archive.each_stored`."""
        for values in self.store.messages(numbers):
            yield values["id"], values

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
