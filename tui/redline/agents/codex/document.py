"""Rollouts of the TypeScript CLI (2025-04 to 08): one JSON document, `rollout-*.json`.

It holds `session` and `items`, and the items are those of the flat rollouts that came after. So it
is read as such a rollout: the session is the header line, each item a line after it.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from redline.agents.records import BOM, decode

_DECODER = json.JSONDecoder()


def is_document(path: Path) -> bool:
    return path.name.startswith("rollout-") and path.name.endswith(".json")


def document_lines(path: Path) -> tuple[bytes, str]:
    """The document as lines, and what is wrong with it ("" where nothing is). Raises OSError."""
    status = path.stat()
    return _lines(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=2)
def _lines(path: Path, _changed: int, _size: int) -> tuple[bytes, str]:
    data = path.read_bytes().removeprefix(BOM)
    problem = ""
    try:
        value = decode(data)
    except ValueError:
        value, problem = _recovered(data), "damaged: no whole JSON document"
    held: dict[str, Any] = value if isinstance(value, dict) else {}
    session, items = held.get("session"), held.get("items")
    if not isinstance(session, dict) and not isinstance(items, list):
        return b"", problem or "no rollout: an object with `session` and `items` was expected"
    records = [session if isinstance(session, dict) else {}]
    if isinstance(items, list):
        records += [item for item in items if isinstance(item, dict)]
    text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
    return text.encode("utf-8", "replace"), problem


def _recovered(data: bytes) -> dict[str, Any]:
    """The session and the first whole items of a document that is torn."""
    text = data.decode("utf-8", "replace")
    found: dict[str, Any] = {"items": []}
    at = text.find('"session"')
    if at >= 0 and (value := _value(text, text.find("{", at))) is not None:
        found["session"], _ = value
    at = text.find('"items"')
    at = text.find("[", at) + 1 if at >= 0 else 0
    while at and (value := _value(text, at)) is not None:
        item, at = value
        found["items"].append(item)
        after = text[at : at + 100].lstrip(" \t\r\n,")
        at += len(text[at : at + 100]) - len(after)
    return found if found["items"] or "session" in found else {}


def _value(text: str, at: int) -> tuple[Any, int] | None:
    """The JSON value that starts at `at` after space, and where it ends."""
    while 0 <= at < len(text) and text[at].isspace():
        at += 1
    try:
        return _DECODER.raw_decode(text, at) if at >= 0 else None
    except (ValueError, RecursionError):
        return None
