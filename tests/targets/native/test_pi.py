"""pi's own form: what is written, where, and that it reads back as planned."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.model import Kind, Session
from redline.targets.native.checking import check
from redline.targets.native.forms import draft_of
from tests.agents.pi.made_up import (
    JSON,
    PNG,
    call,
    chain,
    compaction,
    entry,
    header,
    message,
    reply,
    result,
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
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}
TOOL = {"name": "read", "description": "Read a file", "parameters": {"type": "object"}}
FILE = '<file name="a.py">\nprint(1)\n</file>\n'


def everything() -> Lines:
    """A session with all that pi writes: two compactions, edits, a branch summary, commands,
    messages and notes of extensions, labels, names, models, parallel calls, images, errors."""
    system = {"sections": {"preamble": "Be brief", "gone": "x"}, "toolsAdded": [TOOL]}
    signed = {"type": "thinking", "thinking": "", "thinkingSignature": "c2ln", "redacted": True}
    shown = [{"type": "text", "text": "a plot"}, IMAGE, {"type": "text", "text": "below"}]
    return chain(
        entry("model_change", "m0", None, provider="anthropic", modelId="claude-opus-4-4"),
        entry("model_change", "m1", None, provider="anthropic", modelId="claude-opus-4-5"),
        entry("thinking_level_change", "l0", None, thinkingLevel="high"),
        message("s0", None, "system", "", **system),
        user("u0", None, "Long ago"),
        reply("a0", None, "Yes.", call("t0", "read", path="src/old.py"), stop="toolUse"),
        result("r0", None, "t0", "old"),
        compaction("k0", None, "u0", details={"readFiles": ["a"], "modifiedFiles": ["b"]}),
        user("u1", None, "Fix the login, and never touch src/legacy"),
        entry("custom", "x1", None, customType="todo", data={"open": [1]}),
        reply(
            "a1",
            None,
            {"type": "thinking", "thinking": "hm", "thinkingSignature": "c2ln"},
            {"type": "text", "text": "I look.", "textSignature": "msg_1"},
            call("t1", "read", path="login.py"),
            call("t2", "edit", path="out.py"),
            stop="toolUse",
            billed=150_000,
            responseId="resp_1",
        ),
        result("r1", None, "t1", "x" * 9_000, details={"lines": "x" * 9_000}),
        result("r2", None, "t2", shown, isError=True),
        entry("label", "b1", None, targetId="a1", label="here"),
        entry("session_info", "n1", None, name="the login"),
        reply("e1", None, "half a", call("t9"), stop="error"),
        reply("a2", None, signed, "\u4f60 \U0001f600 \u2028", billed=150_000),
        message("c1", None, "bashExecution", None, command="git status", output="y" * 9_000),
        entry("branch_summary", "g1", None, fromId="a2", summary="On the branch", usage={}),
        entry("custom_message", "z1", None, customType="lint", content="2 warnings", display=True),
        message("z2", None, "custom", [{"type": "text", "text": "more"}, IMAGE], customType="l"),
        user("u2", None, [{"type": "text", "text": f"{FILE}as it is here"}, IMAGE]),
        message("s1", None, "system", "And kind", sections={"gone": None}),
        reply("a3", None, call("t3", "bash", command="ls"), stop="toolUse", billed=151_000),
        result("r3", None, "t3", [{"type": "text", "text": "one"}, IMAGE]),
        entry("context_edit", "d1", None, targetId="r3", replacement={"content": "z" * 9_000}),
        entry("context_edit", "d2", None, targetId="a2", replacement={"content": "said again"}),
        user("u3", None, "Now the docs"),
        reply("a4", None, "Done.", billed=160_000, timestamp=1_791_021_601_000),
        entry("model_change", "m2", None, provider="fake", modelId="fake-2"),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path, header(), everything())


def lines_of(data: bytes) -> Lines:
    return [json.loads(line) for line in data.splitlines()]


def of_type(data: bytes, kind: str) -> Lines:
    return [line for line in lines_of(data) if line["type"] == kind]


def said(session: Session) -> list[str]:
    return [session.text(part) for message in session.context for part in message.parts]


# -- what is written -------------------------------------------------------------------------------


def test_what_stays_stands_before_the_compaction_that_keeps_it(path: Path) -> None:
    draft, session = made(work(review_of(path, pins=Pins(cut="u3")), {}))
    *_, first, second, _model, last = lines_of(draft.data)
    assert last["type"] == "compaction"
    assert last["firstKeptEntryId"] == first["id"]
    assert second["message"]["content"] == [{"type": "text", "text": "Done."}]
    assert said(session)[1:] == ["Now the docs", "Done."]
    assert "fromHook" not in last


def test_the_header_names_the_original_and_its_folder(path: Path) -> None:
    draft, session = made(work(review_of(path, pins=Pins(cut="u3")), {}))
    head = lines_of(draft.data)[0]
    assert (head["version"], head["cwd"], head["id"]) == (3, "/home/dev/shop", draft.id)
    assert head["parentSession"] == session.info.parent == str(path)
    assert draft.path == path.parent / f"2026-11-30T12-00-00-000Z_{draft.id}.jsonl"
    assert draft.argv == ("pi", "--session", str(draft.path))
    assert draft.taken_at == "a4"
    assert any("/home/dev/shop is not there" in warning for warning in draft.warnings)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_every_entry_hangs_on_the_one_before_it_and_no_id_is_an_old_one(
    path: Path, strategy: str
) -> None:
    draft, session = made(work(review_of(path, strategy), {}))
    written = lines_of(draft.data)[1:]
    names = [line["id"] for line in written]
    assert [line["parentId"] for line in written] == [None, *names[:-1]]
    assert len(set(names)) == len(names)
    assert {line["id"] for line in everything()}.isdisjoint(names)
    assert session.resume_lost == 0
    assert not session.damage


def test_the_summary_among_the_messages_is_a_message(path: Path) -> None:
    _, session = made(work(review_of(path, "codex"), {}))
    assert session.context[-1].parts[-1].kind is Kind.SUMMARY
    assert not session.compactions


def test_the_compaction_is_later_than_every_reply_and_nothing_is_billed_again(path: Path) -> None:
    lines = everything()
    lines[-2]["timestamp"] = "2031-01-01T00:00:00.000Z"
    path = write(path.parent, header(), lines)
    draft, session = made(work(review_of(path, pins=Pins(cut="u3")), {}))
    (compacted,) = of_type(draft.data, "compaction")
    assert compacted["timestamp"] == "2031-01-01T00:00:00.001Z"
    for line in of_type(draft.data, "message"):
        usage = line["message"].get("usage", {"cost": {}})
        assert not any(value for key, value in usage.items() if key != "cost")
        assert not any(usage["cost"].values())
    assert session.info.billed is None


def test_an_earlier_compaction_that_stays_is_gone_on_from(path: Path) -> None:
    draft, session = made(work(review_of(path, "clear"), {}))
    (compacted,) = of_type(draft.data, "compaction")
    assert compacted["summary"] == "summary k0"
    assert compacted["details"] == {"readFiles": ["a"], "modifiedFiles": ["b"]}
    assert len(session.context) == len(open_session(path).context)
    assert session.context[0].id == compacted["firstKeptEntryId"] == compacted["id"]


def test_an_earlier_summary_that_stays_beside_the_new_one_is_a_message(path: Path) -> None:
    pins = Pins(cut="u3", actions={"k0": Action.KEEP})
    draft, session = made(work(review_of(path, pins=pins), {}))
    assert len(of_type(draft.data, "compaction")) == 1
    assert [message.parts[0].kind for message in session.context[:2]] == [Kind.SUMMARY] * 2
    assert said(session)[1] == "summary k0"


def test_system_prompt_and_tools_are_as_they_hold(path: Path) -> None:
    draft, _ = made(work(review_of(path, pins=Pins(cut="u3")), {}))
    system = next(line["message"] for line in of_type(draft.data, "message"))
    # What stood before the earlier compaction is gone: it says itself what held then.
    assert (system["role"], system["content"], "sections" in system) == (
        "system",
        "And kind",
        False,
    )
    (compacted,) = of_type(draft.data, "compaction")
    assert {**compacted["systemMessage"], "timestamp": 0} == {**system, "timestamp": 0}
    held = {"role": "system", "content": "", "sections": {"preamble": "Be brief", "gone": "x"}}
    lines = everything()
    lines[7]["systemMessage"] = {**held, "toolsAdded": [TOOL]}
    draft, _ = made(work(review_of(write(path.parent, header(), lines), "clear"), {}))
    (compacted,) = of_type(draft.data, "compaction")
    assert compacted["systemMessage"]["sections"] == {"preamble": "Be brief"}
    assert compacted["systemMessage"]["content"] == "And kind"
    assert compacted["systemMessage"]["toolsAdded"] == [TOOL]


def test_a_session_without_system_messages_gets_none(tmp_path: Path) -> None:
    path = write(tmp_path, header(), chain(user("u1", None, "Hi"), reply("a1", None, "Hello")))
    draft, _ = made(whole_work(open_session(path), {}))
    assert b'"role":"system"' not in draft.data


def test_model_thinking_name_notes_and_labels_hold(path: Path) -> None:
    draft, session = made(work(review_of(path, "clear"), {}))
    assert [line["modelId"] for line in of_type(draft.data, "model_change")] == ["fake-2"]
    assert [line["thinkingLevel"] for line in of_type(draft.data, "thinking_level_change")] == [
        "high"
    ]
    assert [line["data"] for line in of_type(draft.data, "custom")] == [{"open": [1]}]
    (label,) = of_type(draft.data, "label")
    (labelled,) = (
        line for line in of_type(draft.data, "message") if line["id"] == label["targetId"]
    )
    assert labelled["message"]["responseId"] == "resp_1"
    assert session.info.title == "the login"
    assert session.info.model == "fake-2"


def test_a_label_of_what_is_gone_goes_too(path: Path) -> None:
    draft, _ = made(work(review_of(path, pins=Pins(cut="u3")), {}))
    assert not of_type(draft.data, "label")


def test_the_lists_of_files_are_those_that_pi_would_go_on_with(path: Path) -> None:
    draft, _ = made(work(review_of(path, pins=Pins(cut="u3")), {}))
    (compacted,) = of_type(draft.data, "compaction")
    assert compacted["details"] == {
        "readFiles": ["a", "login.py", "src/old.py"],
        "modifiedFiles": ["b", "out.py"],
    }


def test_a_cleared_result_keeps_its_call_its_error_and_its_place(path: Path) -> None:
    pins = Pins(actions={"r1": Action.CLEAR}, parts={("r2", 1): Action.CLEAR})
    draft, session = made(work(review_of(path, "clear", pins=pins), {}))
    results = {
        line["message"]["toolCallId"]: line["message"]
        for line in of_type(draft.data, "message")
        if line["message"]["role"] == "toolResult"
    }
    assert b"x" * 9_000 not in draft.data
    assert [block["type"] for block in results["t1"]["content"]] == ["text"]
    assert results["t2"]["isError"] is True
    assert "image" not in [block["type"] for block in results["t2"]["content"]]
    assert "x" * 9_000 not in said(session)


def test_an_edit_is_made_and_not_told_again(path: Path) -> None:
    draft, session = made(whole_work(open_session(path), {}))
    assert not of_type(draft.data, "context_edit")
    assert "z" * 9_000 in said(session)
    assert "said again" in said(session)


def test_a_command_that_is_shortened_is_told_with_less_of_its_output(path: Path) -> None:
    pins = Pins(actions={"c1": Action.SHORTEN})
    draft, session = made(work(review_of(path, "clear", pins=pins), {}))
    assert b"y" * 9_000 not in draft.data
    (told,) = (text for text in said(session) if text.startswith("Ran `git status`"))
    assert "characters taken out" in told


def test_a_prompt_stays_without_the_file_that_was_put_before_it(path: Path) -> None:
    pins = Pins(parts={("u2", 0): Action.DROP})
    draft, session = made(work(review_of(path, "clear", pins=pins), {}))
    assert "as it is here" in said(session)
    assert b"print(1)" not in draft.data


def test_a_file_of_an_older_version_is_written_as_pi_writes_it_now(tmp_path: Path) -> None:
    lines = chain(
        user("u1", None, "Hi"),
        reply("a1", None, "Hello"),
        message("h1", None, "hookMessage", "from a hook", customType="hook", display=True),
        user("u2", None, "And now?"),
    )
    newer, _ = made(whole_work(open_session(write(tmp_path, header(2), lines)), {}))
    assert [line["message"]["role"] for line in of_type(newer.data, "message")][2] == "custom"
    bare = [
        {key: value for key, value in line.items() if key not in ("id", "parentId")}
        for line in lines
    ]
    kept = {**compaction("", None, None), "firstKeptEntryIndex": 2}
    old = write(tmp_path, header(None), [*bare, kept, *bare[:1]])
    draft, session = made(whole_work(open_session(old), {}))
    assert lines_of(draft.data)[0]["version"] == 3
    assert len(session.context) == 5
    assert b"firstKeptEntryIndex" not in draft.data


def test_numbers_that_no_parser_takes_are_written_so_that_one_does(tmp_path: Path) -> None:
    odd = json.dumps(reply("a2", "u1", call("t1", n=1))).replace('"n": 1', '"n": NaN')
    huge = json.dumps(result("r1", "a2", "t1", details={"size": 10**30}))
    path = write(tmp_path, header(), user("u1", None, "Hi"), odd.encode(), huge.encode())
    draft, _ = made(whole_work(open_session(path), {}))
    assert b"NaN" not in draft.data
    assert lines_of(draft.data)[-1]["message"]["details"] == {"size": 1e30}


def test_an_image_of_a_result_that_names_no_call_is_left_out_and_that_is_told(
    tmp_path: Path,
) -> None:
    nameless = result("r1", None, "", [{"type": "text", "text": "a plot"}, IMAGE])
    lines = chain(user("u1", None, "Hi"), nameless, reply("a1", None, "Hello"))
    draft, session = made(whole_work(open_session(write(tmp_path, header(), lines)), {}))
    assert said(session) == ["Hi", "Hello"]
    assert any("images of a result" in warning for warning in draft.warnings)


def test_the_original_is_not_written_to(path: Path) -> None:
    before = path.read_bytes(), path.stat().st_mtime_ns
    made(work(review_of(path), {}))
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]


def test_a_file_that_changed_under_the_session_is_refused(path: Path) -> None:
    task = work(review_of(path, "clear"), {})
    path.write_bytes(b"[]\n" * 8_000)
    with pytest.raises(RedlineError):
        draft_of(task)


# -- restored --------------------------------------------------------------------------------------


def test_the_context_of_before_a_compaction_comes_back(path: Path) -> None:
    _, session = made(whole_work(open_session(path, before=1), {}))
    assert said(session)[0] == "Long ago"
    assert not session.compactions


def test_a_repaired_copy_loses_nothing_on_resume(path: Path) -> None:
    lines = everything()
    lines[18]["parentId"] = "nobody"
    broken = open_session(write(path.parent, header(), lines))
    assert broken.resume_lost
    _, session = made(whole_work(broken, {}))
    assert session.resume_lost == 0
    assert said(session) == said(broken)


def test_a_torn_line_in_the_midst_is_no_loss(path: Path) -> None:
    lines: list[JSON | bytes] = [header(), *everything()]
    lines[12:12] = [b'{"type":"message","id":"torn","parent']
    broken = open_session(write(path.parent, *lines))
    _, session = made(whole_work(broken, {}))
    assert said(session) == said(broken)


# -- what the check finds --------------------------------------------------------------------------


def _refused(path: Path, change: Callable[[Lines], object]) -> str:
    task = work(review_of(path, "redline", pins=Pins(cut="u3")), {})
    draft = draft_of(task)
    lines = lines_of(draft.data)
    change(lines)
    data = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    with pytest.raises(RedlineError) as refused:
        check(replace(draft, data=data), task)
    return refused.value.message


def test_a_first_kept_entry_that_is_not_there_is_found(path: Path) -> None:
    assert "is not in it" in _refused(path, lambda all_: all_[-1].update(firstKeptEntryId="no"))


def test_a_parent_that_is_not_there_is_found(path: Path) -> None:
    assert "would not find" in _refused(path, lambda all_: all_[-3].update(parentId="no"))


def test_a_changed_text_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-3]["message"]["content"][0]["text"] = "Done!"

    assert "'Done!'" in _refused(path, change)


def test_an_old_id_is_found(path: Path) -> None:
    def change(lines: Lines) -> None:
        lines[-4]["id"] = lines[-3]["parentId"] = lines[-1]["firstKeptEntryId"] = "u3"

    assert "the id u3" in _refused(path, change)


# -- round trips -----------------------------------------------------------------------------------


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_each_strategy_reads_back_as_planned(path: Path, strategy: str) -> None:
    made(work(review_of(path, strategy), {}))


_pins = st.lists(
    st.tuples(st.integers(0, 99), st.none() | st.integers(0, 9), st.sampled_from(Action)),
    max_size=25,
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("everything"), header(), everything())


@given(wanted=_pins, strategy=st.sampled_from(STRATEGIES))
@settings(max_examples=150)
def test_any_plan_reads_back_as_planned(
    kept: Path, wanted: list[tuple[int, int | None, Action]], strategy: str
) -> None:
    task = work(possible(kept, strategy, wanted), {})
    if task.plan.staying or task.summary:
        made(task)


REAL = (
    "before-compaction.v3-migrated.jsonl",
    "edge-abandoned-compaction.jsonl",
    "edge-malformed-line.jsonl",
    "edge-no-trailing-newline.jsonl",
    "edge-unknown-firstkept.jsonl",
    "large-session.jsonl",
    "large-session.v3-migrated.jsonl",
    "synthetic-pi-1.6.0-all-entry-types.jsonl",
)


@pytest.mark.real
@pytest.mark.parametrize("name", REAL)
@pytest.mark.parametrize("before", [None, 1])
def test_every_real_session_reads_back_as_planned(
    real_sessions: Path, name: str, before: int | None
) -> None:
    path = real_sessions / "pi" / name
    session = open_session(path)
    if before and len(session.compactions) < before:
        pytest.skip("it was never compacted")
    made(whole_work(open_session(path, before=before), {}))
    for strategy in STRATEGIES:
        made(work(review_of(path, strategy, before=before), {}))
