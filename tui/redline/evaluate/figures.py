"""The rounds of many sessions added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from redline.evaluate.plants import PlantKind
from redline.evaluate.rounds import Round
from redline.evaluate.scene import Form


@dataclass(frozen=True, slots=True)
class Share:
    """So many `of` all."""

    there: int = 0
    of: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.there + other.there, self.of + other.of)

    @property
    def percent(self) -> float | None:
        """None where there are none."""
        return 100 * self.there / self.of if self.of else None


@dataclass(frozen=True, slots=True)
class RoundFigures:
    """One round over all sessions that reached it.

    `survival` is by kind, `restated` of the things whose value has changed by then: the new one is
    there and no older one is given as current. `stale` are the superseded values given as current.
    Of these `noted` are set beside the newer value somewhere: the writer was not sure.
    `pairs` are the near-duplicates of which both stay, `merged` counts things that were never
    restated and are given as superseded, of all such. `invented` counts identifiers. `characters`,
    `tokens` and `seconds` are means of one handoff, `input_tokens` and `output_tokens` what a model
    was paid for it, `over` counts handoffs longer than their budget. `spread` is the standard
    deviation of the survival of sessions, in percentage points.
    """

    number: int
    sessions: int
    survival: dict[PlantKind, Share]
    restated: Share
    stale: Share
    noted: Share
    pairs: Share
    merged: Share
    invented: int
    characters: float
    tokens: float
    seconds: float
    input_tokens: int
    output_tokens: int
    over: int
    spread: float

    @property
    def all(self) -> Share:
        """The survival of everything planted."""
        return sum(self.survival.values(), Share())


@dataclass(frozen=True, slots=True)
class Way:
    """How it was compacted; `budget` in the words it was asked in, "" for none."""

    strategy: str
    writer: str
    budget: str


@dataclass(frozen=True, slots=True)
class Result:
    """One way with all its rounds; `lost` and `invented` are examples from the last one, `remarks`
    what writers had to say. `limits` are the budgets of the sessions."""

    way: Way
    rounds: tuple[RoundFigures, ...]
    limits: tuple[int, ...]
    lost: tuple[str, ...]
    invented: tuple[str, ...]
    remarks: tuple[str, ...]


def result(way: Way, runs: Sequence[Sequence[Round]]) -> Result:
    """What the `runs` (of one session each, perhaps cut short) come to."""
    most = max((len(run) for run in runs), default=0)
    columns = [[run[at] for run in runs if len(run) > at] for at in range(most)]
    last = columns[-1] if columns else []
    return Result(
        way,
        tuple(_figures(column) for column in columns),
        tuple(dict.fromkeys(run[0].limit for run in runs if run and run[0].limit is not None)),
        _distinct(
            verdict.thing.current(one.number).text
            for one in last
            for verdict in one.verdicts
            if not verdict.survives
        ),
        _distinct(token for one in last for token in one.invented),
        _distinct(remark for column in columns for one in column for remark in one.remarks),
    )


def _figures(rounds: Sequence[Round]) -> RoundFigures:
    verdicts = [verdict for one in rounds for verdict in one.verdicts]
    survival = {}
    for kind in PlantKind:
        of_kind = [verdict for verdict in verdicts if verdict.thing.kind is kind]
        if of_kind:
            survival[kind] = Share(sum(one.survives for one in of_kind), len(of_kind))
    changed = [verdict for verdict in verdicts if verdict.superseded]
    lasting = [verdict for verdict in verdicts if verdict.thing.form is not Form.RESTATED]
    pairs: Counter[bool] = Counter()
    for one in rounds:
        both: dict[int, bool] = {}
        for verdict in one.verdicts:
            if verdict.thing.form is Form.NEAR and verdict.thing.pair is not None:
                pair = verdict.thing.pair
                both[pair] = both.get(pair, True) and verdict.survives
        pairs.update(both.values())
    survived = [100 * fmean(v.survives for v in one.verdicts) for one in rounds if one.verdicts]
    return RoundFigures(
        number=rounds[0].number,
        sessions=len(rounds),
        survival=survival,
        restated=Share(sum(v.survives and not v.stale for v in changed), len(changed)),
        stale=Share(sum(v.stale for v in verdicts), sum(v.superseded for v in verdicts)),
        noted=Share(sum(v.noted for v in verdicts), sum(v.stale for v in verdicts)),
        pairs=Share(pairs[True], pairs.total()),
        merged=Share(sum(v.merged for v in lasting), len(lasting)),
        invented=sum(len(one.invented) for one in rounds),
        characters=fmean(one.characters for one in rounds),
        tokens=fmean(one.tokens for one in rounds),
        seconds=fmean(one.seconds for one in rounds),
        input_tokens=sum(one.spent.input_tokens for one in rounds),
        output_tokens=sum(one.spent.output_tokens for one in rounds),
        over=sum(one.over for one in rounds),
        spread=pstdev(survived) if survived else 0.0,
    )


def _distinct(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))
