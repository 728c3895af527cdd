"""Small made-up pi sessions for the tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from redline.model import Session

JSON = dict[str, Any]
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
    "AABJRU5ErkJggg=="
)


def header(version: int | None = 3, **fields: Any) -> JSON:
    found: JSON = {
        "type": "session",
        "id": "0199-shop",
        "timestamp": "2026-10-03T10:00:00.000Z",
        "cwd": "/home/dev/shop",
    }
    if version is not None:
        found["version"] = version
    return found | fields


def entry(type: str, id: str, parent: str | None, **fields: Any) -> JSON:  # noqa: A002
    time = "2026-10-03T10:00:01.000Z"
    return {"type": type, "id": id, "parentId": parent, "timestamp": time, **fields}


def message(id: str, parent: str | None, role: str, content: Any, **fields: Any) -> JSON:  # noqa: A002
    return entry("message", id, parent, message={"role": role, "content": content, **fields})


def user(id: str, parent: str | None, content: Any) -> JSON:  # noqa: A002
    return message(id, parent, "user", content)


def reply(
    id: str,  # noqa: A002
    parent: str | None,
    *blocks: JSON | str,
    stop: str = "stop",
    billed: int = 900,
    **fields: Any,
) -> JSON:
    content = [{"type": "text", "text": b} if isinstance(b, str) else b for b in blocks]
    usage = {"input": 10, "cacheRead": billed - 10, "cacheWrite": 0, "output": 40}
    stated = {"provider": "anthropic", "model": "claude-opus-4-5", "usage": usage}
    return message(id, parent, "assistant", content, **(stated | {"stopReason": stop} | fields))


def call(id: str, name: str = "bash", **arguments: Any) -> JSON:  # noqa: A002
    return {"type": "toolCall", "id": id, "name": name, "arguments": arguments}


def result(
    id: str,  # noqa: A002
    parent: str | None,
    call_id: str,
    content: Any = "ok",
    **fields: Any,
) -> JSON:
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    return message(
        id, parent, "toolResult", content, **({"toolCallId": call_id, "toolName": "bash"} | fields)
    )


def compaction(id: str, parent: str | None, first_kept: str | None, **fields: Any) -> JSON:  # noqa: A002
    stated = {"summary": f"summary {id}", "firstKeptEntryId": first_kept, "tokensBefore": 5000}
    return entry("compaction", id, parent, **(stated | fields))


def chain(*lines: JSON) -> list[JSON]:
    """The lines, each the child of the one before it."""
    parent = None
    for line in lines:
        line["parentId"] = parent
        parent = line["id"]
    return list(lines)


def write(folder: Path, *lines: JSON | bytes | list[JSON], end: bytes = b"\n") -> Path:
    path = folder / "session.jsonl"
    flat: list[JSON | bytes] = []
    for line in lines:
        flat.extend(line) if isinstance(line, list) else flat.append(line)
    raw = [
        line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode()
        for line in flat
    ]
    path.write_bytes(end.join(raw) + end)
    return path


def ids(session: Session) -> list[str]:
    """The ids of the messages in the context."""
    return [message.id for message in session.context]
