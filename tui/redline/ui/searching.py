"""Looking for a text in every message of a context."""

from __future__ import annotations

from collections.abc import Iterator

from redline.errors import RedlineError
from redline.model import Session

BATCH = 100  # messages between two looks at whether the search is still wanted


class Search:
    """The rows whose heads or bodies hold `text`; case counts only where `text` has capitals.
    `unread` are rows with a body that cannot be read, as of a file that is gone."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.rows: list[int] = []
        self.unread: set[int] = set()
        self._folded = text == text.lower()

    def batches(self, rows: int) -> Iterator[range]:
        for start in range(0, rows, BATCH):
            yield range(start, min(start + BATCH, rows))

    def look(self, session: Session, batch: range) -> None:
        """Adds the rows of `batch` that hold it."""
        for row in batch:
            message = session.context[row]
            if self._holds(message.head) or any(
                self._holds(self._body(session, row, place)) for place in range(len(message.parts))
            ):
                self.rows.append(row)

    def _body(self, session: Session, row: int, place: int) -> str:
        try:
            return session.text(session.context[row].parts[place])
        except RedlineError:
            self.unread.add(row)
            return ""

    def _holds(self, body: str) -> bool:
        return self.text in (body.lower() if self._folded else body)

    def next(self, row: int, step: int) -> int | None:
        """The next found row after (step 1) or before (-1) `row`, around the end."""
        if not self.rows:
            return None
        if step > 0:
            return next((found for found in self.rows if found > row), self.rows[0])
        return next((found for found in reversed(self.rows) if found < row), self.rows[-1])
