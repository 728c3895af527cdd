"""The sentences of what was said, without what is quoted or shown in it."""

from __future__ import annotations

import re
from collections.abc import Iterator

SCANNED = 60_000  # characters of one text
LONGEST = 300  # characters of a sentence
_LINE = 4_000
_SENTENCE = re.compile(r"[^.!?。！？；\n]+(?:[.!?](?!\s|$)[^.!?。！？；\n]*)*[.!?。！？；]?")


def sentences(text: str, hint: re.Pattern[str]) -> Iterator[str]:
    """Each sentence of `text` in a line that `hint` finds something in, at most LONGEST characters
    long. Fenced and indented code, tables and quotes are left out."""
    if not hint.search(text[:SCANNED]):
        return
    fenced = False
    for line in text[:SCANNED].split("\n"):
        if line.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
        if fenced or not hint.search(line) or line.startswith(("    ", "\t", "|", ">")):
            continue
        for match in _SENTENCE.finditer(line[:_LINE]):
            sentence = match.group().strip(" \t-*>#")
            if (8 if sentence.isascii() else 4) <= len(sentence) <= LONGEST:
                yield sentence
