"""Which instruction files of a project already say a rule."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from redline.targets.block import BlockRule, put
from redline.targets.written_rules import written_in

RULE = ("r1", "Never touch src/legacy.")


def places(folder: Path, *rules: tuple[str, str]) -> list[tuple[str, int, bool]]:
    found = written_in(str(folder), rules or [RULE])
    return [
        (os.path.relpath(place.path, folder), place.line, place.block)
        for name, _ in rules or [RULE]
        for place in found[name]
    ]


@pytest.mark.parametrize(
    "text",
    [
        "- Never touch src/legacy.\n",
        "* never touch  src/legacy\n",
        "1. Never touch `src/legacy`!\n",
        "Never touch\nsrc/legacy. Be brief.\n",
        "- Be brief. Never touch\n  **src/legacy**.\n",
        "Be brief. Never touch src/legacy, please.\n\n- Never touch src/legacy\n",
        "\ufeff- Never touch src/legacy.\r\n",
    ],
)
def test_the_same_words_count_however_they_are_written(tmp_path: Path, text: str) -> None:
    (tmp_path / "CLAUDE.md").write_bytes(text.encode())
    assert [(name, block) for name, _, block in places(tmp_path)] == [("CLAUDE.md", False)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- Never touch src/legacy2.\n",
        "- Never touch src/legacy and src/old.\n",
        "- It is not so that you must never touch src/legacy.\n",
        "- Always touch src/legacy.\n",
        "> Never touch src/legacy.\n",
        "```\nNever touch src/legacy.\n```\n",
        "<!-- Never touch src/legacy. -->\n",
        "- It used to be: Never touch src/legacy. No longer.\n",
        "## Old rules (no longer valid)\n\n- Never touch src/legacy.\n",
        "- Ann said “Never touch src/legacy.”\n",
    ],
)
def test_other_words_do_not_count(tmp_path: Path, text: str) -> None:
    (tmp_path / "CLAUDE.md").write_text(text, "utf-8")
    assert places(tmp_path) == []


def test_the_line_is_told(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text(
        "# Shop\n\n- Be brief\n- Never touch src/legacy.\n", "utf-8"
    )
    assert places(tmp_path) == [("AGENTS.md", 4, False)]


def test_a_rule_in_redlines_block_is_told_as_such_also_under_other_words(tmp_path: Path) -> None:
    data = put(
        b"# Shop\n", "project", [BlockRule("r1", "Never touch src"), BlockRule("r3", "Be brief")]
    )
    (tmp_path / "CLAUDE.md").write_bytes(data)
    ((name, line, block),) = places(tmp_path)
    assert (name, block) == ("CLAUDE.md", True)
    assert data.decode().split("\n")[line - 1] == "- Never touch src"
    assert [block for _, _, block in places(tmp_path, ("r2", "Be brief"))] == [True]


def test_every_file_that_says_it_is_told_once_also_those_imported(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / ".claude").mkdir()
    (tmp_path / "CLAUDE.md").write_text("@AGENTS.md and @docs/rules.md\n", "utf-8")
    for name in ("AGENTS.md", "docs/rules.md", ".claude/CLAUDE.md"):
        (tmp_path / name).write_text("- Never touch src/legacy.\n", "utf-8")
    (tmp_path / "docs" / "rules.md").write_text("@rules.md\nNever touch src/legacy.\n", "utf-8")
    assert sorted(name for name, _, _ in places(tmp_path)) == [
        ".claude/CLAUDE.md",
        "AGENTS.md",
        "docs/rules.md",
    ]


def test_files_that_cannot_be_read_say_nothing(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").mkdir()
    (tmp_path / "AGENTS.md").write_bytes(b"\xff\xfe\x00- Never touch src/legacy.")
    (tmp_path / "AGENTS.override.md").symlink_to("nowhere")
    (tmp_path / "CLAUDE.local.md").write_text("<!-- redline:rules:begin id=project -->\n- x\n")
    assert places(tmp_path) == []


@pytest.mark.parametrize("project", [None, "", "shop", "/nowhere/at/all", "/\0"])
def test_a_project_that_is_not_there_says_nothing(project: str | None) -> None:
    assert written_in(project, [RULE]) == {"r1": ()}
