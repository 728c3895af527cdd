from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from redline.compaction.strategies.strategy import StrategySettings
from redline.evaluate.compactors import ByWriter, Compactor, Offline
from redline.evaluate.figures import Way, result
from redline.evaluate.plants import shipped_plants
from redline.evaluate.rounds import Place, Round, run_rounds
from redline.evaluate.scene import Scene, make_scene
from redline.handoff.budget import size_of
from redline.handoff.writers.failure import Failure, FailureKind, WriterFailure
from redline.handoff.writers.writer import Piece, Spent, Task, Words
from redline.settings import Settings

PROSE = """## Goal

Make the kumquat ripe.

## Done

- Nothing yet.

## Current state

It is green.

## Next steps

1. Wait.
"""


class Prose:
    """A writer that says the same of everything."""

    name = "prose"

    def pieces(self, task: Task, cancelled: Callable[[], bool]) -> Iterator[Piece]:
        yield Words(PROSE)
        yield Spent(1_000, 50, True)


class Broken:
    name = "broken"

    def pieces(self, task: Task, cancelled: Callable[[], bool]) -> Iterator[Piece]:
        yield Spent(10, 0)
        raise WriterFailure(Failure(FailureKind.NO_CONNECTION, "nobody answers"))


@pytest.fixture(scope="module")
def scene() -> Scene:
    return make_scene(shipped_plants("known"), seed=5, number=0, rounds=2)


def rounds(scene: Scene, compactor: Compactor, budget: str = "30%") -> list[Round]:
    return list(
        run_rounds(
            scene,
            compactor,
            strategy="fresh",
            settings=StrategySettings(),
            size=size_of(budget),
            place=Place(Settings(tokenizer="estimate"), clock=lambda: 0.0),
        )
    )


def test_a_writers_tokens_are_counted_and_its_words_are_in_the_handoff(scene: Scene) -> None:
    found = rounds(scene, ByWriter(Prose()), "60%")
    assert "kumquat" in found[0].text
    figures = result(Way("fresh", "prose", "60%"), [found]).rounds
    assert [(one.input_tokens, one.output_tokens) for one in figures] == [(1_000, 50)] * 2
    assert not any(one.over for one in found)


def test_what_a_writer_fails_at_is_written_offline_and_told(scene: Scene) -> None:
    broken, offline = rounds(scene, ByWriter(Broken())), rounds(scene, Offline())
    assert broken[0].text == offline[0].text
    assert offline[0].remarks == ()
    assert any("nobody answers" in remark for remark in broken[0].remarks)
    assert result(Way("fresh", "broken", "30%"), [broken]).remarks
