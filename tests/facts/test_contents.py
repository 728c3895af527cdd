from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from redline.agents.opening import open_session
from redline.facts.contents import Contents, contents
from redline.facts.listing import Listing
from redline.model import CompactionKind, PastCompaction, Session, SideBranch, Subagent, Usage
from tests.sessions_in_memory import (
    Draft,
    call,
    image,
    injected,
    ran,
    reply,
    result,
    session,
    summary,
    together,
    user,
)


def past(
    name: str, made: Session | None = None, *, summary: str | None = None, before: int = 0
) -> PastCompaction:
    message = None
    if summary is not None and made is not None:
        message = next(one for one in made.source.history() if one.id == summary)
    kind = CompactionKind.FULL if summary else CompactionKind.MICRO
    return PastCompaction(name, kind, 1, messages_before=before, summary=message)


def with_past(made: Session, *compactions: PastCompaction) -> Session:
    return replace(made, compactions=compactions)


def compacted() -> Session:
    """Three turns before a compaction, one after; the context starts at its summary."""
    made = session(
        injected("instructions"),
        user("first", id="p1"),
        reply("one", usage=Usage(input=1_000, output=10)),
        user("second", id="p2"),
        ran("pytest -q", "E   AssertionError: no", 1, call_id="a"),
        ran("pytest -q", "3 passed", call_id="b"),
        summary("all of that", id="s1"),
        user("third", id="p3"),
        reply("three"),
        context_from=8,
    )
    return with_past(made, past("c1", made, summary="s1", before=8))


class TestTurns:
    def test_a_turn_is_a_prompt_and_everything_up_to_the_next(self) -> None:
        found = contents(compacted())
        told = [(turn.number, turn.place, turn.head, turn.messages) for turn in found.turns]
        assert told == [(1, 1, "first", 2), (2, 3, "second", 6), (3, 9, "third", 2)]

    def test_calls_and_errors_are_counted_in_their_turn(self) -> None:
        found = contents(compacted())
        assert [(turn.calls, turn.errors) for turn in found.turns] == [(0, 0), (2, 1), (0, 0)]

    def test_the_tokens_of_a_turn_are_billed_where_they_were_and_estimated_elsewhere(self) -> None:
        first, second, third = contents(compacted()).turns
        assert (first.tokens, first.billed) == (1_000, True)
        assert (second.tokens, second.billed) != (1_000, True), "a compaction was in it"
        assert (third.tokens, third.billed) == (round((11 + 5 + 5) / 4), False)

    def test_the_head_of_a_turn_is_its_prompt_and_not_what_was_put_before(self) -> None:
        made = session(together(injected("<reminder>x</reminder>"), user("do it\nnow")))
        assert [turn.head for turn in contents(made).turns] == ["do it"]

    def test_a_prompt_without_words_has_a_turn_too(self) -> None:
        assert [turn.head for turn in contents(session(image())).turns] == ["(image)"]

    def test_an_empty_session_has_no_contents(self) -> None:
        assert contents(session()) == Contents()


class TestContext:
    def test_what_is_in_the_context_is_told_of_each_message(self) -> None:
        found = contents(compacted())
        assert [found.in_context(place) for place in range(found.messages)] == [
            False,
            *[False] * 7,
            *[True] * 3,
        ]
        assert found.sent == 3
        assert [turn.sent for turn in found.turns] == [False, False, True]

    def test_a_message_left_aside_in_the_middle_is_out(self) -> None:
        made = session(user("one"), reply("two"), reply("three"))
        made = replace(made, context=(made.context[0], made.context[2]))
        found = contents(made)
        assert found.spans == ((0, 1), (2, 3))
        assert not found.in_context(1)
        assert not found.in_context(-1)
        assert not found.in_context(3)

    def test_the_turn_of_a_message_is_found(self) -> None:
        found = contents(compacted())
        turns = [found.turn_at(place) for place in range(found.messages)]
        assert [turn.number if turn else 0 for turn in turns] == [0, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3]


class TestCompactions:
    def test_a_compaction_stands_before_its_summary(self) -> None:
        (boundary,) = contents(compacted()).compactions
        assert (boundary.number, boundary.place, boundary.turn) == (1, 8, 2)

    def test_one_without_a_summary_stands_where_it_was_counted(self) -> None:
        made = with_past(session(user("one"), reply("two"), user("three")), past("m", before=2))
        (boundary,) = contents(made).compactions
        assert (boundary.place, boundary.turn) == (2, 1)

    def test_one_at_the_very_end_is_not_lost(self) -> None:
        made = with_past(session(user("one")), past("m", before=1))
        assert [boundary.place for boundary in contents(made).compactions] == [1]

    def test_what_it_kept_is_told_with_what_was_the_users(self) -> None:
        made = compacted()
        kept = replace(made.compactions[0], preserved=("p2", "m5", "gone"))
        (boundary,) = contents(with_past(made, kept)).compactions
        assert [(one.message, one.prompt) for one in boundary.kept] == [("p2", True), ("m5", False)]
        assert boundary.prompts_kept == 1


class TestErrors:
    def test_each_failed_result_is_told_with_its_command_and_line(self) -> None:
        (error,) = contents(compacted()).errors
        assert (error.turn, error.call) == (2, "pytest -q")
        assert "AssertionError" in error.line

    @pytest.mark.parametrize(
        "drafts",
        [
            ran("ls", "x", call_id="a"),
            (call("Read", {"file_path": "a"}, call_id="a"), result("Error: x", call_id="a")),
            (
                call("Bash", {"command": "rm"}, call_id="a"),
                result(
                    "The user doesn't want to proceed with this tool use.", call_id="a", error=True
                ),
            ),
        ],
        ids=["success", "text-that-says-error", "refused-by-the-user"],
    )
    def test_what_did_not_fail_is_none(self, drafts: tuple[Draft, ...]) -> None:
        assert not contents(session(user("go"), drafts)).errors

    def test_an_error_flag_of_any_tool_counts(self) -> None:
        made = session(
            user("go"),
            call("Edit", {"file_path": "a"}, call_id="a"),
            result("String not found in file.", call_id="a", error=True),
        )
        (error,) = contents(made).errors
        assert (error.call, error.line) == ("Edit", "String not found in file.")


class TestWhatHangsOnIt:
    def test_a_side_branch_leaves_at_its_fork_and_a_subagent_starts_at_its_call(self) -> None:
        made = session(
            user("one", id="p1"),
            call("Task", {"prompt": "look"}, call_id="t1"),
            result("found", call_id="t1"),
        )
        made = replace(
            made,
            side_branches=(SideBranch("l1", "p1", 2, True), SideBranch("l2", None, 1, False)),
            subagents=(Subagent("a1", Path("a1"), call_id="t1"), Subagent("a2", Path("a2"))),
        )
        found = contents(made)
        assert [(fork.place, fork.turn) for fork in found.branches] == [(0, 1), (None, 0)]
        assert [(one.place, one.turn) for one in found.subagents] == [(1, 1), (None, 0)]

    @pytest.mark.real
    def test_a_branch_summary_of_pi_is_listed_where_it_stands(self, real_sessions: Path) -> None:
        path = real_sessions / "pi" / "synthetic-pi-1.6.0-all-entry-types.jsonl"
        found = contents(open_session(path))
        (told,) = found.summaries
        assert "explored a different conversation branch" in told.head
        (fork,) = found.branches
        assert fork.place is not None
        assert told.place > fork.place


def test_contents_so_far_are_those_of_the_messages_that_were_taken() -> None:
    made = compacted()
    listing = Listing(made)
    for count, message in enumerate(made.source.history()):
        so_far = listing.so_far()
        assert so_far.messages == count
        assert all(boundary.place <= count for boundary in so_far.compactions)
        listing.take(message)
    assert listing.so_far() == contents(made)


@pytest.mark.real
def test_the_contents_of_real_sessions_hold_together(real_sessions: Path) -> None:
    for path in [*real_sessions.glob("claude_code/**/*.jsonl"), *real_sessions.glob("pi/*.jsonl")]:
        made = open_session(path)
        found = contents(made)
        history = [message.id for message in made.source.history()]
        sent = {message.id for message in made.context}
        assert found.messages == len(history), path
        assert len(found.turns) == made.counts.turns, path
        assert [name in sent for name in history] == [
            found.in_context(place) for place in range(len(history))
        ], path
        for boundary in found.compactions:
            assert boundary.place == boundary.past.messages_before, path
