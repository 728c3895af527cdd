"""A file that redline made goes with the last block in it; anybody else's stays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.places import Places, places
from redline.targets.block import COMPACT, DEFAULT
from redline.targets.block_target import BlockTarget, WithoutBlock, joined
from redline.targets.commit import commit
from redline.targets.receipts import Receipts
from redline.targets.rules_block import RulesBlock
from redline.targets.text_blocks import CompactInstructions

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)
RULES = [("r1", "Never touch src/legacy")]


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


def write(targets: Sequence[BlockTarget], home: Places) -> tuple[str, tuple[str, ...]]:
    """The id of the receipt, and what was told before."""
    changes = joined([target.preview() for target in targets])
    receipt = commit(changes, session="s1", places=home, now=NOW)
    return receipt.id, tuple(warning for change in changes for warning in change.warnings)


def rules(path: Path, home: Places) -> RulesBlock:
    return RulesBlock(RULES, to=path, places=home)


def no_rules(path: Path, home: Places) -> RulesBlock:
    return RulesBlock((), to=path, places=home)


def test_a_file_that_redline_made_goes_and_comes_back_with_an_undo(
    tmp_path: Path, home: Places
) -> None:
    path = tmp_path / "AGENTS.md"
    write([rules(path, home)], home)
    held = path.read_bytes()
    receipt, told = write([no_rules(path, home)], home)
    assert not path.exists()
    assert any("redline has made it: the file goes too" in warning for warning in told)
    assert Receipts(home).undo(receipt, NOW).complete
    assert path.read_bytes() == held
    again, _ = write([no_rules(path, home)], home)
    assert again
    assert not path.exists()
    assert no_rules(path, home).preview().empty


def test_all_blocks_at_once_take_the_file_with_them_and_one_does_not(
    tmp_path: Path, home: Places
) -> None:
    path = tmp_path / "CLAUDE.md"
    write([rules(path, home)], home)
    write([CompactInstructions(to=path)], home)
    _, told = write([WithoutBlock(to=path, block=COMPACT, places=home)], home)
    assert path.exists()
    assert not any("goes too" in warning for warning in told)
    write([CompactInstructions(to=path)], home)
    both = [WithoutBlock(to=path, block=block, places=home) for block in (DEFAULT, COMPACT)]
    _, told = write(both, home)
    assert not path.exists()
    assert sum("goes too" in warning for warning in told) == 1
    write([rules(path, home)], home)
    write([CompactInstructions(to=path)], home)
    for one in both:
        write([one], home)
    assert not path.exists()


def test_a_folder_that_was_made_for_the_file_goes_with_it(tmp_path: Path, home: Places) -> None:
    path = tmp_path / ".claude" / "rules" / "redline.md"
    write([rules(path, home)], home)
    receipt, _ = write([no_rules(path, home)], home)
    assert not (tmp_path / ".claude").exists()
    Receipts(home).undo(receipt, NOW)
    assert path.exists()


def test_the_last_retired_rule_takes_the_file_with_it(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    write([rules(path, home)], home)
    write([RulesBlock((), to=path, retired=["r1"], places=home)], home)
    assert not path.exists()


def test_an_empty_file_that_an_older_redline_left_goes(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    write([rules(path, home)], home)
    write([RulesBlock((), to=path)], home)
    assert path.read_bytes() == b""
    write([no_rules(path, home)], home)
    assert not path.exists()


@pytest.mark.parametrize("content", [b"", b"# Mine\n", b"\n", b"\xef\xbb\xbf"])
def test_a_file_that_somebody_made_stays_as_it_was(
    tmp_path: Path, home: Places, content: bytes
) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(content)
    write([rules(path, home)], home)
    _, told = write([no_rules(path, home)], home)
    assert path.read_bytes() == content
    assert any("it stays, empty" in warning for warning in told) == (content == b"")


def test_a_file_that_somebody_else_wrote_in_between_stays(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    write([rules(path, home)], home)
    block = path.read_bytes()
    path.write_bytes(block + b"\nmine\n")
    write([RulesBlock([("r2", "Be brief")], to=path, places=home)], home)
    path.write_bytes(path.read_bytes().replace(b"\nmine\n", b""))
    write([no_rules(path, home)], home)
    assert path.read_bytes() == b""


def test_a_file_that_was_deleted_and_made_by_hand_stays(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    write([rules(path, home)], home)
    path.unlink()
    path.write_bytes(b"")
    write([rules(path, home)], home)
    write([no_rules(path, home)], home)
    assert path.read_bytes() == b""


def test_without_receipts_the_file_stays_and_it_is_said(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    write([rules(path, home)], home)
    elsewhere = places({"REDLINE_HOME": str(tmp_path / "other")})
    change = no_rules(path, elsewhere).preview()
    assert not change.goes
    assert any(
        "the receipts do not show that redline alone wrote it" in warning
        for warning in change.warnings
    )


def test_a_text_added_since_the_preview_keeps_the_file(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    write([rules(path, home)], home)
    seen = no_rules(path, home).preview()
    path.write_bytes(b"# Mine\n\n" + path.read_bytes())
    commit([seen], session="s1", places=home, now=NOW)
    assert path.read_bytes() == b"# Mine\n"


def test_a_link_to_the_file_is_not_left_without_it(tmp_path: Path, home: Places) -> None:
    (tmp_path / "AGENTS.md").write_bytes(b"")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    write([rules(tmp_path / "CLAUDE.md", home)], home)
    write([no_rules(tmp_path / "CLAUDE.md", home)], home)
    assert (tmp_path / "AGENTS.md").read_bytes() == b""


def test_a_stop_at_any_step_of_its_going_leaves_the_file_whole_or_gone(
    tmp_path: Path, home: Places
) -> None:
    path = tmp_path / ".claude" / "rules" / "redline.md"
    write([rules(path, home)], home)
    held = path.read_bytes()
    stops = 0
    while path.exists():
        left = stops

        def step(_: str) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise KeyboardInterrupt

        change = no_rules(path, home).preview()
        try:
            commit([change], session="s1", places=home, now=NOW, step=step)
        except KeyboardInterrupt:
            assert path.read_bytes() == held
        stops += 1
    assert stops > 3
    assert Receipts(home).undo(None, NOW).complete
    assert path.read_bytes() == held
