"""Whatever stands in a file: what can be read is read, the rest is listed, nothing is fatal."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.pi.reader import open_session
from redline.agents.pi.scanning import scan
from redline.errors import RedlineError
from redline.model import DamageKind, Session
from tests.agents.pi.made_up import (
    chain,
    compaction,
    entry,
    header,
    ids,
    message,
    reply,
    result,
    user,
    write,
)


def damage(session: Session) -> list[tuple[int, DamageKind]]:
    return [(finding.record, finding.kind) for finding in session.damage]


def test_a_missing_file_is_an_error_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(RedlineError, match=r"nowhere\.jsonl"):
        open_session(tmp_path / "nowhere.jsonl")
    assert scan(tmp_path / "nowhere.jsonl") is None


@pytest.mark.parametrize(
    "raw",
    [b"", b"\n\n", b"\x00\xff\xfe binary \x80", b"[1, 2]\n3\n", b'{"type":"user","uuid":"1"}\n'],
)
def test_a_file_that_is_no_pi_session_is_refused(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "other.jsonl"
    path.write_bytes(raw)
    with pytest.raises(RedlineError, match="no pi session"):
        open_session(path)
    assert scan(path) is None


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RedlineError):
        open_session(tmp_path)


def test_a_header_alone_is_an_empty_session(tmp_path: Path) -> None:
    session = open_session(write(tmp_path, header()))
    assert session.context == ()
    assert session.leaf is None


def test_a_parent_that_names_nothing_is_healed_and_what_pi_would_lose_is_counted(
    tmp_path: Path,
) -> None:
    path = write(
        tmp_path,
        header(),
        user("a", None, "one"),
        reply("b", "a", "first"),
        user("c", "gone", "two"),
        reply("d", "c", "second"),
    )
    session = open_session(path)
    assert ids(session) == ["a", "b", "c", "d"]
    assert [m.seam for m in session.context] == [False, False, True, False]
    assert damage(session) == [(4, DamageKind.DANGLING)]
    assert (session.resume_messages, session.resume_lost) == (2, 2)
    assert [block.text for block in session.source.resume()] == ["two", "second"]


def test_glued_records_are_read_though_pi_skips_their_line(tmp_path: Path) -> None:
    glued = json.dumps(user("a", None, "one")) + json.dumps(reply("b", "a", "first"))
    path = write(tmp_path, header(), glued.encode(), user("c", "b", "two"))
    session = open_session(path)
    assert ids(session) == ["a", "b", "c"]
    assert [m.seam for m in session.context] == [False, False, True]
    assert damage(session) == [(2, DamageKind.GLUED)]
    assert (session.resume_messages, session.resume_lost) == (1, 2)
    assert session.text(session.context[1].parts[0]) == "first"


def test_a_half_written_last_line_is_left_out(tmp_path: Path) -> None:
    path = write(tmp_path, header(), user("a", None, "one"))
    with path.open("ab") as file:
        file.write(b'{"type":"message","id":"b","parentId":"a","mess')
    session = open_session(path)
    assert ids(session) == ["a"]
    assert damage(session) == [(3, DamageKind.TORN_TAIL)]


def test_a_byte_order_mark_is_read_over_though_pi_refuses_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, header(), user("a", None, "one"))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    session = open_session(path)
    assert ids(session) == ["a"]
    assert (session.resume_messages, session.resume_lost) == (0, 1)
    assert damage(session) == [(1, DamageKind.MISSING)]


def test_a_session_without_its_header_is_read_though_pi_refuses_it(tmp_path: Path) -> None:
    session = open_session(write(tmp_path, user("a", None, "one"), reply("b", "a", "two")))
    assert ids(session) == ["a", "b"]
    assert damage(session) == [(1, DamageKind.MISSING)]
    assert list(session.source.resume()) == []


def test_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    path = write(tmp_path, header(), user("a", None, "one\r\ntwo"), end=b"\r\n")
    session = open_session(path)
    assert session.text(session.context[0].parts[0]) == "one\r\ntwo"
    assert session.damage == ()


def test_separators_that_are_no_line_ends_stay_in_their_record(tmp_path: Path) -> None:
    text = "a\u2028b\u0085c\x0bd"
    session = open_session(write(tmp_path, header(), user("a", None, text)))
    assert session.text(session.context[0].parts[0]) == text


@pytest.mark.parametrize("content", [None, 7, True, {"type": "text"}, [None, 5, "x", {}, []]])
@pytest.mark.parametrize("role", ["user", "assistant", "toolResult", "custom", "system"])
def test_content_of_any_type_costs_nothing_but_itself(
    tmp_path: Path, role: str, content: Any
) -> None:
    path = write(
        tmp_path,
        header(),
        user("a", None, "one"),
        message("b", "a", role, content),
        user("c", "b", "two"),
    )
    session = open_session(path)
    assert ids(session)[0] == "a"
    assert ids(session)[-1] == "c"
    assert [block.text for block in session.source.resume() if block.message == "c"] == ["two"]
    for found in session.context:
        for part in found.parts:
            session.text(part)


@pytest.mark.parametrize(
    "fields",
    [
        {"message": None},
        {"message": "text"},
        {"message": {"role": 7, "content": "x"}},
        {"message": {"content": "x"}},
        {"message": {"role": "assistant", "content": [{"type": "toolCall"}], "usage": 5}},
        {"message": {"role": "assistant", "content": [], "usage": {"input": "9"}, "model": 5}},
        {"message": {"role": "bashExecution"}},
        {"message": {"role": "toolResult", "toolCallId": 5, "content": "x"}},
        {"timestamp": 5},
        {"timestamp": "yesterday"},
        {"timestamp": None},
        {"parentId": 7},
        {"parentId": ["a"]},
        {"type": 9},
        {"type": None},
        {"type": "compaction", "summary": None, "tokensBefore": "many", "firstKeptEntryId": 3},
        {"type": "branch_summary", "summary": 5},
        {"type": "custom_message", "content": 5},
        {"type": "context_edit", "targetId": 5, "replacement": 5},
        {"type": "context_edit", "targetId": "a", "replacement": {"content": 5}},
        {"type": "session_info", "name": 5},
        {"type": "model_change", "modelId": {}},
    ],
)
def test_fields_of_the_wrong_type_are_passed_over(tmp_path: Path, fields: dict[str, Any]) -> None:
    odd = message("b", "a", "user", "odd") | fields
    path = write(tmp_path, header(), user("a", None, "one"), odd, user("c", "b", "two"))
    session = open_session(path)
    assert ids(session)[-1] == "c"
    assert scan(path) is not None
    list(session.source.history())
    list(session.source.resume())


@pytest.mark.parametrize("stated", [{"cwd": 5}, {"timestamp": {}}, {"version": "x"}, {"cwd": None}])
def test_a_header_of_any_content_opens(tmp_path: Path, stated: dict[str, Any]) -> None:
    path = write(tmp_path, header() | stated, user("a", None, "one"))
    assert len(open_session(path).context) == 1
    assert scan(path) is not None


def test_a_cycle_ends_the_walk(tmp_path: Path) -> None:
    path = write(
        tmp_path, header(), user("a", "c", "one"), user("b", "a", "two"), user("c", "b", "x")
    )
    session = open_session(path)
    assert ids(session) == ["a", "b", "c"]
    assert DamageKind.CYCLE in {finding.kind for finding in session.damage}
    assert len(list(session.source.resume())) == 3


def test_an_entry_that_is_its_own_parent_ends_the_walk(tmp_path: Path) -> None:
    session = open_session(write(tmp_path, header(), user("a", "a", "one")))
    assert ids(session) == ["a"]


def test_of_two_entries_with_one_id_the_last_one_wins(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        user("a", None, "one"),
        reply("b", "a", "old"),
        reply("b", "a", "new"),
        user("c", "b", "two"),
    )
    session = open_session(path)
    assert [m.head for m in session.context] == ["one", "new", "two"]
    assert damage(session) == [(4, DamageKind.DUPLICATE)]


def test_an_id_used_again_later_does_not_bend_the_chain(tmp_path: Path) -> None:
    path = write(
        tmp_path, header(), user("a", None, "one"), reply("b", "a", "x"), user("a", "b", "two")
    )
    session = open_session(path)
    assert [m.head for m in session.context] == ["one", "x", "two"]


def test_a_second_header_is_listed_and_passed_over(tmp_path: Path) -> None:
    path = write(
        tmp_path, header(), user("a", None, "one"), header(id="other"), reply("b", "a", "two")
    )
    session = open_session(path)
    assert ids(session) == ["a", "b"]
    assert session.info.id == "0199-shop"
    assert damage(session) == [(3, DamageKind.DUPLICATE)]


def test_a_result_whose_call_was_compacted_away_is_an_orphan(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        chain(user("a", None, "one"), compaction("c", None, "c"), result("r", None, "x")),
    )
    session = open_session(path)
    assert ids(session) == ["c", "r"]
    assert damage(session) == [(4, DamageKind.ORPHAN)]


def test_a_lone_surrogate_is_listed_and_its_text_is_read(tmp_path: Path) -> None:
    raw = json.dumps(user("a", None, "x \ud800 y")).encode()
    session = open_session(write(tmp_path, header(), raw))
    text = session.text(session.context[0].parts[0])
    assert (text[:2], text[-2:]) == ("x ", " y")
    assert damage(session) == [(2, DamageKind.ENCODING)]
    assert all(block.text.encode() for block in session.source.resume())


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path) -> None:
    raw = json.dumps(user("a", None, "x")).encode().replace(b'"x"', b'"x\xff\xfe"')
    session = open_session(write(tmp_path, header(), raw, user("b", "a", "two")))
    assert session.text(session.context[0].parts[0]) == "x\ufffd\ufffd"
    assert ids(session) == ["a", "b"]


def test_a_line_of_25_megabytes_is_one_record(tmp_path: Path) -> None:
    body = "x" * 25_000_000
    path = write(
        tmp_path,
        header(),
        user("a", None, "one"),
        result("r", "a", "t", body),
        user("b", "r", "two"),
    )
    session = open_session(path)
    assert ids(session) == ["a", "r", "b"]
    assert session.context[1].parts[0].chars == 25_000_000
    info = scan(path)
    assert info is not None
    assert info.last_prompt == "two"


def test_numbers_and_nesting_that_break_parsers_cost_their_line(tmp_path: Path) -> None:
    deep = b'{"type":"message","id":"b","parentId":"a","x":' + b"[" * 100_000
    long = b'{"type":"usage","id":"n","parentId":"a","timestamp":"","x":' + b"9" * 5000 + b"}"
    path = write(tmp_path, header(), user("a", None, "one"), deep, long, user("c", "a", "two"))
    session = open_session(path)
    assert ids(session) == ["a", "c"]


def test_clocks_that_run_backwards_change_no_order(tmp_path: Path) -> None:
    late = user("a", None, "one") | {"timestamp": "2031-01-01T00:00:00Z"}
    early = user("b", "a", "two") | {"timestamp": "1999-01-01T00:00:00Z"}
    assert ids(open_session(write(tmp_path, header(), late, early))) == ["a", "b"]


def test_a_file_that_changed_after_it_was_opened_is_an_error(tmp_path: Path) -> None:
    path = write(tmp_path, header(), user("a", None, "one"), entry("label", "l", "a"))
    session = open_session(path)
    path.write_bytes(b"x" * 400)
    with pytest.raises(RedlineError, match="changed"):
        session.text(session.context[0].parts[0])
    with pytest.raises(RedlineError, match="changed"):
        list(session.source.history())
