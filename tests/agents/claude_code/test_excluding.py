"""Which memory files Claude Code was told to leave out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redline.agents.claude_code.excluding import excluded


def _excluded(folder: Path, stated: object, path: str) -> bool:
    """Whether the globs that are `stated` leave out `path`."""
    (folder / "settings.json").write_text(json.dumps({"claudeMdExcludes": stated}))
    found = excluded(folder / "none", {"CLAUDE_CONFIG_DIR": str(folder)})
    return found is not None and found.match(path) is not None


@pytest.mark.parametrize(
    ("glob", "path", "expected"),
    [
        ("/w/CLAUDE.md", "/w/CLAUDE.md", True),
        ("/w/CLAUDE.md", "/w/CLAUDE.md.bak", False),
        ("/w/CLAUDEXmd", "/w/CLAUDE.md", False),
        ("/w/*.md", "/w/a.md", True),
        ("/w/*.md", "/w/b/a.md", False),
        ("/w/**/a.md", "/w/b/c/a.md", True),
        ("/w/**/a.md", "/w/a.md", True),
        ("/w/**", "/w/b/c", True),
        ("/w/?.md", "/w/a.md", True),
        ("/w/?.md", "/w/ab.md", False),
        ("/w/{a,b*}.md", "/w/bcd.md", True),
        ("/w/{a,b*}.md", "/w/c.md", False),
        ("/w/[ab].md", "/w/b.md", True),
        ("/w/[!ab].md", "/w/b.md", False),
        ("/w/[^ab].md", "/w/c.md", True),
    ],
)
def test_a_glob_is_of_the_whole_path(tmp_path: Path, glob: str, path: str, expected: bool) -> None:
    assert _excluded(tmp_path, [glob], path) is expected


def test_what_is_no_glob_costs_itself_only(tmp_path: Path) -> None:
    assert _excluded(tmp_path, ["/w/[z-a].md", "", 5, None, "/w/a.md"], "/w/a.md")
    assert not _excluded(tmp_path, ["/w/[z-a].md", "", 5], "/w/a.md")
    for odd in ("/w/a.md", {"/w/a.md": 1}, None):
        assert not _excluded(tmp_path, odd, "/w/a.md")
