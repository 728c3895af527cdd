"""The commit: where the handoff is written, and exactly what that changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from redline.review import Review
from redline.ui.actions import bindings
from redline.ui.clipboard import copy_text
from redline.ui.commit_choices import offers
from redline.ui.editor import outside
from redline.ui.heights import Heights
from redline.ui.items import Item, Items
from redline.ui.lines import LineList
from redline.ui.marks import CHECK, CROSS
from redline.ui.offer import Offer, changed_since, chosen_changes
from redline.ui.onward import Onward
from redline.ui.panes import Pane, PaneTitle
from redline.ui.recovering import recovered
from redline.ui.screen import RedlineScreen
from redline.ui.taking_back import take_back
from redline.ui.text_lines import TextLines
from redline.ui.threads import beside, in_thread

if TYPE_CHECKING:
    from redline.targets.receipt import Receipt


_READ = 16  # lines of a warning
_BESIDE = 6  # lines for warnings where there is a difference beneath them


class _Warnings(Items):
    """As high as what it says, at most `most` lines. How many those are is only known once it has a
    width, and that it has not while it is hidden."""

    most = _READ

    def set_rows(self, heights: Heights, *, repaint: bool = True) -> None:
        super().set_rows(heights, repaint=repaint)
        self.styles.height = min(self.most, max(1, heights.total))


class CommitScreen(RedlineScreen[None]):
    """Targets to tick, and the difference each makes. Nothing is written before enter."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("commit",)
    NAME = "Commit"
    HELP = (
        "Tick where the handoff goes. On the right is the exact difference that writing makes to "
        "that file, or what the agent will find in its new session. Enter writes; enter once more "
        "starts the agent on it. U takes it back, now or later from the receipts (F8)."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("commit")
    AUTO_FOCUS = "#targets"

    def __init__(self, review: Review) -> None:
        super().__init__()
        self.review = review
        self._offers: tuple[Offer, ...] = ()
        self._ticked: dict[str, bool] = {}
        self._done: dict[str, str] = {}
        self._receipt: Receipt | None = None
        self._onward: Onward | None = None

    @property
    def idle(self) -> frozenset[str]:
        without_command = () if self._command else ("copy_command",)
        without_receipt = () if self._receipt is not None else ("undo_commit",)
        return frozenset((*without_command, *without_receipt))

    @property
    def _command(self) -> str:
        return self._onward.line if self._onward is not None else ""

    def compose_body(self) -> Iterable[Widget]:
        with Horizontal(classes="columns reversed"):
            with Pane(classes="second"):
                yield PaneTitle("targets", id="targets-title")
                yield Items(id="targets", empty="Looking at the files ...")
                yield Items(id="done", word_width=9)
            with Pane(classes="first"):
                yield PaneTitle("difference", id="difference-title")
                yield _Warnings(id="warnings")
                yield TextLines(id="difference", difference=True)

    def on_mount(self) -> None:
        self.entitle(self.review.session.info.title, "nothing is written yet")
        self.query_one("#targets", Items).show(())
        self.query_one("#done").display = False
        self.query_one("#warnings").display = False
        self._look()

    def _look(self) -> None:
        """Asks every target what it would change now."""

        async def look() -> None:
            found = await in_thread(
                lambda: offers(self.review, self.place, self._to_terminal, self._print_later)
            )
            first = not self._offers
            before = {offer.name: offer for offer in self._offers if offer.name in self._done}
            self._offers = tuple(before.get(offer.name, offer) for offer in found)
            if first:
                self._ticked = {offer.name: offer.ticked and offer.possible for offer in found}
            self._show()
            self._show_difference()

        beside(self, look, "look")

    def _to_terminal(self, sequence: str) -> None:
        driver = self.app._driver  # Textual's own copy_to_clipboard writes this way too
        if driver is not None:
            driver.write(sequence)

    def _print_later(self, text: str) -> None:
        self.redline.outcome = self.redline.outcome.wrote((), self._command, text)

    # -- showing -------------------------------------------------------------------------------

    def _show(self) -> None:
        items = [
            Item(
                offer.name,
                mark=f"[{'x' if self._ticked.get(offer.name) else ' '}]"
                if offer.possible
                else " - ",
                right=self._done.get(offer.name, offer.about),
                style="good" if self._ticked.get(offer.name) else "faint",
                whole=not offer.possible,
                lines=2,
                key=offer.name,
            )
            for offer in self._offers
        ]
        self.query_one("#targets", Items).show(items)
        count = sum(self._ticked.get(offer.name, False) for offer in self._offers)
        self.query_one("#targets-title", PaneTitle).show(f"{count} ticked")

    def _current(self) -> Offer | None:
        item = self.query_one("#targets", Items).current
        return next((o for o in self._offers if item is not None and o.name == item.key), None)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        if event.lines.id == "targets":
            self._show_difference()

    def _show_difference(self) -> None:
        offer = self._current()
        if offer is None:
            return
        change = offer.change
        warnings = [Item(offer.trouble, mark=CROSS, style="bad", inert=True, lines=_READ)]
        if change is not None:
            warnings = [
                Item(text, mark="!", style="warn", inert=True, lines=_READ)
                for text in change.warnings
            ]
        warnings = warnings if change is not None or offer.trouble else []
        warnings += [
            Item(text, mark="i", style="faint", inert=True, lines=_READ) for text in offer.notes
        ]
        pane = self.query_one("#warnings", _Warnings)
        pane.most = _BESIDE if change is not None else _READ
        pane.show(warnings)
        pane.display = bool(warnings)
        path = str(change.path) if change is not None and change.path else offer.name
        self.query_one("#difference-title", PaneTitle).show(path)
        lines = offer.lines or (("no difference",) if change is not None else ())
        self.query_one("#difference", TextLines).show(lines)

    # -- commands ------------------------------------------------------------------------------

    def action_tick(self) -> None:
        offer = self._current()
        if offer is not None and offer.possible:
            self._ticked[offer.name] = not self._ticked.get(offer.name, False)
            self._done.pop(offer.name, None)
            self._show()
        elif offer is not None:
            self.say(offer.trouble or "There is nothing to write there.")

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        if event.lines.id == "targets":
            self.action_write()

    def action_write(self) -> None:
        """Writes to the ticked targets: files all or none, then the others."""
        chosen = [o for o in self._offers if self._ticked.get(o.name) and o.name not in self._done]
        if not chosen:
            if self._onward is not None:
                self._start(self._onward)
            else:
                done = any(self._ticked.values())
                self.say("That is written already." if done else "Nothing is ticked; space ticks.")
            return
        beside(self, partial(self._write, chosen), "write")

    def _start(self, onward: Onward) -> None:
        """The agent in this terminal, until it ends."""
        status = self.attempt(
            lambda: outside(
                self.app,
                lambda: self.place.start(onward, self.place.environment),
                needs_terminal=self.place.needs_terminal,
            )
        )
        if status:
            self.say(f"{onward.argv[0]} ended with {status}.", severity="warning")

    async def _write(self, chosen: list[Offer]) -> None:
        from redline.targets.commit import commit

        place, info = self.place, self.review.session.info
        await recovered(self, place)
        changes = chosen_changes(tuple(chosen), dict.fromkeys((o.name for o in chosen), True))
        if moved := await in_thread(lambda: changed_since(changes)):
            self.say(
                f"{moved} has changed since it was shown; look at what writing would do now.",
                severity="warning",
            )
            self._look()
            return
        if changes:
            receipt = await in_thread(
                lambda: commit(changes, session=info, places=place.places, now=place.now())
            )
            self._receipt = receipt if receipt.id else self._receipt
            paths = [written.path for written in receipt.written]
            self._onward = _onward(chosen) or self._onward
            self.redline.outcome = self.redline.outcome.wrote(paths, self._command)
            self._done.update({o.name: f"written {CHECK}" for o in chosen if o.put is None})
        for offer in chosen:
            if offer.put is not None:
                self._done[offer.name] = f"{offer.put()} {CHECK}"
        self._show()
        self._show_done()
        self._look()

    def _show_done(self) -> None:
        """What was written where, and the command that goes on from there."""
        items: list[Item] = []
        if self._receipt is not None:
            items.append(Item("written; U takes it back", heading=True))
            items += [
                Item(str(written.path), mark=CHECK, style="good", lines=4, inert=True)
                for written in self._receipt.written
            ]
        if self._command:
            items += [
                Item("enter goes on with (y copies it)", heading=True),
                Item(self._command, mark="$", style="warn", lines=8, inert=True),
            ]
        pane = self.query_one("#done", Items)
        pane.display = bool(items)
        self.set_class(bool(items), "-written")
        pane.show(items)
        self.show_keys()
        self.entitle(
            self.review.session.info.title,
            "nothing is written yet"
            if not items
            else "written"
            if self._onward is None
            else f"written, enter starts {self._onward.argv[0]}",
        )

    def action_copy_command(self) -> None:
        if self._command:
            copy_text(self.redline, self._command)
        else:
            self.say("There is a command once a handoff file or a session is written.")

    def action_undo_commit(self) -> None:
        receipt = self._receipt
        if receipt is None:
            self.say("Nothing was written from here yet; F8 lists earlier commits.")
            return

        async def undo() -> None:
            result = await take_back(self, receipt.id)
            if result.complete:
                self._receipt, self._onward = None, None
                self._done = {}
                paths = [written.path for written in receipt.written]
                self.redline.outcome = self.redline.outcome.took_back(paths)
            self._show()
            self._show_done()
            self._look()

        beside(self, undo, "write")

    def copied_text(self) -> Callable[[], str] | None:
        offer = self._current()
        if offer is None:
            return None
        text = "\n".join(offer.lines)
        return lambda: text

    def action_back(self) -> None:
        self.dismiss(None)


def _onward(chosen: list[Offer]) -> Onward | None:
    """What starts the agent on what was written: on its own session rather than on a file."""
    ways = [offer.onward for offer in chosen if offer.onward is not None]
    return ways[-1] if ways else None
