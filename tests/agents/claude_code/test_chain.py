"""Which records are the conversation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from redline.model import DamageKind
from tests.agents.claude_code.writing import (
    attachment,
    boundary,
    call,
    ids,
    opened,
    progress,
    record,
    reply,
    result,
    resumed,
    start,
    summary,
    text,
    thinking,
    user,
)


def hint(leaf: str | None, **fields: Any) -> dict[str, Any]:
    return {"type": "last-prompt", "lastPrompt": "x", "leafUuid": leaf, **fields}


def two_branches() -> list[dict[str, Any]]:
    return [
        *start(),
        user("u2", "a1", "One way"),
        reply("a2", "u2", "m2", text("One answer")),
        user("u3", "a1", "Another way"),
        reply("a3", "u3", "m3", text("Another answer")),
    ]


def test_the_last_record_in_the_file_is_the_leaf_whatever_its_time(tmp_path: Path) -> None:
    records = two_branches()
    records[-1]["timestamp"] = records[-2]["timestamp"] = "2020-01-01T00:00:00.000Z"
    session = opened(tmp_path, records)
    assert ids(session) == ["u1", "a1", "u3", "a3"]
    assert session.leaf == "a3"


def test_a_noted_leaf_on_another_branch_wins(tmp_path: Path) -> None:
    assert ids(opened(tmp_path, [*two_branches(), hint("a2")])) == ["u1", "a1", "u2", "a2"]


@pytest.mark.parametrize("leaf", ["a1", "not-on-disk"])
def test_a_noted_leaf_that_is_passed_or_missing_yields_to_the_last_record(
    tmp_path: Path, leaf: str
) -> None:
    assert ids(opened(tmp_path, [*two_branches(), hint(leaf)])) == ["u1", "a1", "u3", "a3"]


def test_a_pinned_leaf_stays_where_it_is(tmp_path: Path) -> None:
    assert ids(opened(tmp_path, [*two_branches(), hint("a1", explicit=True)])) == ["u1", "a1"]


def test_a_pinned_hint_without_a_leaf_empties_the_context(tmp_path: Path) -> None:
    session = opened(tmp_path, [*two_branches(), hint(None, explicit=True)])
    assert ids(session) == []
    assert session.counts.records == 7


def test_a_boundary_wipes_the_noted_leaf(tmp_path: Path) -> None:
    records = [*two_branches(), hint("a2"), boundary("b1"), summary("s1", "b1")]
    assert ids(opened(tmp_path, records)) == ["s1"]


def test_another_leaf_can_be_asked_for(tmp_path: Path) -> None:
    assert ids(opened(tmp_path, two_branches(), leaf="a2")) == ["u1", "a1", "u2", "a2"]


def test_both_sides_of_a_fork_are_reachable(tmp_path: Path) -> None:
    session = opened(tmp_path, two_branches())
    (side,) = session.side_branches
    assert (side.leaf, side.fork, side.records, side.answered) == ("a2", "a1", 2, True)
    assert side.head == "One way"


def test_a_recalled_draft_is_a_branch_without_an_answer(tmp_path: Path) -> None:
    records = [*start(), user("d1", "a1", "A draft"), user("u2", "a1", "The real one")]
    (side,) = opened(tmp_path, records).side_branches
    assert not side.answered


def test_parallel_results_off_the_chain_are_found(tmp_path: Path) -> None:
    records = [
        *start(),
        reply("a2", "a1", "m2", call("t1")),
        reply("a3", "a2", "m2", call("t2")),
        user("r1", "a2", [result("t1")]),
        user("r2", "a3", [result("t2")]),
        reply("a4", "r2", "m4", text("Both done")),
    ]
    session = opened(tmp_path, records)
    assert ids(session) == ["u1", "a1", "a2", "r1", "r2", "a4"]
    assert [part.call_id for part in session.context[2].parts] == ["t1", "t2"]
    assert session.counts.tool_pairs == 2
    assert session.side_branches == ()


def test_parallel_results_of_a_side_branch_are_no_branches_of_their_own(tmp_path: Path) -> None:
    records = [
        *start(),
        user("u2", "a1", "One way"),
        reply("a2", "u2", "m2", call("t1")),
        reply("a3", "a2", "m2", call("t2")),
        user("r1", "a2", [result("t1")]),
        user("r2", "a3", [result("t2")]),
        reply("a4", "r2", "m4", text("Both done")),
        user("d1", "a4", "A draft"),
        user("d2", "a4", "Another"),
        user("u3", "a1", "Another way"),
        reply("a5", "u3", "m5", text("Done")),
    ]
    session = opened(tmp_path, records)
    assert [(s.leaf, s.answered) for s in session.side_branches] == [("d1", True), ("d2", True)]


def test_progress_lies_in_the_chain_and_is_no_message(tmp_path: Path) -> None:
    records = [
        *start(),
        progress("p1", "a1"),
        user("u2", "p1", "Go on"),
        progress("p2", "u2"),
    ]
    assert ids(opened(tmp_path, records)) == ["u1", "a1", "u2"]


def test_what_hangs_on_the_leaf_without_a_turn_is_live(tmp_path: Path) -> None:
    records = [
        *two_branches(),
        attachment("x1", "a2", type="hook_additional_context", content=["Note"]),
        hint("a2"),
    ]
    assert ids(opened(tmp_path, records)) == ["u1", "a1", "u2", "a2", "x1"]


def test_inline_records_of_subagents_are_left_out_and_listed(tmp_path: Path) -> None:
    records = [
        *start(),
        user("k1", None, "Look it up", isSidechain=True),
        reply("k2", "k1", "mk", text("Found"), isSidechain=True),
    ]
    session = opened(tmp_path, records)
    assert ids(session) == ["u1", "a1"]
    (agent,) = session.subagents
    assert (agent.kind, agent.description) == ("inline", "Look it up")
    assert ids(opened(tmp_path, records, leaf=agent.id)) == ["k1", "k2"]


def dangling(seconds: int) -> list[dict[str, Any]]:
    return [
        user("u1", None, "Fix the login", at=0),
        reply("a1", "u1", "m1", text("Fixed."), at=1),
        progress("p1", "not-on-disk", at=1 + seconds),
        user("u2", "p1", "After the gap", at=1 + seconds),
        reply("a2", "u2", "m2", text("Answer"), at=1 + seconds),
    ]


def test_a_gap_is_healed_marked_and_listed(tmp_path: Path) -> None:
    session = opened(tmp_path, dangling(60))
    assert ids(session) == ["u1", "a1", "u2", "a2"]
    assert [message.seam for message in session.context] == [False, False, True, False]
    assert [(d.record, d.kind) for d in session.damage] == [(3, DamageKind.DANGLING)]


def test_the_loader_loses_what_is_above_a_gap(tmp_path: Path) -> None:
    session = opened(tmp_path, dangling(60))
    assert resumed(session) == ["After the gap", "Answer"]
    assert (session.resume_messages, session.resume_lost) == (2, 2)


def test_the_loader_bridges_a_gap_of_five_seconds(tmp_path: Path) -> None:
    session = opened(tmp_path, dangling(5))
    assert resumed(session) == ["Fix the login", "Fixed.", "After the gap", "Answer"]
    assert session.resume_lost == 0
    assert not any(message.seam for message in session.context)


@pytest.mark.parametrize("parent", ["torn-line", None])
def test_the_loader_ends_in_what_was_said_where_the_last_record_leads_nowhere(
    tmp_path: Path, parent: str | None
) -> None:
    late = {"timestamp": "2026-12-01T00:00:00.000Z"}
    lone = [{**attachment("x1", parent), **late}, {**attachment("x2", "x1"), **late}]
    assert resumed(opened(tmp_path, [*start(), *lone])) == ["Fix the login", "Fixed."]


def test_a_reply_of_blanks_and_thinking_is_not_sent(tmp_path: Path) -> None:
    records = [
        user("u1", None, "Fix the login"),
        reply("a1", "u1", "m1", text("\n\n")),
        reply("a2", "a1", "m1", thinking("Let me see.")),
        user("u2", "a2", "Go on"),
    ]
    assert resumed(opened(tmp_path, records)) == ["Fix the login", "Go on"]


def test_a_circle_of_parents_ends_and_still_shows_its_records(tmp_path: Path) -> None:
    records = [user("u1", "a1", "First"), reply("a1", "u1", "m1", text("Answer"))]
    session = opened(tmp_path, records)
    assert ids(session) == ["u1", "a1"]
    assert DamageKind.CYCLE in {damage.kind for damage in session.damage}


def test_of_two_records_with_one_uuid_the_last_counts(tmp_path: Path) -> None:
    records = [
        start()[0],
        user("u2", "u1", "Old words"),
        user("u2", "u1", "New words"),
        reply("a2", "u2", "m2", text("Answer")),
    ]
    session = opened(tmp_path, records)
    assert [message.head for message in session.context] == ["Fix the login", "New words", "Answer"]
    assert [(d.record, d.kind) for d in session.damage] == [(3, DamageKind.DUPLICATE)]


def test_records_without_any_uuid_are_read_in_file_order(tmp_path: Path) -> None:
    records = start()
    for one in records:
        del one["uuid"], one["parentUuid"]
    session = opened(tmp_path, records)
    assert [message.head for message in session.context] == ["Fix the login", "Fixed."]
    assert ids(session) == ["line:1", "line:2"]


def test_clocks_that_run_backwards_change_no_order(tmp_path: Path) -> None:
    records = [user("u1", None, "First", at=500), reply("a1", "u1", "m1", text("Answer"), at=3)]
    assert ids(opened(tmp_path, records)) == ["u1", "a1"]


class TestSending:
    """The order and choice of blocks that 2.1.197 was seen to send."""

    def check(self, folder: Path, records: list[dict[str, Any]], expected: list[str]) -> None:
        assert resumed(opened(folder, records))[2:] == expected

    def test_results_follow_the_whole_reply(self, tmp_path: Path) -> None:
        records = [
            *start(),
            reply("x1", "a1", "m2", call("t1", command="one")),
            user("r1", "x1", [result("t1", "1")]),
            reply("x2", "r1", "m2", call("t2", command="two")),
            user("r2", "x2", [result("t2", "2")]),
        ]
        calls = ['{"command": "one"}', '{"command": "two"}']
        self.check(tmp_path, records, [*calls, "1", "2"])

    def test_calls_come_behind_texts(self, tmp_path: Path) -> None:
        records = [
            *start(),
            reply("x1", "a1", "m2", call("t1")),
            reply("x2", "x1", "m2", text("Said after it")),
            user("r1", "x1", [result("t1")]),
        ]
        self.check(tmp_path, records, ["Said after it", '{"command": "ls"}', "done"])

    def test_two_thoughts_are_never_put_side_by_side(self, tmp_path: Path) -> None:
        blocks = [thinking("One"), call("t1"), thinking("Two"), text("Said")]
        records = [*start(), reply("x1", "a1", "m2", *blocks), user("r1", "x1", [result("t1")])]
        self.check(tmp_path, records, ["One", '{"command": "ls"}', "Two", "Said", "done"])

    def test_thoughts_of_another_model_are_left_out(self, tmp_path: Path) -> None:
        records = [
            *start(),
            reply("x1", "a1", "m2", thinking("Old"), text("Said"), model="claude-opus-4-6"),
            user("u2", "x1", "Go on"),
            reply("x2", "u2", "m3", thinking("New"), text("More")),
        ]
        self.check(tmp_path, records, ["Said", "Go on", "New", "More"])

    def test_a_call_without_a_result_takes_its_record_with_it(self, tmp_path: Path) -> None:
        records = [
            *start(),
            reply("x1", "a1", "m2", text("I will"), call("t1")),
            user("u2", "x1", "Never mind"),
        ]
        self.check(tmp_path, records, ["Never mind"])

    def test_a_result_that_answers_no_call_before_it_is_left_out(self, tmp_path: Path) -> None:
        records = [*start(), user("r1", "a1", [result("t9")]), reply("x", "r1", "m2", text("So"))]
        self.check(tmp_path, records, ["So"])

    def test_a_prompt_between_call_and_result_comes_after_them(self, tmp_path: Path) -> None:
        records = [
            *start(),
            reply("x1", "a1", "m2", call("t1")),
            user("u2", "x1", "And hurry"),
            user("r1", "u2", [result("t1")]),
        ]
        self.check(tmp_path, records, ['{"command": "ls"}', "done", "And hurry"])

    def test_errors_of_the_api_and_white_space_are_not_sent(self, tmp_path: Path) -> None:
        error: dict[str, Any] = {"model": "<synthetic>", "isApiErrorMessage": True}
        records = [
            *start(),
            reply("x1", "a1", "m2", text("API Error"), **error),
            reply("x2", "x1", "m3", text("\n\n")),
            user("u2", "x2", "  "),
            record("y1", "u2", "system", subtype="turn_duration", durationMs=3),
            user("u3", "y1", "Go on"),
        ]
        self.check(tmp_path, records, ["Go on"])
        assert ids(opened(tmp_path, records)) == ["u1", "a1", "x2", "u2", "u3"]

    def test_of_a_failed_result_only_texts_are_sent(self, tmp_path: Path) -> None:
        content = [{"type": "image", "source": {}}, text("No such file")]
        records = [
            *start(),
            reply("x1", "a1", "m2", call("t1")),
            user("r1", "x1", [result("t1", content, is_error=True)]),
        ]
        self.check(tmp_path, records, ['{"command": "ls"}', "No such file"])

    def test_a_record_behind_another_on_its_line_is_not_loaded(self, tmp_path: Path) -> None:
        import json

        first, second = start()
        glued = (json.dumps(first) + json.dumps(second)).encode()
        session = opened(tmp_path, [glued, user("u2", "a1", "Go on", at=1)])
        assert ids(session) == ["u1", "a1", "u2"]
        assert resumed(session) == ["Fix the login", "Go on"]
        assert session.resume_lost == 1
