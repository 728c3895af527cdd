"""Receipts: what was written so far, and the way back."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from redline.targets.receipt import DONE, Receipt
from redline.text import counted
from redline.ui.actions import bindings
from redline.ui.card import Card
from redline.ui.items import Item, Items
from redline.ui.lines import LineList
from redline.ui.marks import CHECK, CROSS
from redline.ui.panes import Pane, PaneTitle
from redline.ui.screen import RedlineScreen
from redline.ui.session_items import ago
from redline.ui.taking_back import take_back
from redline.ui.text_lines import TextLines
from redline.ui.threads import beside, in_thread


class ReceiptsScreen(RedlineScreen[None]):
    """Every commit, newest first, with what it changed."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("receipts",)
    NAME = "Receipts"
    HELP = (
        "Every commit that redline made, newest first. U takes the one under the cursor back: a "
        "file that changed since stays as it is, of a file with a block only the block goes back. "
        "An undo is a commit as well and can be taken back in turn. Enter shows what was there "
        "before, whole."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("receipts")
    AUTO_FOCUS = "#receipts"

    def __init__(self) -> None:
        super().__init__()
        self._receipts: tuple[Receipt, ...] = ()

    def compose_body(self) -> Iterable[Widget]:
        with Horizontal(classes="columns reversed"):
            with Pane(classes="second"):
                yield PaneTitle("receipts")
                yield Items(id="receipts", empty="Nothing was written yet.")
            with Pane(classes="first"):
                yield PaneTitle("what it changed", id="changed-title")
                yield TextLines(id="changed", difference=True)

    def on_mount(self) -> None:
        self.query_one("#receipts", Items).show(())
        self._read()

    def _read(self) -> None:
        async def read() -> None:
            from redline.targets.receipts import Receipts

            places = self.place.places
            self._receipts = await in_thread(lambda: Receipts(places).list())
            self._show()

        beside(self, read, "read")

    def _show(self) -> None:
        now = self.place.now()
        self.query_one("#receipts", Items).show(
            [
                Item(
                    _name(receipt),
                    mark=_mark(receipt),
                    right=f"{_state(receipt)} {ago(receipt.time, now):>4}",
                    style="faint" if receipt.undone else "good" if receipt.id else "bad",
                    whole=receipt.undone is not None,
                    key=receipt.id,
                )
                for receipt in self._receipts
            ]
        )
        self.entitle("", counted(len(self._receipts), "commit"))
        self._show_changes()

    def _current(self) -> Receipt | None:
        item = self.query_one("#receipts", Items).current
        return next((r for r in self._receipts if item is not None and r.id == item.key), None)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        if event.lines.id == "receipts":
            self._show_changes()

    def _show_changes(self) -> None:
        receipt = self._current()
        if receipt is None:
            return

        async def show() -> None:
            lines = await in_thread(lambda: self._lines(receipt))
            self.query_one("#changed", TextLines).show(lines)

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
        """What was there before the commit under the cursor."""
        if (receipt := self._current()) is not None:
            beside(self, partial(self._original, receipt), "original")

    async def _original(self, receipt: Receipt) -> None:
        def lines() -> list[str]:
            from redline.targets.archive import Archive

            archive = Archive(self.place.places)
            found: list[str] = []
            for number, written in enumerate(receipt.written):
                data = archive.open(receipt, number)
                text = "(it was not there)" if data is None else data.decode("utf-8", "replace")
                found += [f"{written.path}:", "", *text.splitlines(), ""]
            return found

        found = await in_thread(lines)
        self.app.push_screen(Card("What was there before", found or [receipt.detail]))

    def action_undo(self) -> None:
        receipt = self._current()
        if receipt is None:
            return

        async def undo() -> None:
            await take_back(self, receipt.id)
            self._read()

        beside(self, undo, "undo")

    def action_back(self) -> None:
        self.dismiss(None)


def _name(receipt: Receipt) -> str:
    """Which project it was written for, and what: names of handoff files look all the same."""
    words = [
        "handoff" if written.target == "handoff" else written.path.name
        for written in receipt.written
    ]
    project = Path(receipt.project).name if receipt.project else ""
    return ": ".join(filter(None, (project, ", ".join(words) or receipt.detail)))


def _mark(receipt: Receipt) -> str:
    if receipt.undone is not None:
        return "-"
    return CHECK if receipt.state == DONE else CROSS


def _state(receipt: Receipt) -> str:
    if receipt.undone is not None:
        return "taken back"
    if receipt.undoes is not None:
        return "undo"
    return "" if receipt.state == DONE else receipt.state
