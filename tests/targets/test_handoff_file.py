from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.model import Agent, SessionInfo
from redline.places import Places, places
from redline.targets.commit import commit
from redline.targets.handoff_file import HandoffFile, latest_handoff, project_folder
from redline.targets.receipts import Receipts
from tests.targets.repositories import Repositories

NOW = datetime(2026, 8, 7, 20, 30, tzinfo=timezone(timedelta(hours=8)))
SESSION = SessionInfo(Agent.PI, "s1", Path("/s1.jsonl"), project="/home/dev/商店")


@pytest.fixture
def home(tmp_path: Path) -> Places:
    return places({"REDLINE_HOME": str(tmp_path / "home")})


def write(target: HandoffFile, home: Places, session: str = "s1") -> Path:
    change = target.preview()
    commit([change], session=session, places=home, now=NOW)
    assert change.path is not None
    return change.path


def test_a_handoff_goes_to_the_data_folder_by_project_time_and_session(home: Places) -> None:
    path = write(HandoffFile("# Goal\n", session=SESSION, places=home, now=NOW), home)
    assert path.parent.parent == home.handoffs
    assert path.parent.name.startswith("商店-")
    assert path.name == "20260807-123000-s1.md"
    assert path.read_text() == "# Goal\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_looking_at_the_change_makes_nothing(home: Places) -> None:
    change = HandoffFile("x", session=SESSION, places=home, now=NOW, form="json").preview()
    assert change.path is not None
    assert change.path.suffix == ".json"
    assert not home.data.exists()


def test_two_handoffs_never_share_a_file(home: Places) -> None:
    other = replace(SESSION, id="s2")
    elsewhere = replace(SESSION, project="/srv/商店")
    written = [
        write(HandoffFile(text, session=session, places=home, now=NOW), home)
        for text, session in [("1", SESSION), ("2", SESSION), ("3", other), ("4", elsewhere)]
    ]
    assert [path.read_text() for path in written] == ["1", "2", "3", "4"]
    assert written[3].parent != written[0].parent
    again = HandoffFile("1", session=SESSION, places=home, now=NOW).preview()
    assert (again.path, again.empty) == (written[0], True)


def test_ids_that_look_alike_as_names_stay_apart(home: Places) -> None:
    names = ["a/b", "a:b", "a-b", "..", "长" * 100, "长" * 101, "x\ud83d", ""]
    written = {
        write(HandoffFile(name, session=replace(SESSION, id=name), places=home, now=NOW), home)
        for name in names
    }
    assert len(written) == len(names)
    assert len({path.parent for path in written}) == 1


def test_a_named_file_that_is_not_from_redline_is_not_overwritten(
    tmp_path: Path, home: Places
) -> None:
    mine = tmp_path / "handoff.md"
    mine.write_text("by hand")
    target = HandoffFile("new", session=SESSION, places=home, now=NOW, to=mine)
    with pytest.raises(RedlineError, match="not from redline") as caught:
        target.preview()
    assert caught.value.status == 1
    assert mine.read_text() == "by hand"
    target = HandoffFile("new", session=SESSION, places=home, now=NOW, to=mine, replace=True)
    assert target.preview().warnings
    mine.chmod(0o644)
    write(target, home)
    assert (mine.read_text(), stat.S_IMODE(mine.stat().st_mode)) == ("new", 0o600)
    Receipts(home).undo(now=NOW)
    assert (mine.read_text(), stat.S_IMODE(mine.stat().st_mode)) == ("by hand", 0o644)


def test_a_named_file_is_replaced_by_the_same_session_only(tmp_path: Path, home: Places) -> None:
    named = tmp_path / "handoff.md"
    write(HandoffFile("1", session=SESSION, places=home, now=NOW, to=named), home)
    write(HandoffFile("2", session=SESSION, places=home, now=NOW, to=named), home)
    assert named.read_text() == "2"
    other = replace(SESSION, id="s2")
    with pytest.raises(RedlineError, match="the handoff of session s1"):
        HandoffFile("3", session=other, places=home, now=NOW, to=named).preview()
    named.write_text("2, edited")
    with pytest.raises(RedlineError, match="not from redline"):
        HandoffFile("3", session=SESSION, places=home, now=NOW, to=named).preview()


def test_a_named_link_is_followed_and_said(tmp_path: Path, home: Places) -> None:
    (tmp_path / "real.md").write_text("x")
    (tmp_path / "link.md").symlink_to("real.md")
    target = HandoffFile(
        "new", session=SESSION, places=home, now=NOW, to=tmp_path / "link.md", replace=True
    )
    assert any("real.md" in warning for warning in target.preview().warnings)
    write(target, home)
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_text() == "new"


def test_no_folder_is_made_for_a_mistyped_name(tmp_path: Path, home: Places) -> None:
    target = HandoffFile("x", session=SESSION, places=home, now=NOW, to=tmp_path / "no" / "x.md")
    with pytest.raises(RedlineError, match="there is no folder"):
        write(target, home)
    assert not (tmp_path / "no").exists()


def test_another_folder_can_be_set(tmp_path: Path, home: Places) -> None:
    target = HandoffFile("x", session=SESSION, places=home, now=NOW, folder=tmp_path / "mine")
    assert write(target, home).is_relative_to(tmp_path / "mine")


def test_secrets_go_hidden_characters_are_said_and_half_characters_are_mended(
    home: Places,
) -> None:
    def redact(text: str) -> tuple[str, Mapping[str, int]]:
        return text.replace("hunter2", "***"), {"password": 1}

    target = HandoffFile(
        "hunter2\u200b\ud83d", session=SESSION, places=home, now=NOW, redact=redact
    )
    change = target.preview()
    assert change.after.decode() == "***\u200b\ufffd"
    assert "password" in change.warnings[0]
    assert "1 characters" in change.warnings[1]


def test_an_unknown_form_is_refused_with_the_known_ones(home: Places) -> None:
    with pytest.raises(RedlineError) as caught:
        HandoffFile("x", session=SESSION, places=home, now=NOW, form="markdwon")
    assert "md or json" in caught.value.hint


def test_a_session_without_a_project_has_a_folder_too() -> None:
    assert project_folder(None) == "no-project"
    assert project_folder("/").startswith("root-")


def test_times_are_in_utc(home: Places) -> None:
    change = HandoffFile("x", session=SESSION, places=home, now=NOW.astimezone(UTC)).preview()
    assert change.path is not None
    assert change.path.name.startswith("20260807-123000")


def test_the_text_is_made_for_the_path_it_gets(home: Places) -> None:
    target = HandoffFile(lambda path: f"see {path.name}", session=SESSION, places=home, now=NOW)
    expected = target.place()
    path = write(target, home)
    assert path == expected
    assert path.read_text() == f"see {path.name}"
    assert target.preview().empty
    assert target.place() != path


def test_in_a_repository_the_file_is_kept_out_of_git_and_the_line_goes_with_it(
    home: Places, repositories: Repositories
) -> None:
    shop = repositories.new("shop")
    before = (shop / ".git" / "info" / "exclude").read_bytes()
    target = HandoffFile(
        "x",
        session=SESSION,
        places=home,
        now=NOW,
        to=shop / "handoff.md",
        environment=repositories.environment,
    )
    changes = target.previews()
    assert any("keeps git off" in warning for warning in changes[0].warnings)
    commit(changes, session="s1", places=home, now=NOW)
    assert repositories.git(shop, "status", "--porcelain") == ""
    again = target.previews()
    assert [change.empty for change in again] == [True]
    Receipts(home).undo(now=NOW)
    assert not (shop / "handoff.md").exists()
    assert (shop / ".git" / "info" / "exclude").read_bytes() == before


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize("there", [False, True])
def test_a_file_that_git_tracks_is_refused_also_where_it_may_be_replaced(
    home: Places, repositories: Repositories, replaced: bool, there: bool
) -> None:
    shop = repositories.new("shop")
    (shop / "a.py").write_text("not committed yet")
    (shop / "link.md").symlink_to("a.py")
    if not there:
        (shop / "a.py").unlink()
    for name in ("a.py", "link.md"):
        target = HandoffFile(
            "x",
            session=SESSION,
            places=home,
            now=NOW,
            to=shop / name,
            replace=replaced,
            environment=repositories.environment,
        )
        with pytest.raises(RedlineError, match="git tracks") as caught:
            target.preview()
        assert caught.value.status == 1
        assert "--replace" not in caught.value.hint


def test_where_git_does_not_answer_the_file_in_a_repository_is_told_of(
    home: Places, repositories: Repositories
) -> None:
    target = HandoffFile(
        "x",
        session=SESSION,
        places=home,
        now=NOW,
        to=repositories.new("shop") / "handoff.md",
        environment={"PATH": "/nowhere"},
    )
    (change,) = target.previews()
    assert any("keep it out yourself" in warning for warning in change.warnings)


def test_a_folder_of_handoffs_inside_a_repository_is_told(
    home: Places, repositories: Repositories
) -> None:
    shop = repositories.new("shop")
    target = HandoffFile(
        "x",
        session=SESSION,
        places=home,
        now=NOW,
        folder=shop / "handoffs",
        environment=repositories.environment,
    )
    changes = target.previews()
    assert any("the setting `handoffs`" in warning for warning in changes[0].warnings)
    commit(changes, session="s1", places=home, now=NOW)
    assert repositories.git(shop, "status", "--porcelain", "--untracked-files=all") == ""


def test_the_latest_handoff_is_never_another_projects(home: Places) -> None:
    other = replace(SESSION, id="s9", project="/srv/商店")
    nowhere = replace(SESSION, id="s8", project=None)
    assert latest_handoff(home.handoffs, SESSION.project) is None
    first = write(HandoffFile("1", session=SESSION, places=home, now=NOW), home)
    second = write(HandoffFile("2", session=replace(SESSION, id="a"), places=home, now=NOW), home)
    later = HandoffFile("3", session=SESSION, places=home, now=NOW + timedelta(seconds=1))
    third = write(later, home)
    assert len({first, second, third}) == 3
    (third.parent / "99991231-000000-notes.txt").write_text("not a handoff")
    write(HandoffFile("4", session=nowhere, places=home, now=NOW + timedelta(days=1)), home)
    assert latest_handoff(home.handoffs, SESSION.project) == third
    assert latest_handoff(home.handoffs, other.project) is None
    assert latest_handoff(home.handoffs, None) is None
