"""Patterns that are compiled when they are first used."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from redline.patterns import _Waiting, lazy

PACKAGE = Path(__file__).parents[1] / "tui/redline"


def test_a_pattern_is_compiled_at_its_first_use_and_not_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[str] = []
    original = re.compile

    def counting(text: str, flags: int = 0) -> re.Pattern[str]:
        compiled.append(text)
        return original(text, flags)

    monkeypatch.setattr(re, "compile", counting)
    port = lazy("PORT (?P<number>[0-9]+)", re.I)
    assert port.pattern == "PORT (?P<number>[0-9]+)"
    assert compiled == []
    match = port.search("on port 8080")
    assert match is not None
    assert match["number"] == "8080"
    assert port.sub("there", "port 1, port 2") == "there, there"
    assert port.flags & re.I
    assert port.groups == 1


def test_every_pattern_that_waits_can_be_compiled() -> None:
    waiting = list(_all_waiting())
    assert len(waiting) > 100
    for pattern in waiting:
        re.compile(pattern.pattern, pattern._asked)


def _all_waiting() -> list[_Waiting]:
    found: list[_Waiting] = []
    for file in PACKAGE.rglob("*.py"):
        if "import lazy" in file.read_text("utf-8"):
            parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
            _collect(vars(import_module(".".join(parts))).values(), found)
    return found


def _collect(values: object, found: list[_Waiting]) -> None:
    if isinstance(values, _Waiting):
        found.append(values)
    elif isinstance(values, dict):
        _collect([*values.values()], found)
    elif isinstance(values, list | tuple | type({}.values())):
        for value in values:
            _collect(value, found)
