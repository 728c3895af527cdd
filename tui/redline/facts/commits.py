"""Git commits that were made, read from what git printed when it made them."""

from __future__ import annotations

import re

_MADE = re.compile(
    r"^\[(?P<branch>[^\]\n]{1,250}?) (?P<sha>[0-9a-f]{7,40})\] (?P<subject>[^\n]*)$", re.M
)
_ROOT = re.compile(r" ?\((?:root-commit|[^)]*)\)$")
_LOGGED = re.compile(
    r"^(?:\* )?(?P<sha>[0-9a-f]{7,40})(?: \([^)\n]*\))?(?: (?P<subject>[^\n]+))?$", re.M
)
_ASKED = re.compile(
    r"\bgit\b[^|;&\n]*\b(?:commit|am|merge|revert|cherry-pick)\b.*\bgit\b[^|;&\n]*"
    r"\b(?:log\b[^|;&\n]*(?:--oneline|-1|format)|rev-parse\b[^|;&\n]*HEAD)",
    re.S,
)
_QUOTED_SUBJECT = re.compile(r"-[a-zA-Z]*m\s+(?:\"([^\"\n$]+)|'([^'\n]+))")


def commits_made(command: str, output: str) -> list[tuple[str, str, str | None]]:
    """(short id, subject, branch) of each commit that `command`, which commits, printed.

    git prints `[branch id] subject`. A quiet commit is found where the same command then asks for
    the newest one. A hash that is merely mentioned is none.
    """
    made = [
        (match["sha"], match["subject"].strip("\r "), _ROOT.sub("", match["branch"]) or None)
        for match in _MADE.finditer(output)
    ]
    if made or len(command) > 3_000 or not _ASKED.search(command):
        return made
    logged = _LOGGED.search(output)
    if logged is None:
        return []
    subject = logged["subject"] or ""
    if not subject and (given := _QUOTED_SUBJECT.search(command)):
        subject = given[1] or given[2]
    return [(logged["sha"], subject.strip(), None)]
