"""Which files are rollouts, and what the threads are called."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from redline.agents.codex.finding import find, home, roots, thread_names
from redline.agents.codex.names import created, find_rollout, read_name, replaced
from redline.agents.codex.rollout import Rollout
from redline.agents.codex.scan import scan
from redline.agents.discover import discover
from redline.catalogue.resolve import resolve
from redline.model import Damage
from tests.agents.codex.files import CHILD, PARENT, meta, only, pack, rollout_file, said, write

LATER = "019f0000-3000-7000-8000-000000000004"


def found(folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in find({"CODEX_HOME": str(folder)})]


def test_the_home_is_the_named_folder_else_dot_codex() -> None:
    assert home({"HOME": "/h"}) == Path("/h/.codex")
    assert home({"HOME": "/h", "CODEX_HOME": "/c"}) == Path("/c")
    assert home({"HOME": "/h", "CODEX_HOME": "~/c"}) == Path("/h/c")
    assert home({"USERPROFILE": "/u", "CODEX_HOME": ""}) == Path("/u/.codex")
    assert home({}) is None
    assert roots({}) == ()
    assert roots({"CODEX_HOME": "/c"}) == (Path("/c/sessions"), Path("/c/archived_sessions"))


def test_rollouts_lie_in_days_flat_and_archived(tmp_path: Path) -> None:
    write(rollout_file(tmp_path), meta())
    write(tmp_path / "sessions" / "rollout-2025-06-01-old.jsonl", meta())
    write(tmp_path / "archived_sessions" / f"rollout-2026-01-01T00-00-00-{CHILD}.jsonl", meta())
    write(tmp_path / "sessions" / "notes.jsonl", meta())
    write(tmp_path / "sessions" / "2026" / "06" / "25" / "rollout-x.jsonl.tmp", meta())
    write(tmp_path / "history.jsonl", meta())
    assert sorted(found(tmp_path)) == [
        f"archived_sessions/rollout-2026-01-01T00-00-00-{CHILD}.jsonl",
        f"sessions/2026/06/25/rollout-2026-06-25T12-00-00-{PARENT}.jsonl",
        "sessions/rollout-2025-06-01-old.jsonl",
    ]


def test_a_packed_file_beside_the_plain_one_is_listed_once(tmp_path: Path) -> None:
    pack(write(rollout_file(tmp_path), meta()), keep=True)
    pack(write(rollout_file(tmp_path, CHILD), meta(CHILD)))
    names = found(tmp_path)
    assert len(names) == 2
    assert [name.endswith(".zst") for name in names] == [False, True]


def test_links_lead_to_each_session_once(tmp_path: Path) -> None:
    # A39
    real = tmp_path / "real"
    path = write(rollout_file(real), meta())
    (tmp_path / "link").symlink_to(real)
    (real / "archived_sessions").symlink_to(real / "sessions")
    (path.parent / f"rollout-2026-06-25T13-00-00-{PARENT}.jsonl").symlink_to(path)
    (real / "sessions" / "2026" / "loop").symlink_to(real / "sessions")
    assert found(real) == [str(path.relative_to(real))]
    assert len(found(tmp_path / "link")) == 1


def test_a_home_that_is_a_file_or_is_not_there_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "sessions").write_text("")
    assert found(tmp_path) == found(tmp_path / "none") == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_cannot_be_read_costs_only_itself(tmp_path: Path) -> None:
    write(rollout_file(tmp_path), meta())
    closed = write(rollout_file(tmp_path, CHILD, "2026-06-26"), meta()).parent
    closed.chmod(0)
    try:
        assert len(found(tmp_path)) == 1
    finally:
        closed.chmod(0o700)


def test_a_month_that_cannot_be_listed_is_named(tmp_path: Path) -> None:
    write(rollout_file(tmp_path), meta())
    month = tmp_path / "sessions" / "2026" / "07"
    month.write_text("")
    (tmp_path / "sessions" / "2026" / "08").symlink_to(month)
    day = tmp_path / "sessions" / "2026" / "06" / "26"
    day.mkdir()
    environment = {"CODEX_HOME": str(tmp_path), "HOME": str(tmp_path)}
    assert [looked.path for looked in discover(environment).looked if looked.problem] == []
    real = os.scandir

    def scandir(path: str) -> object:
        if str(path) == str(day):
            raise PermissionError(13, "Permission denied")
        return real(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "scandir", scandir)
        problems = [looked for looked in discover(environment).looked if looked.problem]
    assert [looked.path for looked in problems] == [day]


def test_a_file_name_tells_the_thread_and_the_rollout() -> None:
    plain = read_name(f"rollout-2026-06-25T12-00-00-{PARENT.upper()}.jsonl.zst")
    assert plain is not None
    assert (plain.thread, plain.rollout, plain.time) == (PARENT, PARENT, "2026-06-25T12-00-00")
    both = read_name(f"rollout-2026-06-25T12-00-00-{PARENT}_{LATER}.jsonl")
    assert both is not None
    assert (both.thread, both.rollout) == (PARENT, LATER)
    old = read_name(f"rollout-2025-06-01-{CHILD}.jsonl")
    assert old is not None
    assert (old.thread, old.time) == (CHILD, "2025-06-01")
    assert read_name("rollout-2026.jsonl") is read_name(f"{PARENT}.jsonl") is None


@pytest.mark.parametrize("ident", ["", "x", "0" * 32, "f" * 12 + "7" + "f" * 19, "é" * 32])
def test_an_id_of_another_version_tells_no_time(ident: str) -> None:
    assert created(ident) is None


def test_an_id_of_version_7_tells_when_it_was_made() -> None:
    moment = created("01a22c9a-84b4-7cb1-984a-79a404903f52")
    assert moment is not None
    assert moment.isoformat()[:19] == "2026-11-30T13:17:33"


def test_a_rollout_is_not_looked_for_outside_of_its_home(tmp_path: Path) -> None:
    lone = write(tmp_path / "away" / "some.jsonl", meta(history_base={"thread_id": CHILD}))
    write(rollout_file(tmp_path / "home", CHILD), meta(CHILD))
    assert find_rollout(CHILD, lone) is None
    beside = write(lone.with_name(f"rollout-2026-06-25T12-00-00-{CHILD}.jsonl"), meta(CHILD))
    assert find_rollout(CHILD, lone) == beside


def test_the_newest_name_of_a_thread_counts(tmp_path: Path) -> None:
    index = tmp_path / "session_index.jsonl"
    lines = [
        json.dumps({"id": PARENT, "thread_name": "first"}),
        "torn {",
        "[]",
        json.dumps({"id": 3, "thread_name": "x"}),
        json.dumps({"id": CHILD, "thread_name": "taken away"}),
        json.dumps({"id": PARENT, "thread_name": "second", "updated_at": "2026"}),
        json.dumps({"id": CHILD, "thread_name": ""}),
    ]
    index.write_text("\n".join(lines))
    assert thread_names(tmp_path) == {PARENT: "second"}
    index.write_text(json.dumps({"id": PARENT, "thread_name": "third"}))
    assert thread_names(tmp_path) == {PARENT: "third"}
    assert thread_names(tmp_path / "none") == {}


def test_the_id_of_a_reverted_thread_means_the_rollout_in_its_place(tmp_path: Path) -> None:
    first = write(rollout_file(tmp_path), meta(), said("user", "one"), said("user", "undone"))
    base = {"thread_id": PARENT, "end_ordinal_exclusive": 0}
    later = write(rollout_file(tmp_path, rollout=LATER), meta(history_base=base))
    assert replaced([first, later]) == {first}
    environment = {"CODEX_HOME": str(tmp_path), "HOME": str(tmp_path)}
    assert resolve(PARENT, cwd=tmp_path, environment=environment).path == later
    assert resolve(str(first), cwd=tmp_path, environment=environment).path == first


SESSION = {"timestamp": "2025-05-01T10:00:00.000Z", "id": CHILD, "instructions": "be kind"}
ITEMS = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Fix \u00e9"}]},
    {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c1"},
]


def document(folder: Path, value: object) -> Path:
    path = folder / "sessions" / f"rollout-2025-05-01-{CHILD}.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")
    return path


def test_a_document_of_the_typescript_cli_is_read_as_a_flat_rollout(tmp_path: Path) -> None:
    path = document(tmp_path, {"session": SESSION, "items": [*ITEMS, None]})
    assert found(tmp_path) == [str(path.relative_to(tmp_path))]
    info = only(path)
    assert (info.id, info.title) == (CHILD, "Fix é")
    rollout = Rollout(path)
    assert rollout.dialect == "flat"
    damage: list[Damage] = []
    records = list(rollout.records(damage))
    assert [record.value for record in records] == [SESSION, *ITEMS]
    assert damage == []


def test_a_document_that_is_torn_gives_its_first_items(tmp_path: Path) -> None:
    path = document(tmp_path, {"session": SESSION, "items": ITEMS * 3})
    path.write_text(path.read_text()[:-200])
    damage: list[Damage] = []
    values = [record.value for record in Rollout(path).records(damage)]
    assert values[:3] == [SESSION, *ITEMS]
    assert len(damage) == 1


@pytest.mark.parametrize("value", [3, [], {}, {"items": 3}, {"session": 1, "items": {}}])
def test_another_document_is_no_session(tmp_path: Path, value: object) -> None:
    assert scan(document(tmp_path, value).rename(tmp_path / "rollout-x.json")) == ()
