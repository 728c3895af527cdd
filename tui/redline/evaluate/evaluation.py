"""Many sessions, many ways: what is measured so far is there at any time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from redline.compaction.strategies.strategy import StrategySettings
from redline.evaluate.compactors import Compactor
from redline.evaluate.figures import Result, Way, result
from redline.evaluate.plants import Plants
from redline.evaluate.rounds import Place, Round, run_rounds
from redline.evaluate.scene import CHARACTERS, THINGS, Scene, make_scene
from redline.handoff.budget import Size
from redline.model import Session


@dataclass(frozen=True, slots=True)
class Trial:
    """One way to be tried; `asked` is the budget in the words it was asked in."""

    strategy: str
    compactor: Compactor
    size: Size | None
    asked: str = ""

    @property
    def way(self) -> Way:
        return Way(self.strategy, self.compactor.name, self.asked)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is evaluated: `trials` on `sessions` of `plants`, `things` in each. `given` are sessions
    to plant in, one after the other; without one they are made up, of `characters` each."""

    plants: Plants
    trials: tuple[Trial, ...]
    sessions: int = 3
    rounds: int = 5
    seed: int = 0
    things: int = THINGS
    characters: int = CHARACTERS
    given: tuple[Session, ...] = ()
    settings: StrategySettings = field(default_factory=StrategySettings)


@dataclass(frozen=True, slots=True)
class Progress:
    """A round that is done, the `done`-th of `total`."""

    trial: Trial
    session: int
    round: Round
    done: int
    total: int


class Evaluation:
    """Runs what is asked. `scenes` are the sessions, `runs` the rounds done so far."""

    def __init__(self, asked: Asked, place: Place) -> None:
        self.asked = asked
        self._place = place
        self.scenes: list[Scene] = []
        self.runs: list[list[list[Round]]] = [[] for _ in asked.trials]

    def steps(self) -> Iterator[Progress]:
        """Every round as it is done; can be left at any time. A session is tried in all ways before
        the next one, so that what is there by then compares like with like."""
        asked = self.asked
        done, total = 0, len(asked.trials) * asked.sessions * asked.rounds
        for number in range(asked.sessions):
            scene = make_scene(
                asked.plants,
                seed=asked.seed,
                number=number,
                rounds=asked.rounds,
                given=asked.given[number % len(asked.given)] if asked.given else None,
                things=asked.things,
                characters=asked.characters,
            )
            self.scenes.append(scene)
            for trial, runs in zip(asked.trials, self.runs, strict=True):
                run: list[Round] = []
                runs.append(run)
                for one in run_rounds(
                    scene,
                    trial.compactor,
                    strategy=trial.strategy,
                    settings=asked.settings,
                    size=trial.size,
                    place=self._place,
                ):
                    run.append(one)
                    done += 1
                    yield Progress(trial, number, one, done, total)

    def results(self) -> tuple[Result, ...]:
        """What is known of every way by now."""
        pairs = zip(self.asked.trials, self.runs, strict=True)
        return tuple(result(trial.way, runs) for trial, runs in pairs)

    @property
    def complete(self) -> bool:
        return all(
            len(runs) == self.asked.sessions and all(len(run) == self.asked.rounds for run in runs)
            for runs in self.runs
        )


def evaluate(asked: Asked, place: Place) -> tuple[Result, ...]:
    """Everything that is asked, from beginning to end."""
    evaluation = Evaluation(asked, place)
    for _ in evaluation.steps():
        pass
    return evaluation.results()


def trials(
    strategies: Sequence[str],
    compactors: Sequence[Compactor],
    sizes: Sequence[tuple[str, Size | None]],
) -> tuple[Trial, ...]:
    """Every strategy with every compactor at every budget (its words, and its size)."""
    return tuple(
        Trial(strategy, compactor, size, words)
        for strategy in strategies
        for compactor in compactors
        for words, size in sizes
    )
