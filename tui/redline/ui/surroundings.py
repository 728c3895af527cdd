"""What the screens need from outside: folders, settings, clock, clipboard, editor, sessions.

All of it comes in as values and functions, so that nothing behaves differently under test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.ui.editor import edit_file
from redline.ui.onward import Onward, start

if TYPE_CHECKING:
    from redline.agents.following import Tell
    from redline.database import Database
    from redline.ledger.store import LedgerStore
    from redline.model import Session, SessionInfo
    from redline.places import Places
    from redline.review import Review
    from redline.settings import Settings
    from redline.ui.archive import Archive
    from redline.ui.session_details import Insight
    from redline.ui.watching import Watch


def _now() -> datetime:
    return datetime.now(UTC)


def _copy(text: str) -> bool:
    from redline.targets.streams import copy_natively

    return copy_natively(text)


def _archive(environment: Mapping[str, str], places: Places) -> Archive:
    from redline.ui.archive import IndexedArchive

    return IndexedArchive(environment, places)


def _open(where: SessionInfo | Path) -> Session:
    from redline.agents.opening import open_session

    return open_session(where)


def _reopen(session: Session) -> Session:
    from redline.agents.opening import reopen

    return reopen(session)


def _watch(tell: Tell) -> Watch:
    from redline.agents.following import Following

    return Following(tell)


def _open_view(where: SessionInfo | Path, leaf: str | None, before: int | None) -> Session:
    from redline.agents.opening import open_session

    return open_session(where, leaf=leaf, before=before)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """`copy` gives False where this machine has no clipboard program, `edit` runs the person's
    editor on a file and returns when it is closed (it raises RedlineError where it cannot); `start`
    runs an agent until it ends and gives its exit status.
    `needs_terminal` says that the editor needs the terminal for itself. `pause` are the
    seconds of rest after which what was typed, chosen or pointed at is acted upon, `every` those
    between two looks at which sessions are in use."""

    environment: Mapping[str, str]
    cwd: Path
    places: Places
    settings: Settings
    now: Callable[[], datetime] = _now
    copy: Callable[[str], bool] = _copy
    edit: Callable[[Path, Mapping[str, str]], None] = edit_file
    start: Callable[[Onward, Mapping[str, str]], int] = start
    open_archive: Callable[[Mapping[str, str], Places], Archive] = _archive
    open_session: Callable[[SessionInfo | Path], Session] = _open
    open_view: Callable[[SessionInfo | Path, str | None, int | None], Session] = _open_view
    reopen: Callable[[Session], Session] = _reopen
    watch: Callable[[Tell], Watch] = _watch
    needs_terminal: bool = True
    pause: float = 0.4
    every: float = 3.0
    _archives: list[Archive] = field(default_factory=list)
    _databases: list[Database] = field(default_factory=list)
    _told: list[str] = field(default_factory=list)

    @property
    def archive(self) -> Archive:
        """All sessions of this machine, one for the whole run."""
        if not self._archives:
            self._archives.append(self.open_archive(self.environment, self.places))
        return self._archives[0]

    @property
    def database(self) -> Database:
        """Where decisions are kept, one for the whole run."""
        if not self._databases:
            from redline.database import Database

            self._databases.append(Database(self.places.database))
        return self._databases[0]

    def news(self) -> tuple[str, ...]:
        """What a person should know of what is stored, each notice once."""
        told, self._told[:] = len(self._told), self.database.notices
        return self.database.notices[told:]

    @property
    def ledgers(self) -> LedgerStore:
        """The store of the rules."""
        from redline.ledger.store import LedgerStore

        return LedgerStore(self.database)

    def opened(self, where: SessionInfo | Path, leaf: str | None, before: int | None) -> Session:
        """A session as it is, or in the view that ends in `leaf` or just before a compaction."""
        if leaf is None and before is None:
            return self.open_session(where)
        return self.open_view(where, leaf, before)

    def review(self, session: Session) -> Review:
        """A review of `session` as it was left, or a first one with the strategy of the settings.
        Slow: not for the screen's own thread. Raises RedlineError."""
        from redline import drafts
        from redline.compaction.strategies.tuned import tuned
        from redline.context.measure import measure
        from redline.facts.extract import extract
        from redline.review import Choice, Review

        choice = Choice(self.settings.strategy, tuned(self.settings, session, self.environment))
        review = Review.start(
            session,
            measure(session, self.settings, self.environment),
            extract(session),
            self.ledgers.load(session),
            choice,
        )
        review.cost(self.now(), self.settings)  # reads the prices while no screen waits for them
        return drafts.recall(self.database, review)

    def insight(self, info: SessionInfo) -> Insight:
        """What the list of sessions tells of one. Slow, as `review`. Raises RedlineError."""
        from redline.context.measure import measure
        from redline.facts.extract import extract
        from redline.ui.session_details import Insight

        session = self.open_session(info)
        window = measure(session, self.settings, self.environment)
        return Insight(session, window, extract(session), self.ledgers.load(session))

    def keep(self, review: Review) -> None:
        """Stores what the person decided about the session of `review`. Raises RedlineError."""
        from redline import drafts

        drafts.keep(self.database, review, self.now())

    def count(self, text: str, model: str | None) -> int:
        """Tokens of `text` for `model`, counted offline and weighed by the model's family."""
        from redline.context.families import family, text_kind
        from redline.context.tokenizer import tokenizer

        counted = tokenizer(self.settings.tokenizer_of(model), self.environment).count(text)
        return round(counted * family(model).factors[text_kind(text)])
