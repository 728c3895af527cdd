"""Hermes' sessions are found, listed, searched and known to be in use."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from redline.agents.discover import discover
from redline.agents.finder import Passage
from redline.agents.hermes.finder import HERMES
from redline.agents.hermes.reader import open_session
from redline.agents.opening import recognise
from redline.catalogue.resolve import resolve
from redline.errors import RedlineError
from redline.model import Kind, SessionInfo

from .made_up import ALONE, SESSION, Made, call


def _home(folder: Path, session: str = SESSION, *, schema: int = 22) -> Made:
    folder.mkdir(parents=True, exist_ok=True)
    made = Made(folder / "state.db", schema=schema)
    made.session(session)
    return made


def test_the_home_its_override_and_its_profiles_are_looked_into(tmp_path: Path) -> None:
    _home(tmp_path / ".hermes", "main").turns(1)
    _home(tmp_path / ".hermes" / "profiles" / "coder", "coder").turns(1)
    _home(tmp_path / "other", "other").turns(1)
    usual = discover({"HOME": str(tmp_path)})
    assert {info.id for info in usual.sessions} == {"main", "coder"}
    chosen = discover({"HOME": str(tmp_path), "HERMES_HOME": str(tmp_path / "other")})
    assert {info.id for info in chosen.sessions} == {"other"}
    assert {looked.path for looked in usual.looked} >= {
        tmp_path / ".hermes", tmp_path / ".hermes" / "profiles",
    }  # fmt: skip


def test_a_profile_that_may_not_be_entered_costs_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _home(tmp_path, "main").turns(1)
    closed = tmp_path / "profiles" / "closed"
    _home(closed, "closed").turns(1)
    stat = os.stat

    def refused(path: Any, *arguments: Any, **options: Any) -> os.stat_result:
        if str(path).startswith(f"{closed}{os.sep}"):
            raise PermissionError(13, "Permission denied", str(path))
        return stat(path, *arguments, **options)

    monkeypatch.setattr(os, "stat", refused)
    found = discover({"HOME": str(tmp_path), "HERMES_HOME": str(tmp_path)})
    assert [info.id for info in found.sessions] == ["main"]


def test_a_database_that_links_lead_to_is_listed_once(tmp_path: Path) -> None:
    _home(tmp_path / ".hermes").turns(1)
    profiles = tmp_path / ".hermes" / "profiles"
    profiles.mkdir()
    (profiles / "same").symlink_to(tmp_path / ".hermes")
    assert len(list(HERMES.find({"HOME": str(tmp_path)}))) == 1


def test_old_transcripts_are_found_unless_the_database_has_them(tmp_path: Path) -> None:
    _home(tmp_path, "known").turns(1)
    sessions = tmp_path / "sessions"
    sessions.mkdir()
    meta = '{"role":"session_meta","tools":[],"model":"m","platform":"cli"}\n'
    prompt = '{"role":"user","content":"hello","timestamp":"2026-01-01T10:00:00"}\n'
    for name in ("known.jsonl", "old.jsonl"):
        (sessions / name).write_text(meta + prompt)
    (sessions / "sessions.json").write_text("{}")
    environment = {"HERMES_HOME": str(tmp_path)}
    assert [path.name for path in HERMES.find(environment)] == ["state.db", "old.jsonl"]
    old = next(info for info in discover(environment).sessions if info.id == "old")
    (passage,) = HERMES.passages(old, 0)
    session = open_session(old.path, id="old")
    assert session.context[0].head == passage.text == "hello"
    database = tmp_path / "state.db"
    database.write_bytes(database.read_bytes()[:5_000])  # what cannot be read has none of them
    names = [path.name for path in HERMES.find(environment)]
    assert names == ["state.db", "known.jsonl", "old.jsonl"]
    origin = session.context[0].parts[0].origin
    assert (passage.record, passage.start) == (origin.record, origin.start) == (2, len(meta))


def test_subagents_and_what_was_gone_on_with_open_by_their_ids(tmp_path: Path) -> None:
    made = _home(tmp_path)
    made.turns(1)
    made.session("sub", parent_session_id=SESSION, source="subagent")
    made.row("user", "look", session="sub")
    assert [info.id for info in HERMES.scan(made.path)] == [SESSION]
    assert recognise(made.path, "sub").id == "sub"
    environment = {"HERMES_HOME": str(tmp_path)}
    assert resolve("sub", cwd=tmp_path, environment=environment).path == made.path
    assert resolve(f"{made.path}#sub", cwd=tmp_path, environment=environment).id == "sub"
    with pytest.raises(RedlineError, match="called"):
        recognise(made.path, "nobody")


def test_the_list_shows_prompts_and_not_what_hermes_wrote(tmp_path: Path) -> None:
    made = _home(tmp_path)
    made.row("user", ALONE)
    picture = {"type": "image_url", "image_url": {"url": "data:," + "A" * 9_000}}
    made.row("user", [{"type": "text", "text": 'the "first" one'}, picture])
    made.turns(1)
    made.row("user", "gone", active=0)
    made.row("user", "[System: continue]")
    (info,) = HERMES.scan(made.path)
    assert (info.first_prompt, info.last_prompt) == ('the "first" one', "prompt 0")
    assert info.title == 'the "first" one'
    assert info.updated is not None
    assert info.updated.timestamp() == made.clock
    assert 0 < info.size <= made.path.stat().st_size


def _words(passages: list[Passage]) -> list[tuple[Kind, str]]:
    return [(passage.kind, passage.text) for passage in passages]


def test_every_text_is_a_passage_at_the_place_of_its_part(tmp_path: Path) -> None:
    made = _home(tmp_path)
    made.row("user", "find fn_4242")
    made.row("assistant", "on it", tool_calls=[call("terminal", "1", command="rg fn_4242")],
             reasoning="secret")  # fmt: skip
    made.result("terminal", "1", "a.py: fn_4242")
    made.row("user", "taken back", active=0)
    (info,) = HERMES.scan(made.path)
    found = list(HERMES.passages(info, 0))
    assert _words(found) == [
        (Kind.PROMPT, "find fn_4242"),
        (Kind.REPLY, "on it"),
        (Kind.TOOL_CALL, "terminal command: rg fn_4242"),
        (Kind.TOOL_RESULT, "a.py: fn_4242"),
    ]
    session = open_session(made.path, id=SESSION)
    records = {part.origin.record for m in session.context for part in m.parts}
    assert {passage.record for passage in found} == records
    assert all(passage.start == passage.record for passage in found)


def test_carried_rows_are_searched_once_and_cut_results_whole(tmp_path: Path) -> None:
    made = _home(tmp_path)
    ids = made.turns(2)
    made.archive()
    made.row("assistant", ALONE)
    copies = made.copy(ids[-4:])
    made.run("UPDATE messages SET content = '[read_file] cut' WHERE id = ?", copies[2])
    (info,) = HERMES.scan(made.path)
    found = [passage.text for passage in HERMES.passages(info, 0)]
    assert found.count("prompt 1") == 1
    assert found.count("reply 1") == 1
    assert "body 1" in found


def test_arguments_that_a_carried_row_cuts_are_searched_whole(tmp_path: Path) -> None:
    made = _home(tmp_path)
    ids = made.turns(2)
    whole = json.dumps([call("write_file", "w", content="all of the file")])
    made.run("UPDATE messages SET tool_calls = ? WHERE id = ?", whole, ids[-3])
    made.archive()
    made.row("assistant", ALONE)
    copies = made.copy(ids[-4:])
    cut = whole.replace("of the file", "...[truncated]")
    made.run("UPDATE messages SET tool_calls = ? WHERE id = ?", cut, copies[1])
    (info,) = HERMES.scan(made.path)
    found = " ".join(passage.text for passage in HERMES.passages(info, 0))
    assert found.count("all of the file") == found.count("all ...[truncated]") == 1


def test_only_new_rows_are_read_until_a_compaction_or_a_rewind(tmp_path: Path) -> None:
    made = _home(tmp_path)
    ids = made.turns(2)
    (info,) = HERMES.scan(made.path)
    end = list(HERMES.passages(info, 0))[-1].end
    mark = HERMES.mark(info, end)
    made.row("user", "new")
    assert HERMES.mark(info, end) == mark
    assert [passage.text for passage in HERMES.passages(info, end)] == ["new"]
    made.run("UPDATE messages SET active = 0 WHERE id = ?", ids[-1])
    rewound = HERMES.mark(info, end)
    assert rewound != mark
    made.archive()
    assert HERMES.mark(info, end) not in (mark, rewound)
    made.run("DELETE FROM messages WHERE id = ?", ids[0])
    assert HERMES.mark(info, end) != mark


def _live(made: Made) -> dict[str, str]:
    infos = [*HERMES.scan(made.path)]
    return dict(HERMES.live(infos, None))


def test_a_lock_or_a_lease_that_holds_makes_a_session_live(tmp_path: Path) -> None:
    made = _home(tmp_path, schema=31)
    made.turns(1)
    made.session("idle")
    made.turns(1, session="idle")
    assert _live(made) == {SESSION: "", "idle": ""}
    soon = time.time() + 300
    made.run("INSERT INTO compression_locks VALUES (?, 'pid:1', 0, ?)", SESSION, soon)
    assert _live(made) == {SESSION: "lock", "idle": ""}
    made.run("UPDATE compression_locks SET expires_at = 5")
    made.run("INSERT INTO session_turn_leases VALUES ('idle', 'pid:1', 0, ?)", soon)
    assert _live(made) == {SESSION: "", "idle": "lease"}


def test_a_lease_of_the_first_session_is_one_of_the_last(tmp_path: Path) -> None:
    made = _home(tmp_path, schema=31)
    made.turns(1)
    made.run("UPDATE sessions SET ended_at = 9, end_reason = 'compression'")
    made.session("next", parent_session_id=SESSION)
    made.turns(1, session="next")
    made.run("INSERT INTO session_turn_leases VALUES (?, 'x', 0, ?)", SESSION, time.time() + 9)
    assert _live(made) == {"next": "lease"}


def test_a_new_message_makes_a_session_live_and_its_end_does_not(tmp_path: Path) -> None:
    made = _home(tmp_path)
    made.row("user", "now", timestamp=time.time())
    made.session("other")
    made.turns(1, session="other")
    assert _live(made) == {SESSION: "a recent change", "other": ""}
    made.run("UPDATE sessions SET ended_at = ? WHERE id = ?", time.time(), SESSION)
    assert _live(made) == {SESSION: "", "other": ""}


def test_a_database_that_is_gone_is_nobodys(tmp_path: Path) -> None:
    path = tmp_path / "state.db"
    info = SessionInfo(HERMES.agent, SESSION, path)
    assert HERMES.scan(path) == ()
    assert HERMES.stamp(path) == ""
    assert HERMES.mark(info, 3) == ""
    assert HERMES.live([info], None) == {}
    assert list(HERMES.find({"HOME": os.fspath(tmp_path)})) == []
