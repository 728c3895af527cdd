"""Changes that are no whole file: a line appended to a session, rows of a database.

A deed knows what it does and how it is taken back, also when it was loaded from a receipt: a crash
leaves nothing but that.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Protocol

from redline.errors import RedlineError
from redline.files import Step
from redline.model import Agent, SessionInfo

Ask = Callable[[], None]
Side = Literal["before", "after", "now"]

# The module of each kind of deed; its `load(info, data)` makes one again from what `dump` gave.
FORMS: dict[str, str] = {
    "append": "redline.targets.append",
    "hermes_session": "redline.targets.native.hermes_session",
    "hermes_in_place": "redline.targets.native.hermes_in_place",
}


class State(StrEnum):
    """What a deed finds at its place."""

    BEFORE = "before"  # just what was there when it was made
    AFTER = "after"  # just what it leaves
    TORN = "torn"  # what a crash in the midst of it leaves; it can be done and taken back
    OTHER = "other"  # somebody has changed it since


class Deed(Protocol):
    """Something that is done to a file in its place, and can be taken back."""

    @property
    def kind(self) -> str:
        """Its key in `FORMS`."""
        ...

    @property
    def info(self) -> SessionInfo:
        """The session that it changes; `info.path` is the file."""
        ...

    def dump(self) -> dict[str, Any]:
        """All that `load(info, data)` needs, as JSON has it."""
        ...

    def state(self) -> State:
        """What is there now. Raises RedlineError where it cannot be read."""
        ...

    def original(self, scratch: Path) -> Path:
        """A file with all that is there before it, for the receipt to keep: the file itself, or a
        consistent copy made in the empty folder `scratch`."""
        ...

    def do(self, ask: Ask, step: Step) -> None:
        """Does it, from BEFORE or TORN; on the disk when it comes back.

        `ask` raises RedlineError while an agent has the session open: to be called last before
        anything is changed, under whatever lock there is, where also the state is looked at again.
        `step` is called with a name before every change. Raises RedlineError or OSError; then
        nothing is changed, or what is there is TORN.
        """
        ...

    def undo(self, ask: Ask, step: Step) -> None:
        """Takes it back, from AFTER or TORN; like `do` otherwise."""
        ...

    def shown(self, side: Side) -> bytes | None:
        """What it changes, as text for people to compare: before it, after it, and as it is now;
        only as much as tells what changed, None where there is no file."""
        ...


def dump(deed: Deed) -> bytes:
    """`deed` as bytes, from which `load` makes it again."""
    info = deed.info
    data = {
        "kind": deed.kind,
        "agent": info.agent.value,
        "session": info.id,
        "path": str(info.path),
        "project": info.project,
        "updated": info.updated.isoformat() if info.updated else None,
        "data": deed.dump(),
    }
    # Escaped, because names of files may hold what is no UTF-8.
    return json.dumps(data).encode()


def load(data: bytes) -> Deed:
    """The deed that `dump` gave `data` for. Raises RedlineError where it is none."""
    try:
        held = json.loads(data)
        info = SessionInfo(
            agent=Agent(held["agent"]),
            id=held["session"],
            path=Path(held["path"]),
            project=held["project"],
            updated=datetime.fromisoformat(held["updated"]) if held["updated"] else None,
        )
        kind: str = held["kind"]
        loader: Callable[[SessionInfo, Mapping[str, Any]], Deed]
        loader = importlib.import_module(FORMS[kind]).load
        return loader(info, held["data"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise RedlineError(
            "the receipt's copy of what was done is damaged",
            "put the file right by hand, by the copy of what was there",
        ) from error
