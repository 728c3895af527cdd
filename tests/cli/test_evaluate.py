from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from redline.evaluate.evaluation import Evaluation, Progress
from redline.evaluate.ways import comparison
from redline.evaluate.ways.simulation import Outcome
from tests.cli.conftest import Run

SMALL = ("--sessions", "1", "--rounds", "2", "--budget", "20%")


def without_seconds(found: dict[str, Any]) -> dict[str, Any]:
    for result in found["results"]:
        for one in result["rounds"]:
            one.pop("seconds")
    return found


def test_evaluate_prints_a_table_and_a_curve_for_every_way(run: Run) -> None:
    answer = run("evaluate", *SMALL)
    assert answer.status == 0
    for word in ("rule", "preference", "all", "stale given as current", "false merges", "seconds"):
        assert f"\n{word}" in answer.out
    assert "100% |" in answer.out
    assert "round 1" in answer.out
    assert "R rule, C constraint, F fact, G goal, P preference" in answer.out
    assert answer.out.isascii() or "lost by" in answer.out


def test_evaluate_gives_json_of_every_strategy_writer_and_budget(run: Run) -> None:
    answer = run(
        "evaluate", "--json", "--sessions", "2", "--rounds", "2", "--strategy", "fresh,redline",
        "--budget", "30%,1k,2000c,none", "--seed", "4",
    )  # fmt: skip
    assert answer.status == 0
    found = answer.json
    assert found["complete"] is True
    assert (found["seed"], found["sessions"], found["rounds"], found["planted"]) == (4, 2, 2, 20)
    ways = [(one["strategy"], one["budget"]["asked"]) for one in found["results"]]
    assert ways == [
        (strategy, budget)
        for strategy in ("fresh", "redline")
        for budget in ("30%", "1k", "2000c", None)
    ]
    for result in found["results"]:
        assert [one["round"] for one in result["rounds"]] == [1, 2]
        for one in result["rounds"]:
            kinds = {name: share for name, share in one["survival"].items() if name != "all"}
            assert set(kinds) == {"rule", "constraint", "fact", "goal", "preference"}
            assert sum(share["of"] for share in kinds.values()) == 40
            assert one["survival"]["all"]["of"] == 40
            assert one["near_duplicates"]["of"] == 4
            assert one["false_merges"]["of"] == 32
    limits = {one["budget"]["asked"]: one["budget"]["limits"] for one in found["results"]}
    assert limits["1k"] == [1_000]
    assert limits["2000c"] == [2_000]
    assert limits[None] == []
    assert limits["30%"] == [round(size * 0.3) for size in found["transcripts"]]


def test_the_same_seed_measures_the_same_and_another_one_something_else(run: Run) -> None:
    first, again, other = (
        without_seconds(run("evaluate", "--json", *SMALL, "--seed", seed).json)
        for seed in ("7", "7", "8")
    )
    assert first == again
    assert first["transcripts"] != other["transcripts"]


def test_phrasings_of_somebody_else_are_planted(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "theirs.json"
    file.write_text(
        json.dumps(
            {
                "schema": 1,
                "name": "theirs",
                "statements": [
                    {
                        "kind": "rule",
                        "text": "Never touch src/legacy.",
                        "must": ["src/legacy"],
                        "polarity": "not",
                    }
                ],
            }
        )
    )
    found = run("evaluate", "--json", *SMALL, "--plants", str(file)).json
    assert found["plants"] == "theirs"
    assert found["results"][0]["rounds"][0]["survival"]["all"]["of"] == 1


def test_a_session_is_planted_in_as_a_copy(run: Run, shop: str) -> None:
    answer = run("evaluate", shop, "--json", *SMALL)
    assert answer.status == 0
    assert answer.json["transcripts"][0] > 8_000
    sample = run("evaluate", "sample", "--json", "--sessions", "2", "--rounds", "1").json
    assert len(set(sample["transcripts"])) == 2


def test_sessions_and_handoffs_are_kept_to_look_at(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    assert run("evaluate", *SMALL, "--keep", str(folder)).status == 0
    names = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    assert names == [
        f"fresh-offline-20%/session-1/{number}-{name}"
        for number in (1, 2)
        for name in ("handoff.md", "session.txt", "things.txt")
    ]
    things = (folder / names[2]).read_text()
    assert len(things.splitlines()) >= 20
    assert (folder / names[0]).read_text().startswith("# Handoff")


def test_what_was_measured_until_an_interruption_is_printed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Evaluation.steps

    def interrupted(evaluation: Evaluation) -> Iterator[Progress]:
        for step in whole(evaluation):
            yield step
            if step.done == 3:
                raise KeyboardInterrupt

    monkeypatch.setattr(Evaluation, "steps", interrupted)
    answer = run("evaluate", "--json", "--sessions", "2", "--rounds", "2", "--budget", "20%")
    assert answer.status == 130
    assert "interrupted" in answer.err
    assert answer.json["complete"] is False
    assert [one["sessions"] for one in answer.json["results"][0]["rounds"]] == [2, 1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--budget", "x"), "is no budget"),
        (("--budget", ","), "a name was expected"),
        (("--strategy", "nobody"), "no strategy 'nobody'"),
        (("--plants", "nowhere.json"), "cannot read nowhere.json"),
        (("nobody",), "nobody"),
        (("--rounds", "0"), "a number from 1"),
        (("--ways", "--window", "20k"), "leaves no room to work in"),
    ],
)
def test_wrong_use_is_told(run: Run, words: tuple[str, ...], said: str) -> None:
    answer = run("evaluate", *words)
    assert answer.status == 2
    assert said in answer.err
    assert not answer.out


def test_the_ways_are_compared_with_all_that_is_assumed(run: Run) -> None:
    small = ("--requests", "50", "--window", "80k", "--sessions", "1")
    answer = run("evaluate", "--ways", *small)
    assert answer.status == 0
    for head in ("none", "none, at best", "block", "proxy", "with memory"):
        assert f" {head} " in answer.out.replace("\n", " ")
    for measure in ("rounds", "tokens billed", "cost", "rules broken", "interventions"):
        assert f"\n{measure} " in answer.out
    assert "Governance Decay" in answer.out
    found = run("evaluate", "--ways", "--json", *small).json
    assert [one["way"] for one in found["ways"]] == [
        "none", "none, at best", "instructions block", "proxy", "proxy with memory"
    ]  # fmt: skip
    assert all(one["source"] for one in found["assumptions"])
    assert all(one["billed"]["mean"] > 0 for one in found["ways"])


def test_the_runs_that_were_done_until_an_interruption_are_printed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = comparison.runs

    def interrupted(*given: Any) -> Iterator[Outcome]:
        yield from islice(whole(*given), 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(comparison, "runs", interrupted)
    answer = run("evaluate", "--ways", "--json", "--requests", "10")
    assert answer.status == 130
    assert answer.json["complete"] is False
    assert [one["way"] for one in answer.json["ways"]] == ["none", "none, at best"]
