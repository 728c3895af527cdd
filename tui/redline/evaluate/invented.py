"""Identifiers in a handoff that the session it was written from does not hold.

Found by other means than those a handoff is marked by (`redline.handoff.invented`): what measures a
writer must not share its blind spots.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from redline.evaluate.finding import has_token, plain
from redline.handoff.handoff import Handoff
from redline.handoff.layout import PREFACE, REMINDER, REMINDER_LEAD, SECTIONS
from redline.handoff.markdown import render

# Paths, names with an ending, names in snake or camel case, hashes, tickets, versions, numbers.
_IDENTIFIER = re.compile(
    r"(?<![\w./@-])(?:"
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
_CUT = 7  # characters from which it may be the beginning of a longer name: a hash, a path
_LEFT_OUT = re.compile(r"\[\.\.\.[^\[\]\n]{1,120}\.\.\.\]")
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
    fixed words of every handoff. A path may be put together of steps that are known each: a
    relative one and the folder it is in. Digits alone count from 10 on: smaller ones are counts,
    and so are those of what was left out."""
    whole = f"{known}\n{_OWN_WORDS}"
    held, named = plain(whole), set(_identifiers(whole))
    found: dict[str, None] = {}
    for token in _identifiers(_LEFT_OUT.sub(" ", _ORDER.sub("", text))):
        looked = plain(token)
        if token in named or has_token(held, looked) or (looked.isdigit() and len(looked) < 2):
            continue
        if len(looked) >= _CUT and looked.rstrip("/") in held:
            continue
        steps = [step for step in looked.split("/") if step not in ("", ".", "..", "~")]
        if len(steps) < 2 or not all(_is_step(held, step) for step in steps):
            found[token] = None
    return tuple(found)


def _identifiers(text: str) -> Iterator[str]:
    return (match.group().rstrip(".,:-") for match in _IDENTIFIER.finditer(html.unescape(text)))


def _is_step(held: str, step: str) -> bool:
    return re.search(rf"(?<![\w.-]){re.escape(step)}(?![\w-])", held) is not None
