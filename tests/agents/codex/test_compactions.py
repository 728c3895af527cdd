"""Compactions: what they kept, what came before them, and how they are undone."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.codex.reader import open_session
from redline.errors import RedlineError
from redline.model import CompactionKind, Kind, Part, PartType
from tests.agents.codex.files import JSON, event, meta, said, turn, write
from tests.agents.codex.rolling import (
    PREFIX,
    asked,
    call,
    compacted,
    count,
    done,
    estimate,
    heads,
    history,
    image,
    message,
    opened,
    output,
    rolled_back,
    sealed,
    started,
    user,
)

COMPACTION = {"type": "compaction", "encrypted_content": "gAAA"}


def first_line(summary: str) -> str:
    return summary.partition("\n")[0]


def test_a_remote_compaction_keeps_messages_and_seals_the_rest(tmp_path: Path) -> None:
    kept = [message("user", "one"), message("assistant", "Re: one"), message("user", "two")]
    session = opened(
        tmp_path,
        *asked("t1", "one", call("c1"), output("c1"), count(700, 700)),
        started("t2"),
        turn(),
        user("two"),
        call("c2"),
        count(200_000, 200_700),
        output("c2"),
        estimate(940_499, 200_700),
        compacted("", [*kept, COMPACTION]),
        event("context_compacted"),
        estimate(940_499, 200_700),
        said("assistant", "On it."),
        count(48_297, 248_997),
        done("t2"),
    )
    (past,) = session.compactions
    assert (past.kind, past.trigger, past.summary) == (CompactionKind.PARTIAL, "auto", None)
    assert isinstance(past.sealed, Part)
    assert (past.sealed.type, past.sealed.chars) == (PartType.OPAQUE, 4)
    assert (past.tokens_before, past.tokens_after) == (200_010, 48_297)
    assert past.reported_after is None  # the estimate was made before it
    assert heads(session.context) == ["one", "Re: one", "two", "", "On it."]
    assert history(session)[:6] == ["one", "shell ls", "done", "Re: one", "two", "shell ls"]
    assert history(session).count("one") == history(session).count("Re: one") == 1
    assert past.preserved == tuple(m.id for m in session.context[:3])
    assert past.messages_before == 7


def test_a_kept_message_lies_where_it_was_said_and_was_billed_there_only(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        user("one"),
        sealed(),
        said("assistant", "A"),
        count(900, 900),
        compacted("", [message("user", "one"), message("assistant", "A"), COMPACTION]),
    )
    one, answer, _sealed = session.context
    assert [m.parts[0].origin.record for m in (one, answer)] == [2, 4]
    assert answer.usage is None
    (_, first, *_) = session.source.history()
    assert (first.id, len(first.parts)) == (answer.id, 2)
    assert first.usage is not None


def test_of_equal_messages_the_newest_ones_are_kept(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        user("go on"),
        said("assistant", "A"),
        user("go on"),
        said("assistant", "B"),
        compacted("", [message("user", "go on"), COMPACTION]),
    )
    assert [m.id for m in session.context][:1] == ["line:4"]


def test_a_local_compaction_is_its_summary_and_the_reply_that_wrote_it_is_no_reply(
    tmp_path: Path,
) -> None:
    summary = f"{PREFIX}All is done."
    session = opened(
        tmp_path,
        *asked("t1", "one"),
        count(5_000, 5_000),
        started("t2"),
        said("assistant", "All is done."),
        count(5_400, 10_400),
        compacted(summary, [message("user", "one"), message("user", summary)], window_id="w1"),
        estimate(900, 10_400),
        event("context_compacted"),
        done("t2"),
    )
    (past,) = session.compactions
    assert (past.id, past.trigger, past.tokens_before, past.reported_after) == (
        "w1",
        "manual",
        5_010,
        900,
    )
    assert past.summary is not None
    assert session.text(past.summary.parts[0]) == summary
    assert [part.kind for part in past.summary.parts] == [Kind.SUMMARY]
    told = {m.head: m.parts[0].kind for m in session.source.history()}
    assert told["All is done."] is Kind.SUMMARY
    before = open_session(tmp_path / "rollout.jsonl", before=1)
    assert heads(before.context) == ["one", "Re: one"]
    assert history(before) == ["one", "Re: one"]


def test_a_compaction_before_the_prompt_of_its_turn_is_automatic(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        *asked("t1", "one"),
        started("t2"),
        compacted("", [message("user", "one"), COMPACTION]),
        user("two"),
        said("assistant", "B"),
        done("t2"),
    )
    assert [past.trigger for past in session.compactions] == ["auto"]


def test_a_compaction_that_states_no_history_is_rebuilt_as_codex_does(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        *asked("t1", "one"),
        user("<environment_context>x</environment_context>"),
        user("<image>", image(), "</image>", "see"),
        said("assistant", "A"),
        compacted(f"{PREFIX}S"),
        *asked("t2", "two"),
    )
    assert heads(session.context) == ["one", "see", first_line(PREFIX), "two", "Re: two"]
    texts = [session.text(p) for m in session.context for p in m.parts]
    assert texts == ["one", "see", f"{PREFIX}S", "two", "Re: two"]
    assert history(session).count("one") == 1


def test_a_prompt_at_the_edge_is_shortened_in_the_middle(tmp_path: Path) -> None:
    long, text = "é" * 45_000, "x" * 40_000
    session = opened(
        tmp_path, user(long), said("assistant", "A"), user(text), compacted(f"{PREFIX}S")
    )
    first, second, _summary = session.context
    assert [session.text(p) for p in first.parts] == [
        "é" * 10_000,
        "…12500 tokens truncated…",
        "é" * 10_000,
    ]
    assert session.text(second.parts[0]) == text
    assert session.compactions[0].preserved == ("line:2", "line:4")
    assert [len(session.text(m.parts[0])) for m in session.source.history()][:1] == [45_000]


def test_a_message_that_a_compaction_shortened_is_still_that_message(tmp_path: Path) -> None:
    short = message("user", "AAAA…12 tokens truncated…BBBB")
    session = opened(tmp_path, user("AAAA" + "x" * 48 + "BBBB"), compacted("", [short, COMPACTION]))
    assert [m.id for m in session.context][:1] == ["line:2"]
    assert session.text(session.context[0].parts[0]).startswith("AAAA…12")
    assert session.counts.prompts == 1


def test_messages_carried_through_a_chain_of_compactions_are_told_once(tmp_path: Path) -> None:
    kept = [message("user", "one")]
    second = [*kept, message("user", "two")]
    session = opened(
        tmp_path,
        *asked("t1", "one"),
        compacted("", [message("developer", "rules"), *kept, COMPACTION]),
        *asked("t2", "two"),
        compacted("", [message("developer", "rules"), *second, COMPACTION]),
        *asked("t3", "three"),
    )
    assert heads(session.context) == ["rules", "one", "two", "", "three", "Re: three"]
    assert [h for h in history(session) if h] == [
        "one",
        "Re: one",
        "rules",
        "two",
        "Re: two",
        "three",
        "Re: three",
    ]
    assert session.counts.prompts == 3
    first = open_session(tmp_path / "rollout.jsonl", before=2)
    assert heads(first.context) == ["rules", "one", "", "two", "Re: two"]
    assert len(first.compactions) == 1
    with pytest.raises(RedlineError, match="no compaction 3"):
        open_session(tmp_path / "rollout.jsonl", before=3)


def test_calls_and_results_that_a_replacement_holds_are_replies_and_results(tmp_path: Path) -> None:
    held: list[JSON] = [
        {"type": "reasoning", "summary": [], "encrypted_content": "gA"},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": "x"},
        message("assistant", "A"),
    ]
    session = opened(tmp_path, compacted("", [message("user", "one"), *held]))
    assert [(m.role.value, len(m.parts)) for m in session.context] == [
        ("user", 1),
        ("assistant", 2),
        ("user", 1),
        ("assistant", 1),
    ]
    assert len({m.id for m in session.context}) == 4


def test_a_compaction_without_its_message_is_passed_over_as_codex_does(tmp_path: Path) -> None:
    record = compacted("", [COMPACTION])
    del record["payload"]["message"]
    session = opened(tmp_path, user("one"), record, said("assistant", "A"))
    assert (heads(session.context), session.compactions) == (["one", "A"], ())
    assert [found.record for found in session.damage] == [3]


# -- rollbacks


def three_turns() -> list[JSON]:
    return [*asked("t1", "one"), *asked("t2", "two"), *asked("t3", "three")]


def test_a_turn_that_was_taken_back_is_a_side_branch_that_opens_by_its_leaf(
    tmp_path: Path,
) -> None:
    session = opened(tmp_path, *three_turns(), rolled_back(1), *asked("t4", "four"))
    assert heads(session.context) == ["one", "Re: one", "two", "Re: two", "four", "Re: four"]
    assert history(session) == heads(session.context)
    (branch,) = session.side_branches
    assert (branch.head, branch.answered, branch.fork) == ("three", True, session.context[3].id)
    other = open_session(tmp_path / "rollout.jsonl", leaf=branch.leaf)
    assert heads(other.context)[4:] == ["three", "Re: three"]
    assert other.leaf == branch.leaf
    assert history(other) == heads(other.context)


def test_a_leaf_is_named_by_the_start_of_its_id(tmp_path: Path) -> None:
    turns = three_turns()
    turns[-2]["payload"]["id"] = "msg_0a1b"
    session = opened(tmp_path, *turns, rolled_back(1), *asked("t4", "four"))
    path = tmp_path / "rollout.jsonl"
    other = open_session(path, leaf="msg_0")
    assert (other.leaf, heads(other.context)[4:]) == ("msg_0a1b", ["three", "Re: three"])
    assert other.damage == open_session(path, leaf="msg_0a1b").damage
    with pytest.raises(RedlineError, match="is the start of 2 ids") as told:
        open_session(path, leaf="")
    assert "msg_0a1b" in told.value.hint
    assert str(session.leaf) in told.value.hint


def test_what_was_put_in_before_a_turn_goes_with_it(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        said("developer", "<permissions instructions>a"),
        *asked("t1", "one"),
        said("developer", "<model_switch>b"),
        said("developer", "words of a host"),
        user("<environment_context>c</environment_context>"),
        said("developer", "<collaboration_mode>d"),
        *asked("t2", "two"),
        rolled_back(1),
    )
    assert heads(session.context) == [
        "<permissions instructions>a",
        "one",
        "Re: one",
        "<model_switch>b",
        "words of a host",
    ]


def replaced(*, old: bool = False) -> list[JSON]:
    history = [message("user", "one"), message("user", "two"), message("user", f"{PREFIX}S")]
    return [
        *asked("t1", "one"),
        *asked("t2", "two", compacted(f"{PREFIX}S", None if old else history)),
        *asked("t3", "three"),
    ]


def test_a_rollback_of_the_turn_that_a_replacement_stands_in_undoes_it(tmp_path: Path) -> None:
    records = replaced()
    session = opened(tmp_path, *records, rolled_back(2))
    assert (heads(session.context), session.compactions) == (["one", "Re: one"], ())
    assert history(session) == ["one", "Re: one"]
    live = opened(tmp_path, *records, rolled_back(1))
    assert heads(live.context) == ["one", "two", first_line(PREFIX), "Re: two"]
    assert len(live.compactions) == 1


def test_a_rollback_undoes_no_compaction_that_codex_resumes_from(tmp_path: Path) -> None:
    kept = [message("user", text) for text in ("one", "two", "three", f"{PREFIX}S")]
    resumable = compacted(f"{PREFIX}S", kept, resume_metadata={"last_started_turn_id": "t3"})
    records = [*replaced(), started("t4"), resumable, *asked("t4", "four")[1:]]
    for turns, window in ((1, ["one", "two", "three", first_line(PREFIX)]), (3, ["one"]), (9, [])):
        session = opened(tmp_path, *records, rolled_back(turns))
        assert (heads(session.context), len(session.compactions)) == (window, 2), turns
        assert session.counts.messages == len(history(session)), turns


def test_a_rollback_does_not_undo_a_compaction_that_states_no_history(tmp_path: Path) -> None:
    records = replaced(old=True)
    session = opened(tmp_path, *records, rolled_back(2))
    assert heads(session.context) == ["one"]
    assert len(session.compactions) == 1
    assert session.counts.messages == len(history(session))


def test_a_summary_is_no_turn_that_a_rollback_counts(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        *asked("t1", "one"),
        compacted(f"{PREFIX}S"),
        *asked("t2", "two"),
        rolled_back(2),
    )
    assert session.context == ()


def test_a_leaf_that_names_nothing_says_so(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", meta(), user("hi"))
    with pytest.raises(RedlineError, match="no record is called line:9"):
        open_session(path, leaf="line:9")


def test_what_was_put_in_is_no_prompt_in_what_a_compaction_of_its_turn_keeps(
    tmp_path: Path,
) -> None:
    kept = [message("user", "Do it"), message("user", "a skill of a new kind")]
    session = opened(
        tmp_path,
        started("t1"),
        user("Do it"),
        event("user_message", message="Do it"),
        user("a skill of a new kind"),
        compacted("", [*kept, COMPACTION]),
        said("assistant", "Done."),
        done("t1"),
    )
    assert [m.head for m in session.context if m.prompts] == ["Do it"]
    assert session.counts.prompts == 1


def test_what_codex_sends_no_model_is_not_in_what_a_compaction_keeps(tmp_path: Path) -> None:
    held: list[JSON] = [
        {"type": "ghost_snapshot", "ghost_commit": {"id": "a"}},
        message("user", "one"),
        {"type": "from_the_future"},
        {"type": "message", "role": "user", "content": "no list"},
        {"type": 5},
    ]
    session = opened(tmp_path, *asked("t1", "one"), compacted("", [*held, COMPACTION]))
    assert heads(session.context)[:1] == ["one"]
    assert [part.wire for m in session.context for part in m.parts] == ["input_text", "compaction"]
