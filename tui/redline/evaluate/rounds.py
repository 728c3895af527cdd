"""Compacts a scene round after round, and judges what every handoff still says."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from redline.compaction.strategies.strategy import StrategySettings
from redline.context.measure import measure
from redline.context.weighing import weigh
from redline.evaluate.compactors import Compacted, Compactor
from redline.evaluate.finding import Standing, Text
from redline.evaluate.invented import invented
from redline.evaluate.joining import joined, pieces_of, said, summary, told_by
from redline.evaluate.scene import Form, Scene, Thing
from redline.facts.extract import extract
from redline.handoff.budget import Budget, Size, Unit, budget_of
from redline.handoff.document import as_markdown
from redline.handoff.writers.writer import Spent
from redline.ledger.detect import detect
from redline.model import Session
from redline.review import Choice, Review
from redline.settings import Settings


@dataclass(frozen=True, slots=True)
class Place:
    """Where an evaluation runs: settings and environment as they were handed in."""

    settings: Settings
    environment: Mapping[str, str] = field(default_factory=dict)
    clock: Callable[[], float] = time.perf_counter


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one thing by a round. `standing` is that of what holds, in all that the next
    session begins with; `stale` is how many of the `superseded` values it had before the handoff
    gives as current, `noted` how many of these it sets beside the newer one somewhere."""

    thing: Thing
    standing: Standing
    stale: int
    noted: int
    superseded: int

    @property
    def survives(self) -> bool:
        return self.standing is Standing.CURRENT

    @property
    def merged(self) -> bool:
        """Whether a thing that was never restated is given as superseded: a false merge."""
        return self.standing is Standing.MARKED and self.thing.form is not Form.RESTATED


@dataclass(frozen=True, slots=True)
class Round:
    """One compaction of a scene, judged. `text` is the handoff, `start` all that the next session
    begins with: the handoff and what the plan keeps. `characters` and `tokens` are of the handoff,
    `limit` its budget in what that is told in. `over` says that it was longer and was cut there."""

    number: int
    verdicts: tuple[Verdict, ...]
    invented: tuple[str, ...]
    characters: int
    tokens: int
    seconds: float
    limit: int | None
    over: bool
    spent: Spent
    remarks: tuple[str, ...]
    session: Session
    text: str
    start: str


def budget_for(size: Size | None, scene: Scene, session: Session, place: Place) -> Budget | None:
    """The budget of every round: a share is one of the characters of the first session."""
    if size is None:
        return None
    if size.unit is Unit.SHARE:
        return Budget(max(1, round(scene.characters * size.amount / 100)))
    return budget_of(size, session, place.settings, place.environment, used=0)


def run_rounds(
    scene: Scene,
    compactor: Compactor,
    *,
    strategy: str,
    settings: StrategySettings,
    size: Size | None,
    place: Place,
) -> Iterator[Round]:
    """The rounds of `scene` as they are done. Each session begins with the handoff of the one
    before and what its plan kept, then come the new turns."""
    session = scene.session
    rough = replace(place.settings, tokenizer="estimate", tokenizers={})
    for number in range(1, len(scene.later) + 2):
        started = place.clock()
        window = measure(
            session, rough if strategy == "fresh" else place.settings, place.environment
        )
        choice = Choice(strategy, settings)
        review = Review.start(session, window, extract(session), detect(session), choice)
        budget = budget_for(size, scene, session, place)
        compacted = compactor.compact(review, budget)
        seconds = place.clock() - started
        over = budget is not None and not budget.holds(compacted.text)
        if budget is not None and over:
            compacted = replace(compacted, text=_within(compacted.text, budget))
        begins = as_markdown(compacted.text, session, review.plan)
        yield _judged(
            scene, number, session, compacted, begins,
            limit=None if budget is None else budget.limit, over=over, seconds=seconds, place=place,
        )  # fmt: skip
        if number <= len(scene.later):
            session = _next(scene, number, review, compacted.text)


def _within(text: str, budget: Budget) -> str:
    """The beginning of `text` that the budget holds."""
    return text[
        : bisect_right(range(len(text)), 0, key=lambda end: not budget.holds(text[: end + 1]))
    ]


def _next(scene: Scene, number: int, review: Review, text: str) -> Session:
    """The session of the next round."""
    name = f"{scene.name}.{number + 1}"
    pieces = pieces_of(review.session)
    result = [pieces[at] for at in review.plan.staying]
    place = review.plan.summary_at or 0  # one that goes to a file is the start of what follows
    result[place:place] = summary(text, f"{name}.start")
    new = said(scene.later[number - 1], name)
    return joined([*result, *new], scene.session, name)


def _judged(
    scene: Scene,
    number: int,
    session: Session,
    compacted: Compacted,
    begins: str,
    *,
    limit: int | None,
    over: bool,
    seconds: float,
    place: Place,
) -> Round:
    begun, written = Text(begins), Text(compacted.text)
    verdicts = []
    for thing in scene.things:
        older = thing.superseded(number)
        current = thing.current(number)
        # Kept messages are a conversation: what was said in it later holds, as everybody knows.
        stale = [one for one in older if written.standing(one, [current]) is Standing.CURRENT]
        noted = sum(written.sets_beside(one, current) for one in stale)
        standing = begun.standing(current)
        verdicts.append(Verdict(thing, standing, len(stale), noted, len(older)))
    return Round(
        number,
        tuple(verdicts),
        invented(compacted.text, told_by(session)),
        len(compacted.text),
        weigh(compacted.text, session, place.settings, place.environment),
        seconds,
        limit,
        over,
        compacted.spent,
        compacted.remarks,
        session,
        compacted.text,
        begins,
    )
