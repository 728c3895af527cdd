"""A session file as far as it was read, and the messages that were built of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from redline.agents.claude_code.folding import Folding
from redline.agents.claude_code.kept import Kept
from redline.agents.claude_code.skeleton import Skeleton, is_record
from redline.agents.growing import Growing, State


class Reading:
    """The file at `path`; its lock is held while it is used. With `folds` the records far above its
    end are folded away where that can be done."""

    def __init__(self, path: Path, *, folds: bool = False) -> None:
        self.path = path
        self.kept = Kept()
        begin = partial(_folding, path) if folds else partial(Skeleton, path)
        self._file = Growing(path, begin, is_record)
        self._times = 0
        self.lock = self._file.lock

    def now(self) -> tuple[Skeleton, State]:
        """The skeleton of the file as it is now, of a subagent's file its own chain; see `Growing`.

        Raises RedlineError where the file cannot be read. A record that is wrong costs itself only.
        """
        skeleton, state = self._file.now()
        if skeleton.folding is not None and skeleton.folding.spoilt:
            return self.whole()
        if skeleton.aside != skeleton.as_subagent:
            self._file.begin(partial(Skeleton, self.path, as_subagent=skeleton.aside))
            skeleton, state = self._file.now()
        if self._times != self._file.times:
            self._times = self._file.times
            self.kept = Kept()
        return skeleton, state

    def whole(self) -> tuple[Skeleton, State]:
        """The same with nothing folded away, now and from now on."""
        self._file.begin(partial(Skeleton, self.path))
        return self.now()


def _folding(path: Path) -> Skeleton:
    return Skeleton(path, folding=Folding())
