"""Frames of panes: titles that show the focus, and tabs."""

from __future__ import annotations

from textual import events
from textual.app import RenderResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from redline.ui.untrusted import fitted_end


class Pane(Vertical):
    """A column with a title; its class `-active` says that the focus is inside."""

    def on_descendant_focus(self) -> None:
        self.add_class("-active")

    def on_descendant_blur(self) -> None:
        self.remove_class("-active")


class PaneTitle(Widget):
    """The line above a pane: its name, and a remark at the right end."""

    DEFAULT_CSS = """
    PaneTitle { height: 1; background: $panel; color: $foreground 80%; }
    """

    def __init__(self, text: str, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id, classes=classes)
        self._text = text
        self._remark = ""

    def show(self, remark: str) -> None:
        if remark != self._remark:
            self._remark = remark
            self.refresh()

    def render(self) -> RenderResult:
        remark = fitted_end(self._remark, self.size.width - len(self._text) - 4)
        gap = " " * max(1, self.size.width - len(self._text) - remark.cell_length - 2)
        return Content.assemble(f" {self._text}", gap, remark, " ")


class PaneTabs(Widget):
    """The line above panes that share a place: which there are, and which is shown."""

    DEFAULT_CSS = """
    PaneTabs { height: 1; background: $panel; color: $foreground 80%; }
    """

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, names: tuple[str, ...], *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self._names = names
        self._counts: dict[str, str] = {}
        self.active = names[0]

    def choose(self, name: str) -> None:
        self.active = name
        self.refresh()

    def count(self, name: str, text: str) -> None:
        """A figure beside the name of a tab."""
        if self._counts.get(name) != text:
            self._counts[name] = text
            self.refresh()

    def _labels(self) -> list[tuple[str, str]]:
        """Key, name and figure of each; where there is no room without the keys, then bare."""
        numbered = list(enumerate(self._names, start=1))
        count = self._counts.get
        choices = (
            {name: f"{number} {name} {count(name, '')}".rstrip() for number, name in numbered},
            {name: f"{name} {count(name, '')}".rstrip() for name in self._names},
            {name: name for name in self._names},
        )
        fitting = (c for c in choices if sum(len(t) + 2 for t in c.values()) <= self.size.width)
        texts = next(fitting, choices[-1])
        return [(n, f"[{text}]" if n == self.active else f" {text} ") for n, text in texts.items()]

    def render(self) -> RenderResult:
        pieces: list[tuple[str, str] | str] = []
        for name, label in self._labels():
            pieces.append((label, "bold underline") if name == self.active else label)
        return Content.assemble(*pieces)

    def on_click(self, event: events.Click) -> None:
        at = 0
        for name, label in self._labels():
            at += len(label)
            if event.x < at:
                self.post_message(self.Chosen(name))
                return
