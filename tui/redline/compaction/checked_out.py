"""Which branch of git is checked out, as far as a session's own commands and their output tell."""

from __future__ import annotations

import re

from redline.facts.shell_words import UNKNOWN, Simple

_NEW = frozenset(("-b", "-B", "-c", "-C", "--create", "--orphan", "--force-create"))
_TOLD = re.compile(
    r"^On branch (\S+)|^\[([^\s\]]+)(?: \([\w -]+\))? [0-9a-f]{7,40}\] "
    r"|^(?:Switched to (?:a new )?branch|Already on) '([^']+)'",
    re.M,
)
_LONGEST = 20_000  # characters of a command's output that are looked at


def branch_after(simple: Simple, branch: str) -> str:
    """The branch that is checked out after `simple`, where `branch` was before; "" is unknown."""
    words = simple.words
    if simple.program != "git" or words[1:2] not in (("checkout",), ("switch",)):
        return branch
    rest = words[2:]
    if "--" in rest:
        return branch
    operands = [word for word in rest if not word.startswith("-")]
    if not _NEW.isdisjoint(rest):
        return operands[0] if operands and UNKNOWN not in operands[0] else ""
    if len(operands) != 1:
        return "" if "-" in rest else branch
    name = operands[0]
    if UNKNOWN in name:
        return ""
    path = words[1] == "checkout" and ("." in name or name.endswith("/"))
    return branch if path else name


def branch_told(output: str) -> str:
    """The branch that git names last in `output`, "" where it names none."""
    found = _TOLD.findall(output[:_LONGEST])
    return next(filter(None, found[-1]), "") if found else ""
