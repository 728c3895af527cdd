"""A place that a handoff or a block is written to, and what writing would change there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Change:
    """What one target would do. Nothing is written while it is made.

    `path` is the resolved file (links followed), `named` the one that was asked for; both None for
    standard output and clipboard. `before` is None where the file does not exist. `warnings` are
    said before writing.
    """

    target: str
    label: str
    after: bytes
    before: bytes | None = None
    path: Path | None = None
    named: Path | None = None
    mode: int | None = None
    warnings: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the file already is what it would become."""
        return self.path is not None and self.before == self.after


class Target(Protocol):
    """Something that can be ticked on the commit screen."""

    name: str

    def preview(self) -> Change:
        """The change it would make now. Raises RedlineError where it cannot be made."""
        ...
