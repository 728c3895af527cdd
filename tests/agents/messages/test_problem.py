"""What is said of a file of messages that cannot be opened."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redline.agents.opening import recognise
from redline.errors import RedlineError

BODY = json.dumps(
    {
        "messages": [
            {"role": "user", "content": "Look, 世界"},
            {"role": "assistant", "content": "No"},
        ]
    },
    ensure_ascii=False,
)


def told(path: Path, text: str) -> str:
    path.write_text(text)
    with pytest.raises(RedlineError) as caught:
        recognise(path)
    return caught.value.message.removeprefix(f"{path} ")


@pytest.mark.parametrize("indent", [None, 2])
def test_of_a_body_that_is_cut_it_is_said_where_it_ends(tmp_path: Path, indent: int | None) -> None:
    whole = json.dumps(json.loads(BODY), indent=indent, ensure_ascii=False)
    for length in (1, 12, 30, len(whole) // 2, len(whole) - 1):
        said = told(tmp_path / "body.json", whole[:length])
        lines = whole[:length].split("\n")
        assert said.startswith(f"is no whole JSON: it ends early at line {len(lines)}, column ")


def test_of_a_body_that_is_broken_it_is_said_where(tmp_path: Path) -> None:
    said = told(tmp_path / "body.json", BODY.replace('"assistant"', "'assistant'"))
    assert said.startswith("is no JSON: ")
    assert "line 1, column" in said


@pytest.mark.parametrize(
    "text", ['{"messages": []}', '{"input": [], "stream": true}', "[]", "[ ]\n"]
)
def test_of_an_empty_list_it_is_said_that_it_holds_no_message(tmp_path: Path, text: str) -> None:
    assert told(tmp_path / "body.json", text) == "holds no message"


@pytest.mark.parametrize("text", ["hello", "{}", '{"a": 1}\n{"b": 2}\n', '{"name": "x"}', "[1, 2]"])
def test_what_is_something_else_is_no_session(tmp_path: Path, text: str) -> None:
    assert told(tmp_path / "other.json", text).startswith("is no session")
