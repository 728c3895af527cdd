"""Git commits that were made, read from what git printed when it made them."""

from __future__ import annotations

import re

_MADE = re.compile(
    r"^\[(?P<branch>[^\]\n]{1,250}?) (?P<sha>[0-9a-f]{7,40})\] (?P<subject>[^\n]*)$", re.M
)
# What only git prints below it: a commit that a script made.
_WITH_STATISTICS = re.compile(_MADE.pattern + r"\n (?:\d+ files? changed\b|Date: |Author: )", re.M)
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


def commits_made(
    command: str, output: str, *, asked: bool = True
) -> list[tuple[str, str, str | None]]:
    """(short id, subject, branch) of each commit that `command` printed.

    git prints `[branch id] subject`. A quiet commit is found where the same command then asks for
    the newest one. A hash that is merely mentioned is none. Where the command does not itself call
    git to commit (`asked`), what git prints with a commit must follow.
    """
    form = _MADE if asked else _WITH_STATISTICS
    made = [
        (match["sha"], match["subject"].strip("\r "), _ROOT.sub("", match["branch"]) or None)
        for match in form.finditer(output)
    ]
    if made or not asked or len(command) > 3_000 or not _ASKED.search(command):
        return made
    logged = _LOGGED.search(output)
    if logged is None:
        return []
    subject = logged["subject"] or ""
    if not subject and (given := _QUOTED_SUBJECT.search(command)):
        subject = given[1] or given[2]
    return [(logged["sha"], subject.strip(), None)]
