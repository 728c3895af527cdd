"""What Hermes counted for a session: it keeps sums, by model where its schema has a table of them.

Its input tokens are those that were neither read from the cache nor written to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from redline.agents.hermes.archive import open_archive
from redline.agents.hermes.database import Database
from redline.agents.hermes.exports import Export
from redline.agents.hermes.store import Store, text
from redline.agents.token_count import token_count
from redline.model import Billed, Usage

_COUNTS = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens")
_ALSO = ("api_call_count", "actual_cost_usd", "estimated_cost_usd", "model")
_BY_MODEL = "session_model_usage"


def billed(path: Path, session: str) -> Iterator[Billed]:
    """The sums of `session` and of those that it goes on with. Raises RedlineError where the file
    cannot be read."""
    archive = open_archive(path)
    if archive is None:
        return
    for name in archive.chain(session):
        rows: Sequence[Mapping[str, Any]] = ()
        if isinstance(archive, Database):
            store = archive.store
            rows = _rows(store, _BY_MODEL, "session_id", name) or _rows(
                store, "sessions", "id", name
            )
        elif isinstance(archive, Export):
            rows = [archive.counts(name)]
        for place, row in enumerate(rows):
            usage = Usage(*(token_count(row.get(column)) for column in _COUNTS))
            if any((usage.billed, usage.output)):
                calls = token_count(row.get("api_call_count")) or 0
                key, model = f"{name}:{place}", text(row, "model")
                yield Billed(key, model, usage, requests=calls, dollars=_dollars(row))


def _rows(store: Store, table: str, column: str, session: str) -> list[dict[str, Any]]:
    known = store.columns(table)
    if column not in known or not set(_COUNTS) <= set(known):
        return []
    names = [name for name in (*_COUNTS, *_ALSO) if name in known]
    query = f"SELECT {', '.join(names)} FROM {table} WHERE {column} = ? ORDER BY rowid"
    return store.fetch(query, (session,))


def _dollars(row: Mapping[str, Any]) -> float | None:
    """What Hermes itself took it to cost; 0 says that it knew no price."""
    for name in ("actual_cost_usd", "estimated_cost_usd"):
        value = row.get(name)
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 10**6:
            return float(value)
    return None
