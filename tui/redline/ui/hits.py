"""The hits of a search under their sessions, and the preview of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from redline.context.window import Category
from redline.ui.heights import Heights
from redline.ui.lines import LineList, Run, padded, strip_of
from redline.ui.marked import around, lines
from redline.ui.marks import CURSOR
from redline.ui.search_items import CATEGORY, LETTER, WORD, Excerpt, Group
from redline.ui.session_items import LETTER as AGENT_LETTER
from redline.ui.session_items import ago, project_name
from redline.ui.untrusted import fitted, fitted_end, wrapped

if TYPE_CHECKING:
    from redline.catalogue.search import Hit

_LINES = 400  # of the passage that was found; its neighbours have fewer
_EDGE_LINES = 4


class MarkedLines(LineList):
    """Lines whose found words stand out: bold and underlined, and in a colour."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("list",)
    INKS: ClassVar[Mapping[str, str]] = {
        **{f"hits--{one.value}": f"$category-{one.value}" for one in Category},
        "hits--found": "bold underline $accent",
    }

    def runs(self, pieces: Sequence[tuple[str, bool]], style: Style) -> list[Run]:
        """The pieces of a line, what is marked in its own style."""
        found = style + self.style_of("hits--found")
        return [(text, found if hit else style) for text, hit in pieces]


class HitList(MarkedLines):
    """Hits by session; a heading names the session."""

    HELP = (
        "What was found, by session: u what you said, a what the agent said, c a call, r its "
        "result, s a summary, i what was put in. Enter opens the session at the message."
    )

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._rows: list[Group | Hit] = []
        self._now: datetime | None = None
        self._home = ""
        self._empty = ""
        self._words: list[str] = []

    def base_of(self, row: int) -> Style:
        """The cursor is as strong while one types: up and down move it then, too."""
        return self.ground + self.style_of("lines--cursor") if row == self.cursor else self.ground

    @property
    def hit(self) -> Hit | None:
        """The hit under the cursor."""
        row = self._rows[self.cursor] if self.can_stand(self.cursor) else None
        return None if row is None or isinstance(row, Group) else row

    def show(self, rows: list[Group | Hit], now: datetime, home: str, empty: str) -> None:
        """Shows `rows`, or the words `empty` where there are none. The cursor stays on its hit."""
        before, top = self.hit, self.scroll_offset.y
        beneath = self.cursor - top
        self._rows, self._now, self._home, self._empty = rows, now, home, empty
        self._lay_out()
        place = next((at for at, row in enumerate(rows) if same(row, before)), 0) if before else 0
        self.go_to(place)
        if not place:
            self.scroll_to(y=0, animate=False)
        elif top:  # what is found above it now does not move it on the screen
            self.scroll_to(y=max(0, place - beneath), animate=False)

    def _lay_out(self) -> None:
        """The rows, or the words that stand there instead."""
        self._words = [] if self._rows else wrapped(self._empty, self.line_width - 4, 12)[0]
        self.set_rows(Heights(len(self._rows) or len(self._words)))

    def on_resize(self) -> None:
        self._lay_out()
        super().on_resize()

    def can_stand(self, row: int) -> bool:
        return 0 <= row < len(self._rows) and not isinstance(self._rows[row], Group)

    def render_row(self, row: int, line: int, width: int) -> Strip:  # noqa: ARG002 - one line each
        if not self._rows:
            return strip_of(
                [(f"  {self._words[row]}", self.style_of("lines--faint"))], width, self.ground
            )
        held = self._rows[row]
        base = self.base_of(row) if self.can_stand(row) else self.ground
        return strip_of(
            self._heading(held, width) if isinstance(held, Group) else self._line(held, row, width),
            width,
            base,
        )

    def _heading(self, group: Group, width: int) -> list[Run]:
        info = group.info
        when = ago(info.updated, self._now) if self._now is not None else ""
        project = fitted_end(project_name(info.project or "", self._home), width // 3).plain
        right = f"{project}  {when:>4} "
        left = f" {AGENT_LETTER[info.agent]} "
        name = info.title or info.first_prompt or info.id
        title = fitted(name, width - len(left) - cell_len(right) - 1).plain
        heading = self.style_of("lines--heading")
        return [
            (left, heading),
            (padded(title, width - len(left) - cell_len(right)), heading),
            (right, self.style_of("lines--faint")),
        ]

    def _line(self, hit: Hit, row: int, width: int) -> list[Run]:
        cursor = CURSOR if row == self.cursor else " "
        when = ago(hit.time, self._now) if self._now is not None and hit.time is not None else ""
        left, right = f"{cursor} {LETTER[hit.kind]}  ", f" {when:>4} "
        room = width - len(left) - len(right)
        pieces = around(hit.snippet, hit.spans, room)
        used = sum(cell_len(text) for text, _ in pieces)
        return [
            (left, self.style_of(f"hits--{CATEGORY[hit.kind].value}")),
            *self.runs(pieces, Style()),
            (" " * (room - used), Style()),
            (right, self.style_of("lines--faint")),
        ]


def same(row: Group | Hit | None, hit: Hit | None) -> bool:
    """Whether both are one passage, of a session that may have grown between two searches."""
    if row is None or hit is None:
        return row is hit
    return (
        not isinstance(row, Group)
        and row.info.id == hit.info.id
        and (row.info.path, row.record, row.start, row.kind)
        == (hit.info.path, hit.record, hit.start, hit.kind)
    )


class Preview(MarkedLines):
    """The passage under the cursor with what stands before and after it."""

    HELP = "The passage that was found, between its neighbours. Enter on the hit opens it."

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._excerpts: Sequence[Excerpt] = ()
        self.lines: list[list[Run]] = []
        self._shown_width = -1

    def show(self, excerpts: Sequence[Excerpt]) -> None:
        """Shows `excerpts`, scrolled to the first place that was found."""
        self._excerpts = excerpts
        self._lay_out()

    def _lay_out(self) -> None:
        width = self._shown_width = self.line_width
        self.lines = []
        first = title = 0
        for excerpt in self._excerpts if width > 0 else ():
            if self.lines:
                self.lines.append([])
            title = len(self.lines) if excerpt.found else title
            self.lines.append(self._title(excerpt))
            style = Style() if excerpt.found else self.style_of("lines--faint")
            shown = lines(excerpt.text, width - 3, _LINES if excerpt.found else _EDGE_LINES)
            for pieces in shown:
                if excerpt.found and not first and any(hit for _, hit in pieces):
                    first = len(self.lines)
                self.lines.append([("  ", style), *self.runs(pieces, style)])
        self.set_rows(Heights(len(self.lines)))
        self.set_reactive(LineList.cursor, first)
        self.call_after_refresh(self._scroll_to_found, title, first)
        self.refresh()

    def _scroll_to_found(self, title: int, first: int) -> None:
        """What was found in sight: below all that comes before, or its own title, or whatever."""
        page = self.page - 2
        top = 0 if first < page else title if first - title < page else first - page // 3
        self.scroll_to(y=top, animate=False)

    def _title(self, excerpt: Excerpt) -> list[Run]:
        when = f"{excerpt.time.astimezone():%Y-%m-%d %H:%M}" if excerpt.time else ""
        left_out = excerpt.before + excerpt.after
        more = f"{left_out:,} characters more" if left_out else ""
        words = ", ".join(filter(None, (when, more)))
        kind = self.style_of(f"hits--{CATEGORY[excerpt.kind].value}")
        return [
            (f" {WORD[excerpt.kind]:<9}", kind + Style(bold=excerpt.found)),
            (words, self.style_of("lines--faint")),
        ]

    def notify_style_update(self) -> None:
        super().notify_style_update()
        if self.is_mounted:
            self._lay_out()

    def on_resize(self) -> None:
        if self.line_width != self._shown_width:
            self._lay_out()

    def render_row(self, row: int, line: int, width: int) -> Strip:  # noqa: ARG002 - one line each
        base = self.base_of(row) if self.has_focus else self.ground
        return strip_of(self.lines[row], width, base)
