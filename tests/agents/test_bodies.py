"""Bodies of parts, read when they are wanted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.bodies import FileBodies, call_text, call_words, follow, texts
from redline.errors import RedlineError
from redline.model import Kind, Origin, Part, PartType, Pointer


def part(
    path: Path,
    pointer: Pointer,
    type_: PartType = PartType.TEXT,
    span: tuple[int, int] | None = None,
) -> Part:
    origin = Origin(path, 1, 0, path.stat().st_size, pointer, span)
    return Part(type_, Kind.REPLY, origin, chars=0, wire="text")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    value = {"a": [{"text": "héllo"}, {"input": {"b": 1, "a": "ü"}}], "list": ["x", {"text": "y"}]}
    file = tmp_path / "x.jsonl"
    file.write_text(json.dumps(value), encoding="utf-8")
    return file


def test_a_body_is_what_its_pointer_leads_to(path: Path) -> None:
    bodies = FileBodies()
    assert bodies.text(part(path, ("a", 0, "text"))) == "héllo"
    assert bodies.text(part(path, ("list",))) == "x\ny"
    assert bodies.text(part(path, ("a", 0, "text"), span=(1, 3))) == "él"
    assert bodies.value(part(path, ("a", 0))) == {"text": "héllo"}


def test_a_call_is_its_input_with_sorted_keys(path: Path) -> None:
    asked = part(path, ("a", 1, "input"), PartType.TOOL_CALL)
    assert FileBodies().text(asked) == '{"a": "ü", "b": 1}'
    assert call_text("as stored") == "as stored"


def test_an_image_has_no_text(path: Path) -> None:
    assert FileBodies().text(part(path, ("a", 0, "text"), PartType.IMAGE)) == ""


def test_a_file_that_changed_or_went_is_told(path: Path) -> None:
    whole = part(path, ("a",))
    path.write_bytes(b"x" * 100)
    with pytest.raises(RedlineError, match="changed"):
        FileBodies().text(whole)
    path.unlink()
    with pytest.raises(RedlineError, match="cannot read"):
        FileBodies().text(whole)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a", "a"),
        (["a", None, {"text": "b"}, {"type": "image"}, 3, {"text": None}], "a\nb"),
        ([{"content": "kept"}], "kept"),
        ({"text": "block"}, "block"),
        (None, ""),
        (5, ""),
    ],
)
def test_texts_are_joined_by_newlines(content: Any, expected: str) -> None:
    assert texts(content) == expected


@pytest.mark.parametrize("pointer", [("b",), ("a", 9), ("a", "x"), ("a", -9), (0,), ("a", 0, "t")])
def test_a_pointer_that_leads_nowhere_gives_none(pointer: Pointer) -> None:
    assert follow({"a": [{"text": "x"}]}, pointer) is None


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"command": 'echo "a\\b"\nls'}, 'command: echo "a\\b"\nls'),
        ('{"command": "echo \\"x\\""}', 'command: echo "x"'),
        ({"command": ["bash", "-lc", "ls -l"]}, "command: bash -lc ls -l"),
        (
            {"edits": [{"old": "a", "new": "b"}], "all": True, "none": None},
            "old: a\nnew: b\nall: true",
        ),
        ("*** Begin Patch", "*** Begin Patch"),
        ("{not json", "{not json"),
        ("[1, 2]", "1\n2"),
        ("\ud800{", "\ud800{"),
        ("{\ud800", "{\ud800"),
        (None, ""),
        (7, "7"),
    ],
)
def test_a_call_is_looked_for_as_people_write_it(value: Any, words: str) -> None:
    assert call_words(value) == words


def test_a_call_that_is_nested_deeply_costs_nothing_else() -> None:
    value: Any = "end"
    for _ in range(5_000):
        value = [{"a": value}]
    assert call_words(value) == "a: end"
    assert call_words("[" * 100_000)
