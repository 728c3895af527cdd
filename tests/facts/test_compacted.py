from __future__ import annotations

from dataclasses import replace

from redline.facts.compacted import kept_by, rebuilt, summary_of, unread
from redline.model import CompactionKind, Kind, Origin, Part, PartType, PastCompaction
from tests.sessions_in_memory import PATH, ran, reply, session, summary, user


def sealed(chars: int = 5_000) -> PastCompaction:
    part = Part(PartType.OPAQUE, Kind.SUMMARY, Origin(PATH, 1), chars, "compaction")
    return PastCompaction("c", CompactionKind.FULL, 1, sealed=part, messages_before=3)


def test_a_sealed_summary_is_said_to_be_unreadable_with_its_size() -> None:
    made = session(user("one"))
    assert summary_of(made, sealed()) == ""
    assert unread(sealed()) == (
        "The summary cannot be read: encrypted by the provider, 5,000 characters."
    )


def test_a_summary_is_read_whole_and_nothing_is_said_to_be_missing() -> None:
    made = session(summary("what was\ndone", id="s"), user("go on"))
    past = replace(sealed(), sealed=None, summary=made.context[0])
    assert summary_of(made, past) == "what was\ndone"
    assert unread(past) == ""


def test_cleared_results_leave_no_summary_to_miss() -> None:
    assert unread(PastCompaction("c", CompactionKind.MICRO, 1, cleared=("a",))) == ""
    assert unread(PastCompaction("c", CompactionKind.FULL, 1)) == "It left no summary."


def test_what_the_records_before_it_hold_is_rebuilt() -> None:
    before = session(user("first\nline two"), ran("ls", call_id="a"), reply("x"), user("second"))
    found = rebuilt(before)
    assert (found.messages, found.calls) == (5, 1)
    assert [head for _, head in found.prompts] == ["first", "second"]


def test_the_messages_it_kept_are_found_on_the_branch_before_it() -> None:
    made = session(user("one"), reply("two"), user("three"), reply("four"))
    past = replace(sealed(), preserved=("m2", "m3", "m4x"))
    assert [(kept.message, kept.prompt) for kept in kept_by(made, past)] == [
        ("m2", False),
        ("m3", True),
    ]
