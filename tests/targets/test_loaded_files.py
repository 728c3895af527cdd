"""What an agent loads for a folder, and what a write changes in that."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.model import Agent
from redline.targets.loaded_files import Loaded, Reader, loaded_files, notices
from redline.targets.rules_block import RulesBlock
from redline.targets.text_blocks import State, StateBlock

RULES = [("r1", "Never touch src/legacy")]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    (tmp_path / ".git").mkdir()
    return tmp_path / "work"


def env(work: Path) -> dict[str, str]:
    return {"HOME": str(work.parent / "home")}


def told(agent: Agent, work: Path, path: Path, after: bytes) -> str:
    return "\n".join(notices(Reader(agent, work, env(work)), path.resolve(), after))


def test_a_file_is_listed_with_its_size_its_weight_and_why(work: Path) -> None:
    (work / "AGENTS.md").write_text("Be brief. " * 100)
    (found,) = loaded_files(Agent.CODEX, work, env(work))
    assert found == Loaded(work / "AGENTS.md", 1_000, found.tokens, "project", None)
    assert 200 < found.tokens < 400
    heavier = loaded_files(Agent.CODEX, str(work), env(work), model="claude-opus-4-8")
    assert heavier[0].tokens > found.tokens


@pytest.mark.parametrize("project", [None, "", "work", "/no/such/folder", "/\0"])
def test_a_project_that_is_not_here_loads_nothing(project: str | None) -> None:
    assert loaded_files(Agent.CODEX, project, {}) == ()
    for agent in Agent:
        path = Path(project or ".")
        assert notices(Reader(agent, Path("/no/such/folder"), {}), path, b"x") == ()


def test_what_codex_would_cut_after_the_write_is_said(work: Path) -> None:
    (work.parent / "AGENTS.md").write_text("a" * 20_000)
    (work / "AGENTS.md").write_text("b" * 12_700)
    reader = Reader(Agent.CODEX, work, env(work))
    change = RulesBlock(RULES, to=work / "AGENTS.md", reader=reader).preview()
    (warning,) = [one for one in change.warnings if "cuts" in one]
    assert "byte 12,768" in warning
    assert f"{len(change.after) - 12_768:,} bytes are behind" in warning
    assert not any(
        "cut" in one for one in RulesBlock(RULES, to=work / "AGENTS.md").preview().warnings
    )
    # A write to a file above pushes the one below out.
    pushed = told(Agent.CODEX, work, work.parent / "AGENTS.md", b"a" * 40_000)
    assert f"cuts {work.parent / 'AGENTS.md'} at byte 32,768" in pushed
    assert f"reads nothing of {work / 'AGENTS.md'}" in pushed


def test_a_file_whose_size_claude_code_warns_of_is_told(work: Path) -> None:
    path = work / "CLAUDE.md"
    assert "40,001 characters: Claude Code warns of files of more than 40,000" in told(
        Agent.CLAUDE_CODE, work, path, b"a" * 40_001
    )
    assert told(Agent.CLAUDE_CODE, work, path, "中".encode() * 40_000) == ""
    long = Reader(Agent.CLAUDE_CODE, work, env(work), "claude-sonnet-4-6[1m]")
    assert notices(long, path.resolve(), b"a" * 200_000) == ()
    (warning,) = notices(long, path.resolve(), b"a" * 200_001)
    assert "200,000 characters with claude-sonnet-4-6[1m]" in warning


@pytest.mark.parametrize(
    ("agent", "there", "written"),
    [
        (Agent.PI, "CLAUDE.md", "AGENTS.md"),
        (Agent.PI, "AGENTS.md", "AGENTS.override.md"),
        (Agent.CODEX, "AGENTS.md", "AGENTS.override.md"),
        (Agent.HERMES, "CLAUDE.md", "AGENTS.md"),
        (Agent.HERMES, ".cursorrules", "CLAUDE.md"),
    ],
)
def test_a_new_file_that_hides_another_is_told(
    work: Path, agent: Agent, there: str, written: str
) -> None:
    (work / there).write_text("mine")
    said = told(agent, work, work / written, b"new")
    assert said == f"{agent.value} would no longer read {work / there}, which it reads now"


@pytest.mark.parametrize(
    ("agent", "there", "written"),
    [
        (Agent.CLAUDE_CODE, "CLAUDE.md", "AGENTS.md"),
        (Agent.PI, "AGENTS.md", "CLAUDE.md"),
        (Agent.CODEX, "AGENTS.override.md", "AGENTS.md"),
        (Agent.HERMES, ".hermes.md", "AGENTS.md"),
    ],
)
def test_a_file_that_the_agent_does_not_read_is_told(
    work: Path, agent: Agent, there: str, written: str
) -> None:
    (work / there).write_text("mine")
    assert "does not read" in told(agent, work, work / written, b"new")


def test_rules_for_certain_files_are_told_as_such(work: Path) -> None:
    path = work / ".claude/rules/api.md"
    path.parent.mkdir(parents=True)
    path.write_text("---\npaths: src/api/**\n---\nmine\n")
    reader = Reader(Agent.CLAUDE_CODE, work, env(work))
    change = RulesBlock(RULES, to=path, reader=reader).preview()
    assert any(one.endswith(f"reads {path} only with src/api") for one in change.warnings)
    assert change.after.startswith(path.read_bytes())


def test_a_link_is_the_file_it_leads_to(work: Path) -> None:
    (work / "AGENTS.md").write_text("mine")
    (work / "CLAUDE.md").symlink_to("AGENTS.md")
    assert told(Agent.CLAUDE_CODE, work, work / "CLAUDE.md", b"new") == ""
    (found,) = loaded_files(
        Agent.CLAUDE_CODE, work, env(work), written={(work / "AGENTS.md").resolve(): b"longer"}
    )
    assert (found.path, found.bytes) == (work / "CLAUDE.md", 6)


def test_a_block_that_the_agent_reads_in_another_file_too_is_told(work: Path) -> None:
    reader = Reader(Agent.CLAUDE_CODE, work, env(work))
    first, second = work / "CLAUDE.md", work / "CLAUDE.local.md"
    first.write_bytes(RulesBlock(RULES, to=first, reader=reader).preview().after)
    change = RulesBlock(RULES, to=second, reader=reader).preview()
    assert [one for one in change.warnings if "already" in one] == [
        f"{first} has this block already, and claude-code reads both: "
        f"`--to {first} --remove` takes it out there"
    ]
    assert RulesBlock(RULES, to=first, reader=reader).preview().warnings == ()
    other = StateBlock(State("Ship it", "", (), "s1"), to=second, reader=reader).preview()
    assert other.warnings == ()
    unread = RulesBlock(RULES, to=work / "AGENTS.md", reader=reader).preview()
    assert not any("already" in one for one in unread.warnings)
