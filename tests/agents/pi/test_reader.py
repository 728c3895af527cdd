"""What of a pi session the model is given, by pi's own rules."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.agents.pi.reader import PiSource, open_session
from redline.errors import RedlineError
from redline.model import (
    CompactionKind,
    DamageKind,
    Kind,
    Message,
    PartState,
    PartType,
    Role,
    Session,
)
from tests.agents.pi.made_up import (
    PNG,
    call,
    chain,
    compaction,
    entry,
    header,
    ids,
    message,
    reply,
    result,
    user,
    write,
)


def kinds(found: Message) -> list[Kind]:
    return [part.kind for part in found.parts]


def source(session: Session) -> PiSource:
    assert isinstance(session.source, PiSource)
    return session.source


def test_the_live_branch_ends_in_the_last_entry_of_the_file(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        user("a", None, "one"),
        reply("b", "a", "first try"),
        reply("c", "a", "second try"),
        entry("label", "l", "c", targetId="a", label="start"),
    )
    session = open_session(path)
    assert ids(session) == ["a", "c"]
    assert session.leaf == "l"
    assert [(s.leaf, s.fork, s.records, s.answered) for s in session.side_branches] == [
        ("b", "a", 1, True)
    ]


def test_a_leaf_can_be_named_by_the_start_of_its_id(tmp_path: Path) -> None:
    path = write(
        tmp_path, header(), user("a", None, "one"), reply("bee", "a", "x"), reply("cat", "a", "y")
    )
    assert ids(open_session(path, leaf="be")) == ["a", "bee"]
    with pytest.raises(RedlineError, match="'' is the start of 2 ids") as told:
        open_session(path, leaf="")
    assert "bee" in told.value.hint
    assert "cat" in told.value.hint
    with pytest.raises(RedlineError, match="no entry zebra"):
        open_session(path, leaf="zebra")


def test_a_draft_that_got_no_reply_is_a_branch_that_was_not_answered(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        user("a", None, "one"),
        reply("b", "a", "done"),
        user("draft", "b", "do it wrong"),
        reply("half", "draft", "I", stop="aborted"),
        user("c", "b", "do it right"),
    )
    (branch,) = open_session(path).side_branches
    assert (branch.leaf, branch.fork, branch.records) == ("half", "b", 2)
    assert not branch.answered
    assert branch.head == "do it wrong"


def test_after_a_compaction_the_context_is_summary_kept_entries_and_what_came_after(
    tmp_path: Path,
) -> None:
    path = write(
        tmp_path,
        header(),
        chain(
            user("u1", None, "one"),
            reply("r1", None, "first", billed=4000),
            user("u2", None, "two"),
            reply("r2", None, "second", billed=5000),
            compaction("c", None, "u2", fromHook=True),
            user("u3", None, "three"),
            reply("r3", None, "third", billed=1500),
        ),
    )
    session = open_session(path)
    assert ids(session) == ["c", "u2", "r2", "u3", "r3"]
    assert kinds(session.context[0]) == [Kind.SUMMARY]
    assert session.text(session.context[0].parts[0]) == "summary c"
    assert [m.usage.billed if m.usage else None for m in session.context] == [
        None,
        None,
        None,  # billed before the compaction: another context
        None,
        1500,
    ]
    (past,) = session.compactions
    assert past.kind is CompactionKind.PARTIAL
    assert past.preserved == ("u2", "r2")
    assert (past.record, past.trigger, past.messages_before) == (6, "extension", 4)
    assert (past.tokens_before, past.tokens_after) == (5000, 1500)
    assert session.info.billed == 1500
    assert [m.id for m in session.source.history()] == ["u1", "r1", "u2", "r2", "c", "u3", "r3"]
    assert session.counts.messages == 7


def test_a_first_kept_entry_that_is_not_on_the_path_keeps_nothing(tmp_path: Path) -> None:
    path = write(
        tmp_path, header(), chain(user("a", None, "one"), compaction("c", None, "nowhere"))
    )
    session = open_session(path)
    assert ids(session) == ["c"]
    assert session.compactions[0].kind is CompactionKind.FULL
    assert [(d.record, d.kind) for d in session.damage] == [(3, DamageKind.MISSING)]


def test_a_compaction_that_names_itself_keeps_nothing_and_is_no_damage(tmp_path: Path) -> None:
    path = write(tmp_path, header(), chain(user("a", None, "one"), compaction("c", None, "c")))
    session = open_session(path)
    assert ids(session) == ["c"]
    assert session.damage == ()


def test_an_older_compaction_inside_the_kept_range_gives_nothing(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        chain(
            user("a", None, "one"),
            reply("b", None, call("x"), stop="toolUse"),
            compaction("c1", None, "a"),
            result("r", None, "x"),
            user("d", None, "two"),
            compaction("c2", None, "b"),
        ),
    )
    session = open_session(path)
    assert ids(session) == ["c2", "b", "r", "d"]
    assert session.damage == ()
    assert [c.id for c in session.compactions] == ["c1", "c2"]


def test_the_context_before_a_compaction_can_be_opened(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        chain(
            user("a", None, "one"),
            compaction("c1", None, "a"),
            user("b", None, "two"),
            compaction("c2", None, "b"),
            user("d", None, "three"),
        ),
    )
    assert ids(open_session(path, before=1)) == ["a"]
    assert ids(open_session(path, before=2)) == ["c1", "a", "b"]
    with pytest.raises(RedlineError, match="no compaction 3"):
        open_session(path, before=3)


def test_context_edits_replace_and_omit(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        chain(
            user("a", None, "one"),
            reply("b", None, call("x"), stop="toolUse"),
            result("r", None, "x", "a long listing"),
            reply("bad", None, "half", stop="error"),
            entry("context_edit", "e1", None, targetId="bad", replacement=None),
            entry("context_edit", "e2", None, targetId="r", replacement={"content": "cleared"}),
        ),
    )
    session = open_session(path)
    assert ids(session) == ["a", "b", "r"]
    part = session.context[2].parts[0]
    assert (part.state, session.text(part), part.chars) == (PartState.CLEARED, "cleared", 7)
    assert part.origin.record == 7
    assert [m.id for m in session.source.history()] == ["a", "b", "r", "bad"]
    weights = {e.id: (e.role, e.chars) for e in source(session).path_entries()}
    assert weights["r"] == ("toolResult", 7)
    assert weights["bad"] == (None, 0)


def test_only_what_a_human_typed_is_a_prompt(tmp_path: Path) -> None:
    attached = '<file name="/home/dev/shop/a.py">\nprint(1)\n</file>\n'
    skill = '<skill name="s" location="/s/SKILL.md">\nbody\n</skill>\n\n'
    path = write(
        tmp_path,
        header(),
        chain(
            user("a", None, "plain words"),
            user("b", None, [{"type": "text", "text": attached + "look at it"}]),
            user("c", None, skill + "use it"),
            user("d", None, [{"type": "image", "data": PNG, "mimeType": "image/png"}]),
            user("e", None, '<skill name="s" location="/s/SKILL.md">\nbody\n</skill>'),
            entry("custom_message", "f", None, customType="lint", content="2 warnings"),
            message("g", None, "bashExecution", None, command="ls", output="a\n", exitCode=1),
            message("h", None, "custom", [{"type": "text", "text": "from an extension"}]),
            entry("branch_summary", "i", None, fromId="x", summary="tried Redis"),
        ),
    )
    session = open_session(path)
    found = {m.id: kinds(m) for m in session.context}
    assert found == {
        "a": [Kind.PROMPT],
        "b": [Kind.INJECTED, Kind.PROMPT],
        "c": [Kind.INJECTED, Kind.PROMPT],
        "d": [Kind.PROMPT],
        "e": [Kind.INJECTED],
        "f": [Kind.INJECTED],
        "g": [Kind.INJECTED],
        "h": [Kind.INJECTED],
        "i": [Kind.SUMMARY],
    }
    texts = {m.id: [session.text(p) for p in m.parts] for m in session.context}
    assert texts["b"] == [attached, "look at it"]
    assert texts["c"] == [skill, "use it"]
    assert texts["g"] == ["Ran `ls`\n```\na\n\n```\n\nCommand exited with code 1"]
    assert session.context[1].head == "look at it"
    assert session.context[3].parts[0].pixels == (1, 1)
    assert (session.counts.prompts, session.counts.turns) == (4, 4)


def test_entries_that_give_the_model_nothing_stay_in_the_chain(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        chain(
            entry("model_change", "m", None, provider="anthropic", modelId="claude-opus-4-5"),
            message("s", None, "system", "Be good"),
            user("a", None, "one"),
            message("x", None, "bashExecution", None, command="env", excludeFromContext=True),
            entry("custom", "c", None, customType="state", data={"n": 1}),
            entry("usage", "u", None, kind="cache_warm", usage={}),
            entry("session_info", "n", None, name="Rounding"),
            entry("from_the_future", "f", None),
            reply("b", None, "two"),
        ),
    )
    session = open_session(path)
    assert ids(session) == ["a", "b"]
    assert session.info.title == "Rounding"
    assert session.counts.unknown == 1
    assert [(d.record, d.kind) for d in session.damage] == [(9, DamageKind.UNKNOWN)]
    branch = source(session).path_entries()
    assert [(e.index, e.id, e.role) for e in branch][:4] == [
        (0, "m", None),
        (1, "s", None),
        (2, "a", "user"),
        (3, "x", None),
    ]
    assert source(session).record(branch[1].record)["message"]["content"] == "Be good"


def test_calls_results_and_reasoning_become_parts(tmp_path: Path) -> None:
    blocks = (
        {"type": "thinking", "thinking": "hm", "thinkingSignature": "sig"},
        {"type": "thinking", "thinking": "", "thinkingSignature": "{encrypted}"},
        {"type": "thinking", "thinking": "x", "thinkingSignature": "blob", "redacted": True},
        "Reading.",
        call("t1", "read", path="b.py", a="中"),
        call("t2"),
    )
    image = {"type": "image", "data": PNG, "mimeType": "image/png"}
    path = write(
        tmp_path,
        header(),
        chain(
            user("a", None, "one"),
            reply("b", None, *blocks, stop="toolUse", responseId="msg_1"),
            result("r2", None, "t2", "second", isError=True),
            result(
                "r1",
                None,
                "t1",
                [{"type": "text", "text": "x"}, image, {"type": "text", "text": "y"}],
            ),
        ),
    )
    session = open_session(path)
    _, answer, failed, read = session.context
    assert [p.type for p in answer.parts] == [
        PartType.THINKING,
        PartType.OPAQUE,
        PartType.OPAQUE,
        PartType.TEXT,
        PartType.TOOL_CALL,
        PartType.TOOL_CALL,
    ]
    assert session.text(answer.parts[1]) == "{encrypted}"
    assert session.text(answer.parts[4]) == '{"a": "中", "path": "b.py"}'
    assert session.source.value(answer.parts[4]) == {"path": "b.py", "a": "中"}
    assert (answer.role, answer.api_id, answer.stop) == (Role.ASSISTANT, "msg_1", "toolUse")
    assert answer.time == datetime(2026, 10, 3, 10, 0, 1, tzinfo=UTC)
    assert (failed.role, failed.parts[0].error, failed.parts[0].call_id) == (Role.USER, True, "t2")
    assert session.text(read.parts[0]) == "x\ny"
    assert (read.parts[1].type, read.parts[1].call_id) == (PartType.IMAGE, "t1")
    assert session.counts.tool_pairs == 2


def test_a_reply_that_failed_stays_in_the_context_but_is_never_sent(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        chain(
            user("a", None, "one"),
            reply("b", None, "half", call("t"), stop="aborted", billed=777),
        ),
    )
    session = open_session(path)
    assert ids(session) == ["a", "b"]
    assert {p.state for p in session.context[1].parts} == {PartState.CLEARED}
    assert session.context[1].usage is None
    assert [b.text for b in session.source.resume()] == ["one"]


def test_files_without_ids_are_read_in_order_with_the_line_as_id(tmp_path: Path) -> None:
    lines = chain(
        user("x", None, "one"),
        reply("x", None, "first"),
        user("x", None, "two"),
        message("x", None, "hookMessage", "a hook"),
        entry("compaction", "x", None, summary="S", firstKeptEntryIndex=3, tokensBefore=9),
        user("x", None, "three"),
    )
    for line in lines:
        del line["id"], line["parentId"]
    lines.insert(1, {})
    path = write(tmp_path, header(None, branchedFrom="/old.jsonl"), lines[0], b'{"torn', lines[2:])
    session = open_session(path)
    # the third entry counting the header as 0: torn lines do not count
    assert ids(session) == ["line:7", "line:5", "line:6", "line:8"]
    assert session.version == "v1"
    assert session.info.parent == "/old.jsonl"


@pytest.mark.parametrize(("version", "unknown"), [(2, 0), (3, 1)])
def test_a_hook_is_a_message_of_an_extension_in_files_of_before_only(
    tmp_path: Path, version: int, unknown: int
) -> None:
    path = write(
        tmp_path, header(version), user("a", None, "one"), message("h", "a", "hookMessage", "x")
    )
    assert len(open_session(path).damage) == unknown


def test_a_root_in_the_middle_starts_the_context_anew(tmp_path: Path) -> None:
    path = write(
        tmp_path, header(), user("a", None, "one"), user("b", None, "two"), reply("c", "b", "x")
    )
    session = open_session(path)
    assert ids(session) == ["b", "c"]
    assert [(s.leaf, s.fork) for s in session.side_branches] == [("a", None)]
    assert session.damage == ()
