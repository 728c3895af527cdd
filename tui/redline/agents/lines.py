"""A record as a line of a session file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import orjson


def line(record: Mapping[str, Any]) -> bytes:
    """`record` as JSON that every agent's parser takes, with its new line: null for what is no
    number."""
    try:
        return orjson.dumps(record) + b"\n"
    except (orjson.JSONEncodeError, TypeError):  # a number of more than 64 bits
        plain = json.loads(json.dumps(record), parse_constant=lambda _name: None)
        return json.dumps(plain, separators=(",", ":")).encode() + b"\n"
