"""What a list shows of a rollout."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from redline.agents.codex.finder import CODEX
from redline.agents.codex.scan import listed, scan
from redline.agents.discover import discover
from redline.agents.opening import recognise
from tests.agents.codex.files import (
    CHILD,
    JSON,
    PARENT,
    counted,
    estimated,
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

AGENTS = "# AGENTS.md instructions for /w/shop\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>"
WHERE = "<environment_context>\n  <cwd>/w/old</cwd>\n</environment_context>"


def test_a_session_is_listed_by_what_its_records_say(tmp_path: Path) -> None:
    path = write(
        rollout_file(tmp_path),
        meta(),
        said("developer", "<permissions instructions>"),
        said("user", AGENTS, WHERE),
        turn("gpt-5.4"),
        said("user", "Add a --json flag\nplease"),
        event("user_message", message="Add a --json flag"),
        counted(9_000),
        turn("gpt-5.5"),
        said("user", "And a test"),
        said("assistant", "Done.", second=65),
        counted(12_345, second=66),
        event("task_complete", second=67),
    )
    info = only(path)
    assert (info.id, info.project, info.model) == (PARENT, "/w/shop", "gpt-5.5")
    assert (info.title, info.last_prompt) == ("Add a --json flag", "And a test")
    assert info.billed == 12_345
    assert info.started is not None
    assert info.updated is not None
    assert (info.started.isoformat(), info.updated.isoformat()) == (
        "2026-06-25T10:00:00+00:00",
        "2026-06-25T10:01:07+00:00",
    )
    assert info.size == path.stat().st_size
    assert listed(path) == (info,)


def test_the_name_that_the_user_gave_is_the_title(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path), meta(), said("user", "go"))
    (tmp_path / "session_index.jsonl").write_text(json.dumps({"id": PARENT, "thread_name": "Shop"}))
    assert only(path).title == "Shop"
    assert only(path).first_prompt == "go"


def test_an_estimate_is_not_what_was_billed(tmp_path: Path) -> None:
    path = write(
        tmp_path / "a.jsonl", meta(), said("user", "go"), counted(7_000), estimated(940_499)
    )
    assert only(path).billed == 7_000


def test_what_was_billed_before_a_compaction_is_not_the_context_now(tmp_path: Path) -> None:
    # A07
    records = [meta(), said("user", "go"), counted(236_000), line("compacted", {"message": ""})]
    path = write(tmp_path / "a.jsonl", *records, estimated(9_000))
    assert only(path).billed is None
    write(path, *records, estimated(9_000), counted(12_000))
    assert only(path).billed == 12_000


def test_a_flat_file_tells_its_project_in_the_environment(tmp_path: Path) -> None:
    header = {"id": CHILD, "timestamp": "2025-08-10T10:00:00.000Z", "instructions": None}
    messages = [said("user", WHERE)["payload"], said("user", "go")["payload"]]
    info = only(write(tmp_path / "a.jsonl", header, *messages, {"record_type": "state"}))
    assert (info.id, info.project, info.title, info.billed) == (CHILD, "/w/old", "go", None)
    older = "<environment_context>\nCurrent working directory: /w/older\n</environment_context>"
    path = write(tmp_path / "b.jsonl", header, said("user", older)["payload"])
    assert only(path).project == "/w/older"


def test_a_summary_is_no_title(tmp_path: Path) -> None:
    # A15
    summary = "Another language model started to solve this problem and produced a summary"
    path = write(tmp_path / "a.jsonl", meta(), said("user", summary), said("user", "next"))
    assert only(path).title == "next"


def test_the_words_after_the_editors_context_are_the_prompt(tmp_path: Path) -> None:
    text = (
        "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n## My request for Codex:\nFix it"
    )
    assert only(write(tmp_path / "a.jsonl", meta(), said("user", text))).title == "Fix it"


def test_a_large_file_is_listed_from_its_two_ends(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", meta(), turn(), said("user", "first"))
    block = text_of(*[said("assistant", "z" * 50_000) for _ in range(20)])
    with path.open("ab") as file:
        for _ in range(6):
            file.write(block)
        file.write(text_of(said("user", "last"), counted(5), said("assistant", "z" * 50_000)))
    info = only(path)
    assert (info.first_prompt, info.last_prompt, info.billed) == ("first", "last", 5)


def test_a_packed_file_is_listed_as_the_plain_one(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path), meta(), turn(), said("user", "go"), counted(5))
    plain = only(path)
    packed = only(pack(path))
    assert packed.path.name.endswith(".jsonl.zst")
    assert (packed.id, packed.title, packed.billed, packed.updated) == (
        plain.id,
        plain.title,
        plain.billed,
        plain.updated,
    )


def test_a_damaged_packed_file_is_listed_by_its_name(tmp_path: Path) -> None:
    path = rollout_file(tmp_path)
    path.parent.mkdir(parents=True)
    packed = path.with_name(path.name + ".zst")
    packed.write_bytes(b"\x28\xb5\x2f\xfd\x04")
    assert only(packed).id == PARENT
    assert only(packed).title == "(damaged)"


@pytest.mark.parametrize("length", [5, 60, -3])
def test_a_packed_file_that_is_cut_is_marked_and_told(tmp_path: Path, length: int) -> None:
    path = write(rollout_file(tmp_path), meta(), said("user", "go on"), said("assistant", "done"))
    packed = pack(path)
    packed.write_bytes(packed.read_bytes()[:length])
    found = discover({"CODEX_HOME": str(tmp_path), "HOME": str(tmp_path)})
    assert [info.title.startswith("(damaged)") for info in found.sessions] == [True]
    (problem,) = (looked.problem for looked in found.looked if looked.path == packed)
    assert "cut off" in problem or "damaged" in problem


def subagent(parent: str = PARENT, **fields: Any) -> JSON:
    spawn = {"parent_thread_id": parent, "depth": 1, "agent_role": "explorer"}
    return meta(CHILD, source={"subagent": {"thread_spawn": spawn}}, **fields)


@pytest.mark.parametrize(
    "child",
    [
        subagent(),
        subagent(parent_thread_id=PARENT, forked_from_id=PARENT),
        meta(CHILD, source={"subagent": "review"}, parent_thread_id=PARENT),
        meta(CHILD, thread_source="subagent", parent_thread_id=PARENT),
    ],
)
def test_a_subagent_is_no_session_of_the_list_and_opens_by_its_path(
    tmp_path: Path, child: JSON
) -> None:
    # A20: the parent's id may stand in source.subagent.thread_spawn only
    write(rollout_file(tmp_path), meta(), said("user", "go"))
    path = write(rollout_file(tmp_path, CHILD), child, said("user", "count"))
    assert listed(path) == ()
    assert only(path).parent == PARENT
    assert recognise(path).id == CHILD
    found = discover({"CODEX_HOME": str(tmp_path), "HOME": str(tmp_path)})
    assert [info.id for info in found.sessions] == [PARENT]


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("rollout-a.jsonl", b"", ""),
        ("rollout-a.jsonl", b"no records", "holds no record of Codex"),
        ("rollout-a.jsonl", text_of(meta()), ""),
        ("rollout-a.jsonl", text_of(subagent()), ""),
        ("rollout-a.jsonl.zst", b"not packed", "damaged"),
        ("rollout-a.json", b"[]", "no rollout"),
        ("rollout-a.json", b"{", "damaged"),
    ],
)
def test_a_rollout_that_holds_nothing_says_why(
    tmp_path: Path, name: str, data: bytes, told: str
) -> None:
    path = tmp_path / "sessions" / name
    path.parent.mkdir()
    path.write_bytes(data)
    found = discover({"CODEX_HOME": str(tmp_path), "HOME": str(tmp_path)})
    problems = [looked.problem for looked in found.looked if looked.path == path]
    assert len(problems) == bool(told)
    assert told in "".join(problems)


def test_a_subagent_is_found_by_its_id_in_its_file(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path, CHILD), subagent())
    assert CODEX.unlisted(path, CHILD) == only(path)
    assert CODEX.unlisted(path, PARENT) is None


def test_a_subagent_that_names_no_parent_is_listed_so_that_it_is_not_lost(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path), meta(source={"subagent": "compact"}), said("user", "x"))
    assert len(listed(path)) == 1


def test_a_fork_names_what_it_copies(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path, CHILD), meta(CHILD, forked_from_id=PARENT), meta())
    assert (only(path).id, only(path).parent) == (CHILD, PARENT)


def test_a_fork_without_a_prompt_of_its_own_is_called_after_what_it_continues(
    tmp_path: Path,
) -> None:
    write(rollout_file(tmp_path), meta(), said("user", "the first words"))
    base = {"thread_id": PARENT, "end_ordinal_exclusive": 2}
    path = write(rollout_file(tmp_path, CHILD), meta(CHILD, history_base=base))
    assert only(path).title == "the first words"


def _bom(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data


def _crlf(data: bytes) -> bytes:
    return data.replace(b"\n", b"\r\n")


@pytest.mark.parametrize("change", [_bom, _crlf, lambda data: b"\n\n" + data, bytes.rstrip])
def test_marks_and_line_ends_of_other_systems_change_nothing(
    tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    # A31
    path = write(tmp_path / "a.jsonl", meta(), turn(), said("user", "go"), counted(5))
    plain = only(path)
    path.write_bytes(change(path.read_bytes()))
    info = only(path)
    assert (info.id, info.title, info.billed, info.model) == (PARENT, "go", 5, plain.model)


HOSTILE: list[JSON] = [
    meta(id=None, cwd=3, source=[], timestamp={}, forked_from_id=7),
    meta(source={"subagent": {"thread_spawn": 3}}, history_base=[]),
    line("turn_context", {"model": None, "cwd": []}),
    line("turn_context", {}),
    event("token_count", info=None),
    event("token_count", info={"last_token_usage": {"input_tokens": "9"}}),
    item("message", role="user", content=None),
    item("message", role="user", content=[None, "x", {"text": 3}, {"type": "input_image"}]),
    item("message", role=None, content=[]),
    {"timestamp": "9999-99-99", "type": "response_item", "payload": {}},
    {"timestamp": 3, "type": ["x"], "payload": {"type": {}}},
]


@pytest.mark.parametrize("record", HOSTILE)
def test_a_hostile_record_costs_itself_only(tmp_path: Path, record: JSON) -> None:
    path = write(tmp_path / "a.jsonl", record, "null", "[1", said("user", "go"), counted(5), record)
    info = only(path)
    assert (info.title, info.billed) == ("go", 5)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"\0" * 100,
        b"SQLite format 3\0{",
        b'{"type":"user","message":{"role":"user","content":"go"},"uuid":"1"}\n',
        b'{"type":"session","id":"x","cwd":"/w"}\n',
        b'{"model":"m","messages":[{"role":"user","content":"go"}]}',
        b'[{"role":"user","content":"go"}]',
    ],
)
def test_what_others_write_is_no_session_of_codex(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(data)
    assert scan(path) == ()
    assert scan(tmp_path / "none.jsonl") == scan(tmp_path) == ()


@pytest.mark.real
def test_the_real_rollouts_are_recognised_and_no_other_file_is(real_sessions: Path) -> None:
    for path in sorted(real_sessions.rglob("*.json*")):
        if path.name.startswith("golden"):
            continue
        assert bool(scan(path)) == (path.parent.name == "codex"), path
