"""Facts of made-up messages."""

from __future__ import annotations

from redline.facts.extract import extract
from redline.facts.fact import Facts
from tests.sessions_in_memory import (
    Draft,
    call,
    result,
    session,
)


def facts(*drafts: Draft | tuple[Draft, ...]) -> Facts:
    return extract(session(*drafts))


def used(tool: str, path: str, call_id: str, *, error: bool = False) -> tuple[Draft, Draft]:
    return (
        call(tool, {"file_path": path}, call_id=call_id),
        result("no such text" if error else "done", call_id=call_id, error=error, tool=tool),
    )
