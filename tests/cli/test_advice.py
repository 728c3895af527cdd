"""Triggers, moments and alarms as `follow`, `audit`, `plan` and `inspect` tell them."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from redline.agents.following import Change
from redline.cli.follow import follow
from redline.cli.follow_view import LineView, frame
from redline.cli.followed import Followed, Step, step_json
from redline.cli.workplace import Workplace
from redline.places import places
from redline.settings import Settings
from tests.agents.claude_code import writing as cc
from tests.cli.conftest import Run

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
Record = dict[str, Any]


def used(number: int, tool: str, given: dict[str, Any], parent: str) -> Record:
    block = {"type": "tool_use", "id": f"t{number}", "name": tool, "input": given}
    return cc.reply(f"c{number}", parent, f"msg_{number}", block)


def answered(number: int, text: str = "ok", **more: Any) -> Record:
    block = {"type": "tool_result", "tool_use_id": f"t{number}", "content": text, **more}
    return cc.user(f"r{number}", f"c{number}", [block])


def bash(number: int, command: str, output: str = "ok", *, parent: str) -> list[Record]:
    return [used(number, "Bash", {"command": command}, parent), answered(number, output)]


class World:
    """A session with one rule that a person confirmed, and what is done to it."""

    def __init__(self, home: Path, settings: Settings | None = None) -> None:
        self.environment = {"HOME": str(home), "REDLINE_HOME": str(home / "redline")}
        self.folder = home / ".claude" / "projects" / "-home-dev-shop"
        self.path = cc.write(self.folder, [cc.user("u1", None, "Never touch src/legacy. Fix it.")])
        chosen = settings or Settings(tokenizer="estimate", trigger_calls=2)
        self.place = Workplace(self.environment, home, places(self.environment), chosen)

    def confirm(self) -> None:
        session = self.place.session(str(self.path))
        store = self.place.ledger_store()
        store.confirm(session, [rule.id for rule in store.load(session).proposed])

    def append(self, *records: Record) -> Callable[[], Change]:
        def happen() -> Change:
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(record) + "\n" for record in records)
            os.utime(self.path, (NOW.timestamp(), NOW.timestamp()))
            return Change.GROWN

        return happen

    def run(
        self, *happenings: Callable[[], Change | None], handoff: Path | None = None
    ) -> list[Step]:
        steps: list[Step] = []
        rest = iter(happenings)

        class Script:
            def follow(self, path: Path) -> None: ...

            def next(self) -> Change | None:
                try:
                    return next(rest)()
                except StopIteration:
                    raise KeyboardInterrupt from None

        class View:
            def show(self, step: Step) -> None:
                steps.append(step)

            def pulse(self) -> None: ...

            def close(self) -> None: ...

        session = self.place.session(str(self.path))
        followed = Followed(self.place, session, lambda: NOW, handoff)
        with pytest.raises(KeyboardInterrupt):
            follow(followed, Script(), View(), latest=False)
        return steps


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def lines_of(steps: Iterable[Step]) -> list[list[str]]:
    return [list(step.advice.lines) if step.advice else [] for step in steps]


def test_a_trigger_is_told_once_with_the_reason_why_the_moment_is_good(world: World) -> None:
    steps = world.run(
        world.append(*bash(1, "make x", parent="u1")),
        world.append(*bash(2, "pytest -q", "3 passed", parent="r1")),
        world.append(*bash(3, "ls", parent="r2")),
    )

    told = lines_of(steps)
    assert told[2] == [
        "time to compact: 2 tool calls since the start; "
        "moment good: tests just passed, no call open"
    ]
    assert (told[1], told[3]) == ([], [])


def test_a_trigger_waits_for_the_result_of_a_call(world: World) -> None:
    steps = world.run(
        world.append(*bash(1, "make x", parent="u1")),
        world.append(used(2, "Bash", {"command": "sleep 9"}, "r1")),
        world.append(answered(2)),
    )

    told = lines_of(steps)
    assert told[2] == []
    assert step_json(steps[2])["triggers"][0]["held"] == "a call is open: Bash sleep 9"
    assert len(told[3]) == 1


def test_a_breach_is_an_alarm_at_once_before_it_has_a_result(world: World) -> None:
    world.confirm()
    steps = world.run(
        world.append(used(1, "Edit", {"file_path": "src/legacy/a.py"}, "u1")),
        world.append(answered(1)),
    )

    assert lines_of(steps)[1] == ['alarm: edits src/legacy/a.py: "Never touch src/legacy."']
    assert lines_of(steps)[2] == []
    (breach,) = step_json(steps[1])["breaches"]
    assert (breach["call"], breach["message"], breach["failed"]) == ("t1", "c1", None)


def test_a_rule_that_is_not_confirmed_raises_no_alarm(world: World) -> None:
    steps = world.run(world.append(used(1, "Edit", {"file_path": "src/legacy/a.py"}, "u1")))

    assert lines_of(steps)[1] == []


def test_a_rule_that_is_confirmed_meanwhile_counts_from_then_on(world: World) -> None:
    def confirm() -> None:
        world.confirm()

    steps = world.run(
        world.append(used(1, "Edit", {"file_path": "src/legacy/a.py"}, "u1"), answered(1)),
        confirm,
        world.append(used(2, "Edit", {"file_path": "src/legacy/b.py"}, "r1")),
    )

    assert [line for told in lines_of(steps) for line in told if "alarm" in line] == [
        'alarm: edits src/legacy/b.py: "Never touch src/legacy."'
    ]


def test_the_handoff_is_written_whole_when_a_trigger_is_met(world: World, tmp_path: Path) -> None:
    kept = tmp_path / "handoff.md"
    todo = {"todos": [{"content": "Round once", "status": "in_progress"}]}
    done = {"todos": [{"content": "Round once", "status": "completed"}]}
    steps = world.run(
        world.append(used(1, "TodoWrite", todo, "u1"), answered(1)),
        world.append(used(2, "TodoWrite", done, "r1"), answered(2)),
        handoff=kept,
    )

    assert steps[-1].handoff == kept
    assert steps[1].handoff is None
    text = kept.read_text()
    assert "Round once" in text.split("## Done")[1].split("## ")[0]
    assert kept.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.glob("handoff*")] == ["handoff.md"]


def test_a_file_that_is_no_handoff_is_left_alone(world: World, tmp_path: Path) -> None:
    own = tmp_path / "notes.md"
    own.write_text("mine")
    steps = world.run(
        world.append(*bash(1, "make x", parent="u1")),
        world.append(*bash(2, "make x", parent="r1")),
        handoff=own,
    )

    assert own.read_text() == "mine"
    assert steps[-1].handoff is None
    assert steps[-1].problem == f"{own} is there already and no handoff"


def test_a_handoff_that_somebody_edits_is_not_written_over(world: World, tmp_path: Path) -> None:
    kept = tmp_path / "handoff.md"

    def edit() -> None:
        kept.write_text("edited")

    list_ = [{"content": "one", "status": "pending"}]
    done = [{"content": "one", "status": "completed"}]
    steps = world.run(
        world.append(*bash(1, "make x", parent="u1")),
        world.append(*bash(2, "make x", parent="r1")),
        edit,
        world.append(used(3, "TodoWrite", {"todos": list_}, "r2"), answered(3)),
        world.append(used(4, "TodoWrite", {"todos": done}, "r3"), answered(4)),
        handoff=kept,
    )

    assert kept.read_text() == "edited"
    assert steps[-1].problem


def test_people_read_it_in_lines_and_on_the_live_view(world: World) -> None:
    world.confirm()
    steps = world.run(
        world.append(used(1, "Edit", {"file_path": "src/legacy/a.py"}, "u1"), answered(1))
    )
    out = Console(file=io.StringIO(), width=200)
    LineView(out).show(steps[1])
    assert '! alarm: edits src/legacy/a.py: "Never touch src/legacy."' in out.file.getvalue()  # type: ignore[attr-defined]
    assert steps[1].advice is not None
    shown = frame(steps[1], [], 100, 30, NOW, steps[1].advice.moment.line)
    assert "moment bad: edits in flight: src/legacy/a.py" in shown


def test_what_escapes_a_terminal_in_a_call_does_not_reach_it(world: World) -> None:
    world.confirm()
    steps = world.run(
        world.append(used(1, "Edit", {"file_path": "src/legacy/\x1b]0;x\x07.py"}, "u1"))
    )

    assert "\x1b" not in "".join(lines_of(steps)[1])


@pytest.fixture
def project(tmp_path: Path, scratch: Path) -> Path:
    """A session in the scratch home that broke a rule, never compacted."""
    folder = Path(os.environ["HOME"]) / ".claude" / "projects" / "-home-dev-shop"
    records = [
        cc.user("u1", None, "Never touch src/legacy. Fix it."),
        used(1, "Edit", {"file_path": "src/legacy/a.py"}, "u1"),
        answered(1),
        *bash(2, "pytest -q", "1 passed", parent="r1"),
    ]
    return cc.write(folder, records)


def test_audit_lists_what_broke_an_active_rule(run: Run, project: Path) -> None:
    (rule,) = json.loads(run("rules", str(project), "--json").out)["rules"]
    before = run("audit", str(project), "--json")
    run("rules", str(project), "confirm", rule["id"])
    after = json.loads(run("audit", str(project), "--json").out)

    assert "never compacted" in before.err
    assert [breach["what"] for breach in after["breaches"]] == ["edits src/legacy/a.py"]
    assert "! c1" in run("audit", str(project)).out


def test_plan_and_inspect_tell_the_moment(run: Run, project: Path) -> None:
    planned = json.loads(run("plan", str(project), "--json").out)
    inspected = json.loads(run("inspect", str(project), "--json").out)

    assert planned["moment"]["good"][0]["text"] == "tests just passed"
    assert planned["moment"]["good"][0]["message"] == "r2"
    assert inspected["moment"]["verdict"] == "good"
    assert inspected["thrash"] is None
    assert "moment good: tests just passed" in run("plan", str(project)).out


def test_a_cache_that_goes_cold_tells_nothing_where_no_trigger_waits(world: World) -> None:
    steps = world.run(lambda: None)

    assert [step.event for step in steps] == ["opened"]
    assert replace(steps[0]).advice is not None
