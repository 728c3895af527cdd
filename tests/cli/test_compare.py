"""`redline compare`: the strategies side by side."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from redline.compaction.strategies.registry import names
from redline.comparison.columns import letters
from redline.text import cells
from tests.cli.conftest import Run

SIZES = ("60", "80", "120", "200")


def test_every_strategy_has_a_row_with_the_figures_of_its_plan(run: Run, shop: str) -> None:
    answer = run("compare", shop, "--json")
    assert answer.status == 0
    rows = answer.json["strategies"]
    assert tuple(row["strategy"] for row in rows) == names()
    for row in rows:
        plan = run("plan", shop, "--strategy", row["strategy"], "--json").json
        assert row["error"] is None
        assert {name: plan["tokens"][name] for name in row["tokens"]} == row["tokens"]
        assert {**row["price"], "cache": None} == {**plan["price"], "cache": None}
        assert row["after"]["total"] == sum(row["after"]["categories"].values())
        done = [message["action"] for message in plan["messages"]]
        assert {name: count for name, count in row["messages"].items() if count} == {
            action: done.count(action) for action in done
        }
        for stays in row["stays"].values():
            assert 0 <= stays["kept"] + stays["quoted"] <= stays["of"]


def test_every_message_says_what_each_strategy_does_with_it(run: Run, shop: str) -> None:
    found = run("compare", shop, "--strategy", "pi", "clear", "--json").json
    plans = {
        name: run("plan", shop, "--strategy", name, "--json").json["messages"]
        for name in ("pi", "clear")
    }
    assert [row["strategy"] for row in found["strategies"]] == ["pi", "clear"]
    for message in found["messages"]:
        its = {name: plan[message["index"]] for name, plan in plans.items()}
        assert message["actions"] == {name: one["action"] for name, one in its.items()}
        alike = its["pi"]["action"] == its["clear"]["action"]
        parts = [[part["action"] for part in one["parts"]] for one in its.values()]
        assert message["differs"] is not (alike and parts[0] == parts[1])


def test_a_tail_holds_for_all(run: Run, shop: str) -> None:
    small, large = (
        run("compare", shop, "--strategy", "pi", "redline", "--tail", tail, "--json").json
        for tail in ("10", "100k")
    )
    for one, other in zip(small["strategies"], large["strategies"], strict=True):
        assert one["tokens"]["kept"] < other["tokens"]["kept"]


@pytest.mark.parametrize("width", SIZES)
def test_the_table_fits_its_terminal(
    run: Run, shop: str, width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    said = run("compare", shop, "--messages").out
    assert max(map(cells, said.splitlines())) <= int(width)
    table = said.splitlines()
    for letter, name in zip(letters(names()), names(), strict=True):
        assert any(line.startswith(f"{letter} {name} ") for line in table)
    assert "".join(letters(names())) in said


def test_a_wider_terminal_shows_more_figures(
    run: Run, shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads = []
    for width in SIZES:
        monkeypatch.setenv("COLUMNS", width)
        lines = run("compare", shop).out.splitlines()
        heads.append(set(next(line for line in lines if " after " in line).split()))
    assert heads[0] < heads[1] < heads[2]
    assert {"after", "kept", "rules", "words", "files", "once", "back"} <= heads[1]
    assert {"errs", "anch", "each"} <= heads[2]
    wide = next(line for line in lines if line.startswith("r redline "))
    assert re.search(r"[#=%:~]+\.+", wide), "and a bar of what is left"


def test_the_plan_of_a_row_is_saved_and_taken_up_again(run: Run, shop: str, tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    assert run("compare", shop, "--take", "pi", "-o", str(file), "--tail", "900").status == 0
    saved = json.loads(file.read_text())
    assert saved["strategy"] == "pi"
    wanted = run("plan", shop, "--strategy", "pi", "--tail", "900", "--json").json
    assert saved["messages"] == wanted["messages"]
    again = run("plan", shop, "--plan", str(file), "--json").json
    assert [m["action"] for m in again["messages"]] == [m["action"] for m in wanted["messages"]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--take", "pi"), "-o PLAN"),
        (("-o", "plan.json"), "--take"),
        (("--take", "nothing", "-o", "plan.json"), "there is no strategy 'nothing'"),
        (("--strategy", "pi", "nothing"), "there is no strategy 'nothing'"),
        (("--tail", "some"), "a number of tokens"),
    ],
)
def test_wrong_use_is_one_clear_line(
    run: Run, shop: str, words: tuple[str, ...], said: str
) -> None:
    answer = run("compare", shop, *words)
    assert answer.status == 2
    assert said in answer.err
    assert not Path("plan.json").exists()


def test_every_sample_can_be_compared_in_another_view_too(run: Run) -> None:
    for info in run("sessions", "--json").json["sessions"]:
        assert run("compare", info["id"]).status in (0, 1)
        past = run("inspect", info["id"], "--json").json["compactions"]
        for number, _ in enumerate(past, start=1):
            before = run("compare", info["id"], "--before", str(number), "--json").json
            assert before["strategies"][0]["tokens"] is not None
