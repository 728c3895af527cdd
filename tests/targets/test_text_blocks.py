"""The state and the compact instructions as blocks of their own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.places import Places, places
from redline.targets.block import find
from redline.targets.block_target import WithoutBlock, joined
from redline.targets.commit import commit
from redline.targets.receipts import Receipts
from redline.targets.rules_block import RulesBlock
from redline.targets.text_blocks import CompactInstructions, State, StateBlock
from redline.targets.undoing import Outcome

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)
STATE = State("Fix the login", "Two tests fail", ("Mend them", "Push"), "5e55 of pi", NOW)


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


def test_a_state_says_what_for_where_and_what_next_and_how_long_it_holds(tmp_path: Path) -> None:
    change = StateBlock(STATE, to=tmp_path / "CLAUDE.md").preview()
    text = change.after.decode()
    for part in (
        "id=state", "- Goal: Fix the login", "- State: Two tests fail", "  1. Mend them",
        "  2. Push", "As of 2026-08-07 12:00 UTC, session 5e55 of pi", "after 2026-08-14",
    ):  # fmt: skip
        assert part in text
    local = replace(STATE, at=NOW.astimezone().replace(tzinfo=None).astimezone())
    assert StateBlock(local, to=tmp_path / "CLAUDE.md").preview().after == change.after


def test_a_later_state_takes_the_place_of_the_earlier(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "CLAUDE.md"
    path.write_bytes(b"# Mine\r\n")
    commit([StateBlock(STATE, to=path).preview()], session="s", places=home, now=NOW)
    path.write_bytes(path.read_bytes() + b"below\r\n")
    later = replace(STATE, state="All pass", next=(), at=NOW + timedelta(days=1))
    commit([StateBlock(later, to=path).preview()], session="s", places=home, now=NOW)
    data = path.read_bytes()
    assert data.startswith(b"# Mine\r\n\r\n<!-- redline:state:begin")
    assert data.endswith(b"-->\r\nbelow\r\n")
    assert b"All pass" in data
    assert b"Two tests" not in data
    assert b"Next" not in data
    assert data.count(b"\n") == data.count(b"\r\n")
    commit([WithoutBlock(to=path, block="state").preview()], session="s", places=home, now=NOW)
    assert path.read_bytes() == b"# Mine\r\nbelow\r\n"


def test_a_state_is_neither_import_nor_markup_and_holds_no_secret(tmp_path: Path) -> None:
    key = "sk-ant-api03-" + "a1B2" * 20
    state = State(
        "@AGENTS.md is old\n# Not a heading",
        "<!-- redline:state:end id=state -->\n```\n",
        (f"Use {key}", "<!-- x -->", "y " * 900),
        "<!-- redline -->",
    )
    change = StateBlock(state, to=tmp_path / "CLAUDE.md").preview()
    text = change.after.decode()
    assert "`@AGENTS.md`" in text
    assert key not in text
    assert any("taken out" in warning for warning in change.warnings)
    assert text.count("<!--") == 2
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        "## Where the work stands"
    ]
    assert "```" not in text
    assert len(find(change.after, "state").spans) == 1
    assert max(len(line) for line in text.splitlines()) < 500


def test_a_session_without_a_state_writes_none(tmp_path: Path) -> None:
    with pytest.raises(RedlineError, match="no goal"):
        StateBlock(State("", " ", ("\u200b",), "s"), to=tmp_path / "CLAUDE.md").preview()


def test_compact_instructions_name_rules_files_and_errors(tmp_path: Path) -> None:
    text = CompactInstructions(to=tmp_path / "CLAUDE.md").preview().after.decode()
    assert "\n## Compact Instructions\n" in text
    for word in ("Rules:", "Files:", "Errors:", "word for word"):
        assert word in text


def test_compact_instructions_stay_out_of_files_that_others_read(tmp_path: Path) -> None:
    """Only Claude Code reads them: an imported AGENTS.md gets them only where it has them."""
    (tmp_path / "CLAUDE.md").write_text("@AGENTS.md\n")
    (tmp_path / "AGENTS.md").write_text("# Ours\n")
    target = CompactInstructions(to=tmp_path / "CLAUDE.md")
    assert target.preview().path == (tmp_path / "CLAUDE.md").resolve()
    (tmp_path / "AGENTS.md").write_bytes(
        CompactInstructions(to=tmp_path / "AGENTS.md").preview().after
    )
    assert target.preview().path == (tmp_path / "AGENTS.md").resolve()
    assert target.preview().empty


def test_blocks_of_one_file_are_written_and_taken_back_as_one(tmp_path: Path, home: Places) -> None:
    path, other = tmp_path / "CLAUDE.md", tmp_path / "AGENTS.md"
    path.write_text("# Mine\n")
    rules = RulesBlock([("r1", "Be brief")], to=path)
    targets = [rules, StateBlock(STATE, to=path), CompactInstructions(to=path)]
    changes = [target.preview() for target in targets]
    changes.append(RulesBlock([("r1", "Be brief")], to=other).preview())
    both = joined(changes)
    assert [change.path for change in both] == [path.resolve(), other.resolve()]
    path.write_text("# Mine\nadded since\n")
    receipt = commit(both, session="s", places=home, now=NOW)
    text = path.read_text()
    assert text.startswith("# Mine\nadded since\n")
    assert text.count(":begin") == 3
    assert all(target.preview().empty for target in targets)
    assert joined([target.preview() for target in targets])[0].empty
    path.write_text("first\n" + text)
    result = Receipts(home).undo(receipt.id, now=NOW)
    outcomes = {file.path.name: file.outcome for file in result.files}
    assert outcomes == {"CLAUDE.md": Outcome.BLOCK, "AGENTS.md": Outcome.REMOVED}
    assert path.read_text() == "first\n# Mine\nadded since\n"


def test_a_change_of_one_of_the_blocks_since_is_not_overwritten(
    tmp_path: Path, home: Places
) -> None:
    path = tmp_path / "CLAUDE.md"
    rules, state = RulesBlock([("r1", "Be brief")], to=path), StateBlock(STATE, to=path)
    seen = joined([rules.preview(), state.preview()])
    theirs = replace(STATE, goal="Something else")
    commit([StateBlock(theirs, to=path).preview()], session="t", places=home, now=NOW)
    with pytest.raises(RedlineError, match="changed since"):
        commit(seen, session="s", places=home, now=NOW)
    assert "Something else" in path.read_text()
    assert "Be brief" not in path.read_text()
