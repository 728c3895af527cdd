"""Receipts: what was written so far, what was there before, and the way back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from redline.targets.receipt import Receipt
from redline.text import counted
from redline.ui.actions import bindings
from redline.ui.card import Card
from redline.ui.dialogs import Ask
from redline.ui.items import Items
from redline.ui.lines import LineList
from redline.ui.panes import Pane, PaneTitle
from redline.ui.receipts_items import place_item, pruned_lines, receipt_item
from redline.ui.recovering import recovered
from redline.ui.screen import RedlineScreen
from redline.ui.taking_back import take_back
from redline.ui.text_lines import TextLines
from redline.ui.threads import beside, in_thread

if TYPE_CHECKING:
    from redline.targets.archive import Place
    from redline.targets.pruning import Pruned

_OLDER = timedelta(days=30)  # as `redline receipts prune` takes them


class ReceiptsScreen(RedlineScreen[None]):
    """Every commit, newest first, with what it changed; or the lines of all that they keep in
    which a text was found."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("receipts",)
    NAME = "Receipts"
    HELP = (
        "Every commit that redline made, newest first. U takes the one under the cursor back: a "
        "file that changed since stays as it is, of a file with a block only the block goes back. "
        "An undo is a commit as well and can be taken back in turn. Enter shows what was there "
        "before, whole. / looks for a text in everything that receipts keep: - marks what was "
        "there before a commit, + what it wrote. P takes away those older than 30 days, after it "
        "has shown which."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("receipts")
    AUTO_FOCUS = "#receipts"

    def __init__(self) -> None:
        super().__init__()
        self._receipts: tuple[Receipt, ...] = ()
        self._sought = ""
        self._places: tuple[Place, ...] = ()

    def compose_body(self) -> Iterable[Widget]:
        with Horizontal(classes="columns reversed"):
            with Pane(classes="second"):
                yield PaneTitle("receipts", id="receipts-title")
                yield Items(id="receipts", empty="Nothing was written yet.")
            with Pane(classes="first"):
                yield PaneTitle("what it changed", id="changed-title")
                yield TextLines(id="changed", difference=True)

    @property
    def idle(self) -> frozenset[str]:
        return frozenset() if self._current() is not None else frozenset(("undo", "original"))

    def on_mount(self) -> None:
        self.query_one("#receipts", Items).show(())

    def on_screen_resume(self) -> None:
        """It may have been seen before: since then more may be written, or taken back."""
        self._read()

    def _read(self) -> None:
        async def read() -> None:
            from redline.targets.receipts import Receipts

            place = self.place
            await recovered(self, place)
            self._receipts = await in_thread(lambda: Receipts(place.places).list())
            self._show()

        beside(self, read, "read")

    def _show(self) -> None:
        now = self.place.now()
        items = self.query_one("#receipts", Items)
        title = self.query_one("#receipts-title", PaneTitle)
        if self._sought:
            title.show("what they keep")
            items.say_when_empty("No receipt keeps that text.")
            items.show([place_item(n, place, now) for n, place in enumerate(self._places)])
            self.entitle(f'"{self._sought}"', counted(len(self._places), "line"))
        else:
            title.show("")
            items.say_when_empty("Nothing was written yet.")
            items.show([receipt_item(receipt, now) for receipt in self._receipts])
            self.entitle("", counted(len(self._receipts), "commit"))
        self._show_changes()
        self.show_keys()

    def _found(self) -> Place | None:
        """The line under the cursor, while lines that were found are listed."""
        item = self.query_one("#receipts", Items).current
        if item is None or not self._sought or not isinstance(item.key, int):
            return None  # the last where what was found is on its way to the list
        return self._places[item.key]

    def _current(self) -> Receipt | None:
        if (found := self._found()) is not None:
            return found.receipt
        item = self.query_one("#receipts", Items).current
        return next((r for r in self._receipts if item is not None and r.id == item.key), None)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        if event.lines.id == "receipts":
            self._show_changes()

    def _show_changes(self) -> None:
        receipt, found = self._current(), self._found()

        async def show() -> None:
            lines = await in_thread(lambda: self._lines(receipt)) if receipt else []
            at = 0 if found is None else _line_of(found, lines)
            self.query_one("#changed", TextLines).show(lines, at)

        beside(self, show, "changes")

    def _lines(self, receipt: Receipt) -> list[str]:
        from redline.targets.difference import compare
        from redline.targets.receipts import Receipts

        receipts = Receipts(self.place.places)
        lines: list[str] = []
        for number, (written, now) in enumerate(
            zip(receipt.written, receipts.standing(receipt), strict=True)
        ):
            before, after = receipts.sides(receipt, number)
            lines += [f"{now.value}: {written.path}", *compare(before, after, written.path), ""]
        return lines or [receipt.detail]

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        if event.lines.id == "receipts":
            self.action_original()

    def action_original(self) -> None:
        """What was there before the commit under the cursor; of a line that was found the file in
        which it stands."""
        found, receipt = self._found(), self._current()
        if receipt is not None:
            beside(self, partial(self._original, receipt, found), "original")

    async def _original(self, receipt: Receipt, found: Place | None) -> None:
        def lines() -> list[str]:
            from redline.targets.archive import BEFORE, Archive

            archive = Archive(self.place.places)
            told: list[str] = []
            for number, written in enumerate(receipt.written):
                if found is not None and number != found.number:
                    continue
                data = archive.open(receipt, number, found.side if found else BEFORE)
                text = "(it was not there)" if data is None else data.decode("utf-8", "replace")
                told += [f"{written.path}:", "", *text.split("\n"), ""]
            return told

        told = await in_thread(lines)
        written = found is not None and found.side == "after"
        title = "What was written" if written else "What was there before"
        at = found.line + 1 if found is not None else 0  # behind the path and an empty line
        self.app.push_screen(Card(title, told or [receipt.detail], at=at))

    def action_find(self) -> None:
        """Asks for a text and lists where it stands in what receipts keep."""

        def answered(text: str | None) -> None:
            if text is not None:
                self._sought = text
                beside(self, self._find, "find")

        hint = "in every file as it was and as it was written; enter finds it, esc leaves"
        self.app.push_screen(Ask("Find in what receipts keep", self._sought, hint), answered)

    async def _find(self) -> None:
        from redline.targets.archive import Archive

        text, places, damaged = self._sought, self.place.places, list[str]()

        def search() -> tuple[Place, ...]:
            other = lambda: self._sought != text  # noqa: E731 - asked for meanwhile
            return tuple(Archive(places).search(text, cancelled=other, damaged=damaged.append))

        self._places = await in_thread(search) if text else ()
        self._show()
        if damaged:
            self.say("\n".join(("Not searched:", *damaged)), severity="warning")

    def action_prune(self) -> None:
        """Shows which receipts are old enough to go, and takes them away where that is meant."""
        before = self.place.now() - _OLDER

        async def look() -> None:
            would = await self._pruned(before, dry_run=True)
            if not would.receipts:
                older = counted(len(would.kept), "older one")
                keeps = "keeps" if len(would.kept) == 1 else "keep"
                why = f"{older} {keeps} what is nowhere else" if would.kept else "none is that old"
                self.say(f"Nothing to prune: {why}.")
                return

            def answered(yes: bool | None) -> None:
                if yes:
                    beside(self, prune, "prune")

            title = f"Prune {counted(len(would.receipts), 'receipt')} older than 30 days?"
            hint = f"enter takes them away ({would.freed:,} bytes), esc leaves them"
            self.app.push_screen(Card(title, list(pruned_lines(would)), hint=hint), answered)

        async def prune() -> None:
            done = await self._pruned(before, dry_run=False)
            self.say(f"{counted(len(done.receipts), 'receipt')} gone, {done.freed:,} bytes freed.")
            self._sought, self._places = "", ()
            self._read()

        beside(self, look, "prune")

    async def _pruned(self, before: datetime, *, dry_run: bool) -> Pruned:
        from redline.targets.pruning import prune

        places = self.place.places
        return await in_thread(lambda: prune(places, before=before, dry_run=dry_run))

    def action_undo(self) -> None:
        receipt = self._current()
        if receipt is None:
            return

        async def undo() -> None:
            await take_back(self, receipt.id)
            self._read()

        beside(self, undo, "undo")

    def action_back(self) -> None:
        if self._sought:
            self._sought, self._places = "", ()
            self._show()
        else:
            self.dismiss(None)


def _line_of(found: Place, lines: Sequence[str]) -> int:
    """Where among the `lines` of a difference what was found stands; 0 where it is not shown."""
    sign = "-" if found.side == "before" else "+"
    wanted = (f"{sign}{found.text}", f" {found.text}")
    return next((row for row, line in enumerate(lines) if line.startswith(wanted)), 0)
