"""Which characters of a user message a human typed.

pi puts files named on its command line, and a skill called by name, in front of what was typed
(1.6.0: the file processor and the skill command). Both are injected.
"""

from __future__ import annotations

import re

_FILE = re.compile(
    r'<file name="[^"\n]*">(?:.*?\n)?</file>\n|<file name="[^"\n]*">[^\n]*</file>\n', re.S
)
_SKILL = re.compile(
    r'<skill name="[^"\n]+" location="[^"\n]+">\n.*?\n</skill>(?:\n\n|\Z)',
    re.S,
)

Span = tuple[int, int]


def split(text: str) -> tuple[Span | None, Span | None]:
    """The spans of the injected start and of the typed rest, each None where there is none."""
    at = 0
    while match := _FILE.match(text, at):
        at = match.end()
    if match := _SKILL.match(text, at):
        at = match.end()
    injected = (0, at) if at else None
    typed = (at, len(text)) if text[at:].strip() else None
    return injected, typed


def prompts_in(content: object) -> list[str]:
    """What a human put into a user message's content, one string a part, "" for an image."""
    found = []
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for block in content if isinstance(content, list) else ():
        match block:
            case {"type": "image"}:
                found.append("")
            case {"type": "text", "text": str(text)}:
                _, typed = split(text)
                if typed:
                    found.append(text[slice(*typed)])
    return found
