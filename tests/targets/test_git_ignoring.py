from __future__ import annotations

from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.targets.git_ignoring import IgnoreLine, standing
from tests.targets.repositories import Repositories


def line(repositories: Repositories, path: Path) -> bytes:
    found = standing(path, repositories.environment)
    assert found is not None
    change = IgnoreLine(found).preview()
    assert change.path is not None
    change.path.write_bytes(change.after)
    return change.after.splitlines()[-1]


def test_outside_of_a_repository_there_is_nothing_to_say(
    tmp_path: Path, repositories: Repositories
) -> None:
    assert standing(tmp_path / "x.md", repositories.environment) is None
    assert standing(tmp_path / "no" / "folder" / "x.md", repositories.environment) is None


def test_the_line_keeps_git_from_taking_the_file_in_whatever_it_is_called(
    repositories: Repositories,
) -> None:
    shop = repositories.new("shop")
    for name in ("a.md", "#a.md", "!a.md", "a*[b]?.md", "back\\slash", "ends ", "é.md", "x/y z.md"):
        path = shop / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
        before = standing(path, repositories.environment)
        assert before is not None
        assert (before.tracked, before.ignored) == (False, False)
        assert line(repositories, path).startswith(b"/")
        after = standing(path, repositories.environment)
        assert after is not None
        assert after.ignored, name
    assert repositories.git(shop, "status", "--porcelain", "--untracked-files=all") == ""


def test_only_that_file_is_ignored(repositories: Repositories) -> None:
    shop = repositories.new("shop")
    (shop / "docs").mkdir()
    line(repositories, shop / "a[b].md")
    for other in ("ab.md", "docs/a[b].md", "a[b].mdx"):
        found = standing(shop / other, repositories.environment)
        assert found is not None
        assert not found.ignored


def test_a_file_that_git_tracks_is_told_even_where_a_line_would_ignore_it(
    repositories: Repositories,
) -> None:
    shop = repositories.new("shop")
    (shop / ".gitignore").write_text("*.md\n")
    (shop / "a.md").write_text("")
    repositories.git(shop, "add", "-f", "a.md")
    found = standing(shop / "a.md", repositories.environment)
    assert found is not None
    assert (found.tracked, found.ignored) == (True, True)


def test_a_worktree_and_a_submodule_have_lists_that_git_reads(
    repositories: Repositories, tmp_path: Path
) -> None:
    shop, part = repositories.new("shop"), repositories.new("part")
    repositories.git(shop, "worktree", "add", "-q", str(tmp_path / "side"))
    repositories.git(
        shop, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(part), "part"
    )
    for folder in (tmp_path / "side", shop / "part"):
        line(repositories, folder / "x.md")
        found = standing(folder / "x.md", repositories.environment)
        assert found is not None
        assert found.ignored


def test_the_list_keeps_its_bytes_and_what_is_written_meanwhile(
    repositories: Repositories,
) -> None:
    shop = repositories.new("shop")
    exclude = shop / ".git" / "info" / "exclude"
    exclude.write_bytes(b"\xff*.tmp\r\n# mine")
    found = standing(shop / "x.md", repositories.environment)
    assert found is not None
    change = IgnoreLine(found).preview()
    assert change.after == b"\xff*.tmp\r\n# mine\r\n/x.md\r\n"
    assert change.again is not None
    assert change.again(change.after) == change.after
    assert change.again(None) == b"/x.md\n"


def test_a_list_that_leads_out_of_the_repository_is_left_alone(
    repositories: Repositories, tmp_path: Path
) -> None:
    shop = repositories.new("shop")
    (tmp_path / "profile").write_text("")
    exclude = shop / ".git" / "info" / "exclude"
    exclude.unlink()
    exclude.symlink_to(tmp_path / "profile")
    assert standing(shop / "x.md", repositories.environment) is None


def test_a_name_over_two_lines_is_refused(repositories: Repositories) -> None:
    shop = repositories.new("shop")
    found = standing(shop / "a\nb.md", repositories.environment)
    assert found is not None
    with pytest.raises(RedlineError, match="can name"):
        IgnoreLine(found).preview()
