"""The texts of a rollout that can be searched for."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from redline.agents.bodies import call_words
from redline.agents.codex.finder import CODEX
from redline.agents.codex.passages import mark, passages, stamp
from redline.agents.codex.reader import open_session
from redline.agents.finder import Passage
from redline.model import Kind, Part, PartType, Session, SessionInfo
from tests.agents.codex.files import (
    JSON,
    PARENT,
    counted,
    event,
    item,
    line,
    meta,
    only,
    pack,
    rollout_file,
    said,
    text_of,
    turn,
    write,
)

SUMMARY = "Another language model started to solve this problem: half of it is done"
IMAGE = {"type": "input_image", "image_url": "data:image/png;base64,AAAA"}
RECORDS: list[JSON] = [
    meta(base_instructions={"text": "never found"}),
    said("developer", "<permissions instructions>read only"),
    said(
        "user", "# AGENTS.md instructions for /w\n<INSTRUCTIONS>x</INSTRUCTIONS>", "in the bundle"
    ),
    turn(user_instructions="never found"),
    said("user", "Add a --json flag"),
    event("user_message", message="Add a --json flag"),
    item("reasoning", summary=[{"type": "summary_text", "text": "never found"}]),
    item("function_call", name="shell", arguments='{"command":"ls"}', call_id="c1"),
    item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c2"),
    item("function_call_output", call_id="c1", output="a.py\n"),
    item(
        "custom_tool_call_output",
        call_id="c2",
        output=[IMAGE, {"type": "input_text", "text": "ok"}],
    ),
    item("local_shell_call", call_id="c3", action={"type": "exec", "command": ["ls", "-l"]}),
    item("web_search_call", action={"type": "search", "query": "zstd"}),
    item("function_call_output", name="told", output="put in by a host"),
    item("message", role="user", content=[{"type": "input_text", "text": "Look"}, IMAGE]),
    event("user_message", message="Look"),
    said("assistant", "I look."),
    event("agent_message", message="I look."),
    counted(9_000),
    line(
        "compacted",
        {
            "message": SUMMARY,
            "replacement_history": [
                said("user", "Add a --json flag")["payload"],
                said("user", SUMMARY)["payload"],
            ],
        },
    ),
    said("user", "And a test"),
    event("user_message", message="And a test"),
]
TOLD = [
    (2, Kind.INJECTED, "<permissions instructions>read only"),
    (3, Kind.INJECTED, "# AGENTS.md instructions for /w\n<INSTRUCTIONS>x</INSTRUCTIONS>"),
    (3, Kind.INJECTED, "in the bundle"),
    (5, Kind.PROMPT, "Add a --json flag"),
    (8, Kind.TOOL_CALL, "command: ls"),
    (9, Kind.TOOL_CALL, "*** Begin Patch"),
    (10, Kind.TOOL_RESULT, "a.py\n"),
    (11, Kind.TOOL_RESULT, "ok"),
    (12, Kind.TOOL_CALL, "type: exec\ncommand: ls -l"),
    (13, Kind.TOOL_CALL, "type: search\nquery: zstd"),
    (14, Kind.INJECTED, "put in by a host"),
    (15, Kind.PROMPT, "Look"),
    (17, Kind.REPLY, "I look."),
    (20, Kind.SUMMARY, SUMMARY),
    (21, Kind.PROMPT, "And a test"),
]


def told(found: list[Passage]) -> list[tuple[int, Kind, str]]:
    return [(passage.record, passage.kind, passage.text) for passage in found]


def test_each_text_that_the_model_was_sent_is_found_once(tmp_path: Path) -> None:
    # A16: the events that repeat a message are no texts of their own
    found = list(passages(only(write(rollout_file(tmp_path), *RECORDS))))
    assert told(found) == TOLD
    assert found[0].time is not None
    assert found[0].time.isoformat() == "2026-06-25T10:00:01+00:00"


def test_a_flat_rollout_is_searched_too(tmp_path: Path) -> None:
    header = {"id": PARENT, "timestamp": "2025-08-10T10:00:00.000Z", "instructions": "no"}
    bare = [r["payload"] for r in RECORDS if r["type"] == "response_item"]
    path = write(tmp_path / "a.jsonl", header, {"record_type": "state"}, *bare)
    found = list(passages(only(path)))
    assert [text for _, _, text in told(found)] == [
        text for _, kind, text in TOLD if kind is not Kind.SUMMARY
    ]
    assert {passage.time for passage in found} == {None}


def test_the_summary_is_found_where_only_the_replacement_holds_it(tmp_path: Path) -> None:
    items = [said("user", "copied")["payload"], said("user", SUMMARY)["payload"], None, 3]
    compacted = line("compacted", {"message": "", "replacement_history": items})
    found = list(passages(only(write(tmp_path / "a.jsonl", meta(), compacted))))
    assert told(found) == [(2, Kind.SUMMARY, SUMMARY)]


def test_what_comes_after_a_place_is_what_the_whole_gives_after_it(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path), *RECORDS)
    for file in (path, pack(path, keep=True)):
        info = only(file)
        whole = list(passages(info))
        for passage in whole:
            assert list(passages(info, passage.start)) == [
                p for p in whole if p.start >= passage.start
            ]
            assert list(passages(info, passage.end)) == [
                p for p in whole if p.start > passage.start
            ]


def test_packing_a_file_changes_neither_its_texts_nor_their_mark(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path), *RECORDS)
    info = only(path)
    before, marks = list(passages(info)), [mark(info, p.end) for p in passages(info)]
    old = stamp(path)
    packed = only(pack(path))
    assert list(passages(packed)) == list(passages(info)) == before
    assert [mark(packed, p.end) for p in before] == [mark(info, p.end) for p in before] == marks
    assert stamp(packed.path) == stamp(path) != old
    packed.path.unlink()
    assert (stamp(path), mark(info, 10), list(passages(info))) == ("", "", [])


def test_a_mark_tells_a_file_that_was_written_anew_from_one_that_grew(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path), *RECORDS)
    info = only(path)
    end = list(passages(info))[-1].end
    before = mark(info, end)
    with path.open("ab") as file:
        file.write(text_of(said("user", "more")))
    assert mark(info, end) == before
    assert [p.text for p in passages(info, end)] == ["more"]
    write(path, meta(cwd="/w/other"), *RECORDS[1:])
    assert mark(info, end) != before


def test_a_new_name_of_a_thread_changes_its_stamp_only(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path), meta())
    other = write(rollout_file(tmp_path, "019f0000-5000-7000-8000-000000000009"), meta())
    before = CODEX.stamp(path), CODEX.stamp(other)
    (tmp_path / "session_index.jsonl").write_text(f'{{"id":"{PARENT}","thread_name":"Shop"}}')
    assert CODEX.stamp(path) != before[0]
    assert CODEX.stamp(other) == before[1]


@pytest.mark.parametrize("seed", range(12))
def test_records_of_every_wrong_form_are_left_out(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    odd = [None, 3, True, "", [], {}, [None], [3], {"text": 3}, [{"text": None}], "\ud800", -1.5]

    def spoiled(value: object) -> object:
        if dice.random() < 0.15:
            return dice.choice(odd)
        if isinstance(value, dict):
            return {key: spoiled(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [spoiled(inner) for inner in value]
        return value

    records = [spoiled(record) for record in RECORDS * 5]
    path = write(rollout_file(tmp_path), meta(), *(r for r in records if isinstance(r, dict)))
    info = only(path)
    for passage in passages(info):
        assert passage.text.strip()
        assert passage.start < passage.end


def _searched(session: Session, part: Part) -> str:
    called = part.kind is Kind.TOOL_CALL
    return call_words(session.source.value(part)) if called else session.text(part)


def in_the_session(info: SessionInfo) -> set[tuple[int, int, Kind, str]]:
    session = open_session(info.path)
    return {
        (
            part.origin.record,
            part.origin.start,
            Kind.INJECTED if part.kind is Kind.NOTICE else part.kind,
            text,
        )
        for message in session.source.history()
        for part in message.parts
        if part.type in (PartType.TEXT, PartType.TOOL_CALL, PartType.TOOL_RESULT)
        and (text := _searched(session, part)).strip()
    }


def in_the_passages(info: SessionInfo) -> set[tuple[int, int, Kind, str]]:
    return {(p.record, p.start, p.kind, p.text) for p in passages(info)}


def test_a_hit_lies_where_the_opened_session_has_the_part(tmp_path: Path) -> None:
    info = only(write(rollout_file(tmp_path), *RECORDS))
    assert in_the_passages(info) == in_the_session(info)


@pytest.mark.real
@pytest.mark.parametrize("name", ["acidicsoil", "kvsankar", "madshn", "sipcode", "compacted"])
def test_hits_in_real_rollouts_lie_where_the_parts_are(real_sessions: Path, name: str) -> None:
    for path in (real_sessions / "codex").glob(f"{name}*.jsonl"):
        info = only(path)
        # Of a redacted prompt only the events after it tell that it is one: the places are equal.
        hits = {(record, start, text) for record, start, _, text in in_the_passages(info)}
        parts = {(record, start, text) for record, start, _, text in in_the_session(info)}
        apart = hits ^ parts
        assert len(apart) <= 4, apart  # what a compaction brings in anew stands in it alone
