"""Whether what stands after a name such as `password` is a secret, or code, a word, a path."""

from __future__ import annotations

import re

from redline.patterns import lazy

# Quoted to its closing quote on the same line, else up to what no secret holds.
VALUE = r"\"[^\"\n]{1,}+\"|'[^'\n]{1,}+'|`[^`\n]{1,}+`|[^\s\"'`,;<>(){}\[\]|&，。；、）」”]++"
_ENDING = ".!?。，、；）)"

# What stands where a secret would stand and is none.
_PLACEHOLDERS = (
    "required optional string str text bytes number int bool boolean true false null none nil "
    "undefined any object password passwd secret token key value example test default hidden "
    "missing invalid wrong incorrect expired redacted changeme change_me yourpassword unknown "
    "empty unset disabled enabled env environ is not the a and or input self this type"
)
_NO_SECRET = frozenset(_PLACEHOLDERS.split())
_CODE = lazy(
    r"[\w.]++\(|\$|%|<|\{|\.\.\.|\*{3}|x{3,}|\[redacted|[a-z]++://"
    r"|(?:os|self|this|process|env|config|settings|request|args|options)\.|(?:import|await|new)\b",
    re.IGNORECASE,
)
_PATH = lazy(r"[~.]{0,2}/[\w.-]++(?:/|$)|[\w.-]++/[\w./-]*\.\w{1,5}$|[A-Za-z]:\\")
_DOTTED = lazy(r"[A-Za-z_]\w*+(?:\.\w++)++", re.ASCII)


def is_secret(value: str, kind: str) -> bool:
    """Whether `value`, given to a name of `kind`, is a secret itself rather than code, a
    placeholder, a path or a word."""
    quoted = value[:1] in "\"'`" and len(value) > 1
    inner = value[1:-1] if quoted else value.rstrip(_ENDING)
    if not is_literal(inner):
        return False
    digit, letter = re.search(r"\d", inner), re.search(r"[A-Za-z]", inner)
    if quoted:
        return " " not in inner or bool(digit)
    if digit and letter:
        return len(inner) >= 24 or not _DOTTED.fullmatch(inner)
    if digit:
        return kind == "password" and len(inner) >= 6 and inner.isascii()
    mixed = re.search(r"[a-z][A-Z]", inner) and re.search(r"[A-Z]{2}", inner)
    return bool(letter and inner.isascii() and (re.search(r"[!@#^&*]", inner) or mixed))


def is_literal(inner: str) -> bool:
    """Whether `inner` can be a value at all: no placeholder, no code, no path."""
    return (
        len(inner) >= 4
        and inner.lower() not in _NO_SECRET
        and not _CODE.match(inner)
        and not _PATH.match(inner)
    )


def is_code(value: str) -> bool:
    """Whether `value` is a variable, a call or a placeholder."""
    return bool(_CODE.match(value))


def inner(value: str, at: int) -> tuple[int, int]:
    """The span of `value`, which stands at `at`, without its quotes or the full stop after it."""
    if value[:1] in "\"'`" and len(value) > 1:
        return at + 1, at + len(value[:-1].rstrip("\\"))
    return at, at + len(value.rstrip(_ENDING))
