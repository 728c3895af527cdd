"""Sessions in an agent's own form, made for tests: read back as they would be published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import count
from pathlib import Path
from uuid import UUID

from redline.agents.opening import open_session
from redline.compaction.plan import Action, Pins
from redline.compaction.strategies.strategy import StrategySettings
from redline.compaction.whole import whole
from redline.context.measure import measure
from redline.errors import RedlineError
from redline.facts.extract import extract
from redline.ledger.rule import Ledger
from redline.model import Session, SessionInfo
from redline.review import Choice, Review
from redline.settings import Settings
from redline.targets.native.checking import check
from redline.targets.native.draft import Draft, Work
from redline.targets.native.forms import draft_of
from redline.targets.native.native import work_of

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
STRATEGIES = ("redline", "claude-code", "codex", "pi", "hermes", "clear", "scored")
_QUICK = replace(Settings(), tokenizer="estimate")


def ids() -> Iterator[str]:
    """Ids that are the same on every run."""
    return (str(UUID(int=number)) for number in count(1))


@cache
def _start(path: Path | SessionInfo, strategy: str, tail: int | None, before: int | None) -> Review:
    session = open_session(path, before=before)
    choice = Choice(strategy, StrategySettings(tail_tokens=tail))
    window = measure(session, _QUICK, {})
    return Review.start(session, window, extract(session), Ledger(), choice)


def review_of(
    path: Path | SessionInfo,
    strategy: str = "redline",
    *,
    tail: int | None = None,
    pins: Pins | None = None,
    before: int | None = None,
) -> Review:
    """A review of the session `path` (the one in the file there), its handoff written where it has
    one. Raises RedlineError where the pins cannot be."""
    review = _start(path, strategy, tail, before)
    if pins is not None:
        review = review.with_pins(pins)
    return review.write() if review.plan.summary_at is not None else review


def possible(
    path: Path | SessionInfo, strategy: str, wanted: Iterable[tuple[int, int | None, Action]]
) -> Review:
    """A review with as many of the pins in `wanted` (message, part, action; the numbers go round)
    as can be together."""
    review = _start(path, strategy, None, None)
    context = review.session.context
    for message, part, action in wanted:
        at = context[message % len(context)]
        try:
            if part is None:
                review = review.pin([at.id], action)
            else:
                review = review.pin_part(at.id, part % max(1, len(at.parts)), action)
        except (RedlineError, ValueError):
            continue
    return review.write() if review.plan.summary_at is not None else review


def work(review: Review, environment: Mapping[str, str], *, in_place: bool = False) -> Work:
    """The work of writing what `review` plans."""
    given = ids()
    return work_of(
        review.session,
        review.plan,
        review.text,
        now=NOW,
        environment=environment,
        in_place=in_place,
        new_id=lambda: next(given),
    )


def whole_work(session: Session, environment: Mapping[str, str]) -> Work:
    """The work of writing `session` anew as it is."""
    given = ids()
    new = lambda: next(given)  # noqa: E731
    plan = whole(session)
    return work_of(session, plan, "", now=NOW, environment=environment, new_id=new)


def made(work: Work) -> tuple[Draft, Session]:
    """The draft of `work`, and the session it reads as. Fails where that is not the plan."""
    draft = draft_of(work)
    return draft, check(draft, work)
