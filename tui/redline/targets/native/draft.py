"""A session in an agent's own form, before it is where the agent looks for sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from redline.compaction.plan import Plan
from redline.context.window import Window
from redline.model import Agent, Session
from redline.targets.native.staying import Stays
from redline.targets.target import Change


@dataclass(frozen=True, slots=True)
class Work:
    """What a session in an agent's own form is made from.

    `summary` is redacted and in the agent's own form (see `forms.summary_of`), "" where the plan
    puts none into the context. `new_id` gives a new random UUID as text at every call. `in_place`
    asks for the session itself to go on compacted, where its agent can do that; otherwise a new
    session is made. With `keep_time` its file then keeps its time, so that it does not become the
    latest one. `environment` tells where the agent keeps its sessions. `window` is that of the
    session as it is now, where it was measured: what is too large for it is warned of.
    """

    session: Session
    plan: Plan
    summary: str
    now: datetime
    environment: Mapping[str, str]
    new_id: Callable[[], str]
    in_place: bool = False
    keep_time: bool = False
    window: Window | None = field(default=None, compare=False, repr=False)

    @property
    def taken_at(self) -> str | None:
        """The id of the last message of the context it is made from."""
        return self.session.context[-1].id if self.session.context else None


@dataclass(frozen=True, slots=True)
class Draft:
    """What an agent will find.

    `path` is where it will lie, `data` its whole bytes, `argv` in `folder` what resumes it (the
    folder None: anywhere). `taken_at` is the id of the last message it holds. `warnings` are said
    before it is written.

    Where it is no new file of its own (a line appended to the session, rows of a database) `change`
    is what is to be done, and `lay` puts the session as it will be, with all it needs, into a
    scratch folder and gives the file to open. `in_place`: it is the session itself that goes on.

    `stays` are the messages as they were written (see `staying`), which the draft is checked by;
    `left_out` are (message, part) of the plan that stay but that the agent's form cannot hold, each
    told in a warning; `summary_at` is the summary's place among `stays` where that is not the
    plan's (a reply that goes on after a result stands there twice); `added` are texts that the
    agent needs in its context beside summary and kept messages, exactly as they are read back.
    """

    agent: Agent
    id: str
    path: Path
    data: bytes
    argv: tuple[str, ...]
    folder: Path | None = None
    taken_at: str | None = None
    warnings: tuple[str, ...] = ()
    change: Change | None = None
    lay: Callable[[Path], Path] | None = field(default=None, compare=False, repr=False)
    in_place: bool = False
    stays: tuple[Stays, ...] = field(default=(), compare=False, repr=False)
    left_out: frozenset[tuple[int, int]] = frozenset()
    added: tuple[str, ...] = ()
    summary_at: int | None = None

    def put(self, folder: Path) -> Path:
        """Puts the session into the scratch folder `folder` and gives the file to open."""
        if self.lay is not None:
            return self.lay(folder)
        path = folder / self.path.name
        path.write_bytes(self.data)
        return path
