"""A session of pi with all that it writes, and what a session says."""

from __future__ import annotations

import json
from typing import Any

from redline.model import Session
from tests.agents.pi.made_up import (
    PNG,
    call,
    chain,
    compaction,
    entry,
    message,
    reply,
    result,
    user,
)

Lines = list[dict[str, Any]]
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}
TOOL = {"name": "read", "description": "Read a file", "parameters": {"type": "object"}}
FILE = '<file name="a.py">\nprint(1)\n</file>\n'


def everything() -> Lines:
    """A session with all that pi writes: two compactions, edits, a branch summary, commands,
    messages and notes of extensions, labels, names, models, parallel calls, images, errors."""
    system = {"sections": {"preamble": "Be brief", "gone": "x"}, "toolsAdded": [TOOL]}
    signed = {"type": "thinking", "thinking": "", "thinkingSignature": "c2ln", "redacted": True}
    shown = [{"type": "text", "text": "a plot"}, IMAGE, {"type": "text", "text": "below"}]
    return chain(
        entry("model_change", "m0", None, provider="anthropic", modelId="claude-opus-4-4"),
        entry("model_change", "m1", None, provider="anthropic", modelId="claude-opus-4-5"),
        entry("thinking_level_change", "l0", None, thinkingLevel="high"),
        message("s0", None, "system", "", **system),
        user("u0", None, "Long ago"),
        reply("a0", None, "Yes.", call("t0", "read", path="src/old.py"), stop="toolUse"),
        result("r0", None, "t0", "old"),
        compaction("k0", None, "u0", details={"readFiles": ["a"], "modifiedFiles": ["b"]}),
        user("u1", None, "Fix the login, and never touch src/legacy"),
        entry("custom", "x1", None, customType="todo", data={"open": [1]}),
        reply(
            "a1",
            None,
            {"type": "thinking", "thinking": "hm", "thinkingSignature": "c2ln"},
            {"type": "text", "text": "I look.", "textSignature": "msg_1"},
            call("t1", "read", path="login.py"),
            call("t2", "edit", path="out.py"),
            stop="toolUse",
            billed=150_000,
            responseId="resp_1",
        ),
        result("r1", None, "t1", "x" * 9_000, details={"lines": "x" * 9_000}),
        result("r2", None, "t2", shown, isError=True),
        entry("label", "b1", None, targetId="a1", label="here"),
        entry("session_info", "n1", None, name="the login"),
        reply("e1", None, "half a", call("t9"), stop="error"),
        reply("a2", None, signed, "\u4f60 \U0001f600 \u2028", billed=150_000),
        message("c1", None, "bashExecution", None, command="git status", output="y" * 9_000),
        entry("branch_summary", "g1", None, fromId="a2", summary="On the branch", usage={}),
        entry("custom_message", "z1", None, customType="lint", content="2 warnings", display=True),
        message("z2", None, "custom", [{"type": "text", "text": "more"}, IMAGE], customType="l"),
        user("u2", None, [{"type": "text", "text": f"{FILE}as it is here"}, IMAGE]),
        message("s1", None, "system", "And kind", sections={"gone": None}),
        reply("a3", None, call("t3", "bash", command="ls"), stop="toolUse", billed=151_000),
        result("r3", None, "t3", [{"type": "text", "text": "one"}, IMAGE]),
        entry("context_edit", "d1", None, targetId="r3", replacement={"content": "z" * 9_000}),
        entry("context_edit", "d2", None, targetId="a2", replacement={"content": "said again"}),
        user("u3", None, "Now the docs"),
        reply("a4", None, "Done.", billed=160_000, timestamp=1_791_021_601_000),
        entry("model_change", "m2", None, provider="fake", modelId="fake-2"),
    )


def lines_of(data: bytes) -> Lines:
    return [json.loads(line) for line in data.splitlines()]


def said(session: Session) -> list[str]:
    return [session.text(part) for message in session.context for part in message.parts]
