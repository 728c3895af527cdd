"""What agents print of a run, line by line, as words and figures.

As printed by Claude Code 2.1.197 (`--output-format stream-json --include-partial-messages`), Codex
0.171.0 (`exec --json`) and pi 1.6.0 (`--mode json`). The tokens that Codex tells at the end are of
the whole thread, also of what was forked, so none are taken from it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from redline.handoff.writers.failure import Failure, FailureKind, WriterFailure
from redline.handoff.writers.writer import Spent, Words
from redline.redaction import redact
from redline.text import one_line

Read = Callable[[dict[str, Any]], Iterator[Words | Spent]]
_LONGEST_LINE = 16_000_000  # characters; the first line of pi holds its whole system prompt
_TOLD = 300


def told(printed: Iterable[str], read: Read) -> Iterator[Words | Spent]:
    """What the whole lines of `printed`, which comes in any pieces, tell by `read`. A line that is
    no JSON object says nothing."""
    rest = ""
    for piece in printed:
        *lines, rest = (rest + piece).split("\n")
        for line in lines:
            yield from _line(line, read)
        if len(rest) > _LONGEST_LINE:
            rest = ""
    yield from _line(rest, read)


def _line(line: str, read: Read) -> Iterator[Words | Spent]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        yield from read(value)


def claude_code(event: dict[str, Any]) -> Iterator[Words | Spent]:
    """Raises WriterFailure where the run ended without an answer."""
    match event:
        case {
            "type": "stream_event",
            "event": {"delta": {"type": "text_delta", "text": str(text)}},
        }:
            yield Words(text)
        case {"type": "result"}:
            if isinstance(usage := event.get("usage"), dict):
                sides = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
                yield _spent(
                    sum(_count(usage, side) for side in sides), _count(usage, "output_tokens")
                )
            if event.get("subtype") == "error_max_turns":
                raise WriterFailure(_called())
            if event.get("is_error") is True:
                raise WriterFailure(_ended(event.get("result") or event.get("subtype")))


def codex(event: dict[str, Any]) -> Iterator[Words | Spent]:
    """Raises WriterFailure where the turn failed."""
    match event:
        case {"type": "item.completed", "item": {"type": "agent_message", "text": str(text)}}:
            yield Words(text)
        case {"type": "turn.failed", "error": {"message": message}}:
            raise WriterFailure(_ended(message))


def pi(event: dict[str, Any]) -> Iterator[Words | Spent]:
    """Raises WriterFailure where the reply is an error."""
    match event:
        case {
            "type": "message_update",
            "assistantMessageEvent": {"type": "text_delta", "delta": str(text)},
        }:
            yield Words(text)
        case {"type": "message_end", "message": {"role": "assistant"} as message}:
            if isinstance(usage := message.get("usage"), dict):
                sides = ("input", "cacheRead", "cacheWrite")
                yield _spent(sum(_count(usage, side) for side in sides), _count(usage, "output"))
            if message.get("stopReason") in ("error", "aborted"):
                raise WriterFailure(_ended(message.get("errorMessage")))
            if message.get("stopReason") == "toolUse":
                raise WriterFailure(_called())


def _count(usage: dict[str, Any], name: str) -> int:
    value = usage.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _spent(given: int, got: int) -> Spent:
    return Spent(given, got, counted=True)


def _called() -> Failure:
    return Failure(
        FailureKind.ANSWERED,
        "the fork went on working instead of writing the handoff; it was stopped",
        "try again, or take another writer",
        told="it called a tool; it must only write the summary",
    )


def _ended(message: object) -> Failure:
    said = one_line(redact(message).text, _TOLD) if isinstance(message, str) else "no reason told"
    return Failure(
        FailureKind.PROGRAM,
        f"the agent ended the fork: {said}",
        "run the agent by hand to see what it needs",
    )
