from __future__ import annotations

from dataclasses import replace

from redline.context.course import Course, course
from redline.model import CompactionKind, PastCompaction, Usage
from tests.sessions_in_memory import reply, session, user


def billed(tokens: int) -> Usage:
    return Usage(input=tokens)


def test_a_course_is_what_was_billed_with_the_places_of_compactions() -> None:
    past = (
        PastCompaction("m", CompactionKind.MICRO, 3, messages_before=2),
        PastCompaction("c", CompactionKind.FULL, 5, messages_before=4),
    )
    made = session(
        user("one"),
        reply("a", usage=billed(10_000)),
        user("two"),
        reply("b", usage=billed(90_000)),
        user("three"),
        reply("c", usage=billed(12_000)),
        context_from=4,
        compactions=past,
    )
    assert course(made) == Course((10_000, 90_000, 12_000), (2,))


def test_a_session_that_bills_nothing_has_no_course() -> None:
    assert course(session(user("one"), reply("a"))) == Course((), ())


def test_a_compaction_that_nothing_came_before_or_after_is_no_drop() -> None:
    made = session(user("one"), reply("a", usage=billed(1)))
    for before in (0, 2, 99):
        past = PastCompaction("c", CompactionKind.FULL, 1, messages_before=before)
        assert course(replace(made, compactions=(past,))).drops == ()
