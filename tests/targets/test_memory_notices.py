"""Nothing goes from a memory, and nothing contradicts it, without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.handoff.handoff import Constraint, Handoff
from redline.targets.badly_written_json import Value
from redline.targets.memory_json import MemoryJson
from redline.targets.memory_merging import merged
from redline.targets.memory_notices import notices

OLD = "Never use uv, always pip."


def told(text: str, **more: list[str]) -> list[str]:
    memory: dict[str, Value] = {"constraints": [OLD, "The port is 3000."]}
    made = merged(memory, Handoff(constraints=(Constraint(text),)), retired=more.get("retired", ()))
    assert list(notices(made, merged(made, Handoff(constraints=(Constraint(text),))))) == []
    return list(notices(memory, made))


@pytest.mark.parametrize("text", ["Always use uv, never pip.", "Use uv, not pip."])
def test_the_opposite_of_a_rule_stays_beside_it_and_is_told(text: str) -> None:
    assert told(text) == [f"“{text}” contradicts “{OLD}” in constraints: both stay"]


def test_what_goes_is_named() -> None:
    assert told("The port is 3001.", retired=[OLD]) == [
        f"“{OLD}” goes from constraints: it was taken back",
        "“The port is 3001.” takes the place of “The port is 3000.” in constraints",
    ]
    assert told("Be brief.") == []


def test_the_target_says_so_before_it_writes(tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    path.write_text('{"constraints": [{"text": "Use pip, never uv."}]}')
    rule = Constraint("Use uv, never pip.")
    change = MemoryJson(Handoff(constraints=(rule,)), to=path).preview()
    assert "Use pip, never uv." in change.after.decode()
    assert any("contradicts" in warning for warning in change.warnings)
