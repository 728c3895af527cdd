"""The requests that a session file of pi tells of: replies on every branch, those that failed,
summaries, and what pi notes beside the conversation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from redline.agents.pi.entries import is_entry
from redline.agents.pi.fields import model_of, read_usage, text_of
from redline.agents.records import read_on
from redline.model import Billed


def billed(path: Path) -> Iterator[Billed]:
    """Every request of the file. A summary names no model: it is that of the reply before. Raises
    RedlineError where the file cannot be read."""
    model: str | None = None
    for record in read_on(path, [], 0, is_record=is_entry, passes_over=_tells_nothing):
        entry = record.value
        message = entry.get("message")
        of = message if isinstance(message, dict) else entry
        usage = read_usage(of.get("usage"))
        if usage is None or not any((usage.billed, usage.output)):
            continue
        aside = of.get("role") == "toolResult"  # an agent that a tool ran
        named = text_of(of.get("responseModel")) or model_of(of)
        model = model if aside else named or model
        key = f"{text_of(entry.get('id')) or f'line:{record.number}:{record.start}'}"
        yield Billed(key, named if aside else model, usage, aside, dollars=_dollars(of))


def _dollars(of: Mapping[str, Any]) -> float | None:
    """What pi itself took it to cost; 0 says that it knew no price."""
    cost = of["usage"].get("cost")
    total = cost.get("total") if isinstance(cost, dict) else None
    known = isinstance(total, int | float) and not isinstance(total, bool) and 0 < total < 10**6
    return float(total) if known and total is not None else None


def _tells_nothing(line: bytes) -> bool:
    return b'"usage"' not in line
