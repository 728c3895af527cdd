"""Why a file of JSON holds no conversation, for a person who thinks that it does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from redline.agents.records import BOM, decode

_LARGEST = 100_000_000  # bytes of a document that is looked into for a fault
_LISTS = ("messages", "input")


def problem(path: Path) -> str:
    """What is wrong with the JSON document at `path`: where it ends early or is broken, or that it
    holds no message; "" where it is no document, or nothing of that is wrong with it."""
    try:
        if path.stat().st_size > _LARGEST:
            return ""
        raw = path.read_bytes().removeprefix(BOM)
    except OSError:
        return ""
    if raw.lstrip()[:1] not in (b"{", b"["):
        return ""
    try:
        return "" if _holds_any(decode(raw)) else "holds no message"
    except ValueError:
        return "" if _is_record(raw.lstrip().partition(b"\n")[0]) else _broken(raw)


def _holds_any(value: Any) -> bool:
    """Whether there is anything that may be a message."""
    if isinstance(value, dict):
        return not any(value.get(key) == [] for key in _LISTS)
    return bool(value != [])


def _is_record(line: bytes) -> bool:
    try:
        decode(line)
    except ValueError:
        return False
    return True


def _broken(raw: bytes) -> str:
    text = raw.decode("utf-8", "replace").encode()
    try:
        orjson.loads(text)
    except orjson.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        if error.pos >= len(text.decode()):
            return f"is no whole JSON: it ends early at {where}"
        return f"is no JSON: {error.msg} at {where}"
    return ""
