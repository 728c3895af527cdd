"""The strategies side by side on one session."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from redline.compaction.plan import Action, Plan, PlanTokens
from redline.compaction.price import Cost
from redline.compaction.strategies.registry import names, strategy
from redline.compaction.strategies.strategy import Trigger
from redline.comparison.staying import Counted, staying
from redline.context.window import Category, Window
from redline.errors import RedlineError, in_words
from redline.review import Review
from redline.settings import Settings


@dataclass(frozen=True, slots=True)
class Row:
    """One strategy. Where its plan cannot be made, `plan` is None and `why_not` says why.

    `after` is the window's content by category, in tokens, with the summary that is expected;
    `counts` are messages by action. `stays` is None until it is counted.
    """

    strategy: str
    about: str = ""
    plan: Plan | None = None
    why_not: str = ""
    tokens: PlanTokens | None = None
    after: Mapping[Category, int] | None = None
    counts: Mapping[Action, int] | None = None
    cost: Cost | None = None
    triggers: tuple[Trigger, ...] = ()
    stays: Counted | None = None

    @property
    def total(self) -> int | None:
        """Tokens of the next window."""
        return None if self.after is None else sum(self.after.values())

    @property
    def acts_at(self) -> int | None:
        """The least tokens at which its agent acts by itself, None where none is known."""
        return min((t.tokens for t in self.triggers if t.tokens is not None), default=None)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows in the order of the registry, as far as they are ready; `whole` says that all are.
    `chosen` is the strategy of the review they were made from."""

    window: Window
    chosen: str
    rows: tuple[Row, ...] = ()
    whole: bool = False

    @property
    def planned(self) -> tuple[Row, ...]:
        """The rows that have a plan."""
        return tuple(row for row in self.rows if row.plan is not None)

    def actions(self, message: int) -> tuple[Action, ...]:
        """What becomes of the message with that index by each row of `planned`."""
        return tuple(row.plan.actions[message] for row in self.rows if row.plan is not None)

    def row(self, name: str) -> Row | None:
        """The row of that strategy, None where it is not ready."""
        return next((row for row in self.rows if row.strategy == name), None)

    def differing(self, *strategies: str) -> tuple[int, ...]:
        """The indexes of the messages that the plans of `strategies` (none named: of all) treat
        differently, in whole or in part."""
        plans = [
            row.plan
            for row in self.rows
            if row.plan is not None and (not strategies or row.strategy in strategies)
        ]
        if len(plans) < 2:
            return ()
        turned = {message for plan in plans for message, _ in plan.parts}
        columns = zip(*(plan.actions for plan in plans), strict=True)
        return tuple(
            i
            for i, actions in enumerate(columns)
            if any(action is not actions[0] for action in actions)
            or (i in turned and _parts_differ(plans, i))
        )


def _parts_differ(plans: Sequence[Plan], message: int) -> bool:
    parts = range(len(plans[0].outline.messages[message].parts))
    return any(len({plan.action_of(message, part) for plan in plans}) > 1 for part in parts)


def compared(
    review: Review,
    now: datetime,
    settings: Settings,
    *,
    strategies: Sequence[str] | None = None,
    tail: int | None = None,
    counted: int | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Comparison]:
    """The comparison of `strategies` (None: all there are), again each time there is more of it;
    ends at once where it is `cancelled`. Nothing is written, no model is asked.

    The review's own strategy stands as it is planned there (`counted` are the tokens of the handoff
    that is written for it), the others with their own defaults, and with the same pins. `tail` is a
    budget for all of them. Raises RedlineError where the session's file has changed under it.
    """
    found = Comparison(review.window, review.strategy)
    for name in names() if strategies is None else strategies:
        if cancelled():
            return
        own = counted if name == review.strategy and tail is None else None
        found = replace(found, rows=(*found.rows, _row(review, name, now, settings, tail, own)))
        yield found
    plans = [row.plan for row in found.rows if row.plan is not None]
    counts = staying(review.session, plans, review.ledger, review.facts, cancelled)
    if counts is not None:
        ready = iter(counts)
        rows = tuple(
            row if row.plan is None else replace(row, stays=next(ready)) for row in found.rows
        )
        yield replace(found, rows=rows, whole=True)


def compare(
    review: Review,
    now: datetime,
    settings: Settings,
    *,
    strategies: Sequence[str] | None = None,
    tail: int | None = None,
) -> Comparison:
    """The whole comparison at once, see `compared`."""
    *_, last = compared(review, now, settings, strategies=strategies, tail=tail)
    return last


def taken(review: Review, name: str, tail: int | None = None) -> Review:
    """The review with the strategy of a row. Raises RedlineError where it makes no plan."""
    if name != review.strategy:
        review = review.use_strategy(name)
    return review if tail is None else review.use_tail(tail)


def _row(
    review: Review,
    name: str,
    now: datetime,
    settings: Settings,
    tail: int | None,
    counted: int | None,
) -> Row:
    about = ""
    triggers: tuple[Trigger, ...] = ()
    try:
        chosen = strategy(name)
        about, triggers = chosen.about, chosen.triggers(review.window, review.settings)
        made = taken(review, name, tail)
    except RedlineError as error:
        return Row(name, about, why_not=error.message, triggers=triggers)
    except Exception as error:  # noqa: BLE001 - another package's strategy; its row says what it did
        return Row(name, about, why_not=f"it fails: {in_words(error)}", triggers=triggers)
    return Row(
        name,
        about,
        made.plan,
        tokens=made.tokens(),
        after=made.bar_after(counted),
        counts={action: made.plan.actions.count(action) for action in Action},
        cost=made.cost(now, settings, counted),
        triggers=triggers,
    )
