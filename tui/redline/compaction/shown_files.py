"""Files whose text a simple command shows to the agent."""

from __future__ import annotations

from redline.facts.shell_words import UNKNOWN, Simple

_SHOW = frozenset(
    ("cat", "head", "tail", "less", "more", "bat", "batcat", "nl", "tac", "strings", "xxd", "od",
     "hexdump", "base64", "source", ".")
)  # fmt: skip
_SEARCH = frozenset(("grep", "egrep", "rg", "awk", "sed"))  # behind what they look for


def shown_files(simple: Simple) -> list[str]:
    """The paths that `simple` reads aloud, as it names them."""
    operands = [word for word in simple.words[1:] if not word.startswith("-")]
    if simple.program in _SEARCH:
        operands = operands[1:]
    elif simple.program not in _SHOW:
        return []
    return [word for word in operands if UNKNOWN not in word]
