"""What a session has cost so far, by model, its subagents apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

from redline.agents.billing import billed
from redline.context.prices import price_of
from redline.model import Billed, Session, Usage
from redline.money import dollars
from redline.settings import Settings

_TOKENS = tuple(field.name for field in fields(Usage))


@dataclass(frozen=True, slots=True)
class Spent:
    """What one model was asked for: all of its requests (0: nobody counted them), their tokens,
    and dollars, None where its price is unknown. `by_agent`: the agent itself told the dollars."""

    model: str | None
    requests: int
    usage: Usage
    dollars: float | None
    by_agent: bool = False


@dataclass(frozen=True, slots=True)
class Spending:
    """`own` are the session's requests, `aside` those of its subagents, the dearest model first."""

    own: tuple[Spent, ...] = ()
    aside: tuple[Spent, ...] = ()

    @property
    def dollars(self) -> float | None:
        """All of it; None where a price is unknown, or nothing was told of any request."""
        amounts = [spent.dollars for spent in (*self.own, *self.aside)]
        known = [amount for amount in amounts if amount is not None]
        return sum(known) if amounts and len(known) == len(amounts) else None

    @property
    def known_dollars(self) -> float:
        """What is known of it: at least so much."""
        return dollars_of((*self.own, *self.aside))

    @property
    def unpriced(self) -> tuple[str, ...]:
        """The models whose price is unknown."""
        names = (s.model or "?" for s in (*self.own, *self.aside) if s.dollars is None)
        return tuple(dict.fromkeys(names))

    @property
    def words(self) -> str:
        """`$5.45, $3.49 of it by subagents`; `at least $1.20 (price of glm-5 unknown)`; "" where no
        request is told of."""
        if not self.own and not self.aside:
            return ""
        if self.dollars is None:
            least = f"at least {dollars(self.known_dollars)}" if self.known_dollars else "?"
            return f"{least} (price of {', '.join(self.unpriced)} unknown)"
        if self.aside:
            return f"{dollars(self.dollars)}, {dollars(dollars_of(self.aside))} of it by subagents"
        return dollars(self.dollars)


def dollars_of(spent: Iterable[Spent]) -> float:
    """The known dollars of several models."""
    return sum(one.dollars or 0.0 for one in spent)


def spending(session: Session, settings: Settings | None = None) -> Spending:
    """What `session` has cost so far. Reads the files of its subagents: slow where they are long.
    Raises RedlineError where its own cannot be read."""
    return spent_on(billed(session), settings)


def spent_on(requests: Iterable[Billed], settings: Settings | None = None) -> Spending:
    """The cost of `requests`, each priced by its own size."""
    found: dict[tuple[bool, str | None], _Sum] = {}
    for request in requests:
        of = request.aside, request.model
        one = found.get(of)
        if one is None:
            one = found[of] = _Sum(request.model, settings)
        one.add(request)
    parts = [
        tuple(
            sorted(
                (one.spent() for (aside, _), one in found.items() if aside is wanted),
                key=lambda spent: (-(spent.dollars or 0.0), spent.model or ""),
            )
        )
        for wanted in (False, True)
    ]
    return Spending(parts[0], parts[1])


class _Sum:
    """Adds up the requests of one model."""

    def __init__(self, model: str | None, settings: Settings | None) -> None:
        self.model = model
        self.requests = 0
        self.tokens: dict[str, int] = {}
        self.dollars: float | None = 0.0
        self.by_agent = False
        self.price = price_of(model, settings)

    def add(self, request: Billed) -> None:
        self.requests += request.requests
        for name in _TOKENS:
            count = getattr(request.usage, name)
            if count is not None:
                self.tokens[name] = self.tokens.get(name, 0) + count
        if self.price is not None:
            amount: float | None = self.price.of(request.usage, request.requests)
        else:
            amount = request.dollars
            self.by_agent = self.by_agent or amount is not None
        known = self.dollars is not None and amount is not None
        self.dollars = self.dollars + amount if known else None  # type: ignore[operator]

    def spent(self) -> Spent:
        by_agent = self.by_agent and self.dollars is not None
        usage = Usage(**self.tokens)
        return Spent(self.model, self.requests, usage, self.dollars, by_agent)
