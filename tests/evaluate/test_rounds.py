"""The instrument against writers that do wrong: each wrong must show in its own figure."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from redline.evaluate.figures import RoundFigures, Way, result
from redline.evaluate.plants import shipped_plants
from redline.evaluate.rounds import Round
from redline.evaluate.scene import Form, Scene, make_scene
from redline.handoff.budget import Size, Unit
from tests.evaluate.writers import rounds_of

ROUNDS = 4


@pytest.fixture(scope="module")
def scene() -> Scene:
    return make_scene(shipped_plants("known"), seed=3, number=0, rounds=ROUNDS)


def figures(rounds: list[Round]) -> tuple[RoundFigures, ...]:
    return result(Way("fresh", "doing", ""), [rounds]).rounds


def without(scene: Scene, text: str, wanted: Callable[[str], bool]) -> str:
    """`text` without the planted sentences that are not `wanted`."""
    for thing in scene.things:
        for _, statement in thing.said:
            if not wanted(statement.text):
                text = text.replace(statement.text, "")
    return text


def test_a_writer_that_drops_everything_scores_0(scene: Scene) -> None:
    for one in figures(rounds_of(scene, lambda _: "# Handoff\n\nAll is well.\n")):
        assert one.all.percent == 0
        assert one.pairs.there == one.stale.there == one.merged.there == one.invented == 0


def test_a_writer_that_copies_everything_keeps_all_of_it_and_all_that_is_stale(
    scene: Scene,
) -> None:
    found = figures(rounds_of(scene, lambda text: text))
    for one in found:
        assert one.all.percent == 100
        assert one.pairs.percent == 100
        assert one.merged.there == one.invented == 0
        assert one.stale.there == one.stale.of > 0
        assert one.restated.there == 0
    assert found[-1].stale.of > found[0].stale.of, "some things change in later rounds"


def test_a_writer_that_keeps_only_the_older_values_is_caught(scene: Scene) -> None:
    newer = {
        statement.text
        for thing in scene.things
        for _, statement in thing.said[1:]
        if thing.form is Form.RESTATED
    }
    found = figures(
        rounds_of(scene, lambda text: without(scene, text, lambda said: said not in newer))
    )
    for one in found:
        assert one.restated.there == 0 < one.restated.of
        assert one.stale.there == one.stale.of


def test_a_writer_that_keeps_only_the_newer_values_resolves_all(scene: Scene) -> None:
    older = {thing.said[0][1].text for thing in scene.things if len(thing.said) > 1}

    def made(text: str) -> str:
        later = {
            thing.said[0][1].text
            for thing in scene.things
            if len(thing.said) > 1 and thing.said[1][1].text in text
        }
        return without(scene, text, lambda said: said not in older & later)

    rounds = rounds_of(scene, made)
    for one in figures(rounds):
        assert one.restated.percent == 100
        assert one.stale.there == 0


def test_a_writer_that_is_not_sure_gives_the_older_value_as_current_and_tells_of_the_newer(
    scene: Scene,
) -> None:
    changed = [thing.said for thing in scene.things if thing.form is Form.RESTATED]

    def unsure(text: str) -> str:
        for (_, older), (_, newer) in changed:
            text = text.replace(newer.text, f"{newer.text} (newer than: {older.text})")
        return text

    for made, noted in ((unsure, True), (str, False)):
        for one in figures(rounds_of(scene, made)):
            assert one.stale.there == one.stale.of == one.noted.of > 0
            assert (one.noted.there == one.noted.of) is noted


def test_a_paraphrase_that_changes_a_number_is_caught(scene: Scene) -> None:
    def counted_up(text: str) -> str:
        return re.sub(r"\d", lambda digit: str((int(digit.group()) + 5) % 10), text)

    (one, *_) = rounds_of(scene, counted_up)
    for verdict in one.verdicts:
        numbered = any(re.search(r"\d", token) for token in _tokens(verdict.thing.current(1)))
        assert verdict.survives is not numbered, verdict.thing


def test_a_number_that_gets_a_digit_more_is_another_number(scene: Scene) -> None:
    (one, *_) = rounds_of(scene, lambda text: re.sub(r"\d+", lambda found: found[0] + "0", text))
    for verdict in one.verdicts:
        if any(re.search(r"\d", token) for token in _tokens(verdict.thing.current(1))):
            assert not verdict.survives, verdict.thing


def _tokens(statement: object) -> list[str]:
    must = statement.must  # type: ignore[attr-defined]
    return [member for token in must for member in token]


def test_a_writer_that_turns_bans_into_leave_is_caught(scene: Scene) -> None:
    forbidding = re.compile(r"(?i)\b(?:never|not|no|don't|off|without|under no circumstances)\b")
    (one, *_) = rounds_of(scene, lambda text: forbidding.sub("", text))
    banned = [verdict for verdict in one.verdicts if verdict.thing.current(1).forbids]
    assert banned
    assert not any(verdict.survives for verdict in banned)


def test_what_was_never_restated_but_is_given_as_superseded_is_a_false_merge(
    scene: Scene,
) -> None:
    def crossed_out(text: str) -> str:
        return "\n".join(f"~~{line}~~ (superseded)" for line in text.splitlines())

    (one, *_) = figures(rounds_of(scene, crossed_out))
    assert one.merged.there == one.merged.of == 16
    assert one.all.there == 0
    assert one.stale.there == 0


def test_of_a_near_duplicate_both_must_stay(scene: Scene) -> None:
    dropped = {t.said[0][1].text for t in scene.things if t.form is Form.NEAR and t.pair == 0}
    dropped.remove(min(dropped, key=len))
    (one, *_) = figures(
        rounds_of(scene, lambda text: without(scene, text, lambda said: said not in dropped))
    )
    assert (one.pairs.there, one.pairs.of) == (1, 2)


def test_an_identifier_that_the_session_does_not_hold_is_counted(scene: Scene) -> None:
    rounds = rounds_of(scene, lambda text: f"{text}\nSee src/made/up.py, port 40917.")
    assert rounds[0].invented == ("src/made/up.py", "40917")
    assert rounds[1].invented == (), "by then the session holds them"


def test_what_is_beyond_the_budget_is_cut_off_and_judged_as_lost(scene: Scene) -> None:
    rounds = rounds_of(scene, lambda text: text, Size(10, Unit.SHARE))
    for one in rounds:
        assert one.over
        assert one.characters <= scene.characters / 10 + 1
        assert one.characters == len(one.text) <= one.limit  # type: ignore[operator]
    assert 0 < figures(rounds)[0].all.there < 20


def test_the_budget_is_one_of_the_first_session_in_every_round(scene: Scene) -> None:
    limits = {one.limit for one in rounds_of(scene, lambda text: text, Size(20, Unit.SHARE))}
    assert limits == {round(scene.characters / 5)}


def test_the_next_session_begins_with_the_handoff_and_adds_new_turns(scene: Scene) -> None:
    rounds = rounds_of(scene, lambda _: "# Handoff\n\nRemember the kumquat.\n")
    for one in rounds[1:]:
        session = one.session
        assert session.compactions
        assert "Remember the kumquat." in session.text(session.context[0].parts[0])
        assert [p.kind.value for p in session.context[0].parts] == ["summary"]
        assert session.counts.prompts >= 2


def test_the_same_scene_gives_the_same_rounds(scene: Scene) -> None:
    again = make_scene(shipped_plants("known"), seed=3, number=0, rounds=ROUNDS)
    first, second = (
        [(one.text, one.verdicts, one.invented) for one in rounds_of(each, lambda text: text)]
        for each in (scene, again)
    )
    assert first == second
