"""Where Hermes keeps its sessions, and which of them are in use (0.13 to 0.22).

`state.db` in its home: `HERMES_HOME`, else ~/.hermes (on Windows %LOCALAPPDATA%\\hermes). Each
profile under `profiles/` is a home of its own. What the gateway wrote before it had a database, and
snapshots of sessions, lie in `sessions/`; most of those are in the database as well.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from redline.agents.finder import Environment
from redline.agents.folder import entries
from redline.agents.hermes.database import Database
from redline.agents.hermes.store import DATABASE, Store, hermes_store
from redline.agents.homes import agent_home
from redline.errors import RedlineError
from redline.model import SessionInfo

_PROFILES = "profiles"
_SESSIONS = "sessions"
_TRANSCRIPT = re.compile(r"(?P<id>.+)\.jsonl|session_(?P<snapshot>.+)\.json")
_RECENT = 120.0  # seconds; see `liveness`
_MARKS = (
    ("compression_locks", "session_id", "lock"),
    ("session_turn_leases", "conversation_id", "lease"),
)


def home(environment: Environment = None) -> Path | None:
    """Hermes' own folder, None where there is no home folder either."""
    env = os.environ if environment is None else environment
    named = env.get("HERMES_HOME", "").strip()
    local = env.get("LOCALAPPDATA", "").strip()
    if not named and os.name == "nt" and local:
        return Path(local) / "hermes"
    return agent_home(named, ".hermes", environment)


def roots(environment: Environment = None) -> tuple[Path, ...]:
    """The folders that may hold sessions, whether they exist or not: profiles, then the home."""
    folder = home(environment)
    return (folder / _PROFILES, folder) if folder is not None else ()


def find(environment: Environment = None) -> Iterator[Path]:
    """Every file that may hold sessions, each once, however many links lead to it: the databases,
    and transcripts of sessions that the database beside them does not have."""
    folder = home(environment)
    if folder is None:
        return
    seen: set[str] = set()
    for place in (folder, *(Path(entry.path) for entry in entries(folder / _PROFILES))):
        for path in _files(place):
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                yield path


def _files(folder: Path) -> Iterator[Path]:
    database = folder / DATABASE
    if os.path.isfile(database):  # False where the folder may not be entered
        yield database
    known: frozenset[str] | None = None
    for entry in entries(folder / _SESSIONS):
        named = _TRANSCRIPT.fullmatch(entry.name)
        if named is None or not os.path.isfile(entry.path):
            continue
        known = _ids(database) if known is None else known
        if (named["id"] or named["snapshot"]) not in known:
            yield Path(entry.path)


def _ids(database: Path) -> frozenset[str]:
    """The ids in a database, none where it cannot be read."""
    try:
        store = hermes_store(database)
        rows = store.fetch("SELECT id FROM sessions") if store is not None else []
    except RedlineError:
        return frozenset()
    return frozenset(row["id"] for row in rows if isinstance(row["id"], str))


def live(infos: Sequence[SessionInfo], environment: Environment = None) -> Mapping[str, str]:  # noqa: ARG001
    """Which of `infos` are in use: by a lock or a lease that has not run out, else by the time of
    their last message, for the file changes with every session in it."""
    now = time.time()
    told: dict[str, str] = {}
    for path in dict.fromkeys(info.path for info in infos):
        own = [info for info in infos if info.path == path]
        try:
            store = hermes_store(path)
            if store is None:
                continue
            marked, ended = _marked(store, now), _ended(store)
        except RedlineError:
            continue
        for info in own:
            recent = info.updated is not None and info.updated > _at(now - _RECENT)
            open_still = info.id not in ended
            told[info.id] = marked.get(info.id) or (
                "a recent change" if recent and open_still else ""
            )
    return told


def _marked(store: Store, now: float) -> dict[str, str]:
    """The sessions that Hermes itself holds now. A lease is of a whole chain of compactions and
    names its first session."""
    held: dict[str, str] = {}
    for table, column, what in _MARKS:
        if {column, "expires_at"} <= set(store.columns(table)):
            query = f"SELECT {column} AS id FROM {table} WHERE expires_at > ?"
            held |= {row["id"]: what for row in store.fetch(query, (now,))}
    if not held:
        return {}
    lineage = Database(store).lineage()
    return {
        session.id: held[part.id]
        for session in lineage.sessions.values()
        for part in lineage.ancestors(session)
        if part.id in held
    }


def _ended(store: Store) -> frozenset[str]:
    if "ended_at" not in store.columns("sessions"):
        return frozenset()
    rows = store.fetch("SELECT id FROM sessions WHERE ended_at IS NOT NULL")
    return frozenset(row["id"] for row in rows)


def _at(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
