"""A handoff of redline that a person pasted into a prompt: whose words are whose.

It is read as the handoff it is, not quoted as the person's words: one that quotes the one before,
which quotes the one before it, would grow with every session.
"""

from __future__ import annotations

import re

_START = re.compile(r"^# Handoff \(schema [^)\n]*\)[ \t]*$", re.M)
_KEPT = (  # what a file has below it: blocks between fences
    r"\n+## Kept word for word\n\n[^\n]*\n"
    r"(?:\n+### [^\n]*\n\n(~{3,})text\n(?:(?!\1)[^\n]*\n)*\1(?=\n|\Z))*"
)
_KEPT_WORDS = re.compile(_KEPT)
_END = re.compile(  # its last section, and the rules that may follow it
    rf"^## Transcript\n\n?[^\n]*(?:{_KEPT})?"
    r"(?:\n+## Rules, once more\n\n?(?:[^\n-][^\n]*\n)?(?:\n?(?:- |  )[^\n]*)+)?",
    re.M,
)
_BRIEF = re.compile(r"# Handoff \(schema [^)\n]*, brief\)[ \t]*")  # it has no blank lines
_NUMBERED = re.compile(r"^[ \t]*\d+(?:→|\t|\|)", re.M)  # as tools number the lines they read


def pasted_handoff(text: str) -> str:
    """The handoff in `text`, "" where there is none or its end is not there."""
    start, end = _span(text)
    return text[start:end]


def own_words(text: str) -> str:
    """`text` without a handoff in it."""
    start, end = _span(text)
    if start == end:
        return text
    return "\n\n".join(filter(None, (text[:start].strip(), text[end:].strip())))


def read_handoff(output: str) -> str:
    """The handoff that a tool read from its file, "" where `output` is something else."""
    return pasted_handoff(_NUMBERED.sub("", output))


def without_kept(text: str) -> str:
    """A handoff without the messages that its file holds word for word."""
    return _KEPT_WORDS.sub("", text)


def _span(text: str) -> tuple[int, int]:
    start = _START.search(text)
    if start is None:
        return 0, 0
    ends = [match.end() for match in _END.finditer(text, start.end())]
    if not ends and _BRIEF.fullmatch(start.group()):
        end = text.find("\n\n", start.end())
        ends = [end if end >= 0 else len(text)]
    return (start.start(), ends[-1]) if ends else (0, 0)
