from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from redline.agents.lines import line
from redline.agents.pi.encoding import Link, file_name, fit, moved, replayed, with_pieces
from redline.agents.pi.state import file_lists
from redline.agents.pieces import Piece
from tests.agents.pi.made_up import call, entry, message, reply, result, user

NOW = datetime(2026, 10, 2, 9, tzinfo=UTC)
LINK = Link("new", "before")


def tool(name: str) -> dict[str, Any]:
    return {"name": name, "description": name, "parameters": {}}


def test_a_file_is_named_by_its_time_and_its_session() -> None:
    assert file_name("0199", NOW) == "2026-10-02T09-00-00-000Z_0199.jsonl"


def test_system_messages_are_replayed_each_a_change_of_those_before_it() -> None:
    first = {"content": "", "sections": {"a": "1", "b": "2"}, "toolsAdded": [tool("x"), tool("y")]}
    second = {"content": [{"type": "text", "text": "also"}], "sections": {"a": None, "b": "3"}}
    third = {"content": "at last", "toolsRemoved": [{"name": "x"}], "toolsAdded": [tool("z")]}
    assert replayed([{"timestamp": 7, **first}, second, third]) == {
        "role": "system",
        "timestamp": 7,
        "content": "also\n\nat last",
        "sections": {"b": "3"},
        "toolsAdded": [tool("y"), tool("z")],
    }
    assert replayed([]) is None


@pytest.mark.parametrize("odd", [None, 1, "x", [None, 1], {"name": 3}])
def test_odd_system_messages_are_no_end(odd: Any) -> None:
    found = replayed([{"content": odd, "sections": odd, "toolsAdded": odd, "toolsRemoved": odd}])
    assert found is not None
    assert isinstance(found["content"], str)


def test_what_was_billed_is_not_told_again() -> None:
    found = moved(reply("a1", "u1", "Hi"), LINK, NOW)
    assert (found["id"], found["parentId"]) == ("new", "before")
    assert found["message"]["usage"]["totalTokens"] == 0
    assert "usage" not in moved(result("r1", "a1", "t1", usage={"input": 9}), LINK, NOW)["message"]
    assert "usage" not in moved(entry("branch_summary", "b", None, usage={}), LINK, NOW)


def test_an_entry_without_a_time_gets_one() -> None:
    bare = {**user("u1", None, "Hi"), "timestamp": None}
    assert moved(bare, LINK, NOW)["timestamp"] == "2026-10-02T09:00:00.000Z"


def test_what_pi_falls_over_is_left_out() -> None:
    for content in (None, 3, {"type": "text"}):
        assert fit(user("u1", None, content))["message"]["content"] == []
    blocks = [None, {"type": "text"}, {"type": "text", "text": "a"}, {"type": "other"}]
    assert fit(user("u1", None, blocks))["message"]["content"] == blocks[2:]
    said = fit(message("a1", None, "assistant", "as text"))
    assert said["message"]["content"] == [{"type": "text", "text": "as text"}]
    sealed = {"type": "thinking", "thinkingSignature": "c2ln", "redacted": True}
    assert fit(reply("a1", None, sealed))["message"]["content"] == [{**sealed, "thinking": ""}]
    good = user("u1", None, "as text")
    assert fit(good) is good


def test_a_shortened_text_loses_its_signature_and_its_neighbours_stay() -> None:
    signed = {"type": "text", "text": "a long text", "textSignature": "msg_1"}
    whole = reply("a1", None, signed, {"type": "text", "text": "b"}, call("t1"))
    pieces = [Piece((0, "text"), None, "a"), Piece((2, "arguments"))]
    content = with_pieces(whole, pieces, result=False)["message"]["content"]
    assert content == [{"type": "text", "text": "a"}, call("t1")]


def test_of_a_text_that_holds_several_parts_those_that_stay_are_cut_out() -> None:
    pieces = [Piece((), (0, 2)), Piece((), (2, 5), "x")]
    found = with_pieces(user("u1", None, "abcde"), pieces, result=False)
    assert [block["text"] for block in found["message"]["content"]] == ["ab", "x"]


def test_the_files_of_an_extensions_compaction_are_not_gone_on_with() -> None:
    details = {"readFiles": ["a", 3], "modifiedFiles": "b"}
    assert file_lists({"details": details, "fromHook": True}, ()) == {
        "readFiles": [],
        "modifiedFiles": [],
    }
    assert file_lists({"details": details}, ())["readFiles"] == ["a"]


def test_files_of_calls_are_listed_once_changed_before_read() -> None:
    calls = [
        call("t1", "read", path="a"),
        call("t2", "write", path="a"),
        call("t3", "edit", path=3),
    ]
    nested = {"calls": [{"name": "read", "arguments": {"path": "n"}}, None]}
    entries = [reply("a1", None, *calls), result("r1", None, "t1", nestedCalls=nested)]
    assert file_lists(None, entries) == {"readFiles": ["n"], "modifiedFiles": ["a"]}


def test_a_line_is_json_that_every_parser_takes() -> None:
    assert line({"a": float("nan"), "b": 10**30, "c": "\u2028"}).endswith(b"}\n")
    assert json.loads(line({"a": float("inf"), "b": 10**30})) == {"a": None, "b": 10**30}
