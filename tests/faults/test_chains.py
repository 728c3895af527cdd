"""Records that hang together wrongly are all shown, and it ends."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from redline.agents.opening import open_session
from redline.model import DamageKind
from tests.faults.dialects import ASK, CLAUDE_CODE, PI, Dialect, Prompt, Reply, Step, line
from tests.faults.surfaces import Commands, damage, said

KEYS = {"claude-code": ("uuid", "parentUuid"), "pi": ("id", "parentId")}
CHAINED = pytest.mark.parametrize("chained", [CLAUDE_CODE, PI], ids=lambda one: one.name)
STEPS: tuple[Step, ...] = tuple(
    step for n in range(4) for step in (Prompt(f"Ask {n}"), Reply(f"Did {n}"))
)


def linked(
    chained: Dialect, home: Path, parents: Mapping[int, Any], ids: Mapping[int, Any] | None = None
) -> Path:
    """The steps with some of their parents, and some of their own ids, as stated."""
    own, parent = KEYS[chained.name]
    groups = chained.lines(*STEPS)
    for at in range(len(STEPS)):
        record = json.loads(groups[at + 1][0])
        record[parent] = parents.get(at, record[parent])
        record[own] = (ids or {}).get(at, record[own])
        groups[at + 1] = [line(record)]
    return chained.write_lines(home, groups)


@CHAINED
@pytest.mark.parametrize(
    "parents",
    [
        {0: "r1", 1: "r0"},
        {0: "r7"},
        {0: "r0"},
        {at: f"r{at}" for at in range(8)},
        {at: f"r{(at + 1) % 8}" for at in range(8)},
        {4: "r6"},
        {7: "r7"},
    ],
    ids=["two", "ring", "self", "all", "backwards", "inner", "last"],
)
def test_circles_end_and_are_told(
    home: Path, chained: Dialect, commands: Commands, parents: Mapping[int, str]
) -> None:
    """A44: two that are each other's parent, a ring, a record that is its own parent."""
    path = linked(chained, home, parents)
    session = open_session(path)
    assert DamageKind.CYCLE in damage(session)
    reachable = set(said(session))
    for branch in session.side_branches:
        reachable |= set(said(open_session(path, leaf=branch.leaf)))
    assert reachable >= {"Ask 3", "Did 3"} if parents != {4: "r6"} else {"Did 3"}
    assert len(commands.json("inspect", str(path))["damage"]) == len(session.damage)


@CHAINED
@pytest.mark.parametrize("copies", [2, 50])
def test_ids_that_are_used_twice_are_told_and_nothing_is_lost(
    home: Path, chained: Dialect, commands: Commands, copies: int
) -> None:
    """A44: the same record again, and another record under the same id."""
    groups = chained.lines(*STEPS)
    again = [groups[3][0]] * (copies - 1)
    path = chained.write_lines(home, [*groups[:4], again, *groups[4:]])
    session = open_session(path)
    assert said(session) == [text for step in STEPS for text in [step.content]]  # type: ignore[union-attr]
    assert DamageKind.DUPLICATE in damage(session)
    other = json.loads(groups[3][0])
    other["message"]["content"] = "Another"
    path = chained.write_lines(home, [*groups[:4], [line(other)], *groups[4:]])
    session = open_session(path)
    assert DamageKind.DUPLICATE in damage(session)
    assert len(session.context) == len(STEPS)
    commands.all(path)


@CHAINED
@pytest.mark.parametrize("parent", ["gone", "", 7, True, ["r1"], {"id": "r1"}])
def test_a_parent_that_names_nothing_loses_nothing(
    home: Path, chained: Dialect, commands: Commands, parent: Any
) -> None:
    """A44, A23: at every place of the chain."""
    for at in range(1, len(STEPS)):
        session = open_session(linked(chained, home, {at: parent}))
        assert said(session)[-(len(STEPS) - at) :] == [
            text
            for step in STEPS[at:]
            for text in [step.content]  # type: ignore[union-attr]
        ]
        if parent == "gone":
            assert len(session.context) == len(STEPS)
            assert DamageKind.DANGLING in damage(session)


@CHAINED
def test_both_sides_of_a_fork_are_reachable(home: Path, chained: Dialect) -> None:
    """A13: two prompts under one record; the later side lives, the other opens by its leaf."""
    for fork, at in itertools.product(range(6), (6, 4, 2)):
        if fork >= at - 1:
            continue
        path = linked(chained, home, {at: f"r{fork}"})
        session = open_session(path)
        seen = set(said(session))
        for branch in session.side_branches:
            seen |= set(said(open_session(path, leaf=branch.leaf)))
        assert seen == {text for step in STEPS for text in [step.content]}, (fork, at)  # type: ignore[union-attr]


def test_two_prompts_under_the_end_of_a_turn_are_both_there(home: Path) -> None:
    """A13: the row itself: replies go on from both."""
    groups = CLAUDE_CODE.lines(*ASK, Prompt("First"), Reply("One"), Prompt("Second"), Reply("Two"))
    ended = json.loads(groups[4][0]) | {
        "type": "system",
        "subtype": "turn_duration",
        "uuid": "end",
        "parentUuid": "r3",
        "durationMs": 5,
    }
    del ended["message"]
    for at in (5, 7):
        record = json.loads(groups[at][0])
        groups[at] = [line(record | {"parentUuid": "end"})]
    path = CLAUDE_CODE.write_lines(home, [*groups[:5], [line(ended)], *groups[5:]])
    session = open_session(path)
    seen = said(session)
    for branch in session.side_branches:
        seen += said(open_session(path, leaf=branch.leaf))
    assert {"Fixed.", "First", "One", "Second", "Two"} <= set(seen)


def test_a_ring_of_thousands_of_records_is_found_too(home: Path) -> None:
    """A44: nothing recurses along a chain; a ring of many is found as fast."""
    for chained in (CLAUDE_CODE, PI):
        groups = chained.lines(*(Prompt("Go on") for _ in range(5_000)))
        first = json.loads(groups[1][0])
        first[KEYS[chained.name][1]] = "r4999"
        groups[1] = [line(first)]
        session = open_session(chained.write_lines(home, groups))
        assert DamageKind.CYCLE in damage(session)
        assert len(session.context) == 5_000
