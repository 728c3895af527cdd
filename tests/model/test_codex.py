"""The model holds what Codex writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from redline.model import Kind, Part, PartType, Role, Session
from tests.model.codex import open_rollout

SUMMARY = "Another language model started to solve this problem and left this:\nRounding is fixed."


def item(**payload: Any) -> dict[str, Any]:
    return {"type": "response_item", "payload": payload}


def said(role: str, *texts: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    blocks = [{"type": kind, "text": text} for text in texts]
    return {"type": "message", "role": role, "content": blocks}


def counted(billed: int, cached: int) -> dict[str, Any]:
    last = {"input_tokens": billed, "cached_input_tokens": cached, "output_tokens": 70}
    info = {"last_token_usage": last, "model_context_window": 258_400}
    return {"type": "event_msg", "payload": {"type": "token_count", "info": info}}


def rollout(folder: Path, *lines: dict[str, Any]) -> Session:
    path = folder / "rollout.jsonl"
    meta = {"type": "session_meta", "payload": {"id": "thread"}}
    path.write_text("".join(json.dumps(line) + "\n" for line in (meta, *lines)), "utf-8")
    return open_rollout(path)


def bodies(session: Session, parts: tuple[Part, ...]) -> list[str]:
    return [session.text(part) for part in parts]


PARALLEL = (
    item(**said("developer", "<permissions instructions>ask first")),
    item(**said("user", "# AGENTS.md instructions for /w", "<environment_context>linux")),
    item(**said("user", "# Context from my IDE\n## My request for Codex:\nAdd a --json flag")),
    item(type="reasoning", summary=[], content=None, encrypted_content="gAAAA" * 20),
    item(type="function_call", name="shell", arguments='{"command":"ls"}', call_id="c1"),
    item(type="function_call_output", call_id="c1", output="a.py"),
    item(type="function_call", name="view", arguments='{"path":"a.png"}', call_id="c2"),
    item(type="custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c3"),
    item(type="custom_tool_call_output", call_id="c3", output="ok"),
    item(
        type="function_call_output",
        call_id="c2",
        output=[
            {"type": "input_text", "text": "the picture"},
            {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
        ],
    ),
    counted(9_000, 8_000),
)


def test_parallel_calls_interleaved_with_results_are_one_reply(tmp_path: Path) -> None:
    session = rollout(tmp_path, *PARALLEL)
    assert [m.role for m in session.context] == [
        Role.DEVELOPER,
        Role.USER,
        Role.USER,
        Role.ASSISTANT,
        Role.USER,
        Role.USER,
        Role.USER,
    ]
    answer = session.context[3]
    assert [(p.type, p.call_id, p.origin.record) for p in answer.parts] == [
        (PartType.OPAQUE, None, 5),
        (PartType.TOOL_CALL, "c1", 6),
        (PartType.TOOL_CALL, "c2", 8),
        (PartType.TOOL_CALL, "c3", 9),
    ]
    assert [p.index for p in answer.parts] == [0, 1, 2, 3]
    assert answer.usage is not None
    assert answer.usage.billed == 9_000
    assert (session.window, session.threshold) == (258_400, 244_800)


def test_bodies_come_back_as_the_agent_stores_them(tmp_path: Path) -> None:
    session = rollout(tmp_path, *PARALLEL)
    reasoning, *calls = session.context[3].parts
    assert session.text(reasoning) == "gAAAA" * 20
    assert bodies(session, tuple(calls)) == [
        '{"command":"ls"}',
        '{"path":"a.png"}',
        "*** Begin Patch",
    ]
    assert session.source.value(calls[0]) == {"command": "ls"}
    result, image = session.context[6].parts
    assert session.text(result) == "the picture"
    assert (image.type, image.call_id, session.text(image)) == (PartType.IMAGE, "c2", "")


def test_injected_text_and_a_prompt_share_one_string(tmp_path: Path) -> None:
    session = rollout(tmp_path, *PARALLEL)
    injected, prompt = session.context[2].parts
    assert (injected.kind, prompt.kind) == (Kind.INJECTED, Kind.PROMPT)
    assert session.text(prompt) == "Add a --json flag"
    assert session.text(injected).endswith("## My request for Codex:\n")
    assert [p.kind for p in session.context[1].parts] == [Kind.INJECTED, Kind.INJECTED]


def test_a_remote_compaction_is_opaque_and_its_messages_lie_in_one_record(tmp_path: Path) -> None:
    kept = [
        said("user", "Add a --json flag"),
        said("user", "Never touch …120 tokens truncated… legacy"),
        {"type": "compaction", "encrypted_content": "gBBBB" * 50},
    ]
    compacted = {
        "type": "compacted",
        "payload": {"message": "", "replacement_history": kept, "window_id": "w1"},
    }
    session = rollout(
        tmp_path, *PARALLEL, compacted, item(**said("assistant", "Done")), counted(900, 0)
    )
    assert [m.role for m in session.context] == [Role.USER, Role.USER, Role.USER, Role.ASSISTANT]
    first, shortened, opaque, _ = session.context
    assert len({m.id for m in session.context}) == 4
    assert {m.parts[0].origin.record for m in (first, shortened, opaque)} == {13}
    assert first.parts[0].origin.pointer[:3] == ("payload", "replacement_history", 0)
    assert session.text(first.parts[0]) == "Add a --json flag"
    assert (opaque.parts[0].type, opaque.parts[0].kind) == (PartType.OPAQUE, Kind.SUMMARY)
    assert session.text(opaque.parts[0]) == "gBBBB" * 50
    (past,) = session.compactions
    assert (past.id, past.record, past.summary) == ("w1", 13, None)
    assert past.preserved == (first.id, shortened.id)
    assert past.messages_before == 7
    assert [m.id for m in session.source.history()][-4:] == [m.id for m in session.context]


def test_a_local_compaction_puts_its_summary_last(tmp_path: Path) -> None:
    kept = [said("user", "Add a --json flag"), said("user", SUMMARY)]
    compacted = {"type": "compacted", "payload": {"message": SUMMARY, "replacement_history": kept}}
    session = rollout(tmp_path, *PARALLEL, compacted)
    assert [m.parts[0].kind for m in session.context] == [Kind.PROMPT, Kind.SUMMARY]
    (past,) = session.compactions
    assert past.summary == session.context[-1]
    assert session.text(session.context[-1].parts[0]) == SUMMARY
    assert [block.type for block in session.source.resume()] == ["message", "message"]
