"""Regular expressions that are compiled when they are first used.

There are hundreds, and one run of a command uses some of them: a text is asked first for a letter
or a word that a pattern needs. Compiling all of them as their modules load took a fifth of a short
command's time.
"""

from __future__ import annotations

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split")


def lazy(text: str, flags: int = 0) -> re.Pattern[str]:
    """What `re.compile` gives for `text`, but a mistake in it is raised at its first use. Not for
    the functions of `re` that take a compiled pattern."""
    return cast("re.Pattern[str]", _Waiting(text, flags))


class _Waiting:
    """Stands for a pattern. From its first use on it has the methods of the compiled one."""

    def __init__(self, text: str, flags: int) -> None:
        self.pattern = text
        self._asked = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self.pattern, self._asked)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)
