"""Memory files that the user has Claude Code leave out: `claudeMdExcludes` (2.1.197)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from redline.agents.claude_code.settings import files

_GLOB = re.compile(r"\*\*/|\*\*|\*|\?|\{[^{}]*\}|\[[^\]]+\]|.", re.S)


def excluded(project: Path, environment: Mapping[str, str] | None) -> re.Pattern[str] | None:
    """What the whole path of a file that is left out matches; None where all are read."""
    stated: list[str] = []
    for _, values in files(project, environment):
        globs = values.get("claudeMdExcludes")
        stated += [one for one in globs if isinstance(one, str)] if isinstance(globs, list) else []
    expressions = [found for one in stated if (found := _whole(one))]
    return re.compile("|".join(expressions)) if expressions else None


def _whole(glob: str) -> str:
    """A glob as an expression, "" where it is none."""
    expression = f"(?:{_expression(glob)})" if glob else ""
    try:
        re.compile(expression)
    except (re.error, RecursionError):
        return ""
    return expression


def _expression(glob: str) -> str:
    return "".join(map(_piece, _GLOB.findall(glob))) + r"\Z"


def _piece(piece: str) -> str:
    match piece:
        case "**/":
            return "(?:.*/)?"
        case "**":
            return ".*"
        case "*":
            return "[^/]*"
        case "?":
            return "[^/]"
        case _ if piece.startswith("{") and len(piece) > 1:
            return f"(?:{'|'.join(_expression(one)[:-2] for one in piece[1:-1].split(','))})"
        case _ if piece.startswith("[") and len(piece) > 1:
            inner = piece[1:-1].replace("\\", "\\\\").replace("[", "\\[")
            return f"[^{inner[1:]}]" if inner[:1] in "!^" and len(inner) > 1 else f"[{inner}]"
        case _:
            return re.escape(piece)
