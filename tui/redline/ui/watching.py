"""Files that are watched for a widget or a screen, which gets a message for each change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from textual.dom import DOMNode
from textual.message import Message

if TYPE_CHECKING:
    from redline.agents.following import Change, Tell


class Watch(Protocol):
    """What watches: see `redline.agents.following.Following`."""

    def follow(self, paths: Iterable[Path]) -> None: ...

    def close(self) -> None: ...


class Changed(Message):
    """Something became of a watched file."""

    def __init__(self, path: Path, change: Change) -> None:
        super().__init__()
        self.path = path
        self.change = change


class Watching:
    """Watches files for `node`, to which `Changed` is posted.

    Made where the node is mounted and closed where it is unmounted:
    `self._watching = Watching(self, self.place.watch)`, `self._watching.follow(paths)`.
    """

    def __init__(self, node: DOMNode, watch: Callable[[Tell], Watch]) -> None:
        self._node = node
        self._watch = watch(self._tell)

    def follow(self, paths: Iterable[Path]) -> None:
        """These files are watched from now on, and no others."""
        self._watch.follow(paths)

    def close(self) -> None:
        """Nothing is posted any more."""
        self._watch.close()

    def _tell(self, path: Path, change: Change) -> None:
        self._node.post_message(Changed(path, change))
