"""What a rollout says beside its history: whose thread it is, and what is set in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from redline.agents.codex.rollout import Rollout
from redline.agents.codex.silent import is_unwanted
from redline.agents.codex.view import Branch

_WORLD = "world_state"


@dataclass(frozen=True, slots=True)
class ThreadState:
    """Payloads: `meta` of the file's own session_meta ({} where it has none), `turn` of the last
    turn_context. `world` are the world_states since the last compaction, a full one first; none
    where the history does not surely hold what they tell of."""

    meta: Mapping[str, Any]
    turn: Mapping[str, Any] = field(default_factory=dict)
    world: tuple[Mapping[str, Any], ...] = ()


def state_at(rollout: Rollout, branch: Branch) -> ThreadState:
    """The state where `branch` ends. Raises RedlineError where the file cannot be read."""
    turn: Mapping[str, Any] = {}
    world: list[Mapping[str, Any]] = []
    counted, aside = 0, False  # a long world_state does not count as a record of a branch

    def unwanted(kind: str, inner: str, _size: int) -> bool:
        nonlocal aside
        passed_over = is_unwanted(kind, inner)
        aside = passed_over and kind == _WORLD
        return passed_over and not aside

    for _path, record in rollout.located([], unwanted):
        counted, aside = counted + (not aside), False
        if counted > branch.stop:
            break
        kind, payload = record.value.get("type"), record.value.get("payload")
        if not isinstance(payload, dict):
            continue
        if kind == "turn_context":
            turn = payload
        elif kind == "compacted":
            world.clear()
        elif kind == _WORLD:
            if payload.get("full") is True:
                world.clear()
            if world or payload.get("full") is True:
                world.append(payload)
    return ThreadState(rollout.meta, turn, () if branch.gone else tuple(world))
