"""The list of sessions keeps up with what the agents write, by itself."""

from __future__ import annotations

import time
from pathlib import Path

from redline.agents.following import Change
from redline.model import SessionInfo
from redline.ui.indexing import IndexMoved
from redline.ui.living import Living
from redline.ui.progress import ProgressLine
from redline.ui.roster import Listing, Roster, View, key_of
from redline.ui.screen import RedlineScreen
from redline.ui.shares import Shares
from redline.ui.threads import beside, in_thread
from redline.ui.watching import Changed, Watching

_GATHERED = 0.15  # seconds in which changes of files are gathered
_REST = 20  # times as long as taking them in took: a busy agent costs five per cent of a core
_WATCHED = 20  # newest sessions that are watched whether they are in use or not
_SOON = 2.0  # seconds, at least, between two looks for new sessions where a folder has changed
_AGAIN = 15.0  # seconds, at least, between two looks for new sessions


class KeepingUp(RedlineScreen[None]):
    """The part of the sessions screen that gets what it shows. What is in use is looked for every
    few seconds, new sessions a little less often; a file that changes is read again at once."""

    def __init__(self) -> None:
        super().__init__()
        self.roster = Roster()
        self.view = View()
        self.known = False
        self.told: set[str] = set()
        self._loaded: tuple[SessionInfo, ...] = ()
        self._touched: set[Path] = set()
        self._looking = False
        self._busy_until = 0.0
        self.indexed = 0.0

    def show_listing(self, listing: Listing) -> None:
        """Shows the rows."""
        raise NotImplementedError

    def entitle_all(self) -> None:
        """Says how many sessions there are."""
        raise NotImplementedError

    def keep_up(self) -> None:
        """Shows what the index holds, at once, and then what has become of it since."""
        self._shares = Shares(self.place.settings, self.place.environment)
        self._living = Living(self.place)
        self._watching = Watching(self, self.place.watch)
        self.indexed = time.monotonic()

        async def start() -> None:
            await self._load()
            self._index()

        beside(self, start, "load")
        self.set_interval(self.place.every, self.look)

    def on_unmount(self) -> None:
        self._watching.close()

    def _index(self) -> None:
        self.indexed = time.monotonic()
        self.redline.indexing.start()

    # -- all of them ---------------------------------------------------------------------------

    async def _load(self) -> None:
        """The sessions as they are known now, and what can be worked out of them."""
        archive, indexing = self.place.archive, self.redline.indexing

        def read() -> tuple[SessionInfo, ...]:
            refreshed = indexing.refreshed
            infos = archive.sessions() if refreshed is None else refreshed.sessions
            if infos != self._loaded:  # else what was read since of those in use is newer
                self.roster.take(infos)
            return infos

        infos = await in_thread(read)
        known = self.known or bool(infos) or indexing.complete
        if infos != self._loaded or known != self.known:
            self._loaded, self.known = infos, known
            self.rearrange()
        shares = await in_thread(lambda: self._shares.of(self.roster.infos))
        if shares != self.roster.shares:
            self.roster.shares = shares
            self.rearrange()
        self.look()

    def rearrange(self) -> None:
        """Shows what is asked for now of what is known now; what was on its way is given up, so
        that nothing older comes after it."""

        async def arrange() -> None:
            self.show_listing(await in_thread(lambda: self.roster.arranged(self.view)))

        beside(self, arrange, "arrange")

    def on_index_moved(self, event: IndexMoved) -> None:
        indexing = self.redline.indexing
        self.query_one(ProgressLine).follow(indexing)
        if event.listed:
            beside(self, self._load, "load")
            self._tell_problems()
        else:
            self.entitle_all()

    def _tell_problems(self) -> None:
        """Says what could not be looked into or read, each once."""
        refreshed = self.redline.indexing.refreshed
        if refreshed is None:
            return
        problems = [
            *(f"{looked.path}: {looked.problem}" for looked in refreshed.looked if looked.problem),
            *refreshed.problems,
        ]
        new = [problem for problem in problems if problem not in self.told]
        self.told.update(new)
        if new:
            self.say("\n".join(new), severity="warning")

    # -- those in use --------------------------------------------------------------------------

    def look(self) -> None:
        """Which sessions are in use, and what has changed; now and then, which are new."""
        if not self.in_front or not self.known:
            return
        rest = max(_AGAIN, self.redline.indexing.seconds * _REST)
        if not self.redline.indexing.running and time.monotonic() > self.indexed + rest:
            self._index()
        elif self._living.due() and not self._looking:
            beside(self, self._look, "live")

    async def _look(self) -> None:
        self._looking = True
        try:
            await self._look_now()
        finally:
            self._looking = False

    async def _look_now(self) -> None:
        seen = await in_thread(lambda: self._living.look(self.roster.infos))
        live = self.roster.in_use(seen.live)
        moved = live != self.roster.live
        self.roster.live = live
        if seen.changed:
            await self._take_in(seen.changed)
        elif moved:
            self.rearrange()
        used = [Path(path) for path, _ in seen.live]
        newest = [info.path for info in self.roster.infos[:_WATCHED]]
        files = dict.fromkeys([*used, *newest])
        folders = dict.fromkeys(path.parent for path in files)
        self._watching.follow([*files, *folders])

    def on_changed(self, event: Changed) -> None:
        """A file that is watched has changed: it is read again, at once or in a moment."""
        if self.roster.note(event.path, gone=event.change is Change.GONE):
            self.rearrange()
        self._touched.add(event.path)
        if len(self._touched) == 1:
            rest = max(_GATHERED, self._busy_until - time.monotonic())
            self.set_timer(rest, self._take_in_touched)

    def _take_in_touched(self) -> None:
        if self.in_front:
            beside(self, self._read_touched, "touched", exclusive=False)

    def catch_up(self) -> None:
        """Takes in what changed while another screen stood over this one, for which all that was
        measured of it would have been too slow."""
        if self._touched:
            self._take_in_touched()
        self.look()

    async def _read_touched(self) -> None:
        touched, self._touched = self._touched, set()
        started = time.monotonic()

        def scanned() -> tuple[SessionInfo, ...]:
            files = (path for path in touched if not path.is_dir())
            return tuple(info for path in files for info in self.place.archive.scan(path))

        changed = await in_thread(scanned)
        await self._take_in(changed)
        known = {info.path for info in changed}
        news = touched - known  # a folder, or a file that is gone
        if news and started > self.indexed + _SOON:
            self._index()
        elif not {key_of(info) for info in changed} <= set(self.roster.live):
            self.look()
        ended = time.monotonic()
        self._busy_until = ended + (ended - started) * _REST

    async def _take_in(self, changed: tuple[SessionInfo, ...]) -> None:
        """Takes what is known now of these sessions, and moves their rows."""
        if not changed:
            return
        await in_thread(lambda: self.roster.update(changed))
        shares = await in_thread(lambda: self._shares.of(changed))
        self.roster.shares = {**self.roster.shares, **shares}
        self.rearrange()
