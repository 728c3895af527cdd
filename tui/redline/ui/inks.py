"""Inks: the styles that a widget paints with, by name, each worked out when it is first used.

Textual's component classes would do the same. But it works all of them out, as a node each, every
time that a widget comes up or changes a class: for a desk 80 nodes, three times, 100 ms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.style import Style as RichStyle
from textual.style import Style
from textual.theme import Theme
from textual.widget import Widget


class Inked(Widget):
    """A widget with inks of its own, beside those of the classes it stands on."""

    INKS: ClassVar[Mapping[str, str]] = {}
    """What is written after a name, such as `bold $accent on $row-cursor`."""

    _inks: Mapping[str, RichStyle] = {}
    _ground: RichStyle | None = None

    def style_of(self, name: str) -> RichStyle:
        """The ink of that name, without the widget's own ground. KeyError where there is none."""
        found = self._inks.get(name)
        if found is None:
            found = _mixed(Style.parse(_written(type(self), name)))
            self._inks = {**self._inks, name: found}
        return found

    @property
    def ground(self) -> RichStyle:
        """The widget's own style. Working it out for every line would cost more than the line."""
        if self._ground is None:
            self._ground = self.rich_style
        return self._ground

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._inks, self._ground = {}, None

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, self._other_theme)

    def _other_theme(self, _theme: Theme) -> None:
        self._inks, self._ground = {}, None
        self.refresh()


def _written(kind: type, name: str) -> str:
    for base in kind.__mro__:
        inks: Mapping[str, str] = base.__dict__.get("INKS", {})
        if name in inks:
            return inks[name]
    raise KeyError(name)


def _mixed(style: Style) -> RichStyle:
    ink, ground = style.foreground, style.background
    return RichStyle(
        color=ink.rich_color if ink is not None and ink.a else None,
        bgcolor=ground.rich_color if ground is not None and ground.a else None,
        bold=style.bold,
        italic=style.italic,
        underline=style.underline,
        strike=style.strike,
    )
