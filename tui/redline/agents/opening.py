"""Opens a session of whichever agent wrote it, told by the content of the file."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

from redline.errors import RedlineError
from redline.model import Agent, Session, SessionInfo

_HINT = "redline reads sessions of Claude Code and pi; `redline sessions` lists them"


def recognise(path: Path) -> SessionInfo:
    """The session in the file at `path`.

    Raises RedlineError where the file cannot be read or is no session of an agent known here.
    """
    from redline.agents.claude_code.reader import scan as scan_claude_code
    from redline.agents.pi.reader import scan as scan_pi

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
    info = scan_claude_code(path) or scan_pi(path)
    if info is None:
        raise RedlineError(f"{path} is no session of an agent that redline knows", _HINT)
    return info


def open_session(
    where: SessionInfo | Path, *, leaf: str | None = None, before: int | None = None
) -> Session:
    """The session `where`.

    `leaf` is the id of the last record of another branch; `before` gives the context as it was just
    before the agent's compaction of that number, counted from 1.
    Raises RedlineError where it cannot be read, or `leaf` or `before` names nothing.
    """
    info = recognise(where) if isinstance(where, Path) else where
    return _reader(info.agent)(info.path, leaf=leaf, before=before)


def _reader(agent: Agent) -> Callable[..., Session]:
    match agent:
        case Agent.CLAUDE_CODE:
            from redline.agents.claude_code.reader import open_session as open_claude_code

            return open_claude_code
        case Agent.PI:
            from redline.agents.pi.reader import open_session as open_pi

            return open_pi
        case _:
            raise RedlineError(f"redline does not read sessions of {agent.value} yet", _HINT)
