from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from typing import ClassVar

from rich.color import Color
from textual.app import App, ComposeResult
from textual.style import Style
from textual.theme import Theme

import redline.ui
from redline.shipped import shipped
from redline.ui.inks import Inked
from redline.ui.items import Item, Items
from redline.ui.themes import FALLBACKS, read_themes


class Stage(App[None]):
    def get_theme_variable_defaults(self) -> dict[str, str]:
        return FALLBACKS

    def compose(self) -> ComposeResult:
        yield Items(id="items")


def _inked() -> list[type[Inked]]:
    """All widgets that have inks."""
    for module in pkgutil.iter_modules(redline.ui.__path__):
        importlib.import_module(f"redline.ui.{module.name}")
    kinds = [Inked]
    for kind in kinds:
        kinds += kind.__subclasses__()
    return kinds


def _colour(app: App[None]) -> str:
    (line, *_) = app.screen._compositor.render_strips()
    (found,) = {s.style.color for s in line if s.style and s.style.color and "said" in s.text}
    return Color.get_truecolor(found).hex


async def test_what_was_painted_takes_the_colours_of_another_theme_at_once() -> None:
    app = Stage()
    async with app.run_test(size=(40, 5)) as pilot:
        for name, faint in (("one", "#111111"), ("two", "#222222")):
            app.register_theme(
                Theme(name, primary="#ffffff", background="#000000", variables={"faint": faint})
            )
        app.theme = "one"
        app.query_one(Items).show([Item("said", style="faint", whole=True)])
        await pilot.pause()
        assert _colour(app) == "#111111"
        app.theme = "two"
        await pilot.pause()
        assert _colour(app) == "#222222"


async def test_every_ink_can_be_mixed_under_every_shipped_theme() -> None:
    kinds = _inked()
    inks = {text for kind in kinds for text in kind.INKS.values()}
    assert len(inks) > 20
    app = Stage()
    async with app.run_test(size=(40, 5)) as pilot:
        for theme in read_themes([shipped("themes")]).themes:
            app.register_theme(theme)
            app.theme = theme.name
            await pilot.pause()
            for text in inks:
                assert Style.parse(text) != Style(), (theme.name, text)


def test_an_ink_of_a_class_is_that_of_its_subclasses_unless_they_have_their_own() -> None:
    class First(Inked):
        INKS: ClassVar[Mapping[str, str]] = {"a": "red", "b": "red"}

    class Second(First):
        INKS: ClassVar[Mapping[str, str]] = {"b": "blue"}

    widget = Second()
    assert [widget.style_of(name) for name in "ab"] != [First().style_of("b")] * 2
    assert widget.style_of("a") == First().style_of("a")


def test_no_widget_of_redline_has_nodes_styled_beside_it_for_each_of_its_inks() -> None:
    """Component classes are worked out again whenever a widget comes up."""
    for kind in _inked():
        assert "COMPONENT_CLASSES" not in vars(kind), kind
