"""What a list shows of a session, as it is stored. Its file's path and agent lie beside it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from redline.model import Agent, SessionInfo

_TEXTS = ("id", "project", "title", "model", "first_prompt", "last_prompt", "parent")
_NUMBERS = ("size", "billed")
WRONG = (ValueError, KeyError, TypeError)  # what `read` raises for a text that is none of its own


def stored(info: SessionInfo) -> str:
    """`info` as text; equal texts mean equal values."""
    value: dict[str, Any] = {name: getattr(info, name) for name in (*_TEXTS, *_NUMBERS)}
    value["started"] = _told(info.started)
    value["updated"] = _told(info.updated)
    return json.dumps(value)  # in ASCII: what is no Unicode text stays as it is


def read(text: str, agent: str, path: Path) -> SessionInfo:
    """The value of `stored`. Raises ValueError, KeyError or TypeError for any other text."""
    value = json.loads(text)
    value["started"], value["updated"] = _time(value["started"]), _time(value["updated"])
    return SessionInfo(agent=Agent(agent), path=path, **value)


def _told(time: datetime | None) -> str | None:
    return None if time is None else time.astimezone(UTC).isoformat()


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
