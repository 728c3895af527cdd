"""What a list shows of a session."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from redline.agents.claude_code.scan import scan
from redline.model import SessionInfo
from tests.agents.claude_code.writing import (
    SESSION_ID,
    boundary,
    reply,
    start,
    summary,
    text,
    usage,
    user,
    write,
)


def scanned(folder: Path, records: list[Any], **options: Any) -> SessionInfo:
    info = scan(write(folder, records, **options))
    assert info is not None
    return info


def test_everything_that_a_list_shows_is_found(tmp_path: Path) -> None:
    records = [
        user("u1", None, "Fix the login", at=1),
        reply("a1", "u1", "m1", text("Fixed."), usage=usage(500), at=2),
        user("u2", "a1", "And the logout", at=3),
        reply("a2", "u2", "m2", text("Done."), usage=usage(900), at=4),
    ]
    info = scanned(tmp_path, records)
    assert (info.id, info.project) == (SESSION_ID, "/home/dev/shop")
    assert (info.first_prompt, info.last_prompt) == ("Fix the login", "And the logout")
    assert (info.title, info.model) == ("Fix the login", "claude-opus-4-8")
    assert info.billed == 901
    assert info.started == datetime(2026, 10, 1, 0, 0, 1, tzinfo=UTC)
    assert info.updated == datetime(2026, 10, 1, 0, 0, 4, tzinfo=UTC)
    assert info.size == info.path.stat().st_size


def test_a_given_title_comes_before_the_agent_s_and_the_last_one_counts(tmp_path: Path) -> None:
    titles = [
        {"type": "ai-title", "aiTitle": "By the agent"},
        {"type": "custom-title", "customTitle": "First name"},
        {"type": "custom-title", "customTitle": "Second name"},
        {"type": "ai-title", "aiTitle": "By the agent again"},
    ]
    assert scanned(tmp_path, [*start(), *titles]).title == "Second name"
    assert scanned(tmp_path, [*start(), titles[0]]).title == "By the agent"


def test_an_old_summary_is_the_title_of_its_own_file_only(tmp_path: Path) -> None:
    own = {"type": "summary", "summary": "Login repaired", "leafUuid": "a1"}
    foreign = {"type": "summary", "summary": "Another session", "leafUuid": "elsewhere"}
    assert scanned(tmp_path, [foreign, own, *start()]).title == "Login repaired"
    assert scanned(tmp_path, [foreign, *start()]).title == "Fix the login"


def test_the_summary_of_a_compaction_is_never_a_title_or_a_prompt(tmp_path: Path) -> None:
    records = [
        *start(),
        boundary("b1"),
        summary("s1", "b1"),
    ]
    info = scanned(tmp_path, records)
    assert (info.title, info.last_prompt) == ("Fix the login", "Fix the login")


def test_after_a_compaction_nothing_is_billed_before_the_next_reply(tmp_path: Path) -> None:
    records = [
        user("u1", None, "Fix the login"),
        reply("a1", "u1", "m1", text("Fixed."), usage=usage(160_000)),
        boundary("b1"),
        summary("s1", "b1"),
    ]
    assert scanned(tmp_path, records).billed is None


def test_the_synthetic_model_is_no_model_and_bills_nothing(tmp_path: Path) -> None:
    extra = reply("a2", "a1", "m2", text("x"), model="<synthetic>", usage=usage(1))
    records = [start()[0], reply("a1", "u1", "m1", text("Hi"), usage=usage(70)), extra]
    info = scanned(tmp_path, records)
    assert (info.model, info.billed) == ("claude-opus-4-8", 71)


def test_lines_longer_than_a_piece_are_read_backwards_whole(tmp_path: Path) -> None:
    records = [
        user("u1", None, "Fix the login"),
        reply("a1", "u1", "m1", text("x" * 700_000), usage=usage(70)),
        user("u2", "a1", "Last words"),
        {"type": "mode", "mode": "y" * 600_000},
    ]
    info = scanned(tmp_path, records)
    assert (info.billed, info.last_prompt) == (71, "Last words")


@pytest.mark.parametrize("name", ["notes.jsonl", "spotter_short.jsonl"])
def test_a_file_that_is_not_named_after_its_session_has_the_id_of_its_records(
    tmp_path: Path, name: str
) -> None:
    assert scanned(tmp_path, start(), name=name).id == SESSION_ID


@pytest.mark.parametrize(
    "lines",
    [
        [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "ho"}],
        [{"messages": [{"role": "user", "content": "hi"}]}],
        [{"type": "session", "version": 3, "id": "x"}, {"type": "message", "id": "y"}],
        [{"type": "session_meta", "payload": {}}, {"type": "response_item", "payload": {}}],
        [b"{", b'  "sessionId": "x",', b'  "messages": []', b"}"],
        [{"type": "user", "text": "hi"}],
        [b"\x00\x01\x02", b"[]", b"null", b'"s"'],
        [],
    ],
)
def test_what_another_program_wrote_is_no_session(tmp_path: Path, lines: list[Any]) -> None:
    assert scan(write(tmp_path, lines)) is None


def test_a_missing_file_is_no_session(tmp_path: Path) -> None:
    assert scan(tmp_path / "none.jsonl") is None


def test_a_mark_of_byte_order_and_line_ends_of_windows_change_nothing(tmp_path: Path) -> None:
    plain = scanned(tmp_path, start())
    path = tmp_path / "bom.jsonl"
    lines = [json.dumps(record).encode() for record in start()]
    path.write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(lines) + b"\r\n")
    info = scan(path)
    assert info is not None
    assert (info.title, info.first_prompt, info.model) == (
        plain.title,
        plain.first_prompt,
        plain.model,
    )
