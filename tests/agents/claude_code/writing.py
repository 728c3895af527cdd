"""Small made-up Claude Code records, in the form of 2.1."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from redline.agents.claude_code.reader import open_session
from redline.model import Session

SESSION_ID = "5e550000-0000-4000-8000-000000000001"
MODEL = "claude-opus-4-8"
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
Record = dict[str, Any]


def record(uuid: str, parent: str | None, kind: str, /, **fields: Any) -> Record:
    """The envelope of a conversation record; `at` is its second of the day."""
    at = fields.pop("at", 0)
    hours, rest = divmod(at, 3600)
    return {
        "parentUuid": parent,
        "isSidechain": False,
        "cwd": "/home/dev/shop",
        "sessionId": SESSION_ID,
        "version": "2.1.100",
        "type": kind,
        "uuid": uuid,
        "timestamp": f"2026-10-01T{hours:02d}:{rest // 60:02d}:{rest % 60:02d}.000Z",
        **fields,
    }


def user(uuid: str, parent: str | None, content: Any, **fields: Any) -> Record:
    return record(uuid, parent, "user", message={"role": "user", "content": content}, **fields)


def reply(
    uuid: str,
    parent: str | None,
    api_id: str,
    *blocks: Any,
    model: str = MODEL,
    usage: Any = None,
    **fields: Any,
) -> Record:
    message = {
        "id": api_id,
        "model": model,
        "role": "assistant",
        "content": list(blocks),
        "usage": usage,
    }
    return record(uuid, parent, "assistant", message=message, **fields)


def usage(read: int, *, output: int = 5) -> Record:
    return {
        "input_tokens": 1,
        "cache_read_input_tokens": read,
        "cache_creation_input_tokens": 0,
        "output_tokens": output,
    }


def text(said: str) -> Record:
    return {"type": "text", "text": said}


def thinking(thought: str) -> Record:
    return {"type": "thinking", "thinking": thought, "signature": "c2ln"}


def call(ident: str, name: str = "Bash", **arguments: Any) -> Record:
    return {"type": "tool_use", "id": ident, "name": name, "input": arguments or {"command": "ls"}}


def result(ident: str, content: Any = "done", **fields: Any) -> Record:
    return {"type": "tool_result", "tool_use_id": ident, "content": content, **fields}


def image() -> Record:
    source = {"type": "base64", "media_type": "image/png", "data": PIXEL}
    return {"type": "image", "source": source}


def attachment(uuid: str, parent: str | None, **body: Any) -> Record:
    return record(uuid, parent, "attachment", attachment=body)


def progress(uuid: str, parent: str | None, **fields: Any) -> Record:
    return record(uuid, parent, "progress", data={"type": "hook_progress"}, **fields)


def boundary(uuid: str, *, at: int = 0, logical: str = "not-on-disk", **metadata: Any) -> Record:
    return record(
        uuid,
        None,
        "system",
        subtype="compact_boundary",
        content="Conversation compacted",
        logicalParentUuid=logical,
        compactMetadata={"trigger": "auto", "preTokens": 167_000, **metadata},
        at=at,
    )


def summary(uuid: str, parent: str, said: str = "Summary of it all.") -> Record:
    content = f"This session is being continued from a previous conversation.\n{said}"
    return user(uuid, parent, content, isCompactSummary=True, isVisibleInTranscriptOnly=True)


def start() -> list[Record]:
    """A prompt and its answer: records u1 and a1."""
    return [user("u1", None, "Fix the login"), reply("a1", "u1", "m1", text("Fixed."))]


def write(folder: Path, records: list[Any], name: str = f"{SESSION_ID}.jsonl") -> Path:
    """A session file; raw lines may stand among the records as bytes."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in records]
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def opened(folder: Path, records: list[Any], **options: Any) -> Session:
    return open_session(write(folder, records), **options)


def ids(session: Session) -> list[str]:
    return [message.id for message in session.context]


def said(session: Session) -> list[str]:
    """The texts of the parts of the context, in order."""
    return [session.text(part) for message in session.context for part in message.parts]


def resumed(session: Session) -> list[str]:
    """The texts of the loader's blocks, in order."""
    return [block.text for block in session.source.resume()]
