"""What is in doubt is held against the session, the focus and the rules as they are now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from redline.context.measure import measure
from redline.facts.extract import extract
from redline.handoff.writers.writing import Written
from redline.ledger.detect import detect
from redline.model import Session
from redline.review import Choice, Review
from redline.settings import Settings
from redline.ui.doubts import Doubting, Doubts
from tests.sessions_in_memory import reply, session, user

TODAY = date(2026, 1, 2)


def opened(*more: str) -> Session:
    return session(user("Fix the totals."), reply("Done."), *map(user, more))


def written(made: Session) -> Review:
    """A review whose writer names a file that only `made` could hold."""
    window = measure(made, Settings(), {})
    review = Review.start(made, window, extract(made), detect(made), Choice("redline")).write()
    assert review.handoff is not None
    handoff = replace(review.handoff, done=("wrote src/made_up.py",))
    return review.with_written(Written(handoff, writer="model"))


def grown(review: Review) -> Review:
    made = opened("I wrote src/made_up.py myself.")
    return review.rebase(made, measure(made, Settings(), {}), extract(made), review.ledger)


def test_of_what_the_offline_writer_wrote_nothing_is_in_doubt() -> None:
    made = opened()
    window = measure(made, Settings(), {})
    review = Review.start(made, window, extract(made), detect(made), Choice("redline")).write()
    assert Doubting().doubts(review, TODAY) == Doubts()


@pytest.mark.parametrize(
    "changed",
    [
        grown,
        lambda review: review.with_focus("src/made_up.py"),
        lambda review: review.with_ledger(detect(opened("Never touch src/made_up.py."))),
    ],
)
def test_a_name_that_is_said_since_is_in_doubt_no_more(
    changed: Callable[[Review], Review],
) -> None:
    review, doubting = written(opened()), Doubting()
    assert [one.text for one in doubting.doubts(review, TODAY).invented] == ["src/made_up.py"]
    assert doubting.doubts(changed(review), TODAY).invented == ()


def test_the_session_is_gone_through_once_as_long_as_only_the_text_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    review, doubting = written(opened()), Doubting()
    known, asked = Review.known, list[Review]()

    def counted(of: Review, today: date) -> object:
        asked.append(of)
        return known(of, today)

    monkeypatch.setattr(Review, "known", counted)
    for text in (review.text, f"{review.text}\n\nSee src/other.py."):
        assert doubting.doubts(review.with_text(text), TODAY).invented
    assert len(asked) == 1
