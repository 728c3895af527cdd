"""How the sessions of an agent are found, listed, searched and known to be in use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from redline.agents.reached import file_mark_before
from redline.model import Agent, Kind, SessionInfo

DAMAGED = "(damaged)"  # how the title of a session begins whose file was found to be damaged

Environment = Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class Passage:
    """A text of a session that can be searched for, and where it lies.

    `record`, `start` and `end` are those of its record (see `Origin`; of a database row `start` is
    the row's id). `kind` is PROMPT, REPLY, TOOL_CALL, TOOL_RESULT, SUMMARY or INJECTED; thinking,
    images and what only the provider can read have no passage.
    """

    record: int
    start: int
    end: int
    kind: Kind
    time: datetime | None
    text: str


@dataclass(frozen=True, slots=True)
class Looked:
    """A folder that was looked into: how many sessions it held, and what was wrong with it.

    `problem` is "" where nothing was; a folder that does not exist is no problem.
    """

    agent: Agent
    path: Path
    found: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Finder:
    """What redline asks of an agent without opening a session.

    `roots` are the folders that may hold sessions, whether they exist or not, and
    `find` every file that may hold one, each once, however many links lead to it. `scan` lists the
    sessions of a file, () where it holds none or cannot be read. `stamp` changes whenever the file
    may have changed; "" where it is not there. `passages` gives the texts of a session in order
    from `start` on: 0, or the `start` or `end` of a passage given before. `mark` tells what lies
    before `start`: equal as long as nothing there was changed, so that only what came after need
    be read again. `live` gives the ids of those of `infos` that are in use now, each with what
    tells it: "registry", "lock", "lease"; "" as the value where the agent has marks and they say
    that it is not in use. An id that is absent is told by recent change. `unlisted` is the session
    of a file by its id where lists leave it out (a subagent's, one that another goes on with), and
    `problem` why a file that was found holds nothing that can be read, or less than it should (the
    titles of its sessions begin with DAMAGED then), "" where it is no fault.
    `variables` of the environment say where sessions lie, as the agent's documentation names them;
    `depth` is how many folders deep they may lie under a root. `asides` are the sessions of a file
    that lists leave to another one but that are searched and opened like any (subagents'), and
    `find_asides` the files that hold nothing else.
    """

    agent: Agent
    roots: Callable[[Environment], tuple[Path, ...]]
    find: Callable[[Environment], Iterator[Path]]
    scan: Callable[[Path], tuple[SessionInfo, ...]]
    stamp: Callable[[Path], str]
    passages: Callable[[SessionInfo, int], Iterator[Passage]]
    mark: Callable[[SessionInfo, int], str]
    live: Callable[[Sequence[SessionInfo], Environment], Mapping[str, str]]
    unlisted: Callable[[Path, str], SessionInfo | None] = lambda _path, _id: None
    problem: Callable[[Path], str] = lambda _path: ""
    variables: tuple[str, ...] = ()
    depth: int = 1
    asides: Callable[[Path], tuple[SessionInfo, ...]] = lambda _path: ()
    find_asides: Callable[[Environment], Iterator[Path]] = lambda _environment: iter(())


def file_stamp(path: Path) -> str:
    """The stamp of a plain file."""
    try:
        found = path.stat()
    except OSError:
        return ""
    return f"{found.st_mtime_ns}:{found.st_size}:{found.st_ino}"


def file_mark(info: SessionInfo, start: int) -> str:
    """The mark of a plain file that is only ever appended to."""
    return file_mark_before(info.path, start)
