"""The files that Claude Code reads again after a compaction (2.1.197, run here).

At most five, those that were read whole, written or edited last, the latest first. One of more
than 5,000 tokens comes back by its name only, and counts as one of the five. A file whose reading
is in a message that stays, and CLAUDE.md (which is always there), are left out. A reading by lines
and one by a shell do not count when a session is resumed; that a file is gone from disk or has
changed is not looked at here.
"""

from __future__ import annotations

from dataclasses import dataclass

from redline.compaction.outline import Outline, Place
from redline.compaction.remembered import Remembered
from redline.compaction.strategies.claude_code_micro import tokens_of
from redline.context.window import Window
from redline.facts.tools import ToolUse, arguments, read_call, tool_use
from redline.model import PartType, Session

MOST_FILES = 5
MOST_TOKENS = 5_000  # of one file
ALL_TOKENS = 50_000
_MEMORY = ("CLAUDE.md", "CLAUDE.local.md")
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
    size: int


def files_again(window: Window, outline: Outline, first_kept: int) -> tuple[FileAgain, ...]:
    """The files, the one used last first; `first_kept` is the index the kept messages start at."""
    uses = _uses_of(window.session, outline)
    in_sight = {use.path for use in uses if use.reads and use.call[0] >= first_kept}
    sizes: dict[str, int] = {}
    for use in uses:  # the latest first
        if use.size:
            sizes.setdefault(use.path, use.size)
    found: dict[str, FileAgain] = {}
    total = 0
    for use in uses:
        path = use.path
        if path in found or path in in_sight or path.rpartition("/")[2] in _MEMORY:
            continue
        size = sizes.get(path, 0)
        whole = size <= MOST_TOKENS
        tokens = size if whole else 0
        if total + tokens > ALL_TOKENS:
            continue
        total += tokens
        found[path] = FileAgain(path, size, tokens, whole)
        if len(found) == MOST_FILES:
            break
    return tuple(found.values())


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
            size = sum(map(tokens_of, results)) if reads else 0
            written = given.get("content")
            if isinstance(written, str) and not reads:
                size = len(written) // 4
            uses += [_Use(path, (i, j), reads, size) for path in call.paths]
            if looked_at == _LOOKED_AT:
                return tuple(uses)
    return tuple(uses)


_uses_of = Remembered(_uses)
