"""The files of instructions that each agent reads, without the agent; tests/real asks them."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from redline.agents.claude_code.instructions import imports, paths_of
from redline.agents.instructions import LARGEST, Shelf, instruction_files
from redline.model import Agent

FOUR = [Agent.CLAUDE_CODE, Agent.CODEX, Agent.PI, Agent.HERMES]


@pytest.fixture
def work(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


@pytest.fixture
def environment(tmp_path: Path) -> Mapping[str, str]:
    return {"HOME": str(tmp_path / "home")}


def lay(folder: Path, files: Mapping[str, str | bytes]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)


def read(
    agent: Agent, work: Path, environment: Mapping[str, str], shelf: Shelf | None = None
) -> list[str]:
    found = instruction_files(agent, work, environment, shelf)
    return [os.path.relpath(one.path, work.parent) for one in found]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (b"@a.md and (@b.md)", ["a.md"]),
        (b"- @./a.md\n- @~/b.md\n- @/etc/c.md", ["./a.md", "~/b.md", "/etc/c.md"]),
        (b"@my\\ file.md @a.md#part", ["my file.md", "a.md"]),
        (b"`@a.md` ``x @b.md`` @c.md", ["c.md"]),
        (b"```\n@a.md\n```\n@b.md", ["b.md"]),
        (b"<!-- @a.md\n@b.md --> @c.md", ["c.md"]),
        (b"me@a.md @@b.md @#c.md @(d) @ e", []),
        (b"\xef\xbb\xbf@a.md\r\n@b\xff.md\r\n", ["a.md", "b\ufffd.md"]),
    ],
)
def test_claude_code_imports_what_stands_behind_an_at(text: bytes, names: list[str]) -> None:
    assert list(imports(text)) == names


@pytest.mark.parametrize(
    ("front", "paths"),
    [
        ("paths: src/**", ("src",)),
        ("paths: src/**, 'a/{b,c}.ts'", ("src", "'a/{b,c}.ts'")),
        ("paths:\n  - a.py\n  - b/*.py", ("a.py", "b/*.py")),
        ("paths: '**'", ()),
        ("description: x", ()),
        ("paths:", ()),
        ("paths: [", ()),
        ("- paths", ()),
    ],
)
def test_a_rules_file_may_be_for_certain_files_only(front: str, paths: tuple[str, ...]) -> None:
    assert paths_of(f"---\n{front}\n---\ntext\n".encode()) == paths
    assert paths_of(f"text\n---\n{front}\n---\n".encode()) == ()


def test_a_file_is_read_once_and_circles_end(
    work: Path, environment: Mapping[str, str], tmp_path: Path
) -> None:
    lay(
        work,
        {
            "CLAUDE.md": "a @b.md @CLAUDE.md @c.md",
            "b.md": "b @CLAUDE.md",
            "c.md": "c @b.md",
            ".claude/CLAUDE.md": "@../c.md",
        },
    )
    (work / "CLAUDE.local.md").symlink_to("b.md")
    (work / ".claude/rules").symlink_to(work / ".claude")
    assert read(Agent.CLAUDE_CODE, work, environment) == [
        "work/CLAUDE.md",
        "work/b.md",
        "work/c.md",
        "work/.claude/CLAUDE.md",
    ]


def test_what_lies_outside_is_imported_where_the_user_let_it(
    work: Path, environment: Mapping[str, str], tmp_path: Path
) -> None:
    lay(tmp_path, {"work/CLAUDE.md": "a @../out.md", "out.md": "b"})
    assert read(Agent.CLAUDE_CODE, work, environment) == ["work/CLAUDE.md"]
    allowed = {"projects": {str(work): {"hasClaudeMdExternalIncludesApproved": True}}}
    lay(tmp_path, {"home/.claude.json": json.dumps(allowed)})
    assert read(Agent.CLAUDE_CODE, work, environment) == ["work/CLAUDE.md", "out.md"]


@pytest.mark.parametrize(
    ("glob", "left"),
    [
        ("**/CLAUDE.md", True),
        ("/**", True),
        ("**/w?rk/[A-C]LAUDE.{txt,md}", True),
        ("CLAUDE.md", False),
        ("*/CLAUDE.md", False),
        ("**/CLAUDE.m", False),
        ("[z-a]", False),
        ("(", False),
        ("{", False),
        ("", False),
        (3, False),
    ],
)
def test_the_user_may_have_files_left_out(
    work: Path, environment: Mapping[str, str], tmp_path: Path, glob: object, left: bool
) -> None:
    lay(work, {"CLAUDE.md": "a"})
    lay(tmp_path, {"home/.claude/settings.json": json.dumps({"claudeMdExcludes": [glob]})})
    assert read(Agent.CLAUDE_CODE, work, environment) == ([] if left else ["work/CLAUDE.md"])


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ("", ["AGENTS.md", "work/AGENTS.md"]),
        ("project_doc_max_bytes = 0", []),
        ("project_doc_max_bytes = 4", ["AGENTS.md", "work/AGENTS.md"]),
        ('project_doc_fallback_filenames = ["X.md", 3]', ["AGENTS.md", "work/AGENTS.md"]),
        ('project_root_markers = ["top"]', ["work/AGENTS.md"]),
        ("[broken", ["AGENTS.md", "work/AGENTS.md"]),
        ('[projects."{}"]\ntrust_level = "untrusted"', []),
    ],
)
def test_codex_goes_by_its_settings(
    work: Path, environment: Mapping[str, str], tmp_path: Path, config: str, expected: list[str]
) -> None:
    lay(tmp_path, {"AGENTS.md": "above", "work/AGENTS.md": "here", ".git/HEAD": ""})
    lay(tmp_path, {"home/.codex/config.toml": config.replace("{}", str(work))})
    assert read(Agent.CODEX, work, environment) == expected
    if "= 4" in config:
        found = instruction_files(Agent.CODEX, work, environment)
        assert [(one.text, one.cut_at) for one in found] == [("abov", 4), ("", 0)]


def test_pi_leaves_out_the_file_that_a_worktree_has_its_own_copy_of(
    tmp_path: Path, environment: Mapping[str, str]
) -> None:
    inner = tmp_path / "repo" / "trees" / "one"
    lay(
        tmp_path,
        {
            "repo/.git/worktrees/one/HEAD": "",
            "repo/AGENTS.md": "main",
            "repo/trees/AGENTS.md": "between",
            "repo/trees/one/AGENTS.md": "own",
            "repo/trees/one/.git": f"gitdir: {tmp_path}/repo/.git/worktrees/one\n",
        },
    )
    assert read(Agent.PI, inner, environment) == ["AGENTS.md", "one/AGENTS.md"]
    (inner / "AGENTS.md").unlink()
    assert read(Agent.PI, inner, environment) == ["../AGENTS.md", "AGENTS.md"]


def test_hermes_cuts_the_middle_of_what_is_long(
    work: Path, environment: Mapping[str, str], tmp_path: Path
) -> None:
    lay(work, {"AGENTS.md": "é" * 30_000})
    (found,) = instruction_files(Agent.HERMES, work, environment)
    assert found.cut_at == 28_000
    lay(tmp_path, {"home/.hermes/config.yaml": "model:\n  context_length: 200000\n"})
    (found,) = instruction_files(Agent.HERMES, work, environment)
    assert found.cut_at is None
    lay(tmp_path, {"home/.hermes/config.yaml": "context_file_max_chars: 100\n"})
    (found,) = instruction_files(Agent.HERMES, work, environment)
    assert found.cut_at == 140


@pytest.mark.parametrize("agent", FOUR)
def test_files_as_they_would_be_count_as_if_they_were(
    work: Path, environment: Mapping[str, str], agent: Agent
) -> None:
    name = "CLAUDE.md" if agent is Agent.CLAUDE_CODE else "AGENTS.md"
    shelf = Shelf({Path(os.path.realpath(work / name)): b"mine"})
    assert read(agent, work, environment, shelf) == [f"work/{name}"]
    assert read(agent, work, environment) == []


@pytest.mark.parametrize("agent", [*FOUR, Agent.MESSAGES])
@pytest.mark.parametrize("content", [b"", b" \n", b"\xff\xfe\0", b"x" * (LARGEST + 1), None])
def test_odd_files_and_folders_stop_nothing(
    work: Path, environment: Mapping[str, str], agent: Agent, content: bytes | None
) -> None:
    for name in ("CLAUDE.md", "AGENTS.md", "AGENTS.override.md", ".cursorrules", ".hermes.md"):
        if content is None:
            (work / name).mkdir()
        else:
            (work / name).write_bytes(content)
    (work / ".git").write_bytes(b"gitdir: \xff\0")
    found = instruction_files(agent, work, environment)
    assert len(found) <= 1
    assert instruction_files(agent, Path("/no/such/folder"), {}) == ()
    assert instruction_files(agent, Path("/" + "x" * 5_000), {}) == ()
