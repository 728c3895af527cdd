"""A compacted session of Claude Code: read back it is what the plan says, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.agents.claude_code.encoding import CLEARED
from redline.agents.claude_code.finding import slug
from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.model import Kind, Role, Session
from redline.targets.native.checking import check
from redline.targets.native.forms import draft_of
from tests.agents.claude_code.writing import (
    attachment,
    boundary,
    call,
    image,
    progress,
    record,
    reply,
    result,
    start,
    summary,
    text,
    thinking,
    usage,
    user,
    write,
)
from tests.targets.native.making import (
    STRATEGIES,
    made,
    possible,
    review_of,
    whole_work,
    work,
)

Lines = list[dict[str, Any]]
PROJECT = "/home/dev/shop"
REMINDER = "<system-reminder>\nThe date changed.\n</system-reminder>"


def everything() -> list[Any]:
    """Records of every kind that can be in a context."""
    server = {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}}
    found = {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"title": "hit"}]}
    shown = [{"type": "text", "text": "a picture\n" * 300}, image()]
    return [
        boundary("b0", logical="nowhere"),
        summary("s0", "b0"),
        attachment("x1", "s0", type="skill_listing", content="- brainstorm: think\n" * 200),
        user("u1", "x1", f"Fix the login\n\n{REMINDER}\n{REMINDER}\nand the logout", at=1),
        reply("a1", "u1", "m1", thinking("hm"), usage=usage(150_000), at=2),
        reply("a2", "a1", "m1", text("Looking."), usage=usage(150_000), at=2),
        reply("a3", "a2", "m1", call("t1"), usage=usage(150_000), requestId="req_1", at=3),
        user("r1", "a3", [result("t1", "x" * 9_000)], toolUseResult={"stdout": "x" * 9_000}, at=4),
        reply("a4", "a3", "m1", call("t2", "Read", file_path="a.py"), usage=usage(150_000), at=5),
        user("r2", "a4", [result("t2", shown)], sourceToolAssistantUUID="a4", at=6),
        progress("p1", "r2", at=6),
        reply("a5", "p1", "m2", {"type": "redacted_thinking", "data": "c2VhbGVk"}, server, found),
        user("u2", "a5", [text("See"), image(), "and tell", text(f"{REMINDER}\nmore")], at=8),
        record(
            "l1", "u2", "system", subtype="local_command", content="<bash-stdout>hi</bash-stdout>"
        ),
        reply("a6", "l1", "m3", text("I see.\r\n  Two   spaces, \u2028 and \U0001f600"), at=9),
        user("u3", "a6", [{"type": "document", "source": {"type": "text", "data": "d"}}], at=10),
        attachment(
            "q1", "u3", type="queued_command", prompt="Also the tests", commandMode="prompt"
        ),
        reply("a7", "q1", "m4", call("t3", "Bash", command="false"), usage=usage(160_000), at=11),
        user("r3", "a7", [result("t3", "failed", is_error=True), text("stop that")], at=12),
        attachment("x2", "r3", type="file", content={"file": {"content": "body " * 900}}),
        user("u4", "x2", "Now the docs", isMeta=False, origin={"kind": "human"}, at=13),
        reply("a8", "u4", "m5", text("Done."), usage=usage(161_000), at=14),
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path, everything())


def place(folder: Path) -> dict[str, str]:
    return {"HOME": str(folder)}


def lines_of(data: bytes) -> Lines:
    return [json.loads(line) for line in data.splitlines()]


def chain_of(data: bytes) -> Lines:
    return [line for line in lines_of(data) if "parentUuid" in line]


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def said(session: Session) -> list[str]:
    return [session.text(part) for message in session.context for part in message.parts]


# -- what is written -------------------------------------------------------------------------------


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


# -- what the check finds --------------------------------------------------------------------------


def _refused(path: Path, change: Any) -> str:
    task = work(review_of(path, "redline", pins=Pins(cut="u3")), place(path.parent))
    draft = draft_of(task)
    lines = lines_of(draft.data)
    change(lines)
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    with pytest.raises(RedlineError) as refused:
        check(replace(draft, data=data), task)
    return refused.value.message


def test_a_record_too_few_is_found(path: Path) -> None:
    def drop(lines: Lines) -> None:
        gone = lines.pop(-3)
        lines[-2]["parentUuid"] = gone["parentUuid"]

    assert "is not in it" in _refused(path, drop) or "should be" in _refused(path, drop)


def test_a_record_too_many_is_found(path: Path) -> None:
    def add(lines: Lines) -> None:
        more = json.loads(json.dumps(lines[-2]))
        more |= {"uuid": "more", "parentUuid": lines[-2]["uuid"]}
        more["message"]["id"] = "other"
        lines[-1]["leafUuid"] = "more"
        lines.insert(-1, more)

    assert "should not be" in _refused(path, add)


def test_a_changed_text_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-2]["message"]["content"][0]["text"] = "Done!"

    assert "'Done!'" in _refused(path, change)


def test_another_summary_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        (told,) = (line for line in lines if line.get("isCompactSummary"))
        told["message"]["content"] = told["message"]["content"].replace("1. Primary", "1. Other")

    assert "summary" in _refused(path, change)


def test_a_usage_that_is_left_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-2]["message"]["usage"] = usage(150_000)

    assert "compact again" in _refused(path, change)


def test_a_broken_chain_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-2]["parentUuid"] = "nobody"
        lines[-2]["timestamp"] = "2026-10-01T23:00:00.000Z"

    assert "would not find" in _refused(path, change)


def test_an_old_id_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-2]["uuid"] = lines[-1]["leafUuid"] = "a8"

    assert "the id a8" in _refused(path, change)


# -- round trips -----------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_strategy_reads_back_as_planned(path: Path, strategy: str) -> None:
    review = review_of(path, strategy)
    _, session = made(work(review, place(path.parent)))
    assert session.resume_lost == 0


_pins = st.lists(
    st.tuples(st.integers(0, 99), st.none() | st.integers(0, 9), st.sampled_from(Action)),
    max_size=25,
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("everything"), everything())


@given(wanted=_pins, strategy=st.sampled_from(STRATEGIES))
@settings(max_examples=120)
def test_any_plan_reads_back_as_planned(
    kept: Path, wanted: list[tuple[int, int | None, Action]], strategy: str
) -> None:
    task = work(possible(kept, strategy, wanted), place(kept.parent))
    if task.plan.staying or task.summary:
        made(task)


@pytest.mark.real
@pytest.mark.parametrize("before", [None, 1])
def test_every_real_session_reads_back_as_planned(real_sessions: Path, before: int | None) -> None:
    found = sorted(real_sessions.joinpath("claude_code").rglob("*.jsonl"))
    assert found
    for path in found:
        if before and len(open_session(path).compactions) < before:
            continue
        few = before is not None or "subagents" in path.parts
        for strategy in ("redline", "hermes") if few else STRATEGIES:
            made(work(review_of(path, strategy, before=before), {"HOME": "/home/dev"}))


@pytest.mark.real
def test_a_repaired_copy_loses_nothing_on_resume(real_sessions: Path) -> None:
    broken = open_session(real_sessions / "claude_code/entire_38346dbf_dangling.jsonl")
    assert broken.resume_lost > 100
    _, session = made(whole_work(broken, {"HOME": "/home/dev"}))
    assert session.resume_lost == 0
    assert said(session) == said(broken)
