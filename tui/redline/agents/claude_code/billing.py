"""The requests that a session file of Claude Code tells of, on whichever branch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from redline.agents.claude_code.finding import COMPACTION_AGENT
from redline.agents.claude_code.node import text
from redline.agents.claude_code.skeleton import SYNTHETIC_MODEL, is_record
from redline.agents.claude_code.usage import later, read_usage
from redline.agents.records import read_on
from redline.errors import RedlineError
from redline.model import Billed


def billed(path: Path, known: Iterable[Billed] | None = None) -> Iterator[Billed]:
    """Every request of the file, once each, and those of the agent that wrote its summaries (which
    repeats replies of the session: they have the same keys). `known` are those of the file, where
    it was read already. Raises RedlineError where it cannot be read."""
    yield from _billed(path) if known is None else known
    for file in compaction_agents(path):
        try:
            yield from _billed(file)
        except RedlineError:  # gone since it was listed
            continue


def compaction_agents(path: Path) -> list[Path]:
    """The files of the agent that wrote the summaries of the session at `path`."""
    return sorted(path.with_suffix("").glob(f"subagents/agent-{COMPACTION_AGENT}*.jsonl"))


def _billed(path: Path) -> tuple[Billed, ...]:
    """All records of a reply are one request; the output is whole on the last ones only."""
    found: dict[str, Billed] = {}
    for record in read_on(path, [], 0, is_record=is_record, passes_over=_tells_nothing):
        message = record.value.get("message")
        if record.value.get("type") != "assistant" or not isinstance(message, dict):
            continue
        model, usage = text(message.get("model")), read_usage(message.get("usage"))
        if usage is None or model == SYNTHETIC_MODEL:
            continue
        key = text(message.get("id")) or text(record.value.get("uuid")) or f"line:{record.number}"
        before = found.get(key)
        aside = record.value.get("isSidechain") is True
        total = later(before.usage if before else None, usage)
        found[key] = Billed(key, model, total or usage, aside)
    requests = tuple(found.values())
    if all(request.aside for request in requests):  # a subagent's own file
        return tuple(replace(request, aside=False) for request in requests)
    return requests


def _tells_nothing(line: bytes) -> bool:
    return b'"usage"' not in line
