"""What the two deeds on a Hermes database share: their rows as JSON, and as people see them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from redline.agents.heads import head_line
from redline.agents.hermes.encoding import NewRow
from redline.agents.hermes.messages import pieces
from redline.agents.hermes.rows import row_of
from redline.agents.hermes.store import Store


def dumped(rows: Iterable[NewRow]) -> list[list[Any]]:
    """`rows` as JSON has them."""
    return [[row.of, dict(row.columns)] for row in rows]


def loaded(data: Iterable[Any]) -> tuple[NewRow, ...]:
    """The rows that `dumped` gave `data` for."""
    return tuple(NewRow(of, columns) for of, columns in data)


def shown_rows(store: Store, rows: Sequence[NewRow] | str) -> bytes:
    """Rows to be written, or the active ones of a session, a line each."""
    return "".join(f"{line}\n" for line in _lines(_values(store, rows))).encode(errors="replace")


def _values(store: Store, rows: Sequence[NewRow] | str) -> Iterator[Mapping[str, Any]]:
    if isinstance(rows, str):
        query = "SELECT id FROM messages WHERE session_id = ? AND active = 1 ORDER BY id"
        yield from store.messages([row["id"] for row in store.fetch(query, (rows,))])
        return
    copied = sorted({row.of for row in rows if row.of is not None})
    known = {values["id"]: values for values in store.messages(copied)}
    for row in rows:
        yield {**known.get(row.of or 0, {}), **row.columns}


def _lines(found: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for values in found:
        row = row_of(values, 0, [])
        said = next((head_line(text) for _, text in pieces(row) if text.strip()), "")
        called = ", ".join(call.tool or "?" for call in row.calls)
        yield f"{row.role}: {said}{f' [{called}]' if called else ''}".rstrip()
