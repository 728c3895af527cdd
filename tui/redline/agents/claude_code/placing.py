"""Where a session has to lie so that Claude Code resumes it (2.1.197, rule of names 2.1.270).

It looks in one folder only: the one that is named after the folder it is started in.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

from redline.agents.claude_code.finding import roots, slug

_LONGEST = 200  # UTF-16 units of a name before it is cut and marked
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def folder_name(folder: str) -> str:
    """The name of the folder that holds the sessions of a working directory.

    Of a long path the first 200 dashes and letters, and its hash (of Java's kind, in base 36).
    Found by starting 2.1.197 in such folders.
    """
    try:
        path = os.path.realpath(folder)
    except ValueError:  # no file can have that name
        path = folder
    name = slug(path)
    units = path.encode("utf-16-le", "surrogatepass")
    if len(units) // 2 <= _LONGEST:
        return name
    value = 0
    for at in range(0, len(units), 2):
        value = (value * 31 + int.from_bytes(units[at : at + 2], "little")) & 0xFFFFFFFF
    return f"{name}-{_base_36(abs(value - (value >> 31 << 32)))}"


def place_of(
    original: Path, folders: Iterable[str], environment: Mapping[str, str] | None = None
) -> tuple[Path, str | None]:
    """The folder for a new session made from the one in the file `original`, and the working
    directory in which it can be resumed: beside it where one of `folders` (working directories that
    the session names, its first one first) leads there, else where the first one leads to. None:
    nothing tells the directory."""
    named = [folder for folder in folders if os.path.isabs(folder)]
    own = (environment or os.environ).get("CLAUDE_CODE_PROJECT_DIR_NAME")
    beside = original.parent
    bases = roots(environment)
    if beside.parent in bases:
        for folder in named:
            # other versions are said to compose accents first
            composed = unicodedata.normalize("NFC", folder)
            if beside.name in (own, folder_name(folder), folder_name(composed)):
                return beside, folder
    if not named or not bases:
        return beside, named[0] if named else None
    return bases[0] / (own or folder_name(named[0])), named[0]


def _base_36(value: int) -> str:
    digits = ""
    while value:
        value, digit = divmod(value, 36)
        digits = _DIGITS[digit] + digits
    return digits or "0"
