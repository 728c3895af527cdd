"""A pi session file as far as it was read, and the messages that were built of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from redline.agents.growing import Growing, State
from redline.agents.pi.entries import Entry, EntryFile, Taking, is_entry
from redline.model import Message

Made = tuple[Entry, Entry | None, bool, bool]


class Reading:
    """The file at `path`; its lock is held while it is used.

    `messages` are those of the context by what they were made of: the entry, the newest edit of it,
    whether it stands after the compaction, and whether it is a seam.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.messages: dict[Made, Message] = {}
        self._file = Growing(path, partial(Taking, path), is_entry)
        self._times = 0
        self.lock = self._file.lock

    def now(self) -> tuple[EntryFile, State]:
        """The entries of the file as it is now; see `Growing`.

        Raises RedlineError where the file cannot be read or holds no pi session.
        """
        taking, state = self._file.now()
        if self._times != self._file.times:
            self._times = self._file.times
            self.messages = {}
        return taking.entries(), state
