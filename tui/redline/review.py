"""One supervised compaction: the state that every face drives, from session to receipt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import TYPE_CHECKING

from redline.compaction.cuts import next_cut, next_turn
from redline.compaction.effect import Layer, after, layers, plan_tokens
from redline.compaction.layers import LayerName, layer_of, remembered
from redline.compaction.outline import Outline, outline
from redline.compaction.plan import Action, Pins, Plan, PlanTokens
from redline.compaction.strategies.registry import OWN, strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.context.billed import model_of
from redline.context.window import Category, Window
from redline.errors import RedlineError, in_words
from redline.facts.fact import Facts
from redline.handoff.handoff import Handoff
from redline.ledger.rule import Ledger
from redline.model import Session
from redline.settings import Settings

if TYPE_CHECKING:
    from redline.compaction.price import Cost
    from redline.handoff.audit import Audit, AuditItem
    from redline.handoff.budget import Budget
    from redline.handoff.finished import Finished
    from redline.handoff.invented import Invented, Known
    from redline.handoff.writers.writer import SummaryForm, Task
    from redline.handoff.writers.writing import Written

OFFLINE = "offline"


@dataclass(frozen=True, slots=True)
class Choice:
    """What the person has chosen so far: what `undo` goes back over."""

    strategy: str
    settings: StrategySettings = field(default_factory=StrategySettings)
    pins: Pins = field(default_factory=Pins)


@dataclass(frozen=True, slots=True)
class Review:
    """Immutable; every step gives a new one.

    `text` is the handoff as it stands, edits included, `written` what the writer
    gave (`writer` is its name), `handoff` the same as data with its sources (None for a draft of an
    earlier run), `before` the text that was there before it was last written. `stale`
    names what no longer fits what it was made from: "handoff" (plan, focus or rules changed since
    it was written), "audit" (plan, rules or text changed since). `conflicts` are sections that the
    person edited and the writer would now write differently.
    """

    session: Session
    window: Window
    facts: Facts
    ledger: Ledger
    outline: Outline
    choice: Choice
    plan: Plan
    focus: str = ""
    text: str = ""
    written: str = ""
    handoff: Handoff | None = None
    writer: str = OFFLINE
    before: str = ""
    writer_before: str = OFFLINE
    conflicts: tuple[str, ...] = ()
    audit: Audit | None = None
    stale: frozenset[str] = frozenset()
    past: tuple[Choice, ...] = ()
    future: tuple[Choice, ...] = ()

    @classmethod
    def start(
        cls, session: Session, window: Window, facts: Facts, ledger: Ledger, choice: Choice
    ) -> Review:
        """A review of `session` with a first plan. Raises RedlineError where the choice names an
        unknown strategy or message."""
        shape = outline(session.context)
        plan = _propose(window, shape, facts, ledger, choice)
        return cls(session, window, facts, ledger, shape, choice, plan)

    # -- the plan ------------------------------------------------------------------------------

    @property
    def strategy(self) -> str:
        return self.choice.strategy

    @property
    def settings(self) -> StrategySettings:
        return self.choice.settings

    @property
    def pins(self) -> Pins:
        return self.choice.pins

    def move_cut(self, message: str | None) -> Review:
        """The tail starts at `message`; None lets the strategy decide again."""
        return self._choose(replace(self.choice, pins=replace(self.pins, cut=message)))

    def cut_by_turn(self, step: int) -> Review:
        """The cut moves to the next (+1) or previous (-1) start of a turn."""
        return self._step(next_turn(self.outline, self._cut_index, step))

    def cut_by_message(self, step: int) -> Review:
        """The cut moves to the next (+1) or previous (-1) place where it may stand."""
        return self._step(next_cut(self.outline, self._cut_index, step))

    def pin(self, messages: Iterable[str], action: Action) -> Review:
        """These messages, with what calls tie to them, get `action` whatever the strategy says."""
        actions = {**self.pins.actions, **dict.fromkeys(messages, action)}
        return self._choose(replace(self.choice, pins=replace(self.pins, actions=actions)))

    def pin_part(self, message: str, part: int, action: Action) -> Review:
        """One part of a message, counted from 0, gets `action` whatever the strategy says."""
        parts = {**self.pins.parts, (message, part): action}
        return self._choose(replace(self.choice, pins=replace(self.pins, parts=parts)))

    def unpin(self, messages: Iterable[str]) -> Review:
        """The strategy decides about these messages, and what they are tied to, again."""
        gone = {
            self.outline.messages[member].id
            for name in messages
            if name in self.outline.index
            for member in self.outline.members[self.outline.group[self.outline.index[name]]]
        }
        actions = {name: act for name, act in self.pins.actions.items() if name not in gone}
        parts = {key: act for key, act in self.pins.parts.items() if key[0] not in gone}
        pins = replace(self.pins, actions=actions, parts=parts)
        return self._choose(replace(self.choice, pins=pins))

    def use_strategy(self, name: str) -> Review:
        """Another strategy with its own defaults; pins stay, the moved cut does not."""
        pins = replace(self.pins, cut=None)
        settings = replace(self.settings, tail_tokens=None, keep_results=None, clear_from=None)
        return self._choose(Choice(name, settings, pins))

    def use_tail(self, tokens: int) -> Review:
        """The tail gets a budget of `tokens`; the cut is the strategy's again."""
        settings = replace(self.settings, tail_tokens=max(0, tokens))
        pins = replace(self.pins, cut=None)
        return self._choose(replace(self.choice, settings=settings, pins=pins))

    def with_pins(self, pins: Pins) -> Review:
        """All pins at once, as they were kept from an earlier run; nothing to undo."""
        return self._planned(replace(self.choice, pins=pins), past=(), future=())

    def undo(self) -> Review:
        """Back over the last change of the plan."""
        if not self.past:
            return self
        return self._planned(self.past[-1], past=self.past[:-1], future=(self.choice, *self.future))

    def redo(self) -> Review:
        """The next choice that `undo` went back over."""
        if not self.future:
            return self
        return self._planned(self.future[0], past=(*self.past, self.choice), future=self.future[1:])

    # -- the handoff ---------------------------------------------------------------------------

    def with_focus(self, focus: str) -> Review:
        """The same with another hint of what the handoff must be about."""
        if focus == self.focus:
            return self
        return replace(self, focus=focus, stale=self.stale | self._outdated({"handoff"}))

    def with_ledger(self, ledger: Ledger) -> Review:
        """The rules as they stand now; the plan is proposed again."""
        if ledger == self.ledger:
            return self
        plan = _propose(self.window, self.outline, self.facts, ledger, self.choice)
        stale = self.stale | self._outdated({"handoff", "audit"})
        return replace(self, ledger=ledger, plan=plan, stale=stale)

    def write(self, budget: Budget | None = None) -> Review:
        """The handoff, written without a model, no longer than `budget`. Sections that a person
        edited are carried over."""
        return self.by_budget()(budget)

    def by_budget(self) -> Callable[[Budget | None], Review]:
        """What does the same for one budget after the other, in less time."""
        from redline.handoff.offline import by_budget

        made = by_budget(self.session, self.plan, self.facts, self.ledger, focus=self.focus)
        return lambda budget: self._with_handoff(made(budget), OFFLINE)

    def task(
        self, budget: Budget | None = None, form: SummaryForm | None = None, previous: str = ""
    ) -> Task:
        """What a writer is given. It works outside, and `with_written` takes in what it gives."""
        from redline.handoff.writers.writer import SummaryForm, Task

        return Task(
            self.session,
            self.plan,
            self.facts,
            self.ledger,
            self.focus,
            previous,
            budget,
            form or SummaryForm.HANDOFF,
        )

    def with_written(self, written: Written) -> Review:
        """The handoff as a writer gave it. Sections that a person edited are carried over; the
        text that stood there is kept as `before`, and `brought_back` brings it back."""
        return self._with_handoff(written.handoff, written.writer if written.used else OFFLINE)

    def brought_back(self) -> Review:
        """The text as it was before it was last written; doing it again undoes that."""
        if not self.before:
            return self
        return replace(
            self.with_text(self.before),
            before=self.text,
            writer=self.writer_before,
            writer_before=self.writer,
        )

    def _with_handoff(self, handoff: Handoff, writer: str) -> Review:
        from redline.handoff.carry import carry_over
        from redline.handoff.markdown import render

        again = render(handoff)
        carried = carry_over(self.written, self.text, again)
        return replace(
            self,
            text=carried.text,
            written=again,
            handoff=handoff,
            writer=writer,
            before=self.text if self.text != carried.text else self.before,
            writer_before=self.writer if self.text != carried.text else self.writer_before,
            conflicts=carried.conflicts,
            stale=(self.stale - {"handoff"}) | self._outdated({"audit"}),
        )

    def with_draft(self, text: str, written: str, focus: str) -> Review:
        """The handoff as it was left in an earlier run. What it says of the session may be older
        than the session, so it is stale until it is written again."""
        stale = self.stale | ({"handoff"} if written else set())
        return replace(self, text=text, written=written, focus=focus, stale=stale)

    def with_text(self, text: str) -> Review:
        """The handoff as a person edited it."""
        if text == self.text:
            return self
        return replace(self, text=text, stale=self.stale | self._outdated({"audit"}))

    def audited(self) -> Review:
        """What the handoff plus the kept messages hold of all that matters."""
        from redline.handoff.auditing import audit

        found = audit(self.session, self.plan, self.text, self.ledger, self.facts)
        return replace(self, audit=found, stale=self.stale - {"audit"})

    def insert(self, item: AuditItem) -> Review:
        """The missing item in the handoff, word for word, in the section it belongs to."""
        from redline.handoff.insertion import insert

        return self.with_text(insert(self.text, item))

    def known(self, today: date) -> Known:
        """What the handoff is held against: the session, and what a person said beside it. It
        remembers what it looked for, so one is kept as long as the session does not grow."""
        from redline.handoff.invented import Known

        beside = (self.focus, *(rule.text for rule in self.ledger.rules))
        return Known(self.session, also=beside, today=today)

    def invented(
        self, known: Known, cancelled: Callable[[], bool] = lambda: False
    ) -> tuple[Invented, ...]:
        """What a writer named in the text, by its place there, and the session does not hold. What
        a person typed is theirs. Slow for a long session, the first time."""
        found = known.invented(self.text, cancelled=cancelled)
        return tuple(item for item in found if item.text in self.written)

    def finished(self) -> tuple[Finished, ...]:
        """The next steps of the text that the session shows as finished."""
        from redline.handoff.finished import finished_steps
        from redline.handoff.markdown import parse

        return finished_steps(parse(self.text), self.facts)

    # -- what it comes to ----------------------------------------------------------------------

    def tokens(self) -> PlanTokens:
        """What the plan keeps, clears and summarises, in calibrated tokens."""
        return plan_tokens(self.plan, self.window)

    def summary_tokens(self, counted: int | None = None) -> int:
        """Tokens of the handoff: `counted` where it is written, else what its fixed parts and the
        quoted words will weigh at least (an estimate)."""
        if counted is not None:
            return counted
        quoted = sum(
            tokens
            for tokens, action in zip(self.window.tokens, self.plan.actions, strict=True)
            if action is Action.QUOTE
        )
        return min(_SUMMARY_TOKENS, self.tokens().summarised) + quoted

    def bar_now(self) -> Mapping[Category, int]:
        """Tokens used by category."""
        return self.window.categories

    def bar_after(self, counted: int | None = None) -> Mapping[Category, int]:
        """Tokens by category after the plan; `counted` are those of the handoff."""
        return after(self.plan, self.window, self.summary_tokens(counted))

    def cost(self, now: datetime, settings: Settings, counted: int | None = None) -> Cost:
        """What the plan costs and saves at `now`; `counted` are the tokens of the handoff."""
        from redline.compaction.price import cost
        from redline.context.provider_cache import provider_cache

        return cost(
            self.plan,
            self.window,
            model=model_of(self.session),
            summary_tokens=self.summary_tokens(counted),
            cache=provider_cache(self.session, now),
            settings=settings,
        )

    def layers(self) -> tuple[Layer, ...]:
        """How much goes to the buffer, the summary and the long-term memory."""
        return layers(self.plan, self.window, self.facts, self.ledger)

    @property
    def memory(self) -> frozenset[int]:
        """The indexes of the messages of which something goes to the long-term memory."""
        return remembered(self.outline, self.facts, self.ledger)

    def layer(self, row: int) -> LayerName:
        """Where message `row` goes."""
        return layer_of(self.plan, row, self.memory)

    def rebase(self, session: Session, window: Window, facts: Facts, ledger: Ledger) -> Review:
        """The same choices on a session that has grown, also those that can be undone or done
        again. Pins on messages that are gone are left out; the person's text stays."""
        same = session.context is self.session.context
        shape = self.outline if same else outline(session.context)

        def fitting(choice: Choice) -> Choice:
            return replace(choice, pins=_fitting(choice.pins, shape))

        fresh = replace(
            self, session=session, window=window, facts=facts, ledger=ledger, outline=shape
        )
        return fresh._planned(
            fitting(self.choice),
            past=tuple(map(fitting, self.past)),
            future=tuple(map(fitting, self.future)),
        )

    # -- steps ---------------------------------------------------------------------------------

    @property
    def _cut_index(self) -> int:
        return self.plan.cut.index if self.plan.cut else len(self.outline.messages)

    def _step(self, index: int | None) -> Review:
        if index is None or index >= len(self.outline.messages):
            return self
        return self.move_cut(self.outline.messages[index].id)

    def _choose(self, choice: Choice) -> Review:
        if choice == self.choice:
            return self
        return self._planned(choice, past=(*self.past, self.choice), future=())

    def _planned(
        self, choice: Choice, *, past: tuple[Choice, ...], future: tuple[Choice, ...]
    ) -> Review:
        plan = _propose(self.window, self.outline, self.facts, self.ledger, choice)
        return replace(
            self,
            choice=choice,
            plan=plan,
            past=past,
            future=future,
            stale=self.stale | self._outdated({"handoff", "audit"}),
        )

    def _outdated(self, names: set[str]) -> set[str]:
        """Those of `names` that exist to be outdated."""
        made = {"handoff"} if self.written else set()
        return names & (made | ({"audit"} if self.audit is not None else set()))


_SUMMARY_TOKENS = 3_000  # median handoff of the offline writer on real sessions, without quotes


def _propose(window: Window, shape: Outline, facts: Facts, ledger: Ledger, choice: Choice) -> Plan:
    chosen = strategy(choice.strategy)
    if choice.strategy in OWN:
        return chosen.propose(window, shape, facts, ledger, choice.settings, choice.pins)
    try:
        made = chosen.propose(window, shape, facts, ledger, choice.settings, choice.pins)
    except RedlineError:
        raise
    except Exception as error:
        raise _of_another(choice.strategy, f"it fails: {in_words(error)}") from error
    if not isinstance(made, Plan):
        raise _of_another(choice.strategy, f"it gives {made!r}")
    return made


def _of_another(name: str, why: str) -> RedlineError:
    """What is said of a strategy of another package that fails."""
    hint = "update or remove the package that adds it, or take another strategy"
    return RedlineError(f"the strategy {name!r} makes no plan: {why}", hint)


def _fitting(pins: Pins, shape: Outline) -> Pins:
    """`pins` without those on messages that are not there."""
    return Pins(
        cut=pins.cut if pins.cut in shape.index else None,
        actions={name: act for name, act in pins.actions.items() if name in shape.index},
        parts={key: act for key, act in pins.parts.items() if key[0] in shape.index},
    )
