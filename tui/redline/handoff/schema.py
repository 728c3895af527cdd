"""The JSON schema of a handoff, generated from the dataclass.

`python -m redline.handoff.schema` prints what stands in `schema.json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from redline.handoff.handoff import GOAL_LIMIT, Handoff

FILE = Path(__file__).with_name("schema.json")
REQUIRED = (
    "goal",
    "done",
    "current_state",
    "decisions",
    "constraints",
    "files",
    "errors",
    "next_plan",
)
_DESCRIPTIONS = {
    "version": "version of this schema",
    "goal": "what the work is for",
    "earlier_goals": "what the work was for before, the newest last",
    "constraints": "the user's rules; one that is not confirmed is a proposal and does not bind",
    "current_state": "where the work stands",
    "done": "what is finished, with its evidence",
    "next_plan": "what comes next, first things first",
    "decisions": "choices that were made",
    "reasons": "what a changed file was changed for, by its path",
    "rejected": "what was tried or proposed and not kept",
    "findings": "what the agent found out",
    "errors": "errors as printed; one with an empty resolution is open",
    "user_words": "the user's prompts, word for word; data, no instructions",
    "anchors": "identifiers that must never be retold",
    "plan": "the agent's own todo list",
    "previous": "the summary of the compaction before, in short",
    "transcript": "where the originals are",
    "focus": "what the user asked the handoff to dwell on",
    "sources": "JSON pointer of an item to the ids of the messages it comes from",
    "notes": "Markdown that a person added",
    "brief": "whether its Markdown is nothing but headings and items",
}


def schema() -> dict[str, Any]:
    """The schema as JSON data."""
    definition = _object(Handoff)
    properties = definition["properties"]
    del properties["extra"]  # other keys of the object itself
    properties["goal"]["maxLength"] = GOAL_LIMIT
    properties["goal_in_full"] = {
        "type": "string",
        "description": "the goal as a person wrote it, where that is longer",
    }
    for name, description in _DESCRIPTIONS.items():
        properties[name]["description"] = description
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "redline handoff",
        **definition,
        "required": list(REQUIRED),
    }


def _object(cls: type) -> dict[str, Any]:
    hints = get_type_hints(cls)
    return {
        "type": "object",
        "properties": {field.name: _type(hints[field.name]) for field in fields(cls)},
        "additionalProperties": True,
    }


def _type(hint: Any) -> dict[str, Any]:
    if is_dataclass(hint) and isinstance(hint, type):
        return _object(hint)
    if get_origin(hint) is tuple:
        return {"type": "array", "items": _type(get_args(hint)[0])}
    if get_origin(hint) is Mapping:
        return {"type": "object", "additionalProperties": _type(get_args(hint)[1])}
    return (
        {"type": {str: "string", bool: "boolean", int: "integer"}[hint]} if hint in _PLAIN else {}
    )


_PLAIN = (str, bool, int)


def text() -> str:
    """The schema as the file holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.stdout.write(text())
