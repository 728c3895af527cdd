"""A session of Claude Code with records of every kind, and what a session says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redline.model import Session
from tests.agents.claude_code.writing import (
    attachment,
    boundary,
    call,
    image,
    progress,
    record,
    reply,
    result,
    summary,
    text,
    thinking,
    usage,
    user,
)

Lines = list[dict[str, Any]]
PROJECT = "/home/dev/shop"
REMINDER = "<system-reminder>\nThe date changed.\n</system-reminder>"


def everything() -> list[Any]:
    """Records of every kind that can be in a context."""
    server = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"title": "hit"}]}
    shown = [{"type": "text", "text": "a picture\n" * 300}, image()]
    return [
        boundary("b0", logical="nowhere"),
        summary("s0", "b0"),
        attachment("x1", "s0", type="skill_listing", content="- brainstorm: think\n" * 200),
        user("u1", "x1", f"Fix the login\n\n{REMINDER}\n{REMINDER}\nand the logout", at=1),
        reply("a1", "u1", "m1", thinking("hm"), usage=usage(150_000), at=2),
        reply("a2", "a1", "m1", text("Looking."), usage=usage(150_000), at=2),
        reply("a3", "a2", "m1", call("t1"), usage=usage(150_000), requestId="req_1", at=3),
        user("r1", "a3", [result("t1", "x" * 9_000)], toolUseResult={"stdout": "x" * 9_000}, at=4),
        reply("a4", "a3", "m1", call("t2", "Read", file_path="a.py"), usage=usage(150_000), at=5),
        user("r2", "a4", [result("t2", shown)], sourceToolAssistantUUID="a4", at=6),
        progress("p1", "r2", at=6),
        reply("a5", "p1", "m2", {"type": "redacted_thinking", "data": "c2VhbGVk"}, server, found),
        user("u2", "a5", [text("See"), image(), "and tell", text(f"{REMINDER}\nmore")], at=8),
        record(
            "l1", "u2", "system", subtype="local_command", content="<bash-stdout>hi</bash-stdout>"
        ),
        reply("a6", "l1", "m3", text("I see.\r\n  Two   spaces, \u2028 and \U0001f600"), at=9),
        user("u3", "a6", [{"type": "document", "source": {"type": "text", "data": "d"}}], at=10),
        attachment(
            "q1", "u3", type="queued_command", prompt="Also the tests", commandMode="prompt"
        ),
        reply("a7", "q1", "m4", call("t3", "Bash", command="false"), usage=usage(160_000), at=11),
        user("r3", "a7", [result("t3", "failed", is_error=True), text("stop that")], at=12),
        attachment("x2", "r3", type="file", content={"file": {"content": "body " * 900}}),
        user("u4", "x2", "Now the docs", isMeta=False, origin={"kind": "human"}, at=13),
        reply("a8", "u4", "m5", text("Done."), usage=usage(161_000), at=14),
    ]


def place(folder: Path) -> dict[str, str]:
    return {"HOME": str(folder)}


def lines_of(data: bytes) -> Lines:
    return [json.loads(line) for line in data.splitlines()]


def chain_of(data: bytes) -> Lines:
    return [line for line in lines_of(data) if "parentUuid" in line]


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def said(session: Session) -> list[str]:
    return [session.text(part) for message in session.context for part in message.parts]
