"""Where Codex keeps its rollouts (0.42 to 0.171), and what the user called the threads.

`sessions/YYYY/MM/DD/rollout-*.jsonl` under `CODEX_HOME`, by default ~/.codex; flat in `sessions/`
before 2025-07-17; `archived_sessions/` holds those that were archived. Which session a file is of,
its records say.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from redline.agents.codex.names import ARCHIVED, SESSIONS
from redline.agents.codex.packed import SUFFIX
from redline.agents.folder import entries
from redline.agents.homes import agent_home
from redline.agents.records import decode

_ENDINGS = (".jsonl", ".jsonl" + SUFFIX, ".json")
_DEPTH = 4  # year, month, day, and one for a folder that somebody put in
_INDEX_BYTES = 16_000_000


def home(environment: Mapping[str, str] | None = None) -> Path | None:
    """Codex's own folder, None where there is no home folder either."""
    env = os.environ if environment is None else environment
    return agent_home(env.get("CODEX_HOME"), ".codex", environment)


def roots(environment: Mapping[str, str] | None = None) -> tuple[Path, ...]:
    """The folders that may hold rollouts, whether they exist or not."""
    folder = home(environment)
    return (folder / SESSIONS, folder / ARCHIVED) if folder is not None else ()


def find(environment: Mapping[str, str] | None = None) -> Iterator[Path]:
    """Every file that may be a rollout, each once, however many links lead to it, real folders
    before links to them. Of a plain file and its compressed twin only the plain one."""
    seen: set[str] = set()
    for root in roots(environment):
        yield from _rollouts(root, os.path.realpath(root), _DEPTH, seen)


def _rollouts(folder: Path, real: str, depth: int, seen: set[str]) -> Iterator[Path]:
    """The rollouts in `folder` and below; `real` is where it lies, `seen` what was given."""
    if real in seen:
        return
    seen.add(real)
    inside = entries(folder)
    names = {entry.name for entry in inside}
    for entry in inside:
        is_link = entry.is_symlink()
        lies = os.path.realpath(entry.path) if is_link else os.path.join(real, entry.name)
        if entry.name.startswith("rollout-") and entry.name.endswith(_ENDINGS):
            twin = entry.name.endswith(SUFFIX) and entry.name.removesuffix(SUFFIX) in names
            if not twin and lies not in seen and os.path.isfile(entry.path):
                seen.add(lies)
                yield Path(entry.path)
        elif depth > 0 and os.path.isdir(entry.path):
            yield from _rollouts(Path(entry.path), lies, depth - 1, seen)


def thread_names(folder: Path) -> Mapping[str, str]:
    """What the user called the threads of the Codex home `folder`; the newest name counts."""
    path = folder / "session_index.jsonl"
    try:
        status = path.stat()
    except OSError:
        return {}
    return _names(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=4)
def _names(path: Path, _changed: int, size: int) -> Mapping[str, str]:
    try:
        with path.open("rb") as file:
            file.seek(max(0, size - _INDEX_BYTES))
            lines = file.read(_INDEX_BYTES).split(b"\n")
    except OSError:
        return {}
    found: dict[str, str] = {}
    for line in lines:
        try:
            value = decode(line)
        except ValueError:
            continue
        if not isinstance(value, dict):
            continue
        thread, name = value.get("id"), value.get("thread_name")
        if isinstance(thread, str) and isinstance(name, str):
            found[thread] = name.strip()
    return {thread: name for thread, name in found.items() if name}
