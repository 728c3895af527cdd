from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from redline.agents.messages.given import session_of
from redline.agents.opening import open_session
from redline.evaluate.evaluation import Asked, Evaluation, evaluate, trials
from redline.evaluate.joining import text_of
from redline.evaluate.plants import PlantKind, read_plants, shipped_plants
from redline.evaluate.rounds import Place
from redline.evaluate.scene import CHARACTERS, THINGS, Form, make_scene
from redline.handoff.budget import Size, Unit
from redline.model import Kind
from redline.settings import Settings
from redline.shipped import shipped
from tests.evaluate.writers import Doing

KNOWN = shipped_plants("known")


def samples() -> list[Path]:
    return sorted(shipped("sample_sessions").glob("*/*/*/*.jsonl"))


@pytest.mark.parametrize("number", range(6))
def test_everything_is_said_in_the_round_it_is_for_and_older_comes_before_newer(
    number: int,
) -> None:
    scene = make_scene(KNOWN, seed=1, number=number, rounds=4)
    told = [text_of(scene.session), *("\n".join(str(i["content"]) for i in t) for t in scene.later)]
    assert len(scene.things) == THINGS
    for thing in scene.things:
        for at, statement in thing.said:
            assert statement.text in told[at - 1]
        for (first, older), (second, newer) in pairwise(thing.said):
            assert first <= second
            if first == second:
                assert told[0].index(older.text) < told[0].rindex(newer.text)


@pytest.mark.parametrize("number", range(6))
def test_a_made_up_session_has_its_length_and_all_kinds_alike(number: int) -> None:
    scene = make_scene(KNOWN, seed=2, number=number, rounds=5)
    assert abs(scene.characters - CHARACTERS) < CHARACTERS * 0.05
    kinds = Counter(thing.kind for thing in scene.things)
    assert set(kinds) == set(PlantKind)
    assert max(kinds.values()) - min(kinds.values()) <= 2
    forms = Counter(thing.form for thing in scene.things)
    assert forms == {Form.SINGLE: 12, Form.RESTATED: 4, Form.NEAR: 4}
    later = [at for thing in scene.things for at, _ in thing.said[1:]]
    assert 1 in later
    assert max(later) > 1, "some change in a later round only"


def test_every_third_session_is_a_chinese_one_and_none_mixes() -> None:
    chinese = [
        any("\u4e00" <= letter <= "\u9fff" for letter in thing.said[0][1].text)
        for number in range(6)
        for thing in make_scene(KNOWN, seed=0, number=number, rounds=2).things
    ]
    by_session = [chinese[at * THINGS : (at + 1) * THINGS] for at in range(6)]
    assert [sum(one) in (0, THINGS) for one in by_session] == [True] * 6
    assert sum(all(one) for one in by_session) == 2


@pytest.mark.parametrize("file", samples(), ids=lambda file: file.parts[-3] + file.name[:4])
def test_a_given_session_is_copied_with_plants_in_it_and_stays_as_it_was(file: Path) -> None:
    before = file.read_bytes(), file.stat().st_mtime_ns
    given = open_session(file)
    texts = [given.text(part) for message in given.context for part in message.parts]
    scene = make_scene(KNOWN, seed=0, number=0, rounds=2, given=given)
    planted = scene.session
    held = [planted.text(part) for message in planted.context for part in message.parts]
    rest = iter(held)
    assert all(text in rest for text in texts), "all of it, in its order"
    prompts = [p for message in planted.context for p in message.prompts]
    said = "\n".join(planted.text(part) for part in prompts)
    for thing in scene.things:
        for at, statement in thing.said:
            assert (statement.text in said) is (at == 1)
    kinds = {part.kind for message in given.context for part in message.parts}
    assert kinds | {Kind.PROMPT, Kind.REPLY} == {
        part.kind for message in planted.context for part in message.parts
    }
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    assert len({message.id for message in planted.context}) == len(planted.context)


def test_few_plants_are_planted_as_far_as_they_go() -> None:
    text = '{"schema": 1, "statements": [{"kind": "rule", "text": "Never push."}]}'
    scene = make_scene(read_plants(text, "few"), seed=0, number=0, rounds=3)
    assert [thing.said[0][1].text for thing in scene.things] == ["Never push."]


def test_what_was_measured_by_an_interruption_is_there() -> None:
    sizes = [("20%", Size(20, Unit.SHARE)), ("", None)]
    asked = Asked(KNOWN, trials(["fresh", "redline"], [Doing(str)], sizes), sessions=2, rounds=2)
    place = Place(Settings(tokenizer="estimate"), clock=lambda: 0.0)
    evaluation = Evaluation(asked, place)
    steps = evaluation.steps()
    for _ in range(3):
        next(steps)
    assert not evaluation.complete
    assert [len(one.rounds) for one in evaluation.results()] == [2, 1, 0, 0]
    assert evaluation.results()[1].rounds[0].all.percent == 100
    *_, last = steps
    assert last.done == last.total == 16
    assert evaluation.complete
    assert [r.rounds for r in evaluate(asked, place)] == [r.rounds for r in evaluation.results()]


def test_what_a_strategy_keeps_counts_beside_the_handoff() -> None:
    place = Place(Settings(tokenizer="estimate"), clock=lambda: 0.0)
    asked = Asked(
        KNOWN,
        trials(["fresh", "redline"], [Doing(lambda _: "# Handoff\n")], [("", None)]),
        sessions=1,
        rounds=3,
    )
    fresh, keeping = evaluate(asked, place)
    assert [one.all.there for one in fresh.rounds] == [0, 0, 0]
    assert keeping.rounds[0].all.there > 0
    assert keeping.rounds[-1].all.there < keeping.rounds[0].all.there


def test_what_stands_beside_the_messages_can_be_read_in_every_round() -> None:
    body = {"system": "Be kind.", "messages": [{"role": "user", "content": "Go on."}]}
    given = session_of(body, id="theirs")
    system = replace(given, context=given.context[1:], system=given.context[0])
    evaluation = Evaluation(
        Asked(KNOWN, trials(["fresh"], [Doing(str)], [("", None)]), rounds=2, given=(system,)),
        Place(Settings(tokenizer="estimate")),
    )
    for step in evaluation.steps():
        session = step.round.session
        assert session.system is not None
        assert session.text(session.system.parts[0]) == "Be kind."


def test_a_summary_stands_where_the_plan_puts_it_and_an_older_one_stays_where_it_is_kept() -> None:
    trial = trials(["hermes"], [Doing(lambda _: "# Handoff\n\nKumquat.\n")], [("", None)])
    place = Place(Settings(tokenizer="estimate"))
    evaluation = Evaluation(Asked(KNOWN, trial, sessions=1, rounds=3), place)
    second = [step.round for step in evaluation.steps()][1].session
    kinds = [{part.kind for part in message.parts} for message in second.context]
    at = next(place for place, found in enumerate(kinds) if Kind.SUMMARY in found)
    assert at == 3, "after the head of three messages"
    assert second.compactions[-1].summary is second.context[at]
