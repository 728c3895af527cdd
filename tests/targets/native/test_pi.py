"""pi's own form: what is written, and where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.errors import RedlineError
from redline.model import Kind
from redline.targets.native.forms import draft_of
from tests.agents.pi.made_up import (
    call,
    chain,
    compaction,
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
    review_of,
    whole_work,
    work,
)
from tests.targets.native.pi_session import IMAGE, TOOL, Lines, everything, lines_of, said


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path, header(), everything())


def of_type(data: bytes, kind: str) -> Lines:
    return [line for line in lines_of(data) if line["type"] == kind]


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
