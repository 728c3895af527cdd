"""The handoff of a session that is followed: kept up to date between triggers, so that it is there
when it is wanted."""

from __future__ import annotations

from pathlib import Path

from redline.errors import RedlineError
from redline.facts.extract import Gathering
from redline.files import read_if_there, write_atomic
from redline.handoff.markdown import render
from redline.handoff.offline import write
from redline.ledger.rule import Ledger
from redline.model import Session
from redline.text import printable


class FollowedHandoff:
    """Gathers the facts of `session` as it grows. Methods raise RedlineError as its source does."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._gathering = Gathering(session)
        self._written: bytes | None = None
        self._begun = False

    def grown(self, session: Session) -> None:
        """The session has more messages, and all of the old ones."""
        self._session = session
        self._gathering.grown(session)

    def anew(self, session: Session) -> None:
        """The session was compacted, went back, or is another one."""
        self._session = session
        self._gathering = Gathering(session)

    def text(self, ledger: Ledger) -> str:
        """The handoff as Markdown, as for a session that starts from it. Secrets are taken out."""
        return printable(render(write(self._session, None, self._gathering.facts(), ledger)))

    def save(self, path: Path, ledger: Ledger) -> None:
        """Writes it to `path`, whole or not at all, with mode 0600. Raises RedlineError where
        another's file is in the way, or somebody changed it since it was written last."""
        data = self.text(ledger).encode()
        if not self._begun:
            there = read_if_there(path)
            if there is not None and there.split(b"\n")[0] != data.split(b"\n")[0]:
                raise RedlineError(f"{path} is there already and no handoff", "name another file")
            self._written, self._begun = there, True
        if data != self._written:
            write_atomic(path, data, mode=0o600, expected=self._written)
            self._written = data
