"""A part of a record that stays where a session is written anew."""

from __future__ import annotations

from dataclasses import dataclass

from redline.model import Pointer


@dataclass(frozen=True, slots=True)
class Piece:
    """A part that stays: where its body lies in its record or item (`pointer`, `span`), and what
    stands in its place (`body`, None for word for word, "" for nothing)."""

    pointer: Pointer
    span: tuple[int, int] | None = None
    body: str | None = None
