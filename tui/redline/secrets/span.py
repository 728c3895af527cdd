"""Where in a text a secret stands."""

from __future__ import annotations

from typing import NamedTuple


class Span(NamedTuple):
    """Characters from `start` up to `end`; `kind` is what the mark in their place says."""

    start: int
    end: int
    kind: str
