"""The session that a person names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from redline.agents.discover import discover
from redline.catalogue.resolve import resolve
from redline.errors import RedlineError
from redline.model import SessionInfo
from tests.agents.claude_code.writing import SESSION_ID, start, user, write

OTHER_ID = "5e550000-0000-4000-8000-000000000002"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / ".claude" / "projects" / "-home-dev-shop"
    write(folder, start())
    write(folder, [user("u1", None, "Later", at=90)], f"{OTHER_ID}.jsonl")
    other = [{**record, "cwd": "/home/dev/other"} for record in start()]
    write(folder, other, "7abc0000-0000-4000-8000-000000000003.jsonl")
    return tmp_path


def named(home: Path, text: str, cwd: str = "/home/dev/shop") -> SessionInfo:
    """What `text` names, with the catalogue and without it: the same."""
    found = [
        resolve(text, cwd=Path(cwd), environment={"HOME": str(home)}, cache=cache)
        for cache in (None, home / "cache" / "catalogue.sqlite")
    ]
    assert found[0] == found[1]
    return found[0]


def test_an_id_names_its_session(home: Path) -> None:
    assert named(home, SESSION_ID).id == SESSION_ID


def test_the_start_of_an_id_is_enough(home: Path) -> None:
    assert named(home, "7a").project == "/home/dev/other"


def test_a_start_that_fits_several_lists_them(home: Path) -> None:
    with pytest.raises(RedlineError, match="start of 2 sessions") as caught:
        named(home, "5e55")
    assert SESSION_ID in caught.value.hint
    assert OTHER_ID in caught.value.hint


def test_last_is_the_newest_of_the_project(home: Path) -> None:
    assert named(home, "last").id == OTHER_ID
    assert named(home, "last", "/home/dev/other").project == "/home/dev/other"


def test_last_is_found_from_a_folder_inside_the_project(home: Path) -> None:
    assert named(home, "last", "/home/dev/shop/src/deep").id == OTHER_ID


def test_last_is_found_through_a_link(home: Path) -> None:
    real, link = home / "real", home / "link"
    real.mkdir()
    link.symlink_to(real, target_is_directory=True)
    records = [{**record, "cwd": str(real)} for record in start()]
    write(home / ".claude" / "projects" / "-some", records, f"{OTHER_ID}.jsonl")
    assert named(home, "last", str(link)).project == str(real)


def test_a_path_names_its_file_also_from_the_working_folder(home: Path) -> None:
    path = write(home, start(), "copy.jsonl")
    assert named(home, str(path)).path == path
    assert named(home, "copy.jsonl", str(home)).path == path


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no session is named"),
        ("zzz", "no session is called"),
        ("none.jsonl", "cannot read"),
        ("/nowhere/at/all", "cannot read"),
        ("\x00", "no session is called"),
        ("x" * 5000, "no session is called"),
    ],
)
def test_what_names_nothing_is_told(home: Path, text: str, says: str) -> None:
    with pytest.raises(RedlineError, match=says):
        named(home, text)


def test_last_of_a_folder_without_sessions_is_told(home: Path) -> None:
    with pytest.raises(RedlineError, match="no session of the project"):
        named(home, "last", "/somewhere/else")


def test_one_session_of_several_in_a_file_is_named_behind_a_hash(home: Path) -> None:
    lines = (f'{{"messages": [{{"role": "user", "content": "Ask {n}"}}]}}\n' for n in range(12))
    path = home / "log #1.jsonl"
    path.write_text("".join(lines))
    assert named(home, f"{path}#2").title == "Ask 1"
    assert named(home, "log #1.jsonl#12", str(home)).title == "Ask 11"
    for text in (str(path), f"{path}#13", f"{path}#"):
        with pytest.raises(RedlineError) as caught:
            named(home, text)
        assert "log #1.jsonl" in caught.value.message


def test_a_subagents_id_names_its_file(home: Path) -> None:
    folder = home / ".claude" / "projects" / "-home-dev-shop"
    aside = [user("k1", None, "Look", isSidechain=True)]
    path = write(folder, aside, f"{SESSION_ID}/subagents/agent-a1b2.jsonl")
    assert named(home, "a1b2").path == path
    assert named(home, "agent-a1b2").path == path
    assert named(home, str(path)).id == "a1b2"


def test_a_new_session_is_known_at_once(home: Path) -> None:
    assert named(home, "last").id == OTHER_ID
    new = "7abc0000-0000-4000-8000-000000000004"
    folder = home / ".claude" / "projects" / "-home-dev-shop"
    write(folder, [user("u1", None, "Newest", at=900)], f"{new}.jsonl")
    assert named(home, "last").id == new


def test_a_cache_that_cannot_be_used_hinders_nothing(home: Path) -> None:
    (home / "cache").write_text("no folder")
    assert named(home, SESSION_ID).id == SESSION_ID
    assert named(home, "last").id == OTHER_ID


def test_last_is_the_newest_of_any_agent(home: Path) -> None:
    from tests.agents.codex.files import meta, rollout_file, said
    from tests.agents.codex.files import write as write_rollout

    path = rollout_file(home / ".codex", day="2026-12-25")
    write_rollout(path, meta(cwd="/home/dev/shop"), said("user", "hello"))
    os.utime(path, (4_000_000_000, 4_000_000_000))
    found = named(home, "last")
    sessions = discover({"HOME": str(home)}).sessions
    newest = next(info for info in sessions if info.project == "/home/dev/shop")
    assert found.id == newest.id


@pytest.mark.parametrize("text", ["7abc", "last"])
def test_a_home_that_cannot_be_read_is_named_where_a_session_is_not_found(
    home: Path, text: str
) -> None:
    projects = home / ".claude" / "projects"
    projects.rename(home / "elsewhere")
    projects.write_text("no folder")
    for other in (".pi/agent/sessions", ".codex/sessions"):
        (home / other).parent.mkdir(parents=True, exist_ok=True)
        (home / other).write_text("no folder")
    with pytest.raises(RedlineError, match="cannot be read") as caught:
        named(home, text)
    assert str(projects) in caught.value.message
    assert str(home / ".codex/sessions") in caught.value.hint
    assert "redline doctor" in caught.value.hint


def test_a_session_that_is_found_is_given_though_another_home_cannot_be_read(home: Path) -> None:
    (home / ".codex").mkdir()
    (home / ".codex" / "sessions").write_text("no folder")
    assert named(home, "7a").project == "/home/dev/other"


def test_what_is_offered_for_an_id_of_several_opens_as_it_stands(home: Path) -> None:
    from tests.agents.hermes.made_up import Made

    (home / ".hermes").mkdir()
    made = Made(home / ".hermes" / "state.db")
    for name in ("20260101_a", "20260101_b"):
        made.session(name)
        made.turns(1, session=name)
    with pytest.raises(RedlineError, match="start of 2 sessions") as caught:
        named(home, "2026")
    offered = [line.split("  ")[-1] for line in caught.value.hint.splitlines()[1:]]
    assert sorted(named(home, path).id for path in offered) == ["20260101_a", "20260101_b"]
