"""The agent's own session on the commit screen: written, and the agent started on it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from redline.agents.opening import open_session
from redline.errors import RedlineError
from redline.model import Agent, Kind, Session
from redline.settings import Settings
from redline.shipped import shipped
from redline.ui.commit import CommitScreen
from redline.ui.items import Items
from redline.ui.onward import Onward, from_handoff, start
from tests.ui.stage import Stage, shop, stage

SAMPLE = "3f6c1d52-8a7e-4b1c-9c55-0d2b7a61e4f8"


def sample(folder: Path) -> Session:
    """A sample of Claude Code in a home below `folder`."""
    found = next(shipped("sample_sessions").rglob(f"{SAMPLE}.jsonl"))
    place = folder / ".claude" / "projects" / "-home-dev-shop" / found.name
    place.parent.mkdir(parents=True)
    shutil.copy(found, place)
    return open_session(place)


async def at_targets(on: Stage, name: str) -> None:
    await on.press("w", "w")
    await at_named(on, name)


async def at_named(on: Stage, name: str) -> None:
    targets = on.screen.query_one("#targets", Items)
    targets.go_to(next(row for row, item in enumerate(targets.items) if item.key == name))
    await on.settle()


async def test_a_session_the_agent_can_resume_is_shown_written_started_and_taken_back(
    tmp_path: Path,
) -> None:
    made = sample(tmp_path)
    folder = made.info.path.parent
    original = made.info.path.read_bytes()
    started: list[Onward] = []

    def run(onward: Onward, _environment: Mapping[str, str]) -> int:
        started.append(onward)
        return 3

    async with stage(tmp_path, first=made, size=(120, 40), start=run) as on:
        await at_targets(on, "new session")
        assert "+ summary" in on.text()
        assert list(folder.iterdir()) == [made.info.path]
        await on.press("space", "enter")
        (new,) = [path for path in folder.iterdir() if path != made.info.path]
        assert made.info.path.read_bytes() == original
        back = open_session(new)
        assert back.context[0].parts[0].kind is Kind.SUMMARY
        assert on.app.outcome.command.endswith(f"claude --resume {new.stem}")
        await on.press("enter")
        assert started[0].argv == ("claude", "--resume", new.stem)
        assert any("ended with 3" in notice for notice in on.notices())
        await on.press("U")
        assert list(folder.iterdir()) == [made.info.path]


async def test_what_the_agent_would_compact_again_at_once_is_warned_of_with_its_sizes(
    tmp_path: Path,
) -> None:
    settings = replace(Settings(), limits={"*": 3_000})
    async with stage(tmp_path, first=sample(tmp_path), size=(120, 40), settings=settings) as on:
        await at_targets(on, "new session")
        warnings = [item.text for item in on.screen.query_one("#warnings", Items).items]
        assert [one for one in warnings if "more than the 3,000 of the window" in str(one)]


async def test_a_session_that_would_become_larger_is_warned_of(tmp_path: Path) -> None:
    long = "## Goal\n\n" + "Round each line, then the total. " * 40_000
    async with stage(tmp_path, first=sample(tmp_path), size=(120, 40)) as on:
        await at_targets(on, "new session")
        assert isinstance(on.screen, CommitScreen)
        warnings = on.screen.query_one("#warnings", Items)
        assert not any("it frees nothing" in item.text for item in warnings.items)
        on.app.push_screen(CommitScreen(on.screen.review.with_text(long)))
        await on.settle()
        await at_named(on, "new session")
        warnings = on.screen.query_one("#warnings", Items)
        assert any("it frees nothing" in item.text for item in warnings.items)


async def test_what_a_program_dumped_is_no_session_that_could_be_resumed(tmp_path: Path) -> None:
    made = shop(tmp_path)
    dumped = replace(made, info=replace(made.info, agent=Agent.MESSAGES))
    async with stage(tmp_path, first=dumped, size=(120, 40)) as on:
        await on.press("w", "w")
        names = [item.key for item in on.screen.query_one("#targets", Items).items]
        assert names[0] == "handoff file"
        assert not any("session" in str(name) for name in names)


def test_a_command_runs_in_its_folder_and_gives_its_status(tmp_path: Path) -> None:
    script = "import os, sys; open('here', 'w').write(os.environ['GIVEN']); sys.exit(4)"
    program = Path(sys.executable)
    onward = Onward((program.name, "-c", script), tmp_path)
    assert start(onward, {"PATH": str(program.parent), "GIVEN": "yes"}) == 4
    assert (tmp_path / "here").read_text() == "yes"


def test_a_command_that_cannot_be_started_says_so(tmp_path: Path) -> None:
    with pytest.raises(RedlineError, match="no program nowhere"):
        start(Onward(("nowhere",)), {"PATH": str(tmp_path)})
    program = Path(sys.executable)
    with pytest.raises(RedlineError, match="cannot be started in"):
        start(Onward((program.name,), tmp_path / "gone"), {"PATH": str(program.parent)})


def test_the_command_on_from_a_handoff_is_safe_for_a_shell(tmp_path: Path) -> None:
    made = shop(tmp_path)
    onward = from_handoff(made.info, tmp_path / "a b'; rm -rf x.md")
    assert onward.folder == tmp_path / "shop"
    assert onward.line.startswith("cd ")
    assert "'\"'\"'; rm -rf x.md" in onward.line
