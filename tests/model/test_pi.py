"""The model holds what pi writes."""

from __future__ import annotations

from pathlib import Path

from redline.agents.pi.reader import open_session
from redline.model import CompactionKind, Kind, PartType, Role
from tests.agents.pi.made_up import PNG, call, chain, compaction, header, reply, result, user, write

SPLIT = (
    "## Goal\nFix it\n\n---\n\n**Turn Context (split turn):**\n\n## Original Request\nFix the total"
)


def test_a_split_turn_keeps_the_end_of_a_turn_whose_prompt_is_summarised(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        chain(
            user("u1", None, "Fix the total"),
            reply("a1", None, call("t1"), stop="toolUse"),
            result("r1", None, "t1"),
            reply("a2", None, call("t2"), stop="toolUse"),
            result("r2", None, "t2"),
            compaction("c", None, "a2", summary=SPLIT),
        ),
    )
    session = open_session(path)
    assert [m.id for m in session.context] == ["c", "a2", "r2"]
    assert not any(m.prompts for m in session.context)
    (past,) = session.compactions
    assert (past.kind, past.preserved) == (CompactionKind.PARTIAL, ("a2", "r2"))
    assert past.summary is not None
    assert session.text(past.summary.parts[0]) == SPLIT
    assert past.summary.parts[0].kind is Kind.SUMMARY


def test_parallel_calls_have_their_results_in_records_of_their_own(tmp_path: Path) -> None:
    picture = {"type": "image", "data": PNG, "mimeType": "image/png"}
    path = write(
        tmp_path,
        header(),
        chain(
            user("u1", None, "look"),
            reply("a1", None, call("t1"), call("t2"), call("t3"), stop="toolUse"),
            result("r2", None, "t2", "second"),
            result("r1", None, "t1", [{"type": "text", "text": "first"}, picture]),
            result("r3", None, "t3", "third"),
        ),
    )
    session = open_session(path)
    results = [part for m in session.context[2:] for part in m.parts]
    assert [(p.type, p.call_id) for p in results] == [
        (PartType.TOOL_RESULT, "t2"),
        (PartType.TOOL_RESULT, "t1"),
        (PartType.IMAGE, "t1"),
        (PartType.TOOL_RESULT, "t3"),
    ]
    assert {m.role for m in session.context[2:]} == {Role.USER}
    assert results[2].pixels == (1, 1)
