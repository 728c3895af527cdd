"""Files of settings such as `.env`, printed into a session."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.secrets.span import Span

FEWEST = 3  # settings, below which a line is judged alone
_SETTING = re.compile(r"(?:[ \t]*+\d++[→|:\t])?[ \t]*+(?:export[ \t]++)?[A-Z][A-Z0-9_]*+=[^\n]*+")
_SECRET_NAME = re.compile(
    r"(?:PASS|PWD|SECRET|TOKEN|KEY|CREDENTIAL|DSN|DATABASE_URL)[A-Z0-9_]{0,40}+=\S"
)


def environment_files(text: str) -> Iterator[Span]:
    """Three or more settings on lines of their own, one of them named like a secret: the values
    of such a file cannot be told apart, so all of it goes."""
    done = 0
    for match in _SECRET_NAME.finditer(text):
        if match.start() < done:
            continue
        start = max(text.rfind("\n", done, match.start()) + 1, done)
        first, above = _reach(text, start, done, up=True)
        last, below = _reach(text, start, len(text), up=False)
        done = max(last, match.end())
        if below and above + below >= FEWEST:
            yield Span(first, last, "environment file")


def _reach(text: str, at: int, limit: int, *, up: bool) -> tuple[int, int]:
    """How far the settings go from the line that starts at `at`, which counts below only, and how
    many there are. Comments and empty lines between them belong to them."""
    reached, count = at, 0
    while at > limit if up else at < limit:
        if up:
            start = max(text.rfind("\n", limit, at - 1) + 1, limit)
            end = at - 1
        else:
            start = at
            end = text.find("\n", start, limit)
            end = limit if end < 0 else end
        line = text[start:end]
        if _SETTING.fullmatch(line.rstrip("\r")):
            reached, count = start if up else end, count + 1
        elif line.strip() and not line.startswith("#"):
            break
        at = start if up else end + 1
    return reached, count
