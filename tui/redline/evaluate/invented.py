"""Identifiers in a handoff that the session it was written from does not hold."""

from __future__ import annotations

import re

from redline.evaluate.finding import has_token, plain
from redline.handoff.handoff import Handoff
from redline.handoff.layout import PREFACE, REMINDER, REMINDER_LEAD, SECTIONS
from redline.handoff.markdown import render

# Paths, names with an ending, names in snake or camel case, hashes, tickets, versions, numbers.
_IDENTIFIER = re.compile(
    r"(?<![\w./-])(?:"
    r"(?:~|\.{1,2})?/?[\w.@-]+(?:/[\w.@-]+)+/?"
    r"|[A-Za-z]+-\d+\b"
    r"|#\d+"
    r"|\w+\.[A-Za-z]\w{0,4}\b(?!\.)"
    r"|[A-Za-z]+_\w+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*"
    r"|v?\d[\w.:,-]*\w|\d"
    r")",
    re.ASCII,
)
_ORDER = re.compile(r"^[ \t]*\d{1,3}[.)](?=[ \t])", re.M)
_OWN_WORDS = "\n".join(
    (
        render(Handoff()),
        *PREFACE,
        REMINDER,
        REMINDER_LEAD,
        *(f"{section.title} {section.lead}" for section in SECTIONS),
    )
)


def invented(text: str, known: str) -> tuple[str, ...]:
    """The identifiers and numbers of `text`, each once, that stand nowhere in `known` or in the
    fixed words of every handoff. Digits alone count from 10 on: smaller ones are counts."""
    held = plain(f"{known}\n{_OWN_WORDS}")
    found: dict[str, None] = {}
    for match in _IDENTIFIER.finditer(_ORDER.sub("", text)):
        token = match.group().rstrip(".,:-")
        shown = plain(token)
        if shown.isdigit() and len(shown) < 2:
            continue
        if not has_token(held, shown) and shown.rstrip("/") not in held:
            found[token] = None
    return tuple(found)
