"""The files that Claude Code reads again after a compaction (2.1.197, run here).

At most five, those that were read whole, written or edited last, the latest first. One of more
than 5,000 tokens comes back by its name only, and counts as one of the five (it asks its provider
to count; here the calibrated tokens of what was last seen of the file stand for that). A file
whose reading is in a message that stays, and CLAUDE.md (which is always there), are left out. A
reading by lines and one by a shell do not count when a session is resumed; that a file is gone
from disk or has changed is not looked at here. Of 20 made-up sessions it named the same files in
the same order.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from redline.compaction.outline import Outline, Place
from redline.compaction.remembered import Remembered
from redline.context.window import Window
from redline.facts.tools import ToolUse, arguments, read_call, tool_use
from redline.model import PartType, Session

MOST_FILES = 5
MOST_TOKENS = 5_000  # of one file; all together may have 50,000, which five never reach
_MEMORY = ("CLAUDE.md", "CLAUDE.local.md")
_NUMBER = re.compile(r"^ *\d+[\t→]", re.M)  # before each line of a reading
_FILE_USES = (ToolUse.READ, ToolUse.CHANGE)
_LOOKED_AT = 2_000  # calls, from the end: more of them without five files is no usual session


@dataclass(frozen=True, slots=True)
class FileAgain:
    """A file that would come back: `size` are its tokens as it was last seen whole (0: never),
    `tokens` what it adds to the context. `whole` is false where only its name comes."""

    path: str
    size: int
    tokens: int
    whole: bool = True


@dataclass(frozen=True, slots=True)
class _Use:
    """One call that reads a file whole or changes it."""

    path: str
    call: Place
    reads: bool
    seen: Place | None  # where the whole file can be seen: the result, or the call that wrote it


def files_again(window: Window, outline: Outline, first_kept: int) -> tuple[FileAgain, ...]:
    """The files, the one used last first; `first_kept` is the index the kept messages start at."""
    uses = _uses_of(window.session, outline)
    in_sight = {use.path for use in uses if use.reads and use.call[0] >= first_kept}
    seen: dict[str, Place] = {}
    for use in uses:  # the latest first
        if use.seen is not None:
            seen.setdefault(use.path, use.seen)
    found: dict[str, FileAgain] = {}
    for use in uses:
        path = use.path
        if path in found or path in in_sight or path.rpartition("/")[2] in _MEMORY:
            continue
        size = _size(window, seen[path]) if path in seen else 0
        whole = size <= MOST_TOKENS
        found[path] = FileAgain(path, size, size if whole else 0, whole)
        if len(found) == MOST_FILES:
            break
    return tuple(found.values())


def _size(window: Window, place: Place) -> int:
    """The tokens of a file by where it was seen: without line numbers, or without the call's other
    arguments."""
    part = window.session.context[place[0]].parts[place[1]]
    tokens = window.parts[place[0]][place[1]]
    if part.type is PartType.TOOL_CALL:
        written = arguments(window.session.source.value(part)).get("content")
        share = len(written) if isinstance(written, str) else 0
    else:
        text = window.session.text(part)
        share = len(text) - sum(map(len, _NUMBER.findall(text)))
    return round(tokens * min(share, part.chars) / part.chars) if part.chars else 0


def _uses(session: Session, outline: Outline) -> tuple[_Use, ...]:
    """The uses of files in the context, the latest first."""
    uses: list[_Use] = []
    looked_at = 0
    for i in range(len(outline.messages) - 1, -1, -1):
        parts = outline.messages[i].parts
        for j in range(len(parts) - 1, -1, -1):
            part = parts[j]
            if part.type is not PartType.TOOL_CALL or tool_use(part.tool) not in _FILE_USES:
                continue
            places = outline.results.get((i, j), ())
            results = [outline.messages[m].parts[p] for m, p in places]
            if not results or any(result.error for result in results):
                continue
            looked_at += 1
            value = session.source.value(part)
            call = read_call(part.tool, value)
            given = arguments(value)
            reads = call.use is ToolUse.READ
            if reads and (given.get("offset") or given.get("limit")):
                continue
            seen = places[0] if reads else (i, j) if "content" in given else None
            uses += [_Use(path, (i, j), reads, seen) for path in call.paths]
            if looked_at == _LOOKED_AT:
                return tuple(uses)
    return tuple(uses)


_uses_of = Remembered(_uses)
