"""What redline says an agent loads on start is what the agent sends: these files, in this order."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from redline.agents.instructions import instruction_files
from redline.model import Agent
from redline.targets.rules_block import RulesBlock
from redline.targets.text_blocks import CompactInstructions
from tests.real.agents import RealAgent, real_agent
from tests.real.api import StandIn

pytestmark = pytest.mark.real

MARK = re.compile(r"MARK-\d+-END")
ONE = ("-p", "hello")
SAID = {
    Agent.CLAUDE_CODE: ONE,
    Agent.CODEX: ("exec", "--skip-git-repo-check", "hello"),
    Agent.PI: ONE,
    Agent.HERMES: ("-z", "hello"),
}


def lay(real: RealAgent, files: dict[str, str]) -> dict[str, Path]:
    """Files by their names in the folder above the home and the work folder; a `{}` in a text
    becomes its mark."""
    top = real.work.parent
    marks = {}
    for number, (name, text) in enumerate(files.items()):
        path = top / name
        path.parent.mkdir(parents=True, exist_ok=True)
        mark = f"MARK-{number}-END"
        path.write_text(text.replace("{}", mark), encoding="utf-8")
        marks[mark] = path
    return marks


def sent(real: RealAgent) -> list[str]:
    real.run(*SAID[real.agent])
    body = max(real.api.requests, key=lambda one: len(json.dumps(one)))
    found = MARK.findall(json.dumps(body, ensure_ascii=False))
    return list(dict.fromkeys(found))


def told(real: RealAgent) -> list[str]:
    return [
        mark
        for one in instruction_files(real.agent, real.work, real.environment)
        for mark in MARK.findall(one.text)
    ]


def check(
    real: RealAgent,
    files: dict[str, str],
    expected: list[str],
    marks: dict[str, Path] | None = None,
) -> None:
    marks = marks or lay(real, files)
    names = dict(zip(marks, files, strict=True))
    found = [names[mark] for mark in told(real)]
    # Claude Code takes the files of a folder of rules as the system lists them.
    in_order = [name for name in found if ".claude/rules/" not in name]
    assert in_order == [name for name in expected if ".claude/rules/" not in name]
    assert sorted(found) == sorted(expected)
    assert [names[mark] for mark in sent(real)] == found


def test_claude_code(tmp_path: Path, api: StandIn) -> None:
    real = real_agent(Agent.CLAUDE_CODE, tmp_path, api)
    rules = "---\npaths: src/**\n---\n{}"
    files = {
        "home/.claude/CLAUDE.md": "{} @more.md",
        "home/.claude/more.md": "{}",
        "home/.claude/rules/b/mine.md": "{}",
        "CLAUDE.md": "{}",
        "CLAUDE.local.md": "{}",
        "work/CLAUDE.md": "{} @a.md and @../out.md and `@code.md`\n<!-- @hidden.md -->\n@no.bin\n",
        "work/a.md": "{} @b.md",
        "work/b.md": "{} @c.md",
        "work/c.md": "{} @d.md",
        "work/d.md": "{} @e.md",
        "work/e.md": "{}",
        "work/code.md": "{}",
        "work/hidden.md": "{}",
        "work/no.bin": "{}",
        "out.md": "{}",
        "work/.claude/CLAUDE.md": "{}",
        "work/.claude/rules/z.md": "{}",
        "work/.claude/rules/y/x.md": "\ufeff---\ndescription: x\n---\n{}",
        "work/.claude/rules/only.md": rules,
        "work/.claude/rules/all.md": "---\npaths: ['**']\n---\n{}",
        "work/CLAUDE.local.md": "{}",
        "work/AGENTS.md": "{}",
        "work/sub/CLAUDE.md": "{}",
    }
    check(
        real,
        files,
        [
            "home/.claude/CLAUDE.md", "home/.claude/more.md", "home/.claude/rules/b/mine.md",
            "CLAUDE.md", "CLAUDE.local.md", "work/CLAUDE.md", "work/a.md", "work/b.md",
            "work/c.md", "work/d.md", "work/.claude/CLAUDE.md", "work/.claude/rules/all.md",
            "work/.claude/rules/y/x.md", "work/.claude/rules/z.md", "work/CLAUDE.local.md",
        ],
    )  # fmt: skip


def test_claude_code_leaves_out_what_the_user_excludes(tmp_path: Path, api: StandIn) -> None:
    real = real_agent(Agent.CLAUDE_CODE, tmp_path, api)
    globs = [
        "**/work/a.md",
        f"{tmp_path}/CLAUDE.md",
        "**/rules/{x,y}?.md",
        f"{real.work}/*.local.md",
    ]
    lay(real, {"work/.claude/settings.json": json.dumps({"claudeMdExcludes": globs})})
    files = {
        "home/.claude/CLAUDE.md": "{}",
        "CLAUDE.md": "{}",
        "work/CLAUDE.md": "{} @a.md @b.md",
        "work/a.md": "{}",
        "work/b.md": "{}",
        "work/.claude/rules/x1.md": "{}",
        "work/.claude/rules/z1.md": "{}",
        "work/CLAUDE.local.md": "{}",
    }
    left = ["CLAUDE.md", "work/a.md", "work/.claude/rules/x1.md", "work/CLAUDE.local.md"]
    check(real, files, [name for name in files if name not in left])


def test_codex_reads_one_file_a_folder_from_the_root_down(tmp_path: Path, api: StandIn) -> None:
    real = real_agent(Agent.CODEX, tmp_path, api)
    config = real.home / ".codex/config.toml"
    config.write_text('project_doc_fallback_filenames = ["NOTES.md"]\n' + config.read_text())
    (tmp_path / ".git").mkdir()
    files = {
        "home/.codex/AGENTS.md": "{}",
        "AGENTS.md": "{}",
        "AGENTS.override.md": "{}",
        "CLAUDE.md": "{}",
        "work/NOTES.md": "{}",
        "work/sub/AGENTS.md": "{}",
    }
    check(real, files, ["home/.codex/AGENTS.md", "AGENTS.override.md", "work/NOTES.md"])


def test_codex_without_a_repository_reads_the_folder_only(tmp_path: Path, api: StandIn) -> None:
    real = real_agent(Agent.CODEX, tmp_path, api)
    check(real, {"AGENTS.md": "{}", "work/AGENTS.md": "{}"}, ["work/AGENTS.md"])


@pytest.mark.parametrize("first", [30_000, 32_768, 33_000])
def test_codex_cuts_where_its_budget_ends(tmp_path: Path, api: StandIn, first: int) -> None:
    real = real_agent(Agent.CODEX, tmp_path, api)
    (tmp_path / ".git").mkdir()
    (tmp_path / "home/.codex/AGENTS.md").write_text("o" * 9_000)
    (tmp_path / "AGENTS.md").write_text("a" * (first - 1) + "\n")
    (tmp_path / "work/AGENTS.md").write_text("b" * 5_000)
    loaded = instruction_files(real.agent, real.work, real.environment)
    real.run(*SAID[real.agent])
    body = json.dumps(real.api.requests[-1], ensure_ascii=False)
    for one, letter in zip(loaded, "oab", strict=True):
        run = max(re.findall(f"{letter}{{100,}}", body), key=len, default="")
        assert len(run) == one.text.count(letter), letter
    assert [one.cut_at for one in loaded[1:]] == {
        30_000: [None, 2_768], 32_768: [None, 0], 33_000: [32_768, 0],
    }[first]  # fmt: skip


def test_codex_is_kept_from_a_file_by_an_empty_one_before_it(tmp_path: Path, api: StandIn) -> None:
    real = real_agent(Agent.CODEX, tmp_path, api)
    files = {
        "home/.codex/AGENTS.override.md": " \n",
        "home/.codex/AGENTS.md": "{}",
        "work/AGENTS.override.md": "",
        "work/AGENTS.md": "{}",
    }
    check(real, files, ["home/.codex/AGENTS.md"])


def test_codex_reads_nothing_of_a_project_that_is_not_trusted(tmp_path: Path, api: StandIn) -> None:
    real = real_agent(Agent.CODEX, tmp_path, api)
    with (real.home / ".codex/config.toml").open("a") as config:
        config.write(f'[projects."{real.work}"]\ntrust_level = "untrusted"\n')
    check(real, {"home/.codex/AGENTS.md": "{}", "work/AGENTS.md": "{}"}, ["home/.codex/AGENTS.md"])


@pytest.mark.parametrize("agent", [Agent.CLAUDE_CODE, Agent.PI])
def test_a_worktree_inside_of_its_repository(tmp_path: Path, api: StandIn, agent: Agent) -> None:
    real = real_agent(agent, tmp_path, api)
    inner = real.work / "trees" / "one"
    for words in (
        ("init", "-q"), ("-c", "user.email=a@b.c", "-c", "user.name=a", "commit", "-q",
        "--allow-empty", "-m", "one"), ("worktree", "add", "-q", str(inner)),
    ):  # fmt: skip
        subprocess.run(["git", *words], cwd=real.work, check=True)
    names = ("CLAUDE.md", "CLAUDE.local.md")
    files = {f"{folder}{name}": "{}" for folder in
             ("", "work/", "work/trees/", "work/trees/one/") for name in names}  # fmt: skip
    expected = {
        Agent.CLAUDE_CODE: [name for name in files if name not in
                            ("work/CLAUDE.md", "work/trees/CLAUDE.md")],
        Agent.PI: ["CLAUDE.md", "work/trees/CLAUDE.md", "work/trees/one/CLAUDE.md"],
    }  # fmt: skip
    marks = lay(real, files)
    check(replace(real, work=inner), files, expected[agent], marks)


def test_pi(tmp_path: Path, api: StandIn) -> None:
    real = real_agent(Agent.PI, tmp_path, api)
    files = {
        "home/.pi/agent/AGENTS.md": "{}",
        "home/.pi/agent/CLAUDE.md": "{}",
        "CLAUDE.md": "{}",
        "work/AGENTS.override.md": "{}",
        "work/AGENTS.md": "{}",
        "work/CLAUDE.md": "{}",
        "work/sub/AGENTS.md": "{}",
    }
    expected = ["home/.pi/agent/AGENTS.md", "CLAUDE.md", "work/AGENTS.override.md"]
    check(real, files, expected)


@pytest.mark.parametrize(
    ("names", "read"),
    [
        (["work/AGENTS.md", "work/CLAUDE.md", "work/.cursorrules"], ["work/AGENTS.md"]),
        (["work/CLAUDE.md", "work/.cursorrules"], ["work/CLAUDE.md"]),
        (["work/.cursorrules", "work/.cursor/rules/a.mdc"], None),
        ([".git/HEAD", ".hermes.md", "work/AGENTS.md", "AGENTS.md"], [".hermes.md"]),
        ([".hermes.md", "AGENTS.md"], []),
    ],
)
def test_hermes(tmp_path: Path, api: StandIn, names: list[str], read: list[str] | None) -> None:
    real = real_agent(Agent.HERMES, tmp_path, api)
    files = dict.fromkeys(["home/.hermes/SOUL.md", *names], "{}")
    check(real, files, ["home/.hermes/SOUL.md", *(names if read is None else read)])


def test_claude_code_compacts_by_the_instructions_that_redline_writes(
    tmp_path: Path, api: StandIn
) -> None:
    """Its request for the summary holds them, without the marks around them."""
    real = real_agent(Agent.CLAUDE_CODE, tmp_path, api)
    path = real.work / "CLAUDE.md"
    rules = [("r1", "Never touch src/legacy"), ("r2", "Read @secret.md first")]
    (real.work / "secret.md").write_text("MARK-1-END")
    path.write_bytes(RulesBlock(rules, to=path).preview().after)
    path.write_bytes(CompactInstructions(to=path).preview().after)
    real.run("-p", "hello " * 400)
    real.run("-p", "--continue", "more " * 400)
    del api.requests[:]
    real.run("-p", "--continue", "/compact")
    asked = [one for one in api.requests if "summary" in json.dumps(one["messages"][-1])]
    assert asked
    body = json.dumps(asked[0], ensure_ascii=False)
    for part in ("## Compact Instructions", "- Errors: each error", "- Never touch src/legacy"):
        assert part in body
    assert "redline:" not in body
    assert "MARK-1-END" not in body  # what a rule names is not imported
