"""The subagents of a thread."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from redline.agents.codex.rollout import Rollout
from redline.agents.codex.subagents import subagents_of
from redline.model import Subagent
from tests.agents.codex.files import (
    CHILD,
    GRANDCHILD,
    JSON,
    PARENT,
    meta,
    pack,
    rollout_file,
    said,
    write,
)


def spawned(thread: str, parent: str = PARENT, **fields: Any) -> JSON:
    spawn = {"parent_thread_id": parent, "depth": 1, "agent_nickname": "Noether"}
    return meta(thread, source={"subagent": {"thread_spawn": spawn}}, **fields)


def found(path: Path, calls: dict[str, str] | None = None) -> tuple[Subagent, ...]:
    return subagents_of(path, Rollout(path).meta, calls)


def test_subagents_are_found_by_their_parents_id_though_it_names_none(tmp_path: Path) -> None:
    # A11
    path = write(rollout_file(tmp_path), meta(), said("user", "go"))
    child = write(rollout_file(tmp_path, CHILD), spawned(CHILD), said("user", "count"))
    write(rollout_file(tmp_path, GRANDCHILD), spawned(GRANDCHILD, CHILD))
    assert found(path) == (Subagent(CHILD, child, "subagent", "Noether"),)
    assert [agent.id for agent in found(child)] == [GRANDCHILD]
    assert found(path, {CHILD: "call_7"})[0].call_id == "call_7"


@pytest.mark.parametrize(
    "fields",
    [
        {"source": {"subagent": "review"}, "parent_thread_id": PARENT},
        {"source": {"subagent": {"other": "guardian"}}, "parent_thread_id": PARENT},
        {"thread_source": "subagent", "parent_thread_id": PARENT, "agent_role": "explorer"},
    ],
)
def test_every_kind_of_subagent_is_found(tmp_path: Path, fields: dict[str, Any]) -> None:
    path = write(rollout_file(tmp_path), meta())
    write(rollout_file(tmp_path, CHILD), meta(CHILD, **fields))
    (agent,) = found(path)
    assert agent.kind in ("review", "guardian", "explorer")


def test_a_fork_is_no_subagent(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path), meta())
    write(rollout_file(tmp_path, CHILD), meta(CHILD, forked_from_id=PARENT), meta())
    assert found(path) == ()


def test_a_subagent_is_found_archived_packed_and_on_a_later_day(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path, day="2026-04-01"), meta())
    os.utime(path, (1_775_600_000, 1_775_600_000))  # 2026-04-07
    pack(write(rollout_file(tmp_path, CHILD, "2026-04-05"), spawned(CHILD)))
    archived = tmp_path / "archived_sessions" / rollout_file(tmp_path, GRANDCHILD).name
    write(archived, spawned(GRANDCHILD))
    thread = "019d4677-0000-7000-8000-000000000001"  # made on 2026-04-01
    write(path, meta(thread))
    os.utime(path, (1_775_600_000, 1_775_600_000))
    later = "019d4677-1000-7000-8000-000000000002"
    other = "019d4677-2000-7000-8000-000000000003"
    pack(write(rollout_file(tmp_path, later, "2026-04-06"), spawned(later, thread)))
    write(archived.with_name(rollout_file(tmp_path, other).name), spawned(other, thread))
    assert [agent.id for agent in found(path)] == [later, other]


def test_files_from_before_the_thread_are_not_opened(tmp_path: Path) -> None:
    path = write(rollout_file(tmp_path, CHILD), meta(CHILD))
    write(rollout_file(tmp_path, PARENT), spawned(PARENT, CHILD))
    assert found(path) == ()


def test_a_file_away_from_its_home_has_the_subagents_beside_it(tmp_path: Path) -> None:
    path = write(tmp_path / "copied.jsonl", meta())
    beside = write(tmp_path / rollout_file(tmp_path, CHILD).name, spawned(CHILD))
    assert [agent.path for agent in found(path)] == [beside]


@pytest.mark.parametrize("data", [b"", PARENT.encode(), b"{" + PARENT.encode(), b"\x28\xb5\x2f"])
def test_a_file_that_is_no_rollout_costs_nothing(tmp_path: Path, data: bytes) -> None:
    path = write(rollout_file(tmp_path), meta())
    rollout_file(tmp_path, CHILD).write_bytes(data)
    rollout_file(tmp_path, GRANDCHILD).with_suffix(".jsonl.zst").write_bytes(data)
    assert found(path) == ()
    assert subagents_of(path, {}) == subagents_of(path, {"id": 3, "timestamp": []}) == ()
