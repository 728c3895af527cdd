"""The list of sessions: any number of rows, each made when it is drawn."""

from __future__ import annotations

from datetime import UTC, datetime

from redline.model import SessionInfo
from redline.ui.heights import Heights
from redline.ui.items import Item, Items
from redline.ui.roster import Heading, Listing, Roster, View, key_of
from redline.ui.session_items import heading_item, session_item

_KEPT = 2_000  # rows that were drawn and are kept


class SessionList(Items):
    """The rows of a listing. The cursor stays on its session wherever that moves to; until it is
    `held` (by a person who moves it, or once the list is whole) it stays on the first row."""

    HELP = (
        "Every session of every agent that was found. A star is a session in use; the word beside "
        "it is what tells so: open (its agent says so), in a turn, or recent (it changed in the "
        "last two minutes). An arrow marks a copy of another session."
    )

    def __init__(self, roster: Roster, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, word_width=2)
        self.held = False
        self._roster = roster
        self._listing = Listing()
        self._view = View()
        self._made: dict[int, Item] = {}
        self._now = datetime.min.replace(tzinfo=UTC)
        self._home = ""
        self._placing = False

    @property
    def session(self) -> SessionInfo | None:
        """The session under the cursor."""
        item = self.current
        return item.key if item is not None and isinstance(item.key, SessionInfo) else None

    def show_listing(self, listing: Listing, view: View, now: datetime, home: str) -> None:
        """Shows `listing`, which `view` asked for, as of `now`. Quick for any number of rows."""
        before, top = self.session, self.scroll_offset.y
        beneath = self.heights.top(self.cursor) - top
        self._listing, self._view = listing, view
        self._now, self._home = now, home
        self._made.clear()
        self._shown.clear()
        if not listing.rows:
            self.show(())
            return
        self._items = ()
        self._placing = True
        self._shown_width = self.line_width
        self.set_rows(Heights(len(listing.rows)))
        row = None if before is None else listing.places.get(key_of(before))
        if row is None or not self.held:
            self.cursor = 0
            self.scroll_to(y=0, animate=False)
        else:
            self.cursor = row
            if top or row >= self.page:  # what moves above it does not move it on the screen
                self.scroll_to(y=max(0, row - beneath), animate=False)
            self.show_cursor()
        self._placing = False

    def tick(self, now: datetime) -> None:
        """Time has gone: the ages are others."""
        self._now = now
        self._made.clear()
        self._shown.clear()
        self.refresh()

    def item(self, row: int) -> Item:
        if not self._listing.rows:
            return super().item(row)
        found = self._made.get(row)
        if found is None:
            if len(self._made) >= _KEPT:
                self._made.clear()
                self._shown.clear()
            held = self._listing.rows[row]
            if isinstance(held, Heading):
                found = heading_item(held, self._home)
            else:
                wide = self.app.size.width >= 100
                found = session_item(held, self._roster, self._view, self._now, wide=wide)
            self._made[row] = found
        return found

    def can_stand(self, row: int) -> bool:
        if not self._listing.rows:
            return super().can_stand(row)
        return 0 <= row < len(self._listing.rows) and not isinstance(
            self._listing.rows[row], Heading
        )

    def cursor_moved(self, old: int, new: int) -> None:
        self.held = self.held or not self._placing
        super().cursor_moved(old, new)

    def on_resize(self) -> None:
        self._made.clear()
        super().on_resize()

    def _measure(self) -> Heights:
        if not self._listing.rows:
            return super()._measure()
        self._shown_width = self.line_width
        return Heights(len(self._listing.rows))
