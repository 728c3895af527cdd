"""What Codex wants of a rollout's first record, without which it refuses to resume it (0.171).

It takes the first line that is not blank for the file's session_meta, and reads it whole or not at
all: one field of another type, also one that matters to nobody, and the thread cannot be resumed.
Which they are was found by resuming some eighty made-up rollouts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from uuid import UUID

import orjson

from redline.agents.codex.names import find_rollout
from redline.agents.codex.rollout import Rollout, open_text
from redline.errors import RedlineError

_Value = Mapping[str, Any]
_LONGEST = 1 << 26  # bytes of a first line; base instructions are some ten thousand
_MARK = b"\xef\xbb\xbf"
_PAGINATED = "paginated"
_MODES = ("legacy", _PAGINATED)
_BASE_ENDS = ("end_ordinal_exclusive", "end_byte_offset")
GIT = ("commit_hash", "branch", "repository_url")
_SOURCES = ("custom", "internal", "subagent")


def refusal(rollout: Rollout) -> str:
    """Why Codex refuses to resume the rollout, as what follows "it refuses the file: "; "" where it
    does not. A flat rollout it refuses as such. Raises RedlineError where it cannot be read."""
    if rollout.dialect == "flat":
        return "it is of the form from before 2025-09"
    first = _first_line(rollout)
    if first.startswith(_MARK):
        return "it begins with a byte order mark"
    try:
        record = orjson.loads(first)
    except orjson.JSONDecodeError:
        return "its first line is no record" if first else "it is empty"
    payload = record.get("payload") if isinstance(record, dict) else None
    if not isinstance(payload, dict) or record.get("type") != "session_meta":
        return "it does not begin with its session_meta"
    if wrong := next(_wrong(record, payload), None):
        return f"its session_meta has {wrong}"
    base = payload.get("history_base") if payload.get("history_mode") == _PAGINATED else None
    if base is not None and find_rollout(base["thread_id"], rollout.path) is None:
        return "the history that it goes on from is not there"
    return ""


def _first_line(rollout: Rollout) -> bytes:
    try:
        with open_text(rollout.path) as (text, _problem):
            while line := text.readline(_LONGEST):
                if found := line.strip():
                    return found
    except OSError as error:
        raise RedlineError(f"cannot read {rollout.path}: {error.strerror}") from error
    return b""


def _wrong(record: _Value, meta: _Value) -> Iterator[str]:
    """What is missing, and what is of another type, one by one."""
    if not is_ordinal(record.get("ordinal")):
        yield "an ordinal that is none"
    if not isinstance(record.get("timestamp"), str):
        yield "no time"
    for name, holds in _NEEDED.items():
        if name not in meta:
            yield f"no {name}"
        elif not holds(meta[name]):
            yield f"a {name} that is none"
    for name, holds in _MAY_BE.items():
        held = meta.get(name)
        if (held is not None or (name in meta and name in _NEVER_NULL)) and not holds(held):
            yield f"a {name} that is none"


def is_ordinal(value: object) -> bool:
    """Whether the loader takes `value` for the number of a record, or for none."""
    return value is None or (type(value) is int and value >= 0)


def is_id(value: object) -> bool:
    """Whether `value` is an id of a thread."""
    try:
        return isinstance(value, str) and bool(UUID(value))
    except ValueError:
        return False


def are_tools(value: object) -> bool:
    """Whether `value` is a list of tools that somebody gave to a thread."""
    return isinstance(value, list) and all(
        isinstance(tool, dict)
        and isinstance(tool.get("name"), str)
        and isinstance(tool.get("description"), str)
        and isinstance(tool.get("inputSchema"), dict)
        for tool in value
    )


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_source(value: object) -> bool:
    if not isinstance(value, dict):
        return isinstance(value, str)
    (kind, named), *more = value.items() or [("", None)]
    known = kind == "internal" or isinstance(named, str if kind == "custom" else str | dict)
    return kind in _SOURCES and known and not more


def _is_base(value: object) -> bool:
    return (
        isinstance(value, dict)
        and is_id(value.get("thread_id"))
        and all(type(value.get(name)) is int for name in _BASE_ENDS)
    )


def _has_text(name: str) -> Callable[[object], bool]:
    return lambda value: isinstance(value, dict) and isinstance(value.get(name), str)


def _is_git(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(name), str | None) for name in GIT)


_NEEDED: Mapping[str, Callable[[object], bool]] = {
    "id": is_id,
    "timestamp": _is_text,
    "cwd": _is_text,
    "originator": _is_text,
    "cli_version": _is_text,
}
_NEVER_NULL = ("session_id", "source", "history_mode")
_MAY_BE: Mapping[str, Callable[[object], bool]] = {
    "session_id": is_id,
    "source": _is_source,
    "forked_from_id": is_id,
    "parent_thread_id": is_id,
    "model_provider": _is_text,
    "memory_mode": _is_text,
    "thread_source": _is_text,
    "agent_nickname": _is_text,
    "agent_role": _is_text,
    "agent_path": _is_text,
    "multi_agent_version": _is_text,
    "base_instructions": _has_text("text"),
    "git": _is_git,
    "dynamic_tools": are_tools,
    "context_window": _has_text("window_id"),
    "history_base": _is_base,
    "history_mode": lambda value: value in _MODES,
    "subagent_history_start_ordinal": is_ordinal,
}
