from __future__ import annotations

from dataclasses import replace

from redline.compaction.plan import Action
from redline.facts.extract import extract
from redline.ledger.detect import detect
from redline.ledger.rule import Ledger, RuleState
from redline.review import Choice, Review
from redline.settings import Settings
from redline.ui.desk_items import plan_items
from tests.compaction.windows import window_of
from tests.sessions_in_memory import START, injected, reply, session, user


def test_the_plan_says_where_the_message_under_the_cursor_goes() -> None:
    opened = session(
        user("Never touch src/legacy."), injected("<env>"), reply("w" * 900), user("on")
    )
    rules = tuple(replace(rule, state=RuleState.ACTIVE) for rule in detect(opened).rules)
    review = Review.start(
        opened, window_of(opened), extract(opened), Ledger(rules), Choice("redline")
    ).use_tail(10)

    def goes(review: Review, row: int) -> str:
        items = plan_items(review, row, review.cost(START, Settings()))
        return next(item.text for item in items if item.word == "goes to")

    assert goes(review, 0) == "working summary, in part to the long-term memory"
    assert goes(review, 1) == "nowhere"
    assert goes(review, 3) == "short-term buffer"
    assert goes(review.pin(["m1"], Action.DROP), 0) == "long-term memory"
