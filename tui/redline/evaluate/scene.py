"""A session with things planted in it, and the turns that follow in later rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from redline.compaction.outline import outline
from redline.evaluate.filler import Item, Work
from redline.evaluate.joining import characters_of, empty, joined, pieces_of, said
from redline.evaluate.plants import PlantKind, Plants, Statement
from redline.model import Session

THINGS = 20  # planted in a session
CHARACTERS = 8_000  # of a session of one's own
_RESTATED_OF, _NEAR_OF = 5, 10  # one of so many things is restated, is one of a pair
_PER_PROMPT = 3  # statements at most
_NEW_TURNS, _NEW_OUTPUT = 2, 250  # of a round; characters of their tool results
_CALL = 60  # characters of a call itself, and of the line its output runs over by
_MODEL = "claude-opus-4-6"


class Form(StrEnum):
    """How a thing was planted."""

    SINGLE = "single"
    RESTATED = "restated"
    NEAR = "near-duplicate"


@dataclass(frozen=True, slots=True)
class Thing:
    """One thing that must survive. `said` are its statements with the round each is made in, the
    last one holds. `pair` is the number that a near-duplicate shares with its other."""

    kind: PlantKind
    form: Form
    said: tuple[tuple[int, Statement], ...]
    pair: int | None = None

    def current(self, round_number: int) -> Statement:
        """What holds by the end of that round."""
        return [one for at, one in self.said if at <= round_number][-1]

    def superseded(self, round_number: int) -> tuple[Statement, ...]:
        """What was said of it before and holds no more by the end of that round."""
        return tuple(one for at, one in self.said if at <= round_number)[:-1]


@dataclass(frozen=True, slots=True)
class Scene:
    """`session` is what the first round compacts, `characters` its length. `later[n]` are the turns
    that round n + 2 adds before it compacts."""

    name: str
    session: Session
    things: tuple[Thing, ...]
    characters: int
    later: tuple[tuple[Item, ...], ...]


def make_scene(
    plants: Plants,
    *,
    seed: int,
    number: int,
    rounds: int,
    given: Session | None = None,
    things: int = THINGS,
    characters: int = CHARACTERS,
) -> Scene:
    """Scene `number` (from 0) of `seed`: `things` of `plants` in a made-up session of about
    `characters`, or in a copy of `given`."""
    language, pool = _of_one_language(plants, number, things)
    planted = _chosen(pool, Random(f"chosen {seed}/{number}"), things, rounds)
    return scene_of(
        planted,
        name=f"s{seed}-{number}",
        rounds=rounds,
        language=language,
        given=given,
        characters=characters,
    )


def scene_of(
    things: Sequence[Thing],
    *,
    name: str,
    rounds: int,
    language: str = "",
    given: Session | None = None,
    characters: int = CHARACTERS,
) -> Scene:
    """A scene of just these `things`. The same `name` gives the same scene."""
    random = Random(name)
    work = Work(random, language, f"{name}-1")
    stated = _in_order(things, 1, random)
    if given is None:
        session = _own(name, stated, work, random, characters)
    else:
        session = _planted(given, name, stated, work, random)
    later = []
    for round_number in range(2, rounds + 1):
        work = Work(random, language, f"{name}-{round_number}")
        new = [[one] for one in _in_order(things, round_number, random)]
        turns = [*new, *([[]] * max(0, _NEW_TURNS - len(new)))]
        random.shuffle(turns)
        later.append(tuple(item for one in turns for item in work.turn(one, _NEW_OUTPUT)))
    return Scene(name, session, tuple(things), characters_of(session), tuple(later))


def _of_one_language(plants: Plants, number: int, things: int) -> tuple[str, Plants]:
    """The plants of the language that this scene is in, or all where none has enough."""
    amounts = Counter(one.language for one in plants.singles if one.language)
    enough = [name for name, count in amounts.most_common() if count >= things]
    if not enough:
        return "", plants
    turns = [name for name in enough for _ in range(round(amounts[name] / amounts[enough[-1]]))]
    language = turns[number % len(turns)]
    return language, Plants(
        plants.name,
        tuple(one for one in plants.singles if one.language == language),
        tuple(one for one in plants.restatements if one.language == language),
        tuple(one for one in plants.near_duplicates if one.language == language),
    )


def _chosen(plants: Plants, random: Random, things: int, rounds: int) -> tuple[Thing, ...]:
    """`things` of `plants`, of all kinds alike as far as they go."""
    restated = min(things // _RESTATED_OF, len(plants.restatements))
    pairs = min(things // _NEAR_OF, len(plants.near_duplicates))
    found: list[Thing] = []
    for place, pair in enumerate(random.sample(plants.restatements, restated)):
        # Half of them change within the first session, the others one round after the other.
        again = 1 if place % 2 == 0 else min(rounds, 2 + place // 2)
        found.append(Thing(pair.kind, Form.RESTATED, ((1, pair.older), (again, pair.newer))))
    for place, near in enumerate(random.sample(plants.near_duplicates, pairs)):
        both = (near.first, near.second)
        found += [Thing(near.kind, Form.NEAR, ((1, one),), place) for one in both]
    left = list(plants.singles)
    random.shuffle(left)
    while left and len(found) < things:
        have = Counter(thing.kind for thing in found)
        single = min(left, key=lambda one: have[one.kind])
        left.remove(single)
        found.append(Thing(single.kind, Form.SINGLE, ((1, single.statement),)))
    return tuple(found)


def _in_order(things: Sequence[Thing], round_number: int, random: Random) -> list[str]:
    """What is said in that round, in any order but older before newer."""
    places = []
    for thing in things:
        now = [statement.text for at, statement in thing.said if at == round_number]
        # Each in its own stretch, so that nobody says a thing and its opposite in one breath.
        spots = [(place + random.random()) / len(now) for place in range(len(now))]
        places += list(zip(spots, now, strict=True))
    return [text for _, text in sorted(places)]


def _in_prompts(statements: Sequence[str], random: Random) -> list[list[str]]:
    """`statements` in groups as one prompt holds them."""
    groups: list[list[str]] = []
    place = 0
    while place < len(statements):
        count = random.randint(1, _PER_PROMPT)
        groups.append(list(statements[place : place + count]))
        place += count
    return groups


def _own(
    name: str, statements: Sequence[str], work: Work, random: Random, characters: int
) -> Session:
    groups = _in_prompts(statements, random)
    for _ in range(len(groups) // 2):  # prompts that state nothing stand between them
        groups.insert(random.randint(1, len(groups)), [])
    like = empty(name, "/home/dev/app", _MODEL)
    turns = [work.turn(group, 0) for group in groups]
    bare = sum(len(str(item["content"])) for turn in turns for item in turn)
    output = max(0, characters - bare) // len(turns) - _CALL
    items = [item for turn in turns for item in (turn[0], *work.call(output), *turn[1:])]
    return joined(said(items, f"{name}.1"), like, f"{name}.1")


def _planted(
    given: Session, name: str, statements: Sequence[str], work: Work, random: Random
) -> Session:
    """A copy of `given` with prompts of their own put in where its turns begin."""
    pieces = pieces_of(given)
    groups = _in_prompts(statements, random)
    starts = [*outline(given.context).turn_starts, len(pieces)]
    places = sorted(random.choice(starts) for _ in groups)
    whole = []
    done = 0
    for number, (place, group) in enumerate(zip(places, groups, strict=True)):
        whole += pieces[done:place]
        whole += said(work.turn(group, 0), f"{name}.1.{number}")
        done = place
    return joined([*whole, *pieces[done:]], given, f"{name}.1")
