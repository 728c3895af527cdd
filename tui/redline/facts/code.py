"""Where a session shows code that must not be retold: diffs, and signatures."""

from __future__ import annotations

import re

from redline.facts.fact import CodeFact, CodeShown

_LOOKED_AT = 40_000  # characters of a body, from its start
_DIFF = re.compile(
    r"^(?:diff --git |@@ -\d|--- \S[^\n]*\n\+\+\+ \S|\*\*\* (?:Add|Update|Delete) File: )", re.M
)
_BEFORE = r"(?:(?:export|default|public|private|protected|static|async|abstract|pub|final)\s+)*"
_SIGNATURE = re.compile(
    rf"^[ \t]*(?:\d+\s*(?:\t|→|:|\|)[ \t]*)?{_BEFORE}"  # a tool may number the lines
    r"(?:(?:def|func|fn|function\*?)\s+(?:\([^)\n]*\)\s*)?\w+\s*[(<\[]"
    r"|(?:class|interface|struct|enum|trait|impl|protocol)\s+\w+[^\n.?!]{0,120}[:{(<]\s*$)",
    re.M,
)
_SOURCE = re.compile(
    r"\.(?:c|cc|cpp|cs|cxx|exs?|go|h|hpp|java|jsx?|kt|lua|mm?|mjs|php|proto|pyi?|rb|rs|scala|sol"
    r"|swift|tsx?|vue|zig)\Z",
    re.I,
)


def shown_in(text: str) -> CodeShown | None:
    """What `text` shows of code: a diff before all, else a signature; None where it shows none."""
    looked_at = text[:_LOOKED_AT]
    if _DIFF.search(looked_at):
        return CodeShown.DIFF
    return CodeShown.SIGNATURE if _SIGNATURE.search(looked_at) else None


def is_source(path: str) -> bool:
    """Whether a file of this name is code, so that reading it shows signatures."""
    return _SOURCE.search(path) is not None


class CodeLog:
    """Each message that shows code once for each file; a diff counts more than a signature."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], CodeShown] = {}

    def shown(self, message: str, what: CodeShown | None, path: str = "") -> None:
        """`message` shows `what` of the file `path` ("" where nothing names it)."""
        key = message, path
        if what is not None and self._found.get(key) is not CodeShown.DIFF:
            self._found[key] = what

    def facts(self) -> tuple[CodeFact, ...]:
        return tuple(CodeFact(message, what, path) for (message, path), what in self._found.items())
