"""One run of the simulated agent in one way of working."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random

from redline.compaction.plan import Action
from redline.compaction.strategies.strategy import StrategySettings
from redline.context.families import family
from redline.context.measure import measure
from redline.context.prices import Price, price_of
from redline.context.weighing import weigh
from redline.evaluate.joining import CONTINUED, empty
from redline.evaluate.rounds import Place
from redline.evaluate.ways import native
from redline.evaluate.ways.assumptions import Rates
from redline.evaluate.ways.context import Context, Entry
from redline.evaluate.ways.recall import question, recall
from redline.evaluate.ways.script import Request, Told
from redline.facts.extract import extract
from redline.ledger.detect import detect
from redline.model import Usage
from redline.review import Choice, Review

_CLEARED = "[old tool result cleared]"
_BLOCK = "# Rules of this project\n\nThese hold for everything you do:\n"
_ASKED = "A summary of all of it is to be written."


class WayName(StrEnum):
    """The ways of working that are compared."""

    NONE = "none"
    BEST = "none, at best"
    BLOCK = "instructions block"
    PROXY = "proxy"
    MEMORY = "proxy with memory"

    @property
    def by_redline(self) -> bool:
        """Whether redline compacts before the agent does."""
        return self in (WayName.PROXY, WayName.MEMORY)


@dataclass(slots=True)
class Outcome:
    """What a run came to. Tokens as billed: new ones (written to the cache, or plain input), those
    read from the cache, and output; `dollars` None where the price is unknown. `interventions` are
    the times that the user had to say again what was said, `reread` the files read once more,
    `recalled` the questions that the memory answered."""

    way: WayName
    seed: int
    requests: int = 0
    rounds: int = 0
    new_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    dollars: float | None = None
    broken: int = 0
    interventions: int = 0
    reread: int = 0
    recalled: int = 0
    handoff_tokens: list[int] = field(default_factory=list)

    @property
    def billed(self) -> int:
        """All tokens, input and output."""
        return self.new_tokens + self.cached_tokens + self.output_tokens


def simulate(
    way: WayName,
    requests: Sequence[Request],
    rates: Rates,
    *,
    seed: int,
    window: int,
    model: str,
    place: Place,
    told: Callable[[int], None] = lambda _: None,
) -> Outcome:
    """The run that `requests` script, in `way`, with a model of `window` tokens. `told` gets the
    number of each request."""
    run = _Run(way, rates, seed, window, model, place)
    for request in requests:
        run.step(request)
        told(request.number)
    return run.outcome


class _Run:
    def __init__(
        self, way: WayName, rates: Rates, seed: int, window: int, model: str, place: Place
    ) -> None:
        self._rates, self._seed, self._place = rates, seed, place
        self._way = way
        self._things: list[Told] = []  # told or shown so far
        self._price: Price | None = price_of(model, place.settings)
        like = empty("run", "/home/dev/app", model)
        extra = round(family(model).message)

        def weighed(text: str) -> int:
            return extra + weigh(text, like, place.settings, place.environment)

        self._context = Context(like, weighed, rates.system_tokens)
        self._trigger = round(window * rates.threshold)
        if way.by_redline:
            self._trigger = round(self._trigger * rates.proxy_at)
        self.outcome = Outcome(way, seed, dollars=None if self._price is None else 0.0)

    def step(self, request: Request) -> None:
        context = self._context
        self._things += request.tells
        if request.prompt:
            item = {"role": "user", "content": request.prompt}
            context.add(context.entry(item, looked=request.tells))
        self._work(request)
        self._tested(request)
        for thing in request.needs:
            if not context.has(thing):
                self._find(thing)

    def _work(self, request: Request) -> None:
        """The request itself, its call and the result."""
        context = self._context
        reads = next((thing.path for thing in request.shows), "")
        if not reads and request.call[0]["content"][-1]["name"] == "Read":
            reads = request.call[0]["content"][-1]["input"]["file_path"]
        self._things += request.shows
        reply, result = context.made(request.call, looked=request.shows, reads=reads)
        self._bill(reply.tokens)
        context.add(reply, result)

    def _block(self) -> Entry:
        """The rules as the instructions file has them by now; it is read at every start."""
        rules = [f"- {thing.statement.text}" for thing in self._things if thing.is_rule]
        item = {"role": "user", "content": _BLOCK + "\n".join(rules)}
        return self._context.entry(item, looked=[one for one in self._things if one.is_rule])

    def _tested(self, request: Request) -> None:
        for thing in request.tests:
            absent = not self._context.has(thing)
            rates = self._rates
            limit = rates.broken_when_absent if absent else rates.broken_when_present
            luck = Random(f"test {self._seed}/{request.number}/{thing.name}").random()
            if luck < limit:
                self.outcome.broken += 1
                self._said_again(thing)

    def _find(self, thing: Told) -> None:
        """What is needed and not there: recalled, read again, or asked of the user."""
        if self._way is WayName.MEMORY and self._recalled(thing):
            return
        if not thing.path:
            self._said_again(thing)
            return
        self.outcome.reread += 1
        text = next(t for t in reversed(self._context.archive) if thing.statement.text in t)
        self._use("Read", {"file_path": thing.path}, text, [thing], reads=thing.path)

    def _recalled(self, thing: Told) -> bool:
        rates = self._rates
        asked = question(thing.statement)
        found = recall(
            asked,
            self._context.archive,
            passages=rates.passages,
            characters=rates.passage_characters,
        )
        self._use("recall", {"query": asked}, "\n\n".join(found), [thing])
        there = self._context.has(thing)
        self.outcome.recalled += there
        return there

    def _use(
        self, tool: str, given: dict[str, str], text: str, looked: Sequence[Told], reads: str = ""
    ) -> None:
        """One request more, with a call of its own."""
        ident = f"more-{self.outcome.requests}"
        use = {"type": "tool_use", "id": ident, "name": tool, "input": given}
        back = {"type": "tool_result", "tool_use_id": ident, "content": text}
        made = self._context.made(
            [{"role": "assistant", "content": [use]}, {"role": "user", "content": [back]}],
            looked=looked,
            reads=reads,
        )
        self._bill(made[0].tokens)
        self._context.add(*made)

    def _said_again(self, thing: Told) -> None:
        """The user says again what was said, and the agent does its work over."""
        context = self._context
        self.outcome.interventions += 1
        item = {"role": "user", "content": thing.statement.text}
        context.add(context.entry(item, looked=[thing]))
        self._bill(self._rates.reply_tokens)
        reply = {"role": "assistant", "content": "That is put right."}
        context.add(context.entry(reply))

    # -- what it costs -------------------------------------------------------------------------

    def _bill(self, output: int) -> None:
        """One request. Before it goes out the context is compacted where it is full."""
        if self._context.tokens > self._trigger:
            self._compact()
        self._pay(self._context.tokens, self._context.cached(), output)

    def _pay(self, tokens: int, cached: int, output: int) -> None:
        outcome = self.outcome
        new = tokens - cached
        outcome.requests += 1
        outcome.new_tokens += new
        outcome.cached_tokens += cached
        outcome.output_tokens += output
        if self._price is not None and outcome.dollars is not None:
            usage = Usage(input=0, cache_read=cached, cache_write=new, output=output)
            outcome.dollars += self._price.of(usage)

    def _compact(self) -> None:
        self.outcome.rounds += 1
        if self._way.by_redline:
            self._by_redline()
            return
        context = self._context
        tokens, cached = context.tokens + context.weigh(_ASKED), context.cached()
        written = native.compact(
            context,
            self._things,
            self._rates,
            seed=self._seed,
            round_number=self.outcome.rounds,
            at_best=self._way is WayName.BEST,
        )
        self._pay(tokens, cached, written)
        if self._way is WayName.BLOCK:
            context.entries.insert(0, self._block())

    def _by_redline(self) -> None:
        """redline's own plan and offline handoff of the context."""
        context = self._context
        session = context.session()
        window = measure(session, self._place.settings, self._place.environment)
        choice = Choice("redline", StrategySettings())
        review = Review.start(session, window, extract(session), detect(session), choice).write()
        looked = self._things
        item = {"role": "user", "content": CONTINUED + review.text}
        summary = context.entry(item, looked=looked)
        self.outcome.handoff_tokens.append(summary.tokens)
        plan = review.plan
        kept = [
            self._as_planned(entry, plan.action_of(at, 0))
            for at, entry in enumerate(context.entries)
            if plan.actions[at].stays
        ]
        context.entries = [summary, *kept]

    def _as_planned(self, entry: Entry, action: Action) -> Entry:
        """A kept message, its result cleared where the plan says so."""
        blocks = entry.item["content"]
        if action not in (Action.CLEAR, Action.SHORTEN) or isinstance(blocks, str):
            return entry
        (block,) = blocks
        cleared = {**block, "content": _CLEARED}
        return self._context.entry({"role": "user", "content": [cleared]})
