"""Writers that do wrong in ways an instrument must see, for tests of `redline.evaluate`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from redline.compaction.strategies.strategy import StrategySettings
from redline.evaluate.compactors import Compacted
from redline.evaluate.joining import text_of
from redline.evaluate.rounds import Place, Round, run_rounds
from redline.evaluate.scene import Scene
from redline.handoff.budget import Budget, Size
from redline.review import Review
from redline.settings import Settings


@dataclass(frozen=True)
class Doing:
    """Writes what `made` makes of everything the session says."""

    made: Callable[[str], str]
    name: str = "doing"

    def compact(self, review: Review, budget: Budget | None) -> Compacted:
        return Compacted(self.made(text_of(review.session)))


def rounds_of(scene: Scene, made: Callable[[str], str], size: Size | None = None) -> list[Round]:
    """The rounds of `scene` by a writer that writes what `made` makes of the session's text."""
    settings = Settings(tokenizer="estimate")
    return list(
        run_rounds(
            scene,
            Doing(made),
            strategy="fresh",
            settings=StrategySettings(),
            size=size,
            place=Place(settings, clock=lambda: 0.0),
        )
    )
