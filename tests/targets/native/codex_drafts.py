"""What a draft of Codex holds, for tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redline.agents.codex.parts import message_of
from redline.agents.codex.source import RolloutSource
from redline.model import Session
from redline.targets.native.draft import Draft
from tests.agents.codex.files import JSON, meta, rollout_file, write

STRATEGIES = ("redline", "codex", "codex-remote", "pi", "clear", "scored", "hermes", "claude-code")


def place(folder: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(folder), **more}


def lines_of(draft: Draft) -> list[JSON]:
    return [json.loads(one) for one in draft.data.splitlines()]


def one_of(draft: Draft, kind: str) -> JSON:
    (found,) = (one for one in lines_of(draft) if one["type"] == kind)
    payload: JSON = found["payload"]
    return payload


def kept(draft: Draft) -> list[JSON]:
    found: list[JSON] = one_of(draft, "compacted")["replacement_history"]
    return found


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else ():
        yield from strings(inner)
    for inner in value if isinstance(value, list) else ():
        yield from strings(inner)


def said(session: Session) -> list[str]:
    """The texts of the window in the order in which they are sent."""
    assert isinstance(session.source, RolloutSource)
    items = session.source.window()
    return [session.text(part) for item in items for part in message_of([item]).parts]


def written(folder: Path, *records: JSON | str, **head: Any) -> Path:
    return write(rollout_file(folder / ".codex"), meta(**head), *records)
