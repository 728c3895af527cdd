"""A session file as far as it was read, and the messages that were built of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from redline.agents.claude_code.kept import Kept
from redline.agents.claude_code.skeleton import Skeleton, is_record
from redline.agents.growing import Growing, State


class Reading:
    """The file at `path`; its lock is held while it is used."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.kept = Kept()
        self._file = Growing(path, partial(Skeleton, path), is_record)
        self._times = 0
        self.lock = self._file.lock

    def now(self) -> tuple[Skeleton, State]:
        """The skeleton of the file as it is now, of a subagent's file its own chain; see `Growing`.

        Raises RedlineError where the file cannot be read. A record that is wrong costs itself only.
        """
        skeleton, state = self._file.now()
        if skeleton.aside != skeleton.as_subagent:
            self._file.begin(partial(Skeleton, self.path, as_subagent=skeleton.aside))
            skeleton, state = self._file.now()
        if self._times != self._file.times:
            self._times = self._file.times
            self.kept = Kept()
        return skeleton, state
