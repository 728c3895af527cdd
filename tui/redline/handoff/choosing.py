"""Which items of a handoff fit into a budget, and the handoff that is made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from redline.handoff.budget import Budget
from redline.handoff.handoff import Anchors, Constraint, Files, Handoff, UserWords
from redline.handoff.layout import BY_KEY, Form
from redline.handoff.markdown import heading_text, item_text, render

REASONS = "reasons"  # what a changed file was changed for: (path, reason)
_TINY = "- a few words of text\n"
_HIGH = 1.0  # value from which on an item gets its long form before lower ones get any


@dataclass(frozen=True, slots=True)
class Item:
    """Something that may stand in a handoff: in the section `key`, at `place` among its items.
    `forms` are the ways to put it, the shortest first. Rules come first of all and go last of all,
    the confirmed ones before the others; then what `must` be there; of the rest that with the
    highest `value`. `sources` are ids of messages."""

    key: str
    forms: tuple[Any, ...]
    value: float
    place: int = 0
    must: bool = False
    sources: tuple[str, ...] = ()

    @property
    def is_rule(self) -> bool:
        """Whether it is a rule."""
        return isinstance(self.forms[0], Constraint)

    @property
    def turn(self) -> int:
        """When its turn is: what has a lower one is chosen first."""
        form = self.forms[0]
        if isinstance(form, Constraint):
            return 0 if form.confirmed else 1
        return 2 if self.must else 3


@dataclass
class _Pick:
    item: Item
    form: int
    cost: int


@dataclass
class Choice:
    """Picks items for `base`, a handoff without items, until `budget` is used up."""

    base: Handoff
    budget: Budget
    picks: list[_Pick] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._left = self.budget.limit - self.budget.measure(render(self.base))
        self._headings: set[tuple[str, bool]] = set()
        self._furniture = self.budget.measure(_TINY)  # or scraps would come before sentences

    def take(self, items: Iterable[Item], *, dense: bool) -> None:
        """Takes what fits of `items`: by value, or with `dense` by value for its length, and each
        as long as there is room for it. Where not all rules fit, nothing else is taken."""

        def rank(item: Item) -> tuple[int, float]:
            by_length = dense and not item.is_rule
            length = self._cost(item, 0) + self._furniture if by_length else 1
            return item.turn, -item.value / length

        ordered = sorted(items, key=rank)
        rules = [item for item in ordered if item.is_rule]
        taken = self._all_taken(rules)
        if len(taken) < len(rules):
            self.picks += taken
            return
        rest = [item for item in ordered if not item.is_rule]
        for high in (True, False):
            tier = (item for item in rest if (item.must or item.value >= _HIGH) is high)
            taken += self._all_taken(tier)
            for pick in sorted(taken, key=lambda pick: -pick.item.value):
                self._lengthen(pick)
            self.picks += taken
            taken = []

    def has_rules(self, items: Iterable[Item]) -> bool:
        """Whether all rules of `items` were taken."""
        return sum(pick.item.is_rule for pick in self.picks) == sum(i.is_rule for i in items)

    def handoff(self) -> Handoff:
        """The handoff of all that was taken, with nothing in it but what the budget holds; where
        the budget is not strict, also of all that must be there."""
        while True:
            made = assembled(self.base, [(p.item, p.item.forms[p.form]) for p in self.picks])
            over = self.budget.measure(render(made)) - self.budget.limit
            if over <= 0 or not self._drop(over):
                return made

    def _drop(self, over: int) -> bool:
        """Drops the last picks that weigh `over`; whether there was anything to drop."""
        dropped = False
        while over > 0 and self.picks:
            if self.picks[-1].item.must and not self.budget.strict:
                break
            over -= max(1, self.picks.pop().cost)
            dropped = True
        return dropped

    def _all_taken(self, items: Iterable[Item]) -> list[_Pick]:
        return [pick for item in items if (pick := self._taken(item)) is not None]

    def _taken(self, item: Item) -> _Pick | None:
        cost, heading = self._cost(item, 0), self._heading(item)
        if heading not in self._headings:
            cost += self.budget.measure(self._title(item))
        if cost > self._left and not (item.must and not self.budget.strict):
            return None
        self._headings.add(heading)
        self._left -= cost
        return _Pick(item, 0, cost)

    def _lengthen(self, pick: _Pick) -> None:
        """The longest form of a pick that there is room for."""
        for form in range(len(pick.item.forms) - 1, 0, -1):
            more = self._cost(pick.item, form) - self._cost(pick.item, 0)
            if more <= self._left:
                self._left -= more
                pick.form, pick.cost = form, pick.cost + more
                return

    def _heading(self, item: Item) -> tuple[str, bool]:
        form = item.forms[0]
        return item.key, form.confirmed if isinstance(form, Constraint) else True

    def _title(self, item: Item) -> str:
        key, confirmed = self._heading(item)
        if key == REASONS:
            return ""
        return heading_text(key, brief=self.base.brief, confirmed=confirmed) + "\n"

    def _cost(self, item: Item, form: int) -> int:
        return self.budget.measure(_text(item.key, item.forms[form], brief=self.base.brief))


def _text(key: str, form: Any, *, brief: bool) -> str:
    if key == REASONS:
        return f": {form[1]}"
    if BY_KEY[key].form is Form.TEXT:
        return f"{form}\n"
    if isinstance(form, Constraint):
        form = replace(form, id="", message="")
    elif isinstance(form, UserWords):
        form = replace(form, message="")
    text = item_text(key, form, brief=brief) + "\n"
    if not brief:
        if key == "user_words":
            return text + "\n"
        if isinstance(form, Constraint) and form.confirmed:
            return text + f"- {form.text}\n"  # it stands at the end once more
    return text


def assembled(base: Handoff, chosen: Sequence[tuple[Item, Any]]) -> Handoff:
    """`base` with the chosen forms in their places, and with where each comes from."""
    by_key: dict[str, list[tuple[Item, Any]]] = {}
    for item, form in chosen:
        by_key.setdefault(item.key, []).append((item, form))
    values: dict[str, Any] = {}
    sources: dict[str, tuple[str, ...]] = {}
    nested: dict[str, dict[str, Any]] = {"files": {}, "anchors": {}}
    for key, pairs in by_key.items():
        pairs.sort(key=lambda pair: (base.brief and _waits(pair[1]), pair[0].place))
        if key == REASONS:
            values[key] = dict(form for _, form in pairs)
            continue
        pointer, text = "/" + key.replace(".", "/"), BY_KEY[key].form is Form.TEXT
        forms: dict[Any, tuple[str, ...]] = {}
        for item, form in pairs:
            forms.setdefault(form, item.sources)
        for place, source in enumerate(forms.values()):
            if source:
                sources[pointer if text else f"{pointer}/{place}"] = source
        name, _, inner = key.partition(".")
        value = next(iter(forms)) if text else tuple(forms)
        if inner:
            nested[name][inner] = value
        else:
            values[name] = value
    return replace(
        base,
        **values,
        files=Files(**nested["files"]),
        anchors=Anchors(**nested["anchors"]),
        sources={**base.sources, **sources},
    )


def _waits(form: Any) -> bool:
    """Whether it is a rule that a brief handoff puts under the heading of the unconfirmed ones."""
    return isinstance(form, Constraint) and not form.confirmed


def sources_of(handoff: Handoff, key: str, place: int | None = None) -> tuple[str, ...]:
    """The messages an item of `handoff` comes from."""
    pointer = "/" + key.replace(".", "/")
    found: Mapping[str, tuple[str, ...]] = handoff.sources
    return found.get(pointer if place is None else f"{pointer}/{place}", ())
