from __future__ import annotations

import pytest

from redline.agents.heads import LENGTH, call_line, calls_line, head_line


@pytest.mark.parametrize(
    ("tool", "value", "line"),
    [
        ("Read", {"file_path": "src/totals.py", "limit": 3}, "Read src/totals.py"),
        ("Bash", {"command": "pytest -q\nexit", "description": "Run tests"}, "Bash pytest -q"),
        ("shell", {"command": ["git", "status"]}, "shell git status"),
        ("apply_patch", "*** Begin Patch\n", "apply_patch *** Begin Patch"),
        ("edit", {"path": None, "edits": []}, "edit"),
        (None, {"x": 1}, "tool"),
        ("Read", None, "Read"),
    ],
)
def test_a_call_is_told_by_its_tool_and_telling_argument(
    tool: str | None, value: object, line: str
) -> None:
    assert call_line(tool, value) == line


def test_a_head_is_the_first_line_that_says_something() -> None:
    assert head_line("\n\n  Fix it\nand more") == "Fix it"
    assert len(head_line("x" * 10_000)) == LENGTH
    assert head_line(" " * 5_000) == ""
    assert head_line("\n" * 5_000 + "Fix it\nand more") == "Fix it"


def test_several_calls_stand_in_one_line() -> None:
    assert calls_line(["Read a.py", "Grep b"]) == "Read a.py, Grep b"
