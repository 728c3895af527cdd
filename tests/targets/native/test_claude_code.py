"""Claude Code's own form: what is written, and where."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from redline.agents.claude_code.encoding import CLEARED
from redline.agents.claude_code.finding import slug
from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.model import Kind, Role
from redline.targets.native.forms import draft_of
from tests.agents.claude_code.writing import (
    call,
    image,
    record,
    reply,
    result,
    start,
    text,
    thinking,
    user,
    write,
)
from tests.targets.native.claude_code_session import (
    PROJECT,
    Lines,
    chain_of,
    everything,
    lines_of,
    place,
    said,
    strings,
)
from tests.targets.native.making import (
    STRATEGIES,
    made,
    review_of,
    whole_work,
    work,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path, everything())


def test_the_boundary_stands_first_then_the_summary_then_the_tail(path: Path) -> None:
    review = review_of(path, pins=Pins(cut="u4"))
    draft, session = made(work(review, place(path.parent)))
    written = chain_of(draft.data)
    assert written[0]["subtype"] == "compact_boundary"
    assert written[1]["isCompactSummary"] is True
    assert said(session)[1:] == ["Now the docs", "Done."]
    assert session.compactions[0].trigger == "manual"


def test_the_summary_stands_behind_the_kept_head(path: Path) -> None:
    review = review_of(path, pins=Pins(cut="u4", actions={"u1": Action.KEEP}))
    plan = replace(review.plan, summary_at=1)
    _, session = made(work(replace(review, plan=plan), place(path.parent)))
    kinds = [message.parts[0].kind for message in session.context]
    assert kinds == [Kind.PROMPT, Kind.SUMMARY, Kind.PROMPT, Kind.REPLY]


def test_the_summary_stands_last_where_the_plan_says_so(path: Path) -> None:
    _, session = made(work(review_of(path, "codex"), place(path.parent)))
    assert session.context[-1].parts[-1].kind is Kind.SUMMARY


def test_every_record_hangs_on_the_one_before_it(path: Path) -> None:
    for strategy in STRATEGIES:
        draft, _ = made(work(review_of(path, strategy), place(path.parent)))
        written = chain_of(draft.data)
        parents = [None, *(line["uuid"] for line in written)]
        assert [line["parentUuid"] for line in written] == parents[:-1]
        assert not any(line["isSidechain"] for line in written)
        assert {line["sessionId"] for line in lines_of(draft.data)} == {draft.id}
        assert all(line.get("timestamp") for line in written)


def test_no_id_of_the_source_is_used_again(path: Path) -> None:
    old = {line["uuid"] for line in everything()} | {"m1", "m2", "m3", "m4", "m5", "req_1"}
    draft, _ = made(work(review_of(path, "clear"), place(path.parent)))
    assert old.isdisjoint(strings(lines_of(draft.data)))
    replies = [
        line["message"]["id"] for line in chain_of(draft.data) if line["type"] == "assistant"
    ]
    assert len(set(replies)) == 5


def test_nothing_that_was_billed_is_told_again(path: Path) -> None:
    draft, session = made(work(review_of(path, "clear"), place(path.parent)))
    for line in chain_of(draft.data):
        found = line.get("message", {}).get("usage") or {}
        assert not any(value for value in found.values())
    assert session.info.billed is None


def test_a_result_names_the_new_record_of_its_call(path: Path) -> None:
    draft, _ = made(work(review_of(path, "clear"), place(path.parent)))
    written = chain_of(draft.data)
    holder = next(
        line for line in written if '"t2"' in json.dumps(line) and 'tool_use"' in json.dumps(line)
    )
    answer = next(line for line in written if line.get("sourceToolAssistantUUID"))
    assert answer["sourceToolAssistantUUID"] == holder["uuid"]


def test_a_cleared_result_keeps_its_id_its_error_and_its_place(path: Path) -> None:
    pins = Pins(actions={"r1": Action.CLEAR, "r3": Action.CLEAR})
    draft, session = made(work(review_of(path, "clear", pins=pins), place(path.parent)))
    results = {
        block["tool_use_id"]: block
        for line in chain_of(draft.data)
        if line["type"] == "user" and isinstance(line["message"]["content"], list)
        for block in line["message"]["content"]
        if isinstance(block, dict) and block["type"] == "tool_result"
    }
    assert results["t1"]["content"] == CLEARED
    assert results["t3"] == {
        "type": "tool_result",
        "tool_use_id": "t3",
        "content": CLEARED,
        "is_error": True,
    }
    assert "x" * 9_000 not in said(session)
    assert b"x" * 9_000 not in draft.data


def test_a_reply_of_many_records_stands_together_before_its_results(path: Path) -> None:
    _, session = made(work(review_of(path, "clear"), place(path.parent)))
    (first, *_) = (message for message in session.context if message.role is Role.ASSISTANT)
    assert [part.wire for part in first.parts] == ["thinking", "text", "tool_use", "tool_use"]


def test_a_plan_without_a_summary_writes_no_boundary(path: Path) -> None:
    draft, session = made(work(review_of(path, "clear"), place(path.parent)))
    assert not any(line.get("subtype") == "compact_boundary" for line in chain_of(draft.data))
    assert len(session.context) == len(open_session(path).context)


def echo(uuid: str, parent: str, said: str = "<bash-stdout>hi</bash-stdout>") -> Any:
    return record(uuid, parent, "system", subtype="local_command", content=said)


UNANSWERED = (
    [user("u2", "a1", "And the logout?")],
    [user("u2", "a1", "And the logout?"), reply("a2", "u2", "m2", thinking("hm"))],
    [user("u2", "a1", "And the logout?"), reply("a2", "u2", "m2", text("\n\n"))],
)


@pytest.mark.parametrize("lines", UNANSWERED)
def test_a_command_behind_what_is_not_answered_is_a_message_of_its_own(
    tmp_path: Path, lines: Lines
) -> None:
    last = lines[-1]["uuid"]
    records = [*start(), *lines, echo("l1", last), echo("l2", "l1", "plain words")]
    draft, session = made(whole_work(open_session(write(tmp_path, records)), place(tmp_path)))
    written = [line for line in chain_of(draft.data) if line["type"] != "assistant"]
    assert [line["type"] for line in written] == ["user"] * 4
    assert [line.get("isMeta", False) for line in written] == [False, False, False, True]
    kinds = [message.parts[0].kind for message in session.context]
    assert kinds[-2:] == [Kind.INJECTED, Kind.INJECTED]


def test_a_command_behind_an_answer_stays_as_it_is(tmp_path: Path) -> None:
    records = [*start(), user("u2", "a1", "And the logout?"), echo("l1", "u2")]
    records += [reply("a2", "l1", "m2", text("Fixed too.")), echo("l2", "a2")]
    draft, _ = made(whole_work(open_session(write(tmp_path, records)), place(tmp_path)))
    kinds = [line["type"] for line in chain_of(draft.data)]
    assert kinds == ["user", "assistant", "user", "system", "assistant", "system"]


def test_what_tools_gave_at_the_provider_stays_whole_and_that_is_told(path: Path) -> None:
    review = review_of(path, "clear", pins=Pins(parts={("a5", 2): Action.CLEAR}))
    draft, _ = made(work(review, place(path.parent)))
    assert any("ran at the provider" in warning for warning in draft.warnings)
    assert b'"title":"hit"' in draft.data


def test_the_list_of_the_agent_calls_it_as_the_original(path: Path) -> None:
    _, session = made(work(review_of(path), place(path.parent)))
    original = open_session(path).info
    assert session.info.title == original.title
    assert session.info.project == original.project == PROJECT


def test_the_original_is_not_written_to(path: Path) -> None:
    before = path.read_bytes(), path.stat().st_mtime_ns
    made(work(review_of(path), place(path.parent)))
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_subagent_becomes_a_session_of_its_own(tmp_path: Path) -> None:
    aside = [{**line, "isSidechain": True, "agentId": "a1"} for line in start()]
    path = write(tmp_path, aside, "agent-a1.jsonl")
    draft, session = made(work(review_of(path, "clear"), place(tmp_path)))
    assert not session.delegated
    assert "agentId" not in chain_of(draft.data)[0]


def test_numbers_that_no_parser_takes_are_written_so_that_one_does(tmp_path: Path) -> None:
    odd = json.dumps(reply("a2", "a1", "m2", call("t1", n=1))).replace('"n": 1', '"n": NaN')
    both = user("r1", "a2", [result("t1", "ok")], toolUseResult={"size": 10**30, "rate": 7})
    huge = json.dumps(both).replace('"rate": 7', '"rate": NaN')
    path = write(tmp_path, [*start(), odd.encode(), huge.encode()])
    draft, _ = made(whole_work(open_session(path), place(tmp_path)))
    assert b"NaN" not in draft.data
    assert lines_of(draft.data)[-2]["toolUseResult"] == {"size": 10**30, "rate": None}


@pytest.mark.parametrize(
    "junk",
    [None, 5, [], {}, {"type": "text"}, {"type": "text", "text": None}, {"type": 7}, "words"],
)
@pytest.mark.parametrize("whole", [True, False])
def test_what_is_no_block_does_not_stand_in_the_way(tmp_path: Path, junk: Any, whole: bool) -> None:
    odd = [junk, text("said"), junk]
    path = write(tmp_path, [*start(), user("u2", "a1", odd), reply("a2", "u2", "m2", *odd)])
    session = open_session(path)
    if whole:
        _, read = made(whole_work(session, place(tmp_path)))
        assert "said" in said(read)
        return
    places = {(m.id, p.index): Action.DROP for m in session.context[2:] for p in m.parts[:1]}
    made(work(review_of(path, "clear", pins=Pins(parts=places)), place(tmp_path)))


def test_an_image_in_a_result_that_no_call_ties_to_it_stays_without_it(tmp_path: Path) -> None:
    lone = {"type": "tool_result", "tool_use_id": None, "content": ["text", image()]}
    path = write(tmp_path, [*start(), user("u2", "a1", [lone, text("And now?")])])
    _, read = made(whole_work(open_session(path), place(tmp_path)))
    assert [part.wire for part in read.context[-1].parts] == ["image", "text"]


def test_a_record_without_a_time_gets_one(tmp_path: Path) -> None:
    path = write(tmp_path, [{**line, "timestamp": 7} for line in start()])
    draft, _ = made(whole_work(open_session(path), place(tmp_path)))
    assert {line["timestamp"] for line in chain_of(draft.data)} == {"2026-11-30T12:00:00.000Z"}


@pytest.mark.parametrize("folder", ["", "relative/place", "/a\0b", 7])
def test_a_folder_that_is_none_leads_nowhere(tmp_path: Path, folder: Any) -> None:
    path = write(tmp_path, [{**line, "cwd": folder} for line in start()])
    draft, _ = made(whole_work(open_session(path), place(tmp_path)))
    assert draft.path.parent in (tmp_path, tmp_path / ".claude/projects/-a-b")
    assert draft.warnings


def test_a_file_that_changed_under_the_session_is_refused(path: Path) -> None:
    task = work(review_of(path, "clear"), place(path.parent))
    path.write_bytes(b"{}\n" * 400)
    with pytest.raises(RedlineError):
        draft_of(task)


def test_in_place_is_refused(path: Path) -> None:
    with pytest.raises(RedlineError, match="never changed"):
        draft_of(work(review_of(path), place(path.parent), in_place=True))


# -- where -----------------------------------------------------------------------------------------


def _placed(folder: Path, name: str, environment: dict[str, str]) -> tuple[Path, Path | None]:
    path = write(folder / ".claude/projects" / name, everything())
    draft, _ = made(work(review_of(path), environment))
    return draft.path, draft.folder


def test_it_lies_beside_the_original(tmp_path: Path) -> None:
    path, folder = _placed(tmp_path, slug(PROJECT), place(tmp_path))
    assert path.parent == tmp_path / ".claude/projects" / slug(PROJECT)
    assert folder == Path(PROJECT)


def test_it_lies_where_its_project_leads_to_when_the_original_does_not(tmp_path: Path) -> None:
    path, folder = _placed(tmp_path, "-somewhere-else", place(tmp_path))
    assert path.parent == tmp_path / ".claude/projects" / slug(PROJECT)
    assert folder == Path(PROJECT)


def test_it_lies_in_the_folder_that_the_environment_names(tmp_path: Path) -> None:
    environment = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / "mine")}
    path, _ = _placed(tmp_path, "-elsewhere", environment)
    assert path.parent == tmp_path / "mine/projects" / slug(PROJECT)


def test_the_command_is_of_the_new_session(path: Path) -> None:
    draft = draft_of(work(review_of(path), place(path.parent)))
    assert draft.argv == ("claude", "--resume", draft.id)
    assert draft.path.name == f"{draft.id}.jsonl"
    assert draft.taken_at == "a8"
