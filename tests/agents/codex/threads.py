"""A made-up thread that holds items of every kind, and the dialects that Codex wrote it in."""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path
from typing import Any

from tests.agents.codex.files import (
    CHILD,
    JSON,
    PARENT,
    event,
    item,
    line,
    meta,
    pack,
    rollout_file,
    said,
    text_of,
    turn,
    write,
)
from tests.agents.codex.rolling import (
    call,
    count,
    done,
    marked,
    message,
    output,
    started,
    user,
)

DIALECTS = ("legacy", "paginated", "packed", "archived", "flat", "copied", "referenced")
_INSTRUCTIONS = "# AGENTS.md instructions for /w/shop\n\n<INSTRUCTIONS>\nBe brief\n</INSTRUCTIONS>"
_PERMISSIONS = "<permissions instructions>\nread only\n</permissions instructions>"
_PLACE = "<environment_context>\n<cwd>/w/shop</cwd>\n</environment_context>"


def picture(shade: int = 0) -> JSON:
    """A real image of one pixel: Codex tells that it cannot show any other."""

    def chunk(name: bytes, data: bytes) -> bytes:
        whole = name + data
        return struct.pack(">I", len(data)) + whole + struct.pack(">I", zlib.crc32(whole))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0))
    body = chunk(b"IDAT", zlib.compress(bytes([0, shade])))
    data = b"\x89PNG\r\n\x1a\n" + head + body + chunk(b"IEND", b"")
    return {
        "type": "input_image",
        "image_url": f"data:image/png;base64,{base64.b64encode(data).decode()}",
    }


def thought(text: str, seal: str, **fields: Any) -> JSON:
    summary = [{"type": "summary_text", "text": text}] if text else []
    return item("reasoning", summary=summary, content=None, encrypted_content=seal, **fields)


def conversation() -> list[JSON]:
    """Three turns near the limit: parallel calls, reasoning, images, tools of every kind."""
    found = [{"type": "input_text", "text": "a plot\n" * 40}, picture(9)]
    return [
        said("developer", _PERMISSIONS),
        line("response_item", message("user", _INSTRUCTIONS, _PLACE)),
        started("t1"),
        turn(turn_id="t1", approval_policy="never", sandbox_policy={"type": "read-only"}),
        line(
            "response_item",
            {
                **message("user", "Fix the login, and never touch src/legacy"),
                "id": "msg_old1",
                "internal_chat_message_metadata_passthrough": {"turn_id": "t1"},
            },
        ),
        marked("Fix the login, and never touch src/legacy"),
        thought("look first", "gAAAone", id="rs_old1"),
        said("assistant", "I look at it."),
        call("c1", '{"command": ["cat", "login.py"]}'),
        call("c2", '{"command": ["cat", "logout.py"]}'),
        count(120_000, 120_000),
        output("c1", "def login(): pass\n" * 300),
        output("c2", found),
        thought("", "gAAAtwo"),
        item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c3"),
        count(130_000, 250_000),
        item("custom_tool_call_output", call_id="c3", output="Success."),
        said("assistant", "Both are patched."),
        count(131_000, 381_000),
        done("t1"),
        started("t2"),
        turn(turn_id="t2"),
        user("Like this", "<image>", picture(), "</image>"),
        marked("Like this"),
        item(
            "local_shell_call",
            call_id="c4",
            status="completed",
            action={"type": "exec", "command": ["pytest", "-q"], "timeout_ms": 1000},
        ),
        output("c4", "Exit code: 1\nOutput:\n1 failed"),
        item("web_search_call", status="completed", action={"type": "search", "query": "cookie"}),
        said("assistant", "One test fails."),
        count(140_000, 521_000),
        done("t2"),
        started("t3"),
        turn(turn_id="t3"),
        user("Then mend it"),
        marked("Then mend it"),
        thought("easy", "gAAAthree"),
        said("assistant", "Mended."),
        count(141_000, 662_000),
        done("t3"),
    ]


def everything() -> list[JSON]:
    """The conversation with all else that can be in a window: a sealed compaction, other agents,
    a search for tools, a drawing, words that are hard to write, and damage that Codex passes over.
    """
    hard = "\x00\x1b[31m\u2028\u200b\U0001f600 \\u0041 </INSTRUCTIONS> \t\r\n two  spaces "
    seals = [message("user", "Before"), {"type": "compaction", "encrypted_content": "gAAAsealed"}]
    told = "Another language model started to solve this problem, and it said: x"
    return [
        line("compacted", {"message": "", "replacement_history": seals}),
        *conversation(),
        started("t4"),
        turn(turn_id="t4"),
        user("# Files mentioned\n- a.py\n\n## My request for Codex:\nNow the docs", hard),
        line("response_item", message("user", told)),
        item(
            "tool_search_call",
            call_id="c5",
            execution="client",
            status="completed",
            arguments={"query": "calendar"},
        ),
        item(
            "tool_search_output",
            call_id="c5",
            status="completed",
            execution="client",
            tools=[{"name": "calendar", "text": "a tool\n" * 200}],
        ),
        item("image_generation_call", id="ig_1", status="completed", result="iVBORw0KGgo="),
        item(
            "agent_message",
            author="scout",
            recipient="root",
            content=[
                {"type": "input_text", "text": "found it " * 50},
                {"type": "encrypted_content", "encrypted_content": "gAAAagent"},
            ],
        ),
        line(
            "inter_agent_communication",
            {
                "author": "root",
                "recipient": "scout",
                "other_recipients": [],
                "content": "",
                "encrypted_content": "gAAAtask",
                "trigger_turn": True,
            },
        ),
        item("function_call_output", name="clock", namespace="host", output="it is late"),
        item("reasoning", summary=[], content=[{"type": "reasoning_text", "text": "raw"}]),
        line("response_item", {"type": "ghost_snapshot", "ghost_commit": {}}),
        call("c6", '{"n": 1e3, "broken": ', name="mcp_tool"),
        call("c7", "not json at all"),
        output("c7", ""),
        event("token_count", info=None),
        output("c6", ["plain", {"type": "input_text", "text": "block"}, picture(3)]),
        said("assistant", "Done."),
        event("turn_aborted", reason="interrupted"),
        user("And now?"),
    ]


def in_dialect(dialect: str, home: Path, records: list[JSON], **head: Any) -> Path:
    """A rollout of `records` below the Codex home `home`, as a build of that time wrote it."""
    path = rollout_file(home)
    match dialect:
        case "paginated":
            return write(path, *numbered([meta(history_mode="paginated", **head), *records]))
        case "packed":
            return pack(write(path, meta(**head), *records))
        case "archived":
            return write(home / "archived_sessions" / path.name, meta(**head), *records)
        case "flat":
            bare = [one["payload"] for one in records if one["type"] == "response_item"]
            top = {"id": PARENT, "timestamp": "2025-06-25T10:00:00.000Z", "instructions": None}
            return write(home / "sessions" / path.name, top, *bare)
        case "copied":
            write(path, meta(**head), *records)
            own = meta(CHILD, forked_from_id=PARENT, **head)
            return write(rollout_file(home, CHILD), own, meta(**head), *records)
        case "referenced":
            parts = numbered([meta(history_mode="paginated", **head), *records])
            write(path, *parts)
            base = {
                "thread_id": PARENT,
                "end_ordinal_exclusive": len(parts) - 4,
                "end_byte_offset": len(text_of(*parts[:-4])),
            }
            own = meta(CHILD, history_mode="paginated", history_base=base, **head)
            rest = numbered([own, *records[-4:]], len(parts) - 4)
            return write(rollout_file(home, CHILD), *rest)
    return write(path, meta(**head), *records)


def numbered(records: list[JSON], start: int = 0) -> list[JSON]:
    """The records of a paginated rollout."""
    return [{**record, "ordinal": start + at} for at, record in enumerate(records)]
