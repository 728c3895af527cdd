"""Small made-up rollouts on disk, for the tests of what lies around the reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import zstandard

from redline.agents.codex.scan import scan
from redline.model import SessionInfo

JSON = dict[str, Any]

# Ids of version 7: the first twelve digits are milliseconds, so that each is later than the last.
PARENT = "019f0000-0000-7000-8000-000000000001"
CHILD = "019f0000-1000-7000-8000-000000000002"
GRANDCHILD = "019f0000-2000-7000-8000-000000000003"


def line(kind: str, payload: JSON, second: int = 0, **envelope: Any) -> JSON:
    time = f"2026-06-25T10:{second // 60:02}:{second % 60:02}.000Z"
    return {"timestamp": time, **envelope, "type": kind, "payload": payload}


def meta(thread: str = PARENT, second: int = 0, **fields: Any) -> JSON:
    payload = {
        "id": thread,
        "timestamp": "2026-06-25T10:00:00.000Z",
        "cwd": "/w/shop",
        "originator": "codex-tui",
        "cli_version": "0.150.0",
        "source": "cli",
    }
    return line("session_meta", payload | fields, second)


def said(role: str, *texts: str, second: int = 1) -> JSON:
    block = "output_text" if role == "assistant" else "input_text"
    content = [{"type": block, "text": text} for text in texts]
    return line("response_item", {"type": "message", "role": role, "content": content}, second)


def item(kind: str, second: int = 2, **fields: Any) -> JSON:
    return line("response_item", {"type": kind, **fields}, second)


def event(kind: str, second: int = 2, **fields: Any) -> JSON:
    return line("event_msg", {"type": kind, **fields}, second)


def turn(model: str = "gpt-5.5", second: int = 1, **fields: Any) -> JSON:
    return line("turn_context", {"cwd": "/w/shop", "model": model, **fields}, second)


def counted(tokens: int, second: int = 3) -> JSON:
    usage = {"input_tokens": tokens, "output_tokens": 5, "total_tokens": tokens + 5}
    info = {"total_token_usage": usage, "last_token_usage": usage, "model_context_window": 258_400}
    return event("token_count", second, info=info)


def estimated(tokens: int, second: int = 3) -> JSON:
    usage = {"input_tokens": 0, "output_tokens": 0, "total_tokens": tokens}
    return event("token_count", second, info={"last_token_usage": usage})


def text_of(*records: JSON | str) -> bytes:
    lines = [
        record if isinstance(record, str) else json.dumps(record, separators=(",", ":"))
        for record in records
    ]
    return "".join(line + "\n" for line in lines).encode()


def write(path: Path, *records: JSON | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text_of(*records))
    return path


def pack(path: Path, *, keep: bool = False) -> Path:
    """The file as Codex compresses it, in its place."""
    packed = path.with_name(path.name + ".zst")
    packed.write_bytes(zstandard.ZstdCompressor(level=3).compress(path.read_bytes()))
    if not keep:
        path.unlink()
    return packed


def rollout_file(
    home: Path, thread: str = PARENT, day: str = "2026-06-25", rollout: str = ""
) -> Path:
    name = f"rollout-{day}T12-00-00-{thread}{'_' + rollout if rollout else ''}.jsonl"
    return home.joinpath("sessions", *day.split("-"), name)


def only(path: Path) -> SessionInfo:
    (info,) = scan(path)
    return info
