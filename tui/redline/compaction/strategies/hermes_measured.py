"""The rows of the last few sessions, measured once. A session that has grown is read only as far
as it has."""

from __future__ import annotations

from redline.compaction.remembered import Remembered
from redline.compaction.strategies.hermes_rows import Row, rows_of
from redline.model import Session


class _Measure:
    """Measures a session with what is known of the one before."""

    def __init__(self) -> None:
        self._last: tuple[Session, tuple[Row, ...]] | None = None

    def __call__(self, session: Session) -> tuple[Row, ...]:
        last = self._last
        same = last is not None and last[0].info.path == session.info.path
        rows = rows_of(session, last if same else None)
        self._last = (session, rows)
        return rows


measured = Remembered(_Measure())
