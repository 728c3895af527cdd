"""What happens in the simulated run, whatever the way of working: the same from the same seed."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from redline.evaluate.filler import Item, Work
from redline.evaluate.plants import PlantKind, Plants, Statement
from redline.evaluate.ways.assumptions import Rates

_RULES, _FACTS, _SEEN = 12, 12, 12
_STATED_BY = 0.6  # of the run
_CHARACTERS = (
    4.4  # of a result for each token it is to have on average: edits and commits have fewer
)
_SPREAD = 0.9  # sigma of the logarithm of a result's size
_LONGEST = 12  # times the mean
_FAILS, _CHANGES, _COMMITS = 0.12, 0.25, 0.06  # of the calls


@dataclass(frozen=True, slots=True)
class Told:
    """One thing the run depends on: a rule, a fact of the user's, or what a file says (`path`)."""

    name: str
    statement: Statement
    is_rule: bool = False
    path: str = ""


@dataclass(frozen=True, slots=True)
class Request:
    """One request of the run: what the user said just before ("" for nothing) with what that tells,
    the call with its result and what that shows, the rules it tests and the facts it needs."""

    number: int
    prompt: str
    tells: tuple[Told, ...]
    call: tuple[Item, Item]
    shows: tuple[Told, ...]
    tests: tuple[Told, ...]
    needs: tuple[Told, ...]


def script(plants: Plants, rates: Rates, *, seed: int, requests: int) -> tuple[Request, ...]:
    """The whole run."""
    random = Random(f"script {seed}")
    work = Work(random, "en", "run")
    told = _told(plants, random)
    stated = _placed(told, random, requests, rates.requests_per_prompt)
    shown = {
        at: thing for thing, at in zip(_seen(work, random), _places(random, requests), strict=True)
    }
    since: dict[str, int] = {}
    known: list[Told] = []
    found = []
    for number in range(1, requests + 1):
        tells = stated.get(number, ())
        prompt = ""
        if tells or (number - 1) % rates.requests_per_prompt == 0:
            prompt = work.prompt([thing.statement.text for thing in tells])
        shows = (shown[number],) if number in shown else ()
        tests = tuple(
            t for t in known if t.is_rule and random.random() < 1 / rates.rule_tested_every
        )
        needs = tuple(
            t for t in known if not t.is_rule and random.random() < 1 / rates.fact_needed_every
        )
        found.append(
            Request(number, prompt, tells, _call(work, random, rates, shows), shows, tests, needs)
        )
        for thing in (*tells, *shows):
            since[thing.name] = number
            known.append(thing)
    return tuple(found)


def _told(plants: Plants, random: Random) -> list[Told]:
    """Rules and facts that the user states."""
    pool = [one for one in plants.singles if one.language in ("", "en")]
    rules = [one for one in pool if one.kind in (PlantKind.RULE, PlantKind.CONSTRAINT)]
    facts = [one for one in pool if one.kind is PlantKind.FACT]
    return [
        Told(f"{'rule' if ruled else 'fact'} {place}", one.statement, ruled)
        for ruled, chosen in (
            (True, random.sample(rules, min(_RULES, len(rules)))),
            (False, random.sample(facts, min(_FACTS, len(facts)))),
        )
        for place, one in enumerate(chosen)
    ]


def _placed(
    told: list[Told], random: Random, requests: int, every: int
) -> dict[int, tuple[Told, ...]]:
    """What is told before which request."""
    turns = range(1, max(2, round(requests * _STATED_BY)), every)
    placed: dict[int, tuple[Told, ...]] = {}
    for thing in told:
        at = random.choice(turns)
        placed[at] = (*placed.get(at, ()), thing)
    return placed


def _seen(work: Work, random: Random) -> list[Told]:
    """What files say: a constant each, with a value of its own."""
    found = []
    for place in range(_SEEN):
        name = f"{random.choice(('MAX', 'MIN', 'BASE'))}_{work.called().upper()}_{place}"
        value = str(random.randrange(1_000, 99_999))
        statement = Statement(f"const {name} = {value}", ((name,), (value,)), value)
        found.append(Told(f"seen {place}", statement, path=work.path()))
    return found


def _places(random: Random, requests: int) -> list[int]:
    last = max(_SEEN, round(requests * _STATED_BY))
    return random.sample(range(1, last + 1), _SEEN)


def _call(work: Work, random: Random, rates: Rates, shows: tuple[Told, ...]) -> tuple[Item, Item]:
    mean = (rates.growth_tokens - rates.reply_tokens) * _CHARACTERS
    size = mean * random.lognormvariate(-_SPREAD * _SPREAD / 2, _SPREAD)
    output = round(min(size, mean * _LONGEST))
    luck = random.random()
    if shows:
        thing = shows[0]
        body = f"{work.code(output // 2)}\n{thing.statement.text};\n{work.code(output // 2)}"
        first, second = work.used("Read", {"file_path": thing.path}, body)
    elif luck < _CHANGES:
        old, new = work.code(output // 6), work.code(output // 6)
        given = {"file_path": work.path(), "old_string": old, "new_string": new}
        first, second = work.used("Edit", given, f"The file was changed.\n{work.code(output // 2)}")
    elif luck < _CHANGES + _COMMITS:
        subject = f"{work.called()} gives back a list"
        sha = f"{random.getrandbits(28):07x}"
        printed = f"[main {sha}] {subject}\n 1 file changed, 3 insertions(+)"
        first, second = work.used("Bash", {"command": f"git commit -am '{subject}'"}, printed)
    elif luck < _CHANGES + _COMMITS + _FAILS:
        path = work.path()
        printed = (
            f"Exit code 1\n{work.tests(output, path)}\nError: {work.called()} is not a function"
        )
        first, second = work.used("Bash", {"command": f"run-tests {path}"}, printed)
        second["content"][0]["is_error"] = True
    else:
        first, second = work.call(output)
    words = f"{work.called()} is next, as {work.path()} has it. " * 3
    first["content"].insert(0, {"type": "text", "text": words.strip()})
    return first, second
