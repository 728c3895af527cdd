"""What a person wrote into a block stays when the block goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.targets.block import STATE, BlockRule, put
from redline.targets.block_target import WithoutBlock
from redline.targets.by_hand import lines_by_hand, taken_out
from redline.targets.rules_block import RulesBlock
from redline.targets.text_blocks import CompactInstructions, State, StateBlock

RULES = [("r1", "Never touch src/legacy"), ("r2", "Be brief")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"# Mine\n")
    path.write_bytes(RulesBlock(RULES, to=path).preview().after)
    return path


@pytest.mark.parametrize("mine", ["- My own rule", "A note of mine.", "- One\n  over two lines"])
def test_a_line_by_hand_stays_where_the_block_was(path: Path, mine: str) -> None:
    text = path.read_text().replace("- Be brief", f"{mine}\n- Be brief")
    path.write_text(text + "\nbelow\n")
    known = [text for _, text in RULES]
    change = RulesBlock([], to=path, known=known).preview()
    assert change.after.decode() == f"# Mine\n\n{mine}\n\nbelow\n"
    assert mine.split("\n")[0] in change.warnings[0]
    assert "stays" in change.warnings[0]


def test_a_line_by_hand_that_redline_has_seen_stays_too(path: Path) -> None:
    path.write_text(path.read_text().replace("- Be brief", "- Mine\n- Be brief"))
    path.write_bytes(RulesBlock(RULES, to=path).preview().after)
    assert RulesBlock([], to=path).preview().after == b"# Mine\n\n- Mine\n"


def test_a_block_that_nobody_touched_goes_whole(path: Path) -> None:
    change = RulesBlock([], to=path).preview()
    assert (change.after, change.warnings) == (b"# Mine\n", ())
    fewer = path.read_bytes().replace(b"- Be brief\n", b"")
    assert taken_out(fewer, "project") == (b"# Mine\n", ())
    two = put(b"", "project", [BlockRule("", "Mine")])
    assert taken_out(two, "project") == (b"- Mine\n", ("- Mine",))


def test_a_line_by_hand_in_the_state_stays_or_is_named(tmp_path: Path) -> None:
    path = tmp_path / "CLAUDE.md"
    target = StateBlock(State("Ship it", "Half done", ("a", "b"), "s1"), to=path)
    path.write_bytes(target.preview().after)
    assert lines_by_hand(path.read_bytes(), STATE) == ()
    path.write_bytes(path.read_bytes().replace(b"- Goal:", b"Ask Ann first.\n- Goal:"))
    assert any("Ask Ann first." in warning for warning in target.preview().warnings)
    gone = WithoutBlock(to=path, block=STATE).preview()
    assert gone.after == b"Ask Ann first.\n"


def test_compact_instructions_are_known_as_redlines_own(tmp_path: Path) -> None:
    path = tmp_path / "CLAUDE.md"
    path.write_bytes(CompactInstructions(to=path).preview().after)
    assert lines_by_hand(path.read_bytes(), "compact-instructions") == ()
