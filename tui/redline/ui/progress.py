"""How far the indexing is: a line that is there while it goes on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.strip import Strip
from textual.timer import Timer

from redline.ui.inks import Inked
from redline.ui.session_items import size_text

if TYPE_CHECKING:
    from redline.catalogue.refresh import Progress
    from redline.ui.indexing import Indexing

PATIENCE = 0.4  # seconds before it is shown: what is over by then needs no bar
EVERY = 0.2  # seconds between two pictures


class ProgressLine(Inked):
    """A bar and, in figures, sessions and megabytes done of all. It takes no room while there is
    nothing to tell."""

    INKS: ClassVar[Mapping[str, str]] = {
        "progress--done": "bold $primary",
        "progress--rest": "$faint",
    }
    DEFAULT_CSS = """
    ProgressLine {
        height: 1;
        display: none;
        padding: 0 1;
        background: $panel;
        color: $faint;
    }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._indexing: Indexing | None = None
        self._timer: Timer | None = None

    def follow(self, indexing: Indexing) -> None:
        """Shows how far `indexing` is as long as it runs."""
        self._indexing = indexing
        if indexing.running and self._timer is None:
            self._timer = self.set_interval(EVERY, self._look)
            self.set_timer(PATIENCE, self._appear)
        elif not indexing.running:
            self._end()

    def _appear(self) -> None:
        self.display = self._indexing is not None and self._indexing.running

    def _look(self) -> None:
        if self._indexing is None or not self._indexing.running:
            self._end()
        elif self.display:
            self.refresh()

    def _end(self) -> None:
        self.display = False
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def render_line(self, y: int) -> Strip:  # noqa: ARG002 - there is one line
        width, base = self.size.width, self.ground
        step = self._indexing.progress if self._indexing is not None else None
        words = progress_words(step)
        room = width - len(words) - len("indexing  ") - 2
        segments = [Segment("indexing  ", base)]
        if step is not None and step.total and room >= 8:
            done = min(room, round(room * _share(step)))
            segments += [
                Segment("=" * done, base + self.style_of("progress--done")),
                Segment("." * (room - done), base + self.style_of("progress--rest")),
                Segment("  ", base),
            ]
        segments.append(Segment(words, base))
        return Strip(segments).adjust_cell_length(width, base)


def progress_words(step: Progress | None) -> str:
    """`120 of 480 sessions, 45M of 190M`; files looked at, as long as their total is unknown."""
    if step is None:
        return "looking for what is new"
    if not step.total:
        return f"{step.done:,} files looked at"
    words = f"{step.done:,} of {step.total:,} sessions"
    if step.total_bytes:
        words += f", {size_text(step.done_bytes)} of {size_text(step.total_bytes)}"
    return words


def _share(step: Progress) -> float:
    """Between 0 and 1: by bytes where they are known, for files are of very unequal size."""
    if step.total_bytes:
        return min(1.0, step.done_bytes / step.total_bytes)
    return min(1.0, step.done / step.total) if step.total else 0.0
