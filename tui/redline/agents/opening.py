"""Opens a session of whichever agent wrote it, told by the content of the file."""

from __future__ import annotations

import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol, runtime_checkable

from redline.errors import RedlineError
from redline.model import Agent, Session, SessionInfo

_HINT = (
    "redline reads sessions of Claude Code, Codex, pi and Hermes, and plain messages: a request "
    "body with `messages` or `input`, a list of messages with `role` and `content`, logs of both"
)
_LISTED = 8


def recognise(path: Path, id: str | None = None) -> SessionInfo:  # noqa: A002
    """The session in the file at `path`; of a file that holds several the one called `id`.

    What it takes to open it: a title that stands far from both ends of the file may be missing.
    Raises RedlineError where the file cannot be read, is no session of an agent known here, or
    holds several and `id` names none of them.
    """
    from redline.agents.discover import finders

    _check_readable(path)
    found = scan(path, titles=False)
    if not found:
        from redline.agents.hermes.store import problem

        if damage := problem(path):
            raise RedlineError(f"{path} {damage}", "hermes repairs it, or restore a backup of it")
    if id is not None and not any(info.id == id for info in found):
        for finder in finders():
            if (info := finder.unlisted(path, id)) is not None:
                return info
    if not found:
        from redline.agents.messages.problem import problem as problem_of_messages

        if fault := problem_of_messages(path):
            raise RedlineError(f"{path} {fault}", _HINT)
        raise RedlineError(f"{path} is no session of an agent that redline knows", _HINT)
    chosen = (
        [info for info in found if info.id == id]
        or [info for info in found if id is not None and info.id.startswith(f"{id}.")]
        or [info for info in found if id is None or info.id.startswith(id)]
    )
    if len(chosen) != 1:
        listed = "\n".join(f"  {path}#{info.id}" for info in found[:_LISTED])
        more = f"\n  and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        said = f"{path} holds {len(found)} sessions"
        raise RedlineError(
            said if id is None else f"{said}, {len(chosen) or 'none'} called {id!r}",
            f"name one of them:\n{listed}{more}",
        )
    return chosen[0]


def scan(path: Path, *, titles: bool = True) -> tuple[SessionInfo, ...]:
    """The sessions in the file at `path`, whoever wrote it; () where it holds none.

    Also a subagent of Codex, which a list leaves to its parent. Without `titles` those for which
    all of a file would be read are not looked for.
    """
    from redline.agents.discover import each_finder

    for finder in each_finder():
        if finder.agent is Agent.CLAUDE_CODE and not titles:
            from redline.agents.claude_code.scan import scan as scan_claude_code

            info = scan_claude_code(path, titles=False)
            if info is not None:
                return (info,)
        elif found := finder.scan(path):
            return found
    from redline.agents.codex.scan import scan as scan_codex
    from redline.agents.messages.reader import scan as scan_messages

    return scan_codex(path) or scan_messages(path)


def open_session(
    where: SessionInfo | Path, *, leaf: str | None = None, before: int | None = None
) -> Session:
    """The session `where`.

    `leaf` is the id of the last record of another branch; `before` gives the context as it was just
    before the agent's compaction of that number, counted from 1.
    Raises RedlineError where it cannot be read, or `leaf` or `before` names nothing.
    """
    if leaf is not None and not leaf.strip():
        raise RedlineError("no id was given", "say which leaf; `redline inspect` lists them")
    info = recognise(where) if isinstance(where, Path) else where
    opened = _reader(info)(info.path, leaf=leaf, before=before)
    if info.live:
        known = replace(opened.info, live=True, live_by=info.live_by)
        opened = replace(opened, info=known)
    if leaf is None and before is None:
        return opened
    other = opened.leaf if leaf is not None else None
    return replace(opened, asked_leaf=other or leaf, before=before)


@runtime_checkable
class Reopens(Protocol):
    """A source (see `SessionSource`) that knows how far its file was read."""

    def reopen(self, session: Session) -> Session:
        """See `reopen`."""
        ...


def reopen(session: Session) -> Session:
    """`session` as its file is now, in the same view; itself where nothing has changed.

    Where the file only grew, only what was appended is read, and messages that are as they were
    are the same objects, so that what was worked out of them holds. `session` stays as it is.
    Raises RedlineError where the file cannot be read any more.
    """
    if isinstance(session.source, Reopens):
        now = session.source.reopen(session)
        if now is session:
            return session
    else:
        leaf = session.asked_leaf
        now = open_session(session.info, leaf=leaf, before=session.before)
    return replace(now, asked_leaf=session.asked_leaf, before=session.before)


def _check_readable(path: Path) -> None:
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            raise RedlineError(f"{path} is a folder, not a session", _HINT)
        if not stat.S_ISREG(mode):  # a pipe or a device can be read once, or never ends
            raise RedlineError(f"{path} is not a plain file", "copy it to one, then name that")
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise RedlineError(f"cannot read {path}: {error.strerror}", _HINT) from error
    if empty:
        raise RedlineError(f"{path} is empty", _HINT)


def _reader(info: SessionInfo) -> Callable[..., Session]:
    from functools import partial

    match info.agent:
        case Agent.CLAUDE_CODE:
            from redline.agents.claude_code.reader import open_session as open_claude_code

            return open_claude_code
        case Agent.CODEX:
            from redline.agents.codex.reader import open_session as open_codex

            return open_codex
        case Agent.PI:
            from redline.agents.pi.reader import open_session as open_pi

            return open_pi
        case Agent.HERMES:
            from redline.agents.hermes.reader import open_session as open_hermes

            return partial(open_hermes, id=info.id)
        case Agent.MESSAGES:
            from redline.agents.messages.reader import open_session as open_messages

            return partial(open_messages, id=info.id)
