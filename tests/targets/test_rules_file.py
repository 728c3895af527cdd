from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.model import Agent, SessionInfo
from redline.targets.rules_file import rules_file, rules_files

INFO = SessionInfo(Agent.CLAUDE_CODE, "s", Path("s.jsonl"))


def test_each_agent_has_its_own_file_first() -> None:
    assert rules_files(Agent.CLAUDE_CODE)[0] == "CLAUDE.md"
    assert rules_files(Agent.PI)[0] == "AGENTS.md"


def test_the_file_lies_in_the_project(tmp_path: Path) -> None:
    info = replace(INFO, project=str(tmp_path))
    assert rules_file(info) == tmp_path / "CLAUDE.md"
    assert rules_file(info, "AGENTS.md") == tmp_path / "AGENTS.md"


def test_the_file_that_codex_reads_instead_of_agents_md_comes_first(tmp_path: Path) -> None:
    codex = replace(INFO, agent=Agent.CODEX, project=str(tmp_path))
    assert rules_file(codex) == tmp_path / "AGENTS.md"
    (tmp_path / "AGENTS.override.md").touch()
    assert rules_file(codex) == tmp_path / "AGENTS.override.md"
    assert rules_file(codex, "AGENTS.md") == tmp_path / "AGENTS.md"
    assert rules_file(replace(codex, agent=Agent.PI)) == tmp_path / "AGENTS.override.md"
    assert rules_file(replace(codex, agent=Agent.HERMES)) == tmp_path / "AGENTS.md"


@pytest.mark.parametrize(
    ("agent", "there", "first"),
    [
        (Agent.PI, ["CLAUDE.md"], "CLAUDE.md"),
        (Agent.PI, ["CLAUDE.md", "AGENTS.md"], "AGENTS.md"),
        (Agent.CODEX, ["CLAUDE.md"], "AGENTS.md"),
        (Agent.HERMES, ["CLAUDE.md"], "CLAUDE.md"),
        (Agent.HERMES, [".hermes.md", "AGENTS.md"], ".hermes.md"),
        (Agent.HERMES, [".cursorrules"], ".cursorrules"),
        (Agent.CLAUDE_CODE, [".claude/CLAUDE.md"], ".claude/CLAUDE.md"),
        (Agent.CLAUDE_CODE, [".claude/CLAUDE.md", "CLAUDE.md"], "CLAUDE.md"),
        (Agent.CLAUDE_CODE, ["AGENTS.md"], "CLAUDE.md"),
    ],
)
def test_a_file_that_the_agent_reads_is_not_hidden_by_a_new_one(
    tmp_path: Path, agent: Agent, there: list[str], first: str
) -> None:
    for name in there:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert rules_files(agent, str(tmp_path), {})[0] == first


@pytest.mark.parametrize("project", [None, "", ".", "shop", "/no/such/folder", "/" + "x" * 5_000])
def test_a_project_that_is_no_folder_here_is_told(project: str | None) -> None:
    with pytest.raises(RedlineError, match=r"folder|machine"):
        rules_file(replace(INFO, project=project))
