"""Where rows of unequal height stand: most are one line, a few are taller."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping


class Heights:
    """`rows` rows, row r being 1 + extra[r] lines high. Immutable.

    Building costs O(k log k) and a look-up O(log k) for k taller rows; 100,000 plain rows are free.
    """

    __slots__ = ("_extra", "_sums", "_tall", "_tops", "rows", "total")

    def __init__(self, rows: int, extra: Mapping[int, int] | None = None) -> None:
        self.rows = rows
        self._extra = {row: more for row, more in (extra or {}).items() if more > 0 and row < rows}
        self._tall = sorted(self._extra)
        self._sums = [0]  # extra lines before the n-th tall row
        for row in self._tall:
            self._sums.append(self._sums[-1] + self._extra[row])
        self._tops = [row + before for row, before in zip(self._tall, self._sums, strict=False)]
        self.total = rows + self._sums[-1]

    def height(self, row: int) -> int:
        return 1 + self._extra.get(row, 0)

    def top(self, row: int) -> int:
        """The first line of `row`; of `rows` (one past the end) the total."""
        return row + self._sums[bisect_right(self._tall, row - 1)]

    def locate(self, line: int) -> tuple[int, int]:
        """The row that `line` belongs to, and which of its lines it is."""
        nth = bisect_right(self._tops, line) - 1
        if nth < 0:
            return line, 0
        row, top = self._tall[nth], self._tops[nth]
        into = line - top
        if into <= self._extra[row]:
            return row, into
        return row + into - self._extra[row], 0
