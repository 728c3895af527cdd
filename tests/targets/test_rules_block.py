from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.places import Places, places
from redline.targets.commit import commit
from redline.targets.rules_block import MOST, RulesBlock

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)
RULES = [("r1", "Never touch src/legacy"), ("r2", "Answer in English")]


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


def write(target: RulesBlock, home: Places) -> None:
    commit([target.preview()], session="s1", places=home, now=NOW)


def test_a_missing_file_is_made_with_the_rules_only(tmp_path: Path, home: Places) -> None:
    target = RulesBlock(RULES, to=tmp_path / "AGENTS.md")
    change = target.preview()
    assert change.before is None
    assert not (tmp_path / "AGENTS.md").exists()
    write(target, home)
    text = (tmp_path / "AGENTS.md").read_text()
    assert text.count("Never touch src/legacy") == 1
    assert "- Answer in English" in text


def test_the_second_write_changes_no_byte_and_no_time(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("# Mine\n")
    write(RulesBlock(RULES, to=path), home)
    os.utime(path, (1, 1))
    again = RulesBlock(RULES, to=path).preview()
    assert again.empty
    assert commit([again], session="s1", places=home, now=NOW).state == "nothing"
    assert path.stat().st_mtime == 1


def test_rules_of_another_session_stay_until_they_are_retired(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    write(RulesBlock(RULES, to=path), home)
    write(RulesBlock([("r3", "Keep the API stable"), ("r1", "Never touch src/old")], to=path), home)
    lines = [line for line in path.read_text().splitlines() if line.startswith("- ")]
    assert lines == ["- Never touch src/old", "- Answer in English", "- Keep the API stable"]
    write(RulesBlock([], to=path, retired=["r2", "r1"]), home)
    lines = [line for line in path.read_text().splitlines() if line.startswith("- ")]
    assert lines == ["- Keep the API stable"]
    write(RulesBlock([], to=path, retired=["r3"]), home)
    assert path.read_bytes() == b""


def test_no_rules_take_the_block_out(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"mine")
    write(RulesBlock(RULES, to=path), home)
    write(RulesBlock([], to=path), home)
    assert path.read_bytes() == b"mine"
    assert RulesBlock([], to=tmp_path / "none.md").preview().empty


def test_a_claude_md_that_only_imports_gets_its_rules_once_in_the_imported_file(
    tmp_path: Path, home: Places
) -> None:
    (tmp_path / "CLAUDE.md").write_bytes(b"@AGENTS.md\n")
    (tmp_path / "AGENTS.md").write_bytes(b"# Ours\n")
    both = [RulesBlock(RULES, to=tmp_path / name) for name in ("CLAUDE.md", "AGENTS.md")]
    changes = [target.preview() for target in both]
    assert changes[0].path == (tmp_path / "AGENTS.md").resolve()
    assert "imports AGENTS.md" in changes[0].warnings[0]
    receipt = commit(changes, session="s1", places=home, now=NOW)
    assert len(receipt.written) == 1
    assert (tmp_path / "CLAUDE.md").read_bytes() == b"@AGENTS.md\n"
    assert (tmp_path / "AGENTS.md").read_text().count("Never touch") == 1


@pytest.mark.parametrize(
    ("content", "goes_to"),
    [
        (b"# Mine\n\nSee @AGENTS.md for more.\n", "AGENTS.md"),
        (b"# Mine\n\nSee `@AGENTS.md` for more.\n", "CLAUDE.md"),
        (b"```\n@AGENTS.md\n```\n", "CLAUDE.md"),
        (b"mail me@AGENTS.md\n", "CLAUDE.md"),
        (b"# Mine\n@docs/rules.md\n", "CLAUDE.md"),
        (b"@docs/rules.md\n", "docs/rules.md"),
        (b"\xef\xbb\xbf@AGENTS.md", "AGENTS.md"),
        (b"@missing.md\n", "CLAUDE.md"),
        (b"@CLAUDE.md\n", "CLAUDE.md"),
        (b"@~/.ssh/id_rsa\n@/etc/passwd\n", "CLAUDE.md"),
    ],
)
def test_the_rules_go_where_claude_code_reads_them_once(
    tmp_path: Path, content: bytes, goes_to: str
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rules.md").write_bytes(b"")
    (tmp_path / "AGENTS.md").write_bytes(b"# Ours\n")
    (tmp_path / "CLAUDE.md").write_bytes(content)
    change = RulesBlock(RULES, to=tmp_path / "CLAUDE.md").preview()
    assert change.path == (tmp_path / goes_to).resolve()


def test_a_block_that_stands_in_claude_md_is_updated_there(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "CLAUDE.md"
    write(RulesBlock(RULES, to=path), home)
    path.write_bytes(b"@AGENTS.md\n\n" + path.read_bytes())
    (tmp_path / "AGENTS.md").write_bytes(b"# Ours\n")
    assert RulesBlock(RULES, to=path).preview().path == path.resolve()
    change = RulesBlock(RULES, to=tmp_path / "AGENTS.md").preview()
    assert any("twice" in warning for warning in change.warnings)


def test_a_link_is_named_with_its_file_and_kept(tmp_path: Path, home: Places) -> None:
    (tmp_path / "AGENTS.md").write_bytes(b"line\n" * 1488)
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    target = RulesBlock(RULES, to=tmp_path / "CLAUDE.md")
    change = target.preview()
    assert change.path == (tmp_path / "AGENTS.md").resolve()
    assert change.named == tmp_path / "CLAUDE.md"
    assert any(str(tmp_path / "AGENTS.md") in warning for warning in change.warnings)
    write(target, home)
    assert (tmp_path / "CLAUDE.md").is_symlink()
    assert (tmp_path / "AGENTS.md").read_bytes().startswith(b"line\n" * 1488)


def test_a_link_to_nothing_is_refused_and_left(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").symlink_to("missing.md")
    with pytest.raises(RedlineError, match="is not there"):
        RulesBlock(RULES, to=tmp_path / "CLAUDE.md").preview()
    (tmp_path / "AGENTS.md").mkdir()
    with pytest.raises(RedlineError, match="is a folder"):
        RulesBlock(RULES, to=tmp_path / "AGENTS.md").preview()
    assert os.listdir(tmp_path / "AGENTS.md") == []


def test_more_rules_than_an_agent_follows_are_refused(tmp_path: Path) -> None:
    rules = [(f"r{n}", f"rule number {n}") for n in range(MOST + 1)]
    with pytest.raises(RedlineError, match=f"{MOST + 1} rules") as caught:
        RulesBlock(rules, to=tmp_path / "AGENTS.md").preview()
    assert caught.value.status == 1
    assert not RulesBlock(rules[:MOST], to=tmp_path / "AGENTS.md").preview().empty


def test_secrets_and_hidden_characters_go_and_it_is_said(tmp_path: Path) -> None:
    def redact(text: str) -> tuple[str, Mapping[str, int]]:
        return text.replace("hunter2", "[redacted]"), {"password": text.count("hunter2")}

    rules = [("r1", "Log in with hunter2"), ("r2", "Be\u200b brief\U000e0041"), ("r3", "\u200b")]
    change = RulesBlock(rules, to=tmp_path / "AGENTS.md", redact=redact).preview()
    assert b"hunter2" not in change.after
    assert b"- Be brief\n" in change.after
    assert any("r1" in warning and "password" in warning for warning in change.warnings)
    assert any("r2" in warning and "2 hidden" in warning for warning in change.warnings)
    assert any("r3 is left out" in warning for warning in change.warnings)


def test_redlines_own_redaction_is_used(tmp_path: Path) -> None:
    key = "sk-ant-api03-" + "a1B2" * 20
    change = RulesBlock([("r1", f"Use {key} for tests")], to=tmp_path / "AGENTS.md").preview()
    assert key.encode() not in change.after
    assert change.warnings


def test_an_id_that_could_end_the_marker_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RedlineError, match="cannot be the id"):
        RulesBlock(RULES, to=tmp_path / "AGENTS.md", block="a --> b")


def test_a_block_that_would_come_into_an_open_fence_is_announced(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_bytes(b"```\ncode\n")
    change = RulesBlock(RULES, to=tmp_path / "AGENTS.md").preview()
    assert any("line 1 is never closed" in warning for warning in change.warnings)


def test_two_processes_that_write_different_blocks_lose_none(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"# Mine\n")
    children = []
    for name in ("one", "two"):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                for number in range(10):
                    rules = [("r", f"rule {name} {number}")]
                    write(RulesBlock(rules, to=path, block=name, redact=lambda t: (t, {})), home)
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0]
    text = path.read_text()
    assert text.startswith("# Mine\n")
    assert text.count("- rule one 9\n") == text.count("- rule two 9") == 1
    assert text.count("redline:rules:begin") == 2


def test_rules_that_another_wrote_since_the_preview_are_not_overwritten(
    tmp_path: Path, home: Places
) -> None:
    path = tmp_path / "AGENTS.md"
    seen = RulesBlock(RULES, to=path).preview()
    write(RulesBlock([("r5", "theirs")], to=path), home)
    with pytest.raises(RedlineError, match="has changed since the preview"):
        commit([seen], session="s1", places=home, now=NOW)
    assert "theirs" in path.read_text()


def test_text_that_was_added_since_the_preview_stays(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(b"# Mine\n")
    seen = RulesBlock(RULES, to=path).preview()
    path.write_bytes(b"# Mine\nadded\n")
    commit([seen], session="s1", places=home, now=NOW)
    assert path.read_text().startswith("# Mine\nadded\n\n<!-- redline")


def test_rules_without_visible_text_do_not_take_the_block_out(tmp_path: Path, home: Places) -> None:
    path = tmp_path / "AGENTS.md"
    write(RulesBlock(RULES, to=path), home)
    assert RulesBlock([("r9", "\u200b")], to=path).preview().empty


@pytest.mark.parametrize("content", [b"<!-- redline:rules:end id=project -->\n", b"\xff\xfea\0"])
@pytest.mark.parametrize("name", ["CLAUDE.md", "AGENTS.md"])
def test_a_file_whose_block_cannot_be_told_is_named_and_left(
    tmp_path: Path, content: bytes, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(RedlineError) as caught:
        RulesBlock(RULES, to=path).preview()
    assert str(path) in caught.value.message
    assert path.read_bytes() == content


def test_an_imported_file_that_is_broken_does_not_stop_the_write(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_bytes(b"\xff\xfea\0")
    (tmp_path / "CLAUDE.md").write_bytes(b"# Mine\n@notes.md\n@\xff\n")
    change = RulesBlock(RULES, to=tmp_path / "CLAUDE.md").preview()
    assert change.path == (tmp_path / "CLAUDE.md").resolve()


def test_imports_that_go_round_end(tmp_path: Path) -> None:
    for number in range(9):
        (tmp_path / f"CLAUDE{number}.md").write_text(f"@CLAUDE{(number + 1) % 9}.md\n")
    change = RulesBlock(RULES, to=tmp_path / "CLAUDE0.md").preview()
    assert change.path is not None
    assert not change.empty


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("Never use uv, always pip.", "Always use uv, never pip."),
        ("Never push to main without asking me.", "Push to main without asking me."),
        ("Use pip, never uv.", "Always use uv, never pip."),
        ("Use npm, not pnpm.", "Use pnpm."),
        ("Keep lines under 120 characters.", "Lines must be at most 100 characters."),
    ],
)
def test_the_opposite_of_a_rule_in_the_file_is_told_and_the_rule_written(
    tmp_path: Path, line: str, text: str
) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text(f"# Mine\n\n- {line}\n")
    change = RulesBlock([("r1", text)], to=path).preview()
    assert change.after.startswith(path.read_bytes())
    assert f"- {text} (replaces “{line}” of this file)".encode() in change.after
    (warning,) = change.warnings
    assert "line 3" in warning
    assert line in warning
    assert text in warning or "100" in warning
    path.write_bytes(change.after)
    assert RulesBlock([("r1", text)], to=path).preview().empty


def test_the_opposite_of_a_rule_in_the_block_leaves_both_and_is_told(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    one, other = "Never use uv, always pip.", "Always use uv, never pip."
    path.write_bytes(RulesBlock([("r1", one)], to=path).preview().after)
    change = RulesBlock([("r2", other)], to=path).preview()
    assert [line for line in change.after.decode().splitlines() if line.startswith("- ")] == [
        f"- {one}",
        f"- {other}",
    ]
    (warning,) = change.warnings
    for part in ("r1", "r2", one, other, "retire"):
        assert part in warning


def test_two_sessions_that_write_in_turn_leave_the_order_that_stands(
    tmp_path: Path, home: Places
) -> None:
    path = tmp_path / "AGENTS.md"
    one = [("a1", "Never touch src/legacy"), ("a2", "The staging DB is on port 5433.")]
    two = [
        ("b1", "Answer in English"),
        ("b2", "Never touch src/legacy"),
        ("b3", "staging database is on port 5433"),
    ]
    for rules in (one, two):
        write(RulesBlock(rules, to=path), home)
    stands = path.read_bytes()
    lines = [line[2:] for line in stands.decode().splitlines() if line.startswith("- ")]
    assert lines == [one[0][1], one[1][1], "Answer in English"]
    os.utime(path, (1, 1))
    for rules in (one, two, one[:1], one[1:], two[2:], one):
        change = RulesBlock(rules, to=path, insist=[rules[0][0]]).preview()
        assert change.empty, rules
        write(RulesBlock(rules, to=path), home)
    assert path.read_bytes() == stands
    assert path.stat().st_mtime == 1


def test_a_rule_of_the_block_that_is_said_in_other_words_is_named(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(RulesBlock(RULES, to=path).preview().after)
    change = RulesBlock([("r9", "Don't touch src/legacy.")], to=path).preview()
    assert change.empty
    assert change.warnings == ("rule r9 is not repeated: the block says “Never touch src/legacy”",)
    edited = RulesBlock([("r1", "Never touch src/legacy/db")], to=path).preview()
    assert edited.warnings == ("rule r1 stood in the block as “Never touch src/legacy”",)


@pytest.mark.parametrize("name", [".git/config", ".git", "sub/.GIT/hooks/x"])
def test_what_is_gits_own_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_bytes(b"[core]\n")
    (tmp_path / "link.md").symlink_to(".git/config")
    for named in (name, "link.md"):
        with pytest.raises(RedlineError, match="git's own") as caught:
            RulesBlock(RULES, to=tmp_path / named).preview()
        assert caught.value.status == 2
    assert (tmp_path / ".git/config").read_bytes() == b"[core]\n"
    assert not RulesBlock(RULES, to=tmp_path / ".gitlab.md").preview().empty


@pytest.mark.parametrize("umask", [0o022, 0o002, 0o077])
def test_folders_in_a_project_are_as_the_umask_says(
    tmp_path: Path, home: Places, umask: int
) -> None:
    path = tmp_path / "shop/.claude/rules/redline.md"
    before = os.umask(umask)
    try:
        (tmp_path / "shop").mkdir()
        write(RulesBlock(RULES, to=path), home)
    finally:
        os.umask(before)
    for folder in (path.parent, path.parent.parent):
        assert folder.stat().st_mode & 0o777 == 0o777 & ~umask
    assert home.receipts.stat().st_mode & 0o777 == 0o700


def test_a_rule_of_another_session_that_was_taken_back_here_is_told(tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_bytes(RulesBlock(RULES, to=path).preview().after)
    change = RulesBlock([("r3", "Be kind")], to=path, lifted=["Don't touch src/legacy."]).preview()
    assert b"- Never touch src/legacy" in change.after
    assert [one for one in change.warnings if "taken back" in one and "r1" in one]
