"""The command palette: every command that holds now, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.dom import DOMNode

from redline.ui.actions import COMMANDS, Command, display
from redline.ui.chrome import contexts


class CommandsOfRedline(Provider):
    """Finds commands of the focused widget, its screen and the program."""

    def _held(self) -> Iterator[tuple[Command, DOMNode]]:
        seen: set[str] = set()
        for name, node in contexts(self.screen):
            for command in COMMANDS[name]:
                if command.name not in seen and command.name != "app.palette":
                    seen.add(command.name)
                    yield command, node

    def _title(self, command: Command) -> str:
        keymap = getattr(self.app, "keys", {})
        return f"{command.help}  ({display(keymap.get(command.name, command.keys))})"

    def _call(self, command: Command, node: DOMNode) -> Callable[[], object]:
        return partial(self.app.run_action, command.action, node)

    async def discover(self) -> Hits:
        for command, node in self._held():
            yield DiscoveryHit(self._title(command), self._call(command, node), help=command.name)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command, node in self._held():
            title = self._title(command)
            score = max(matcher.match(title), matcher.match(f"{command.label} {command.name}"))
            if score > 0:
                yield Hit(
                    score, matcher.highlight(title), self._call(command, node), help=command.name
                )


class Palette(CommandPalette):
    """Textual's palette, with pages that can be asked for before the list was ever laid out."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("pagedown", "page(1)", "Next page"),
        ("pageup", "page(-1)", "Previous page"),
    ]

    def __init__(self) -> None:
        super().__init__(placeholder="find a command", id="--command-palette")

    def action_page(self, step: int) -> None:
        commands = self.query_one(CommandList)
        if commands.scrollable_content_region:
            getattr(commands, "action_page_down" if step > 0 else "action_page_up")()
