"""The model holds what Claude Code writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from redline.agents.claude_code.reader import open_session
from redline.model import CompactionKind, Kind, PartState, PartType, Session
from tests.agents.pi.made_up import PNG

JSON = dict[str, Any]
SESSION = "5e550000-0000-4000-8000-000000000001"


def record(kind: str, uuid: str, parent: str | None, **fields: Any) -> JSON:
    stated = {"isSidechain": False, "cwd": "/home/dev/shop", "sessionId": SESSION}
    place = {"type": kind, "uuid": uuid, "parentUuid": parent}
    return stated | {"timestamp": "2026-10-01T09:00:00.000Z", "version": "2.1.197"} | place | fields


def user(uuid: str, parent: str | None, content: Any, **fields: Any) -> JSON:
    return record("user", uuid, parent, message={"role": "user", "content": content}, **fields)


def answer(uuid: str, parent: str, api_id: str, *blocks: JSON, billed: int = 9000) -> JSON:
    usage = {"input_tokens": 10, "cache_read_input_tokens": billed - 10, "output_tokens": 40}
    message = {"role": "assistant", "id": api_id, "model": "claude-opus-4-5", "content": blocks}
    return record("assistant", uuid, parent, message=message | {"usage": usage})


def tool(id: str) -> JSON:  # noqa: A002
    return {"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": f"/{id}"}}


def ran(id: str, content: Any) -> JSON:  # noqa: A002
    return {"type": "tool_result", "tool_use_id": id, "content": content}


def text(body: str) -> JSON:
    return {"type": "text", "text": body}


def opened(folder: Path, *lines: JSON) -> Session:
    path = folder / f"{SESSION}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return open_session(path)


def test_a_reply_of_many_records_is_one_message_and_its_results_come_after(tmp_path: Path) -> None:
    thinking = {"type": "thinking", "thinking": "", "signature": "c2lnbmVk"}
    session = opened(
        tmp_path,
        user("u1", None, "read both"),
        answer("a1", "u1", "m1", thinking),
        answer("a2", "a1", "m1", tool("t1")),
        user("r1", "a2", [ran("t1", "one")]),
        answer("a3", "a2", "m1", tool("t2")),
        user("r2", "a3", [ran("t2", "two")]),
        answer("a4", "r2", "m2", text("done"), billed=9900),
    )
    _, reply, *results, done = session.context
    assert [m.id for m in session.context][:2] == ["u1", "a1"]
    calls = [part for part in reply.parts if part.type is PartType.TOOL_CALL]
    assert [(p.call_id, p.origin.record) for p in calls] == [("t1", 3), ("t2", 5)]
    assert [p.call_id for m in results for p in m.parts] == ["t1", "t2"]
    assert reply.usage is not None
    assert (reply.usage.billed, done.api_id) == (9000, "m2")
    assert session.counts.tool_pairs == 2


def test_of_three_results_in_one_message_one_can_be_cleared(tmp_path: Path) -> None:
    micro = record(
        "system",
        "b1",
        "a2",
        subtype="microcompact_boundary",
        content="Context microcompacted",
        microcompactMetadata={
            "trigger": "auto",
            "preTokens": 50_000,
            "tokensSaved": 20_000,
            "compactedToolIds": ["t2"],
        },
    )
    session = opened(
        tmp_path,
        user("u1", None, "read all"),
        answer("a1", "u1", "m1", tool("t1"), tool("t2"), tool("t3")),
        user("r1", "a1", [ran("t1", "one"), ran("t2", "two"), ran("t3", "three")]),
        answer("a2", "r1", "m2", text("read")),
        micro,
        user("u2", "b1", "go on"),
    )
    results = session.context[2].parts
    assert [(p.call_id, p.state) for p in results] == [
        ("t1", PartState.LIVE),
        ("t2", PartState.CLEARED),
        ("t3", PartState.LIVE),
    ]
    (past,) = session.compactions
    assert (past.kind, past.cleared) == (CompactionKind.MICRO, ("t2",))


def test_preserved_messages_follow_the_summary(tmp_path: Path) -> None:
    preserved = {"anchorUuid": "s1", "uuids": ["u2", "a2"], "allUuids": ["u2", "a2"]}
    boundary = record(
        "system",
        "b1",
        None,
        subtype="compact_boundary",
        content="Conversation compacted",
        compactMetadata={"trigger": "manual", "preTokens": 9000, "preservedMessages": preserved},
    )
    session = opened(
        tmp_path,
        user("u1", None, "first"),
        answer("a1", "u1", "m1", text("one")),
        user("u2", "a1", "second"),
        answer("a2", "u2", "m2", text("two")),
        boundary,
        user("s1", "b1", "Summary of it all", isCompactSummary=True),
        user("u3", "s1", "third"),
        answer("a3", "u3", "m3", text("three"), billed=1200),
    )
    order = [m.id for m in session.context]
    assert [i for i in order if i != "b1"] == ["s1", "u2", "a2", "u3", "a3"]
    by_id = {m.id: m for m in session.context}
    assert by_id["s1"].parts[0].kind is Kind.SUMMARY
    assert by_id["a2"].usage is None  # billed for another context
    (past,) = session.compactions
    assert (past.kind, past.preserved) == (CompactionKind.PARTIAL, ("u2", "a2"))
    assert (past.trigger, past.tokens_before, past.tokens_after) == ("manual", 9000, 1200)


def test_images_are_parts_of_their_own(tmp_path: Path) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": PNG}
    image = {"type": "image", "source": source}
    session = opened(
        tmp_path,
        user("u1", None, [text("look"), image]),
        answer("a1", "u1", "m1", tool("t1")),
        user("r1", "a1", [ran("t1", [text("shot"), image])]),
        answer("a2", "r1", "m2", {"type": "redacted_thinking", "data": "blob"}, text("seen")),
    )
    prompt, _, result, seen = session.context
    assert [part.type for part in prompt.parts] == [PartType.TEXT, PartType.IMAGE]
    assert [(p.type, p.call_id) for p in result.parts] == [
        (PartType.TOOL_RESULT, "t1"),
        (PartType.IMAGE, "t1"),
    ]
    assert result.parts[1].pixels == (1, 1)
    assert seen.parts[0].type is PartType.OPAQUE
    assert session.source.value(seen.parts[0]) == "blob"
