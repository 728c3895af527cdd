"""A place that a handoff or a block is written to, and what writing would change there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from redline.targets.deed import Deed

FILE = "file"
RULES_BLOCK = "rules_block"
STREAM = "stream"
SESSION = "session"  # the name of the target that writes an agent's own session
APPEND = "append"
DEED = "deed"


@dataclass(frozen=True, slots=True)
class Change:
    """What one target would do. Nothing is written while it is made.

    `path` is the resolved file (links followed), `named` the one that was asked for; both None for
    standard output and clipboard. `before` is None where the file does not exist. `warnings` are
    said before writing. `kind` is FILE, RULES_BLOCK (then `block` is the block's id), STREAM,
    APPEND or DEED. The last two are no whole file: `deed` is what is done to `path` (the deed's),
    `before` and `after` are only what is shown of it. `folders` allows missing folders to be made.
    `again` makes `after` once more from what the file holds by now, where the change can be told
    from the rest of the file; it raises RedlineError where it cannot. With `goes` a file that would
    be left blank goes altogether, and so do the folders in `made_with`, outermost first, where they
    are empty then.
    """

    target: str
    label: str
    after: bytes
    before: bytes | None = None
    path: Path | None = None
    named: Path | None = None
    mode: int | None = None
    warnings: tuple[str, ...] = ()
    kind: str = FILE
    block: str | None = None
    folders: bool = False
    deed: Deed | None = field(default=None, repr=False)
    again: Callable[[bytes | None], bytes] | None = field(default=None, compare=False, repr=False)
    goes: bool = False
    made_with: tuple[Path, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether the file already is what it would become."""
        same = self.before == self.after and not (self.goes and not self.after.strip())
        return self.path is not None and self.deed is None and same


class Target(Protocol):
    """Something that can be ticked on the commit screen."""

    name: str

    def preview(self) -> Change:
        """The change it would make now. Raises RedlineError where it cannot be made."""
        ...
