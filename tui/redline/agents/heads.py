"""The line that stands for a message in a list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

LENGTH = 200  # characters

# What tells one call of a tool from another, in the words of the four agents' tools.
_TELLING = (
    "file_path",
    "path",
    "notebook_path",
    "command",
    "cmd",
    "pattern",
    "query",
    "url",
    "skill",
    "description",
    "subject",
    "prompt",
)


def head_line(text: str) -> str:
    """The first line of `text` that says something, raw."""
    start = text[: LENGTH * 20].lstrip()
    if not start and not text.isspace():
        start = text.lstrip()
    return start[: LENGTH * 20].split("\n", 1)[0][:LENGTH]


def call_line(tool: str | None, value: Any) -> str:
    """A call in a line: the tool and the argument that tells most."""
    name = tool or "tool"
    if isinstance(value, dict):
        for key in _TELLING:
            argument = value.get(key)
            if isinstance(argument, list) and all(isinstance(word, str) for word in argument):
                argument = " ".join(argument)
            if isinstance(argument, str) and argument.strip():
                return f"{name} {head_line(argument)}"[:LENGTH]
    elif isinstance(value, str) and value.strip():
        return f"{name} {head_line(value)}"[:LENGTH]
    return name


def calls_line(lines: Iterable[str]) -> str:
    """Several calls of one reply in a line."""
    return ", ".join(lines)[:LENGTH]
