"""The first and the last line of every screen: where one is, and which keys there are."""

from __future__ import annotations

from textual import events
from textual.app import RenderResult
from textual.binding import Binding
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widget import Widget

from redline.ui.actions import COMMANDS, Command, footer_runs
from redline.ui.untrusted import fitted


def contexts(screen: Screen[object]) -> list[tuple[str, DOMNode]]:
    """The contexts of commands that hold now, each with the node that carries its actions out:
    nearest to the focus first, but moving about in a list, which everybody knows, last."""
    start: DOMNode = screen.focused or screen
    found = [
        (name, node) for node in start.ancestors_with_self for name in getattr(node, "CONTEXTS", ())
    ]
    return sorted(found, key=lambda context: context[0] == "list")


class TitleBar(Widget):
    """`redline`, the screen's name, what it shows, and a remark at the right end."""

    DEFAULT_CSS = """
    TitleBar { height: 1; background: $panel; color: $foreground; }
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._screen_name = name
        self._subject = ""
        self._remark = ""

    def show(self, subject: str, remark: str = "") -> None:
        """What the screen shows (from a session: made harmless here), and the remark."""
        if (subject, remark) != (self._subject, self._remark):
            self._subject, self._remark = subject, remark
            self.refresh()

    def render(self) -> RenderResult:
        width = self.size.width
        left = Content.assemble(
            (" redline ", "bold $bar-ink on $accent"), f" {self._screen_name}  "
        )
        whole = fitted(self._subject, width).cell_length
        spare = width - left.cell_length - 3
        remark = fitted(self._remark, max(0, spare - min(whole, spare // 2)))
        room = width - left.cell_length - remark.cell_length - 3
        subject = fitted(self._subject, room).stylize("bold")
        gap = " " * max(1, width - left.cell_length - subject.cell_length - remark.cell_length - 1)
        return Content.assemble(left, subject, gap, remark.stylize("$faint"))


class KeyLine(Widget):
    """The keys that hold now. A click on one does what the key does."""

    DEFAULT_CSS = """
    KeyLine { height: 1; background: $panel; color: $foreground; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._places: list[tuple[int, int, str, DOMNode]] = []

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _screen: self.refresh())

    def render(self) -> RenderResult:
        width = self.size.width
        keymap = getattr(self.app, "keys", {})
        held = contexts(self.screen)
        typing = _takes_letters(self.screen.focused)
        runs = {
            name: footer_runs(_usable(COMMANDS[name], node), keymap, typing=typing)
            for name, node in held
        }
        # However narrow it is, the way back and the way out are named.
        ways = [run for name, found in runs.items() for run in found if _leads_out(name, run)]
        reserved = sum(map(_size, ways))
        pieces: list[tuple[str, str] | str] = [" "]
        used, self._places = 1, []
        for name, node in held:
            full = False
            for run in runs[name]:
                (keys, label, action), size = run, _size(run)
                if run in ways:
                    reserved -= size
                full = used + size > width - reserved or (full and run not in ways)
                if full:
                    continue
                pieces += [(keys, "bold $accent"), (f" {label}  ", "$foreground 75%")]
                self._places.append((used, used + size, action, node))
                used += size
        return Content.assemble(*pieces)

    async def on_click(self, event: events.Click) -> None:
        for start, end, action, node in self._places:
            if start <= event.x < end:
                await self.app.run_action(action, default_namespace=node)


_Run = tuple[str, str, str]  # keys, label, action


def _size(run: _Run) -> int:
    """Cells that a key takes with its label and the blanks between."""
    return len(run[0]) + len(run[1]) + 3


def _leads_out(name: str, run: _Run) -> bool:
    return name == "app" or run[2] == "back" or run[0] == "esc"


def _takes_letters(focused: Widget | None) -> bool:
    """Whether a letter goes into what has the focus, and is no key."""
    return focused is not None and focused.check_consume_key("a", "a")


def _usable(commands: tuple[Command, ...], node: DOMNode) -> list[Command]:
    """Those that their node does not refuse now, and that have something to act on."""
    allowed = []
    idle: frozenset[str] = getattr(node, "idle", frozenset())
    for command in commands:
        name = Binding(command.keys, command.action).action.partition("(")[0]
        if name not in idle and node.check_action(name, ()):
            allowed.append(command)
    return allowed


class TooSmall(Widget):
    """Said instead of the screen where there is no room for it."""

    DEFAULT_CSS = """
    TooSmall {
        display: none; layer: note; width: 100%; height: 100%;
        background: $background; content-align: center middle;
    }
    """

    def render(self) -> RenderResult:
        width, height = self.size
        text = f"too small: {width}x{height}, 60x20 is needed"
        return Content(text if width >= len(text) else "too small"[:width])
