"""The requests that a rollout tells of, also those that were taken back and those for summaries."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from redline.agents.codex.rollout import Rollout
from redline.agents.codex.usage import Counter
from redline.model import Billed

_TELLING = frozenset({"event_msg", "turn_context"})


def billed(path: Path) -> Iterator[Billed]:
    """Every request of the thread. What a fork repeats of its parent has the parent's keys: they
    are made of the counts of the whole thread. Raises RedlineError where it cannot be read."""
    counter, model = Counter(), None
    for record in Rollout(path).records([], _is_other):
        payload = record.value.get("payload")
        if not isinstance(payload, dict):
            continue
        if record.value.get("type") == "turn_context":
            named = payload.get("model")
            model = named if isinstance(named, str) and named else model
        elif payload.get("type") == "token_count":
            count = counter.take(payload.get("info"))
            if count is not None and count.usage is not None:
                yield Billed(f"{counter.thread}", model, count.usage)


def _is_other(kind: str, inner: str, _size: int) -> bool:
    return kind not in _TELLING or (kind == "event_msg" and inner not in ("", "token_count"))
