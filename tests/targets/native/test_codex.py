"""A compacted thread of Codex: read back it is what the plan says, and nothing else."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from redline.agents.codex.encoding import CLEARED, SUMMARY_MARK
from redline.agents.codex.names import created, read_name
from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.model import Kind, PartType
from redline.targets.commit import commit
from redline.targets.native.checking import check
from redline.targets.native.draft import Draft
from redline.targets.native.forms import draft_of
from redline.targets.native.native import NativeSession
from tests.agents.codex.files import JSON, line, meta, rollout_file, write
from tests.agents.codex.rolling import (
    asked,
    call,
    compacted,
    count,
    done,
    message,
    output,
    rolled_back,
    started,
    user,
)
from tests.agents.codex.threads import conversation, everything, in_dialect
from tests.targets.native.codex_drafts import (
    kept,
    lines_of,
    one_of,
    place,
    said,
    strings,
    written,
)
from tests.targets.native.making import NOW, made, review_of, whole_work, work


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / ".codex"


@pytest.fixture
def path(home: Path) -> Path:
    return in_dialect("legacy", home, everything())


# -- what is written -------------------------------------------------------------------------------


def test_a_new_rollout_lies_in_the_folder_of_its_day_under_the_name_of_its_thread(
    path: Path, home: Path
) -> None:
    draft, session = made(work(review_of(path), place(home.parent)))
    day = NOW.astimezone()
    assert draft.path.parent == home / "sessions" / f"{day:%Y}" / f"{day:%m}" / f"{day:%d}"
    named = read_name(draft.path.name)
    assert named is not None
    assert named.thread == draft.id == session.info.id
    assert named.time == f"{day:%Y-%m-%dT%H-%M-%S}"
    assert created(draft.id) == NOW
    assert draft.argv == ("codex", "resume", draft.id)
    assert draft.folder is None
    assert any("/w/shop is not there" in one for one in draft.warnings)
    here = written(home / "here", *conversation(), cwd=str(home))
    assert draft_of(work(review_of(here), place(home.parent))).folder == home


def test_it_lies_in_the_home_that_the_environment_names(path: Path, tmp_path: Path) -> None:
    draft = draft_of(work(review_of(path), place(tmp_path, CODEX_HOME=str(tmp_path / "other"))))
    assert draft.path.is_relative_to(tmp_path / "other/sessions")


def test_without_a_home_it_lies_in_that_of_the_original_or_beside_it(
    path: Path, home: Path, tmp_path: Path
) -> None:
    assert draft_of(work(review_of(path), {})).path.is_relative_to(home / "sessions")
    alone = write(tmp_path / "alone.jsonl", meta(), *conversation())
    assert draft_of(work(review_of(alone), {})).path.parent == tmp_path


def test_the_head_is_the_originals_but_for_its_id(tmp_path: Path) -> None:
    head = {
        "base_instructions": {"text": "You are", "provenance": "x"},
        "git": {"commit_hash": "abc", "branch": 5},
        "source": {"subagent": "review"},
        "memory_mode": 7,
        "dynamic_tools": [{"name": "x"}],
        "model_provider": "openai",
        "history_mode": "paginated",
        "multi_agent_version": "v2",
    }
    draft = draft_of(work(review_of(written(tmp_path, *conversation(), **head)), place(tmp_path)))
    told = one_of(draft, "session_meta")
    assert told == {
        "id": draft.id,
        "session_id": draft.id,
        "timestamp": "2026-11-30T12:00:00.000Z",
        "cwd": "/w/shop",
        "originator": "codex-tui",
        "cli_version": "0.150.0",
        "source": "cli",
        "model_provider": "openai",
        "forked_from_id": told["forked_from_id"],
        "base_instructions": {"text": "You are"},
        "git": {"commit_hash": "abc"},
    }
    assert (
        open_session(written(tmp_path, *conversation(), **head)).info.id == told["forked_from_id"]
    )


def test_the_summary_stands_at_its_place_as_codex_knows_one(path: Path, home: Path) -> None:
    task = work(review_of(path, "redline"), place(home.parent))
    draft, session = made(task)
    assert kept(draft)[0]["content"][0]["text"] == f"{SUMMARY_MARK}\n{task.summary}"
    assert one_of(draft, "compacted")["message"] == f"{SUMMARY_MARK}\n{task.summary}"
    assert session.context[0].parts[0].kind is Kind.SUMMARY
    review = review_of(path)
    for at in range(len(review.plan.staying) + 1):
        _, session = made(work(replace(review, plan=replace(review.plan, summary_at=at)), {}))
    assert session.context[-1].parts[-1].kind is Kind.SUMMARY


def test_no_id_and_no_count_of_the_source_is_told_again(path: Path, home: Path) -> None:
    draft, session = made(work(review_of(path, "clear"), place(home.parent)))
    found = set(strings(lines_of(draft)[2:]))
    assert found.isdisjoint({"msg_old1", "rs_old1", "ig_1", "t1", "t2", "t3", "t4"})
    assert not any("id" in one for one in kept(draft))
    assert b"token_count" not in draft.data
    assert session.info.billed is None
    assert session.gauge is None or session.gauge.active is None or session.gauge.active < 100_000


def test_the_original_the_index_and_all_other_files_stay_as_they_are(
    path: Path, home: Path, tmp_path: Path
) -> None:
    from redline.places import places

    for name in ("state_5.sqlite", "history.jsonl", "session_index.jsonl", "config.toml"):
        (home / name).write_bytes(b"")
    write(rollout_file(home, day="2026-06-24"), meta(), *conversation())
    before = {one: one.stat() for one in home.rglob("*") if one.is_file()}
    target = NativeSession(work(review_of(path), place(tmp_path)))
    change = target.preview()
    assert {one for one in home.rglob("*") if one.is_file()} == set(before)
    info = target.work.session.info
    where = places({"REDLINE_HOME": str(tmp_path / "redline")})
    commit((change,), session=info, places=where, now=NOW)
    assert target.draft is not None
    assert {one for one in home.rglob("*") if one.is_file()} == {*before, target.draft.path}
    for one, status in before.items():
        now = one.stat()
        assert (now.st_mtime_ns, now.st_size, now.st_ino) == (
            status.st_mtime_ns,
            status.st_size,
            status.st_ino,
        )
    assert os.stat(target.draft.path).st_mode & 0o777 == 0o600


def test_lists_call_it_as_the_original(path: Path, home: Path) -> None:
    draft, session = made(work(review_of(path), place(home.parent)))
    original = open_session(path).info
    assert session.info.first_prompt == original.first_prompt
    assert session.info.project == original.project
    assert session.info.model == original.model
    assert session.info.parent == original.id
    told = [one["payload"] for one in lines_of(draft) if one["type"] == "event_msg"]
    assert [one["type"] for one in told] == ["user_message"]


def test_what_was_cleared_or_shortened_is_so_in_its_place(path: Path, home: Path) -> None:
    session = open_session(path)
    results = [
        one for one in session.context if one.parts and one.parts[0].type is PartType.TOOL_RESULT
    ]
    by_call = {one.parts[0].call_id: one.id for one in results}
    pins = Pins(actions={by_call["c1"]: Action.SHORTEN, by_call["c2"]: Action.CLEAR})
    draft, _ = made(work(review_of(path, "clear", pins=pins), place(home.parent)))
    outputs = {one.get("call_id"): one for one in kept(draft) if "output" in one}
    assert "characters taken out" in outputs["c1"]["output"]
    assert outputs["c2"]["output"] == CLEARED
    assert outputs["c3"]["output"] == "Success."
    assert [one.get("call_id") for one in kept(draft) if "call_id" in one][:4] == [
        "c1",
        "c2",
        "c1",
        "c2",
    ]


def test_an_image_is_cleared_and_the_text_around_it_stays(path: Path, home: Path) -> None:
    session = open_session(path)
    (at,) = (
        one
        for one in session.context
        if any(part.type is PartType.IMAGE and part.kind is Kind.PROMPT for part in one.parts)
    )
    parts = {(at.id, p.index): Action.CLEAR for p in at.parts if p.type is PartType.IMAGE}
    result = next(one for one in session.context if len(one.parts) == 2 and one.parts[0].call_id)
    parts[result.id, 1] = Action.CLEAR
    draft, _ = made(work(review_of(path, "clear", pins=Pins(parts=parts)), place(home.parent)))
    told = next(one for one in kept(draft) if "Like this" in json.dumps(one))
    assert [one.get("text") for one in told["content"]] == [
        "Like this",
        "<image>",
        "[image cleared]",
        "</image>",
    ]
    (answer,) = (one for one in kept(draft) if one.get("call_id") == "c2" and "output" in one)
    assert [one["type"] for one in answer["output"]] == ["input_text"]


def test_thoughts_stay_sealed_or_go(path: Path, home: Path) -> None:
    draft, _ = made(work(review_of(path, "clear"), place(home.parent)))
    seals = [one.get("encrypted_content") for one in kept(draft) if one["type"] == "reasoning"]
    assert seals == ["gAAAone", "gAAAtwo", "gAAAthree", None]
    assert {"type": "compaction", "encrypted_content": "gAAAsealed"} in kept(draft)


def test_what_codex_cannot_take_in_its_place_stays_whole_and_that_is_told(
    path: Path, home: Path
) -> None:
    session = open_session(path)
    (at,) = (one for one in session.context if one.parts[0].wire == "tool_search_output")
    review = review_of(path, "clear", pins=Pins(actions={at.id: Action.CLEAR}))
    draft, _ = made(work(review, place(home.parent)))
    assert any("search for tools" in warning for warning in draft.warnings)
    assert "a tool\na tool" in json.dumps(kept(draft)).replace("\\n", "\n")


def test_items_that_no_loader_takes_are_left_out_with_what_belongs_to_them(
    tmp_path: Path,
) -> None:
    odd = line(
        "response_item", {"type": "tool_search_call", "call_id": "c9", "arguments": float("nan")}
    )
    path = written(
        tmp_path,
        started("t1"),
        user("Go"),
        odd,
        line("response_item", {"type": "tool_search_output", "call_id": "c9", "tools": []}),
        line("response_item", {"type": "compaction", "encrypted_content": "x"}),
        line("response_item", {"type": "reasoning", "encrypted_content": "y"}),
        line("response_item", {"type": "function_call", "arguments": {"a": 1}, "call_id": "c1"}),
        output("c1"),
        user("On"),
    )
    session = open_session(path)
    assert session.resume_lost
    draft, copy = made(whole_work(session, place(tmp_path)))
    assert copy.resume_lost == 0
    assert [one["type"] for one in kept(draft)] == [
        "message",
        "compaction",
        "reasoning",
        "function_call",
        "function_call_output",
        "message",
    ]
    assert any("2 items that Codex cannot read" in warning for warning in draft.warnings)


def test_a_reply_that_goes_on_after_a_result_keeps_its_order(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        *asked("t1", "one"),
        count(5, 5),
        started("t2"),
        user("two"),
        call("c1"),
        output("c1", "first"),
        call("c2"),
        output("c2", "second"),
        count(10, 15),
        line("response_item", message("assistant", "ok")),
        done("t2"),
    )
    session = open_session(path)
    wires = [part.wire for one in session.context for part in one.parts]
    assert wires[3:5] == ["function_call", "function_call"]
    draft, copy = made(whole_work(session, place(tmp_path)))
    assert [one.get("call_id") for one in kept(draft)][3:7] == ["c1", "c1", "c2", "c2"]
    assert len(copy.context) == len(session.context) + 1
    review = review_of(path, pins=Pins(cut=session.context[2].id))
    made(work(review, place(tmp_path)))
    plan = review.plan
    assert plan.summary_at == 0
    for at in range(len(plan.staying) + 1):
        made(work(replace(review, plan=replace(plan, summary_at=at)), place(tmp_path)))


def test_a_plan_without_a_summary_is_told_by_no_words(path: Path, home: Path) -> None:
    draft, session = made(work(review_of(path, "clear"), place(home.parent)))
    assert one_of(draft, "compacted")["message"] == ""
    assert len(session.context) >= len(open_session(path).context)
    assert not any(SUMMARY_MARK in one for one in said(session))


# -- what the thread is set to ---------------------------------------------------------------------

WORLD = line("world_state", {"full": True, "state": {"agents_md": {"a": "b" * 3_000}}})
PATCH = line("world_state", {"full": False, "state": {"skills": None}})


def kinds_of(draft: Draft) -> list[str]:
    return [one["type"] for one in lines_of(draft)]


def test_the_model_it_was_set_to_stands_before_the_compaction(path: Path, home: Path) -> None:
    draft = draft_of(work(review_of(path), place(home.parent)))
    assert kinds_of(draft) == ["session_meta", "event_msg", "turn_context", "compacted"]
    told = one_of(draft, "turn_context")
    assert told["model"] == "gpt-5.5"
    assert told["turn_id"] != "t4"


def test_instructions_that_all_stay_are_known_to_be_there(tmp_path: Path) -> None:
    path = written(tmp_path, *conversation()[:3], WORLD, PATCH, *conversation()[3:])
    draft, _ = made(work(review_of(path, "clear"), place(tmp_path)))
    after = ["compacted", "world_state", "world_state", "turn_context"]
    assert kinds_of(draft) == ["session_meta", "event_msg", *after]
    assert [one["payload"] for one in lines_of(draft)[3:5]] == [WORLD["payload"], PATCH["payload"]]
    draft, _ = made(work(review_of(path, "redline"), place(tmp_path)))
    assert "world_state" not in kinds_of(draft)


@pytest.mark.parametrize(
    "between",
    [
        [compacted("", [message("user", "short")])],
        [*asked("t9", "undo this"), rolled_back(1)],
        [PATCH],
    ],
)
def test_what_may_not_be_in_the_history_any_more_is_not_told(
    tmp_path: Path, between: list[JSON]
) -> None:
    world = [] if between == [PATCH] else [WORLD]
    path = written(tmp_path, *conversation()[:3], *world, *conversation()[3:], *between)
    draft, _ = made(whole_work(open_session(path), place(tmp_path)))
    assert "world_state" not in kinds_of(draft)


def test_the_provider_that_it_goes_on_with_is_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, *conversation(), model_provider="mine")
    draft = draft_of(work(review_of(path), place(tmp_path)))
    assert draft.argv[3:] == ("-c", 'model_provider="mine"')
    assert any("mine" in warning for warning in draft.warnings)
    (tmp_path / ".codex/config.toml").write_text('model_provider = "mine"\n')
    draft = draft_of(work(review_of(path), place(tmp_path)))
    assert draft.argv[3:] == ()
    assert not any("mine" in warning for warning in draft.warnings)


def test_the_time_of_its_name_is_local_and_that_of_its_records_is_not(
    path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import time

    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        late = replace(
            work(review_of(path), place(home.parent)), now=datetime(2026, 11, 30, 20, tzinfo=UTC)
        )
        draft = draft_of(late)
        assert draft.path.parent == home / "sessions/2026/12/01"
        assert draft.path.name.startswith("rollout-2026-12-01T05-00-00-")
        assert lines_of(draft)[0]["timestamp"] == "2026-11-30T20:00:00.000Z"
    finally:
        monkeypatch.undo()
        time.tzset()


# -- what is refused -------------------------------------------------------------------------------


def test_in_place_is_refused(path: Path, home: Path) -> None:
    with pytest.raises(RedlineError, match="never changed"):
        draft_of(work(review_of(path), place(home.parent), in_place=True))


def test_a_session_of_no_rollout_is_refused(path: Path, home: Path) -> None:
    task = work(review_of(path), place(home.parent))
    session = task.session

    class Other:
        def __getattr__(self, name: str) -> Any:
            return getattr(session.source, name)

    other: Any = Other()
    with pytest.raises(RedlineError, match="no rollout"):
        draft_of(replace(task, session=replace(session, source=other)))


def test_a_file_that_changed_under_the_session_is_refused(path: Path, home: Path) -> None:
    task = work(review_of(path, "clear"), place(home.parent))
    path.write_bytes(b"{}\n" * 400)
    with pytest.raises(RedlineError):
        check(draft_of(task), task)
