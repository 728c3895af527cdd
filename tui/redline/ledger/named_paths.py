"""The paths that the words of a rule name, as they are written."""

from __future__ import annotations

import re

from redline.ledger import ban_words as words
from redline.ledger.masking import FILL, hidden

TESTS = "<tests>"
"""Stands for all tests, wherever they lie."""
_TRIMMED = " \t`\"'“”‘’「」『』,;:!?，。；：！？、()（）[]<>"
_URL = re.compile(r"[a-z][a-z0-9+.-]*://", re.I)
_FILE = re.compile(r"\.?[\w@+*-][\w@+*.-]*\.[A-Za-z][\w]{0,11}$|\.[A-Za-z][\w.-]*$")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_ALTERNATIVES = re.compile(r"[^\s/]+/[^\s/]+$")
_WORDS_WITH_A_SLASH = frozenset(("and/or", "either/or", "his/her", "he/she", "ci/cd", "i/o", "n/a"))
_METHOD = re.compile(r"\w+\.\w+\(\)?$|\)$")


def named_paths(text: str, masked: str, *, verb: bool) -> tuple[str, ...]:
    """The paths in `text`, whose mask is `masked`, each once. With `verb` the words stand behind
    what may not be done to them: a plain word may be a folder then ("touch legacy")."""
    found: dict[str, None] = {}
    for name in hidden(text, masked):
        if path := _path(name):
            found[path] = None
    plain = masked
    for match in words.NAMED_FOLDER.finditer(text):
        name = match["a"] or match["b"] or match["c"]
        if name.lower() not in _NO_NAMES and "." not in name.strip("."):
            found[f"**/{name}"] = None
    for match in words.NAMED_FILES.finditer(plain):
        found[match[1]] = None
    if words.LOCKFILES.search(plain):
        found.update(dict.fromkeys(words.LOCKS))
    tests = words.TESTS.search(plain)
    if not found and tests and _tests_meant(plain, tests):
        found[TESTS] = None
    bare = words.BARE.match(plain) if verb and not found else None
    if bare is not None:
        name = bare["word"] or bare["han"]
        if name.lower() not in words.NO_FOLDER:
            found[f"**/{name}"] = None
    return tuple(found)


_NO_NAMES_WORDS = """
    the this that these those any a an other same whole entire current new my our your its each
    every no all root project home source working parent said sub such which files file in of
"""
_NO_NAMES = frozenset(_NO_NAMES_WORDS.split())


def _tests_meant(plain: str, match: re.Match[str]) -> bool:
    """Whether tests are the object, not what something else is about."""
    lead = plain[: match.start()].replace(FILL, " ")
    return (
        not re.search(r"\b(?:to|for|with|by|before|until)\s+(?:the\s+)?$", lead, re.I)
        and len(lead.split()) <= 4
    )


def _path(name: str) -> str:
    """The path in a hidden word, "" where it is none."""
    name = name.strip(_TRIMMED).replace("\\", "/").removeprefix("@")
    name = _HAN.sub("", name)
    if (
        not name
        or " " in name
        or len(name) > 300
        or _URL.match(name)
        or name.startswith("-")
        or name.lower() in _WORDS_WITH_A_SLASH
        or _METHOD.search(name)
        or not re.search(r"[\w*]", name)
    ):
        return ""
    name = name.rstrip(".") if not name.endswith("..") else name
    if "/" in name:
        return name
    return name if "*" in name or _FILE.match(name) else ""
