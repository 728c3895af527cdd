"""`redline evaluate`: what survives of what was said, compaction after compaction.

Things of five kinds are planted in sessions (made up, a sample, or a given one, which is copied in
memory), some of them restated later, some of them alike; each session is compacted as often as
`--rounds` says, and every handoff is searched for what must still be there.

JSON: `{"schema": 1, "plants", "seed", "sessions", "planted", "rounds", "complete", "transcripts",
"results": [...]}`. `complete` is false where it was interrupted; `transcripts` are the lengths of
the sessions in characters. A result: `{"strategy", "writer", "budget": {"asked", "limits"},
"rounds": [...], "lost", "invented", "remarks"}`; `lost` and `invented` are what the last round has
of it. A round: `{"round", "sessions", "survival": {"rule": {"there", "of"}, ..., "all"},
"restated", "stale", "noted", "near_duplicates", "false_merges", "invented", "characters", "tokens",
"seconds", "spent": {"input_tokens", "output_tokens"}, "over_budget", "spread"}`: see
`redline.evaluate.figures.RoundFigures`. With `--ways` another document is printed, see
`redline.cli.evaluate_ways`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redline.cli.output import console, note, print_json, progress_line, thousands
from redline.cli.workplace import Workplace, workplace
from redline.errors import RedlineError
from redline.text import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from redline.evaluate.compactors import Compactor
    from redline.evaluate.evaluation import Evaluation, Progress
    from redline.evaluate.figures import Result, RoundFigures, Share
    from redline.evaluate.plants import Plants
    from redline.model import Session

INTERRUPTED = 130
SAMPLE = "sample"
_EXAMPLES = 5


def run(options: argparse.Namespace) -> int:
    if options.ways:
        from redline.cli.evaluate_ways import run_ways

        return run_ways(options, plants_of(options.plants))
    from redline.compaction.strategies.strategy import StrategySettings
    from redline.evaluate.evaluation import Asked, Evaluation, trials
    from redline.evaluate.rounds import Place

    place = workplace()
    asked = Asked(
        plants_of(options.plants),
        trials(
            _strategies(options.strategy),
            [_compactor(name, place) for name in _writers(options.writer)],
            _sizes(options.budget),
        ),
        sessions=options.sessions,
        rounds=options.rounds,
        seed=options.seed,
        things=options.planted,
        characters=options.characters,
        given=_given(options.session, place),
        settings=StrategySettings(tail_tokens=options.tail),
    )
    evaluation = Evaluation(asked, Place(place.settings, place.environment))
    keep = _Kept(Path(options.keep)) if options.keep else None
    interrupted = False
    try:
        with progress_line() as show:
            for step in evaluation.steps():
                if keep is not None:
                    keep.add(step)
                show(_words(step))
    except KeyboardInterrupt:
        interrupted = True
        note("redline: interrupted, this is what was measured until then")
    if options.json:
        print_json(as_json(evaluation))
    else:
        _print(console(), evaluation)
    return INTERRUPTED if interrupted else 0


def plants_of(name: str) -> Plants:
    """The plants that come with redline under that name, or those of a file."""
    from redline.evaluate.plants import SHIPPED, plants_in, shipped_plants

    plain = name.replace("-", "_")
    return shipped_plants(plain) if plain in SHIPPED else plants_in(Path(name).expanduser())


def _names(text: str) -> list[str]:
    found = list(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not found:
        raise RedlineError("a name was expected", "or several, with commas between them")
    return found


def _strategies(text: str) -> list[str]:
    from redline.compaction.strategies.registry import strategy

    names = _names(text)
    for name in names:
        strategy(name)  # raises where there is none
    return names


def _writers(asked: list[str]) -> list[str]:
    """The writers asked for; a program's arguments may hold commas."""
    from redline.handoff.writers.registry import COMMAND

    found: list[str] = []
    for text in asked or ["offline"]:
        found += [text] if text.startswith(COMMAND) else _names(text)
    return list(dict.fromkeys(found))


def _compactor(name: str, place: Workplace) -> Compactor:
    from redline.evaluate.compactors import ByWriter, Offline
    from redline.handoff.writers.registry import writer_of

    if name == Offline.name:
        return Offline()
    return ByWriter(writer_of(name, place.settings, place.environment))


def _sizes(text: str) -> list[tuple[str, Any]]:
    from redline.handoff.budget import size_of

    found: list[tuple[str, Any]] = []
    for word in _names(text):
        size = None if word == "none" else size_of(word)
        if size is None and word != "none":
            raise RedlineError(
                f"{word!r} is no budget", "expected are 8k (tokens), 20%, 4000c or none"
            )
        found.append(("" if word == "none" else word, size))
    return found


def _given(name: str | None, place: Workplace) -> tuple[Session, ...]:
    """The sessions to plant in; none where they are to be made up."""
    if name is None:
        return ()
    if name != SAMPLE:
        return (place.session(name),)
    from redline.agents.opening import open_session
    from redline.shipped import shipped

    files = sorted(shipped("sample_sessions").glob("*/*/*/*.jsonl"))
    if not files:
        raise RedlineError("the sample sessions are missing", "install redline again")
    return tuple(open_session(file) for file in files)


class _Kept:
    """Writes the sessions and handoffs into a folder, to be looked at."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def add(self, step: Progress) -> None:
        from redline.evaluate.keeping import write_round

        write_round(self._folder, step)


def _words(step: Progress) -> str:
    trial = step.trial
    what = " ".join(filter(None, (trial.strategy, trial.compactor.name, trial.asked)))
    return (
        f"{step.done} of {step.total} rounds: session {step.session + 1}, {one_line(what, 50)}, "
        f"round {step.round.number}"
    )


# -- JSON ------------------------------------------------------------------------------------------


def as_json(evaluation: Evaluation) -> dict[str, Any]:
    """See the module."""
    asked = evaluation.asked
    return {
        "schema": 1,
        "plants": asked.plants.name,
        "seed": asked.seed,
        "sessions": asked.sessions,
        "planted": asked.things,
        "rounds": asked.rounds,
        "complete": evaluation.complete,
        "transcripts": [scene.characters for scene in evaluation.scenes],
        "results": [_result_json(one) for one in evaluation.results()],
    }


def _result_json(one: Result) -> dict[str, Any]:
    return {
        "strategy": one.way.strategy,
        "writer": one.way.writer,
        "budget": {"asked": one.way.budget or None, "limits": list(one.limits)},
        "rounds": [_round_json(figures) for figures in one.rounds],
        "lost": list(one.lost),
        "invented": list(one.invented),
        "remarks": list(one.remarks),
    }


def _round_json(one: RoundFigures) -> dict[str, Any]:
    survival = {kind.value: _share_json(share) for kind, share in one.survival.items()}
    return {
        "round": one.number,
        "sessions": one.sessions,
        "survival": survival | {"all": _share_json(one.all)},
        "restated": _share_json(one.restated),
        "stale": _share_json(one.stale),
        "noted": _share_json(one.noted),
        "near_duplicates": _share_json(one.pairs),
        "false_merges": _share_json(one.merged),
        "invented": one.invented,
        "characters": round(one.characters, 1),
        "tokens": round(one.tokens, 1),
        "seconds": round(one.seconds, 4),
        "spent": {"input_tokens": one.input_tokens, "output_tokens": one.output_tokens},
        "over_budget": one.over,
        "spread": round(one.spread, 2),
    }


def _share_json(share: Share) -> dict[str, int]:
    return {"there": share.there, "of": share.of}


# -- text ------------------------------------------------------------------------------------------


def _print(out: Console, evaluation: Evaluation) -> None:
    from redline.cli.evaluate_plot import plot

    asked = evaluation.asked
    lengths = sorted(scene.characters for scene in evaluation.scenes)
    if not lengths:
        return
    size = f"{lengths[0]:,}" if lengths[0] == lengths[-1] else f"{lengths[0]:,} to {lengths[-1]:,}"
    count = len(lengths)
    out.print(
        f"plants: {one_line(asked.plants.name, 60)}; {count} session{'s' if count != 1 else ''} of "
        f"{size} characters, {asked.things} things planted in each, seed {asked.seed}"
    )
    for one in evaluation.results():
        if not one.rounds:
            continue
        budget = f", {one.way.budget}" if one.way.budget else ", no budget"
        limits = f" ({min(one.limits):,} to {max(one.limits):,})" if one.limits else ""
        out.print()
        out.print(f"{one.way.strategy}, {one.way.writer}{budget}{limits}", style="bold")
        out.print(_table(one))
        out.print()
        out.print("\n".join(plot(one.rounds, out.width)))
        _examples(out, "lost by the last round", one.lost)
        _examples(out, "invented", one.invented)
        _examples(out, "remarks", one.remarks)


def _table(one: Result) -> Any:
    from rich.table import Table
    from rich.text import Text

    from redline.evaluate.plants import PlantKind

    made = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    made.add_column("round")
    for figures in one.rounds:
        made.add_column(str(figures.number), justify="right")

    def row(name: str, cells: list[str], style: str = "") -> None:
        made.add_row(Text(name), *(Text(cell) for cell in cells), style=style)

    rounds = one.rounds
    for kind in PlantKind:
        if any(kind in figures.survival for figures in rounds):
            row(kind.value, [_percent(figures.survival.get(kind)) for figures in rounds])
    row("all", [_percent(figures.all) for figures in rounds], "bold")
    row("  +/- of sessions", [f"{figures.spread:.1f}" for figures in rounds])
    row("restated, new value only", [_percent(figures.restated) for figures in rounds])
    row("stale given as current", [_of(figures.stale) for figures in rounds])
    row("  the newer told beside it", [_of(figures.noted) for figures in rounds])
    row("both of a near pair", [_percent(figures.pairs) for figures in rounds])
    row("false merges", [_of(figures.merged) for figures in rounds])
    row("invented identifiers", [str(figures.invented) for figures in rounds])
    row("characters", [f"{figures.characters:,.0f}" for figures in rounds])
    row("tokens", [f"~{thousands(round(figures.tokens))}" for figures in rounds])
    if any(figures.output_tokens for figures in rounds):
        row("tokens of the writer, in", [thousands(figures.input_tokens) for figures in rounds])
        row("tokens of the writer, out", [thousands(figures.output_tokens) for figures in rounds])
    row("seconds", [f"{figures.seconds:.2f}" for figures in rounds])
    if any(figures.over for figures in rounds):
        row("over budget", [str(figures.over) for figures in rounds])
    return made


def _percent(share: Share | None) -> str:
    if share is None or share.percent is None:
        return "-"
    return f"{share.percent:.0f}%" if share.percent in (0, 100) else f"{share.percent:.1f}%"


def _of(share: Share) -> str:
    return f"{share.there}/{share.of}" if share.of else "-"


def _examples(out: Console, name: str, texts: tuple[str, ...]) -> None:
    if texts:
        more = f" and {len(texts) - _EXAMPLES} more" if len(texts) > _EXAMPLES else ""
        listed = "; ".join(one_line(text, 100) for text in texts[:_EXAMPLES])
        out.print(f"{name}: {listed}{more}", style="dim")
