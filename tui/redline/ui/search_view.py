"""What a person asked the search for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from redline.catalogue import query as asked
from redline.catalogue.query import Query, parse_since
from redline.model import Agent

T = TypeVar("T")

ROLES = ("", *asked.ROLES)
TIMES = ("", "1d", "7d", "30d", "365d")


@dataclass(frozen=True, slots=True)
class SearchView:
    """The text and what narrows it; "" and None leave nothing out. `since` is as people write it
    on the command line."""

    text: str = ""
    agent: Agent | None = None
    role: str = ""
    since: str = ""
    project: str | None = None

    @property
    def narrows(self) -> bool:
        return bool(self.agent or self.role or self.since) or self.project is not None

    def query(self, now: datetime) -> Query:
        """What the index is asked at `now`."""
        return Query(
            self.text,
            agent=self.agent,
            project=None if self.project is None else Path(self.project),
            role=self.role or None,
            since=parse_since(self.since, now) if self.since else None,
        )


def next_of(choices: Sequence[T], chosen: T) -> T:
    """The choice after `chosen`, after the last the first."""
    at = choices.index(chosen) if chosen in choices else -1
    return choices[(at + 1) % len(choices)]
