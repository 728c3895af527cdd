"""What is searched for, as people type it: nothing typed is ever a fault.

Several words must all occur in one passage, in any order; a phrase in quotes is exact text, and
one that is still open goes to the end; every other character stands for itself.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from redline.catalogue.folding import fold
from redline.errors import RedlineError
from redline.model import Agent, Kind

ROLES: dict[str, frozenset[Kind]] = {
    "user": frozenset({Kind.PROMPT}),
    "assistant": frozenset({Kind.REPLY, Kind.TOOL_CALL, Kind.SUMMARY}),
    "tool": frozenset({Kind.TOOL_RESULT}),
}
_PHRASE = re.compile(r'"([^"]+)(?:"(?=\s|$)|$)')
_WORD = re.compile(r"\S+")
_AGO = re.compile(r"(\d{1,6})\s*([mhdw])", re.IGNORECASE)
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for and where.

    `role` is one of `ROLES`; `project` a folder, with all below it; `since` leaves out what was
    said before it (UTC; of a passage without a time that of its session counts).
    """

    text: str
    agent: Agent | None = None
    project: Path | None = None
    role: str | None = None
    since: datetime | None = None

    @property
    def terms(self) -> tuple[str, ...]:
        """The words and phrases, folded, each once; () where nothing is asked for."""
        return tuple(dict.fromkeys(filter(None, map(fold, _terms(self.text)))))

    @property
    def kinds(self) -> frozenset[Kind]:
        """The kinds of passages that are asked for. Raises RedlineError for an unknown role."""
        if self.role is None:
            return frozenset(Kind)
        if self.role not in ROLES:
            raise RedlineError(f"there is no role {self.role!r}", f"one of {', '.join(ROLES)}")
        return ROLES[self.role]


def _terms(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        phrase = _PHRASE.match(text, at)
        if phrase and not phrase[1].isspace():
            yield phrase[1]
            at = phrase.end()
            continue
        word = _WORD.match(text, at)
        if word is None or (at and text[at:] == '"'):  # nothing stands in the last quote yet
            return
        yield word[0]
        at = word.end()


def is_below(project: str | None, folder: Path) -> bool:
    """Whether a session's working directory is `folder` or lies in it, links followed."""
    if project is None or not os.path.isabs(project):
        return False
    try:
        real = Path(os.path.realpath(project))
    except ValueError:  # a session may say what it likes
        return False
    return real.is_relative_to(os.path.realpath(folder))


def parse_since(text: str, now: datetime | None = None) -> datetime:
    """The moment that `text` means: `3d`, `12h`, `2w` and `30m` ago, or a date or time in ISO 8601,
    local where it names no zone. `now` stands for the clock. Raises RedlineError for others."""
    moment = datetime.now(UTC) if now is None else now
    said = text.strip()
    try:
        if ago := _AGO.fullmatch(said):
            return moment - timedelta(**{_UNITS[ago[2].lower()]: int(ago[1])})
        return datetime.fromisoformat(said).astimezone(UTC)
    except (ValueError, OverflowError, OSError) as error:
        hint = "say 3d, 12h, 2w or 30m for that long ago, or a date such as 2026-08-01"
        raise RedlineError(f"{text!r} is no time", hint) from error
