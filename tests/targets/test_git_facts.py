from __future__ import annotations

import os
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from redline.targets.git_facts import GitFacts, git_facts
from tests.targets.repositories import Repositories

Run = Callable[..., str]


@pytest.fixture
def environment(repositories: Repositories) -> dict[str, str]:
    return repositories.environment


@pytest.fixture
def git(repositories: Repositories) -> Run:
    return repositories.git


@pytest.fixture
def shop(repositories: Repositories) -> Path:
    return repositories.new("shop")


def facts(folder: Path, environment: dict[str, str]) -> GitFacts:
    found = git_facts(folder, environment)
    assert found is not None
    assert not found.trouble
    return found


def program(path: Path, proof: Path, answer: str = "") -> str:
    """A program that leaves a proof of having run."""
    path.write_text(f"#!/bin/sh\necho ran >> '{proof}'\n{answer}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_branch_head_and_what_is_not_committed_are_told(
    shop: Path, git: Run, environment: dict[str, str]
) -> None:
    (shop / "a.py").write_text("2\n")
    (shop / "neu ü.py").write_text("")
    found = facts(shop, environment)
    assert (found.branch, found.subject) == ("main", "Add the shop")
    assert found.head == git(shop, "rev-parse", "HEAD").strip()
    assert found.dirty == ((" M", "a.py"), ("??", "neu ü.py"))
    assert found.lines()[1:] == [
        "branch: `main`",
        f"head: `{found.head[:12]}` Add the shop",
        "not committed: 2 files:",
        "  - .M `a.py`",
        "  - ?? `neu ü.py`",
    ]
    assert found.lines(files=1)[-1] == "  - and 1 more"
    assert found.lines(files=0)[-1] == "not committed: 2 files"


def test_a_folder_below_the_root_is_the_same_repository(
    shop: Path, environment: dict[str, str]
) -> None:
    below = shop / "src" / "deep"
    below.mkdir(parents=True)
    (shop / "a.py").write_text("2\n")
    assert facts(below, environment).dirty == ((" M", "a.py"),)


def test_no_repository_is_no_error(tmp_path: Path, environment: dict[str, str]) -> None:
    assert git_facts(tmp_path, environment) is None
    assert git_facts(tmp_path / "gone", environment) is None
    assert git_facts(None, environment) is None
    assert git_facts("relative", environment) is None


def test_without_git_a_repository_is_not_known(shop: Path, environment: dict[str, str]) -> None:
    found = git_facts(shop, {**environment, "PATH": "/nowhere"})
    assert found is not None
    assert found.lines() == ["not known: there is no program git"]
    assert git_facts(shop.parent, {**environment, "PATH": "/nowhere"}) is None


def test_git_in_the_folder_itself_is_not_the_one_that_runs(
    shop: Path, environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proof = tmp_path / "proof"
    program(shop / "git", proof)
    monkeypatch.chdir(shop)
    path = os.pathsep.join([".", "", environment["PATH"]])
    assert facts(shop, {**environment, "PATH": path}).branch == "main"
    assert not proof.exists()


def test_a_branch_without_a_commit_has_no_head(
    tmp_path: Path, git: Run, environment: dict[str, str]
) -> None:
    git(tmp_path, "init", "-q", "-b", "trunk")
    found = facts(tmp_path, environment)
    assert (found.branch, found.head, found.subject) == ("trunk", "", "")
    assert "head: nothing is committed yet" in found.lines()


def test_a_detached_head_has_no_branch(shop: Path, git: Run, environment: dict[str, str]) -> None:
    git(shop, "checkout", "-q", "--detach")
    found = facts(shop, environment)
    assert (found.branch, bool(found.head)) == ("", True)
    assert "branch: none, detached head" in found.lines()


def test_how_far_it_is_from_its_upstream_is_told(
    shop: Path, git: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", str(shop), "copy")
    copy = tmp_path / "copy"
    assert facts(copy, environment).lines()[1] == "branch: `main`, 0 ahead of and 0 behind " + (
        "`origin/main`"
    )
    git(copy, "commit", "-q", "--allow-empty", "-m", "mine")
    git(shop, "commit", "-q", "--allow-empty", "-m", "theirs")
    git(copy, "fetch", "-q")
    found = facts(copy, environment)
    assert (found.upstream, found.ahead, found.behind) == ("origin/main", 1, 1)
    git(copy, "update-ref", "-d", "refs/remotes/origin/main")
    found = facts(copy, environment)
    assert (found.upstream, found.ahead) == ("origin/main", None)
    assert found.lines()[1] == "branch: `main`, upstream `origin/main` is not there"


def test_a_worktree_has_its_own_branch(
    shop: Path, git: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    git(shop, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "side" / "new").write_text("")
    found = facts(tmp_path / "side", environment)
    assert (found.branch, found.root) == ("side", str(tmp_path / "side"))
    assert found.dirty == (("??", "new"),)
    assert facts(shop, environment).dirty == ()


def test_a_bare_repository_has_nothing_to_commit(
    shop: Path, git: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    git(tmp_path, "clone", "-q", "--bare", str(shop), "shop.git")
    found = facts(tmp_path / "shop.git", environment)
    assert (found.bare, found.branch, found.subject) == (True, "main", "Add the shop")
    assert len(found.lines()) == 3


def test_a_submodule_is_a_repository_of_its_own(
    shop: Path, git: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    part = tmp_path / "part"
    part.mkdir()
    git(part, "init", "-q", "-b", "main")
    git(part, "commit", "-q", "--allow-empty", "-m", "Begin")
    git(shop, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(part), "part")
    git(shop, "commit", "-q", "-m", "Take the part in")
    (shop / "part" / "new").write_text("")
    assert facts(shop, environment).dirty == ()
    found = facts(shop / "part", environment)
    assert (found.root, found.dirty) == (str(shop / "part"), (("??", "new"),))


def test_a_merge_that_is_not_ended_is_told(
    shop: Path, git: Run, environment: dict[str, str]
) -> None:
    git(shop, "checkout", "-q", "-b", "other")
    (shop / "a.py").write_text("other\n")
    git(shop, "commit", "-q", "-am", "other")
    git(shop, "checkout", "-q", "main")
    (shop / "a.py").write_text("main\n")
    git(shop, "commit", "-q", "-am", "main")
    with pytest.raises(subprocess.CalledProcessError):
        git(shop, "merge", "other")
    found = facts(shop, environment)
    assert (found.doing, found.dirty) == ("a merge", (("UU", "a.py"),))
    assert "in the middle of a merge" in found.lines()


def test_no_program_that_a_repository_names_is_run(
    shop: Path, git: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    proof = tmp_path / "proof"
    evil = program(tmp_path / "evil", proof, "cat")
    for name in (
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.askPass",
        "credential.helper",
        "gpg.program",
        "diff.external",
        "core.alternateRefsCommand",
        "filter.a.b.clean",
        "filter.a.b.process",
        "filter.a.b.smudge",
        "diff.a.textconv",
        "alias.status",
        "alias.rev-parse",
    ):
        git(shop, "config", name, f"!{evil}" if name.startswith("alias") else evil)
    git(shop, "config", "filter.a.b.required", "true")
    git(shop, "config", "log.showSignature", "true")
    git(shop, "config", "core.hooksPath", str(tmp_path / "hooks"))
    (tmp_path / "hooks").mkdir()
    for hook in (
        "post-index-change",
        "fsmonitor-watchman",
        "query-watchman",
        "reference-transaction",
    ):
        program(tmp_path / "hooks" / hook, proof)
    (shop / ".gitattributes").write_text("* filter=a.b diff=a\n")
    (shop / "a.py").write_text("2\n")
    os.utime(shop / "a.py", (1, 1))
    found = facts(shop, environment)
    assert found.dirty == ((" M", "a.py"), ("??", ".gitattributes"))
    assert not proof.exists()


def test_a_missing_object_is_not_fetched(
    shop: Path, git: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    proof = tmp_path / "proof"
    evil = program(tmp_path / "evil", proof)
    head = git(shop, "rev-parse", "HEAD").strip()
    (shop / ".git" / "objects" / head[:2] / head[2:]).unlink()
    git(shop, "config", "core.repositoryFormatVersion", "1")
    git(shop, "config", "extensions.partialClone", "origin")
    git(shop, "config", "remote.origin.url", f"ext::{evil}")
    git(shop, "config", "remote.origin.promisor", "true")
    git(shop, "config", "remote.origin.uploadpack", evil)
    git(shop, "config", "protocol.ext.allow", "always")
    found = git_facts(shop, environment)
    assert found is not None
    assert found.trouble or found.head == head
    assert not proof.exists()


def test_the_index_is_not_written(shop: Path, environment: dict[str, str]) -> None:
    index = shop / ".git" / "index"
    os.utime(shop / "a.py", (1, 1))  # git would refresh it
    before = (index.read_bytes(), index.stat().st_mtime_ns, sorted(os.listdir(shop / ".git")))
    facts(shop, environment)
    assert before == (
        index.read_bytes(),
        index.stat().st_mtime_ns,
        sorted(os.listdir(shop / ".git")),
    )


def test_variables_of_git_do_not_lead_elsewhere(
    shop: Path, git: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "-q", "-b", "elsewhere")
    lost = {
        "GIT_DIR": str(other / ".git"),
        "GIT_WORK_TREE": str(other),
        "GIT_INDEX_FILE": "/x",
        "GIT_CONFIG_COUNT": "x",
    }
    assert facts(shop, {**environment, **lost}).branch == "main"


def test_what_others_named_acts_on_no_terminal_and_keeps_no_secret(
    shop: Path, git: Run, environment: dict[str, str]
) -> None:
    (shop / "a\n`b`\x1b[2J").write_text("")
    key = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    git(shop, "commit", "-q", "--allow-empty", "-m", f"use {key} \x1b[31m\u202e")
    told = "\n".join(facts(shop, environment).lines())
    assert "\x1b" not in told
    assert key not in told
    assert told.count("\n") == 4


def test_a_damaged_repository_is_not_known(shop: Path, environment: dict[str, str]) -> None:
    (shop / ".git" / "config").write_text("[[[")
    found = git_facts(shop, environment)
    assert found is None or found.trouble


def test_git_that_does_not_end_is_ended(
    shop: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "slow"
    folder.mkdir()
    program(folder / "git", tmp_path / "proof", "exec tail -f /dev/null")
    path = f"{folder}:{environment['PATH']}"
    found = git_facts(shop, {**environment, "PATH": path}, timeout=0.1)
    assert found is not None
    assert "longer than" in found.trouble
