"""Which row of the history is which: messages, and between them what hangs there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from redline.facts.contents import Boundary, Contents, Fork, Started

Hung = Boundary | Fork | Started


class HistoryRows:
    """The rows of `contents`: one for each message, and one for each compaction (before the first
    message after it), subagent and side branch (after the message they hang on). What hangs on no
    message that is known stands at the end, once the history is `whole`."""

    def __init__(self, contents: Contents, *, whole: bool = True) -> None:
        self.contents = contents
        self._hung: list[tuple[int, Hung]] = [(one.place, one) for one in contents.compactions]
        loose: list[Hung] = []
        for started in contents.subagents:
            self._hang(started, started.place, loose)
        for fork in contents.branches:
            first = fork.branch.fork is None  # it leaves before the first message
            self._hang(fork, -1 if first else fork.place, loose)
        self._hung.sort(key=lambda one: (one[0], not isinstance(one[1], Boundary)))
        if whole:
            self._hung += [(contents.messages, one) for one in loose]
        self._places = [place for place, _ in self._hung]
        self._rows = [place + number for number, place in enumerate(self._places)]
        self.count = contents.messages + len(self._hung)

    def _hang(self, one: Hung, place: int | None, loose: list[Hung]) -> None:
        if place is None:
            loose.append(one)
        else:
            self._hung.append((place + 1, one))

    def at(self, row: int) -> int | Hung:
        """The place of the message that `row` is, or what else it is."""
        number = bisect_left(self._rows, row)
        if number < len(self._rows) and self._rows[number] == row:
            return self._hung[number][1]
        return row - number

    def row_of(self, place: int) -> int:
        """The row of the message at `place`."""
        return place + bisect_right(self._places, place)

    def row_of_hung(self, name: str) -> int | None:
        """The row of what is called so, see `name_of_hung`."""
        for number, (_, one) in enumerate(self._hung):
            if name_of_hung(one) == name:
                return self._rows[number]
        return None

    def named(self, name: str) -> Hung | None:
        """What is called so, see `name_of_hung`."""
        return next((one for _, one in self._hung if name_of_hung(one) == name), None)

    @property
    def boundaries(self) -> list[int]:
        """The rows of the compactions."""
        return [
            row
            for row, (_, one) in zip(self._rows, self._hung, strict=True)
            if isinstance(one, Boundary)
        ]

    def place_at(self, row: int) -> int:
        """The place of the message at `row`, or of the next one."""
        found = self.at(row)
        if isinstance(found, int):
            return found
        return row - bisect_left(self._rows, row)


def name_of_hung(one: Hung) -> str:
    """What a compaction, side branch or subagent is called, unlike any other of its session."""
    match one:
        case Boundary():
            return f"compaction {one.number}"
        case Fork():
            return f"branch {one.branch.leaf}"
        case Started():
            return f"subagent {one.subagent.id}"
