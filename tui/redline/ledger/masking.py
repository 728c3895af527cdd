"""Hides in a prompt what is not the person's own words: code, quotes, paths, pasted logs.

The result has the same length, so that a place in it is a place in the prompt.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from redline.ledger.pasted import pasted

FILL = "\ue000"  # stands for one character of a hidden word; no letter, no space
_FENCE = re.compile(r"[ \t]{0,12}(`{3,}|~{3,})")
_PASTED = re.compile(
    r"[ \t]*(?:"
    r">"  # quoted
    r"|[$❯➜»%]\s|#!|>>>|@@ |diff --git |\+\+\+ |--- [ab]/|\+ {0,3}\d+ |\d+ *[│|]"
    r"|E {3,}\S"
    r"|[│┃╭╰├└┌┐─━═┤╮╯⎿●⏺✓✗✘]"
    r"|at .+[:(]\d+|File \".*\", line \d+|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d"
    r"|(?:[\w.]*Error|[\w.]*Exception|Traceback|error|warn(?:ing)?|fatal|panic|npm ERR!|WARN|INFO"
    r"|DEBUG|ERROR|FATAL|FAILED|FAIL|PASS|E  )(?:\[\w+\]|\s*\([^)\n]{0,80}\))?(?::|\s{2}|!\s)"
    r"|\S+:\d+:(?:\d+:)?\s|\S+\(\d+,\d+\):"
    r"|\{\"|\[\{|\{$|\}|</?[A-Za-z][\w-]*(?:\s[^>\n]{0,300})?/?>(?!\s+\w+\s+\w+[^<>\n]*$)|<\?xml"
    r"|<!--.*-->\s*$"
    r"|(?:import|from|const|let|var|function|def|class|return|public|private|export|async|await|if"
    r"|for|while|else|elif|try|except|catch)\s[^\n]{0,300}(?:[{(=]|\):|\);)\s*$"
    r")"
)
_MARK = re.compile(r"^\s*<!--.*?-->|<!(?:--)?|--!?>")  # a comment before words, marks of others
_CODE_END = re.compile(r"[=()\[\]{}<>][^\n]*;\s*$|\)\s*\{\s*$|=>\s*$")
_INLINE = re.compile(r"`[^`\n]{1,300}`|``[^\n]{1,300}?``")
_QUOTED = re.compile(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}”|「[^」\n]{1,300}」|『[^』\n]{1,300}』|‘[^’\n]{1,200}’"
    r"|(?<![\w'])'(?=\S)[^'\n]{2,200}(?<=\S)'(?![\w'])"
)
# A token that is all letters and digits, without a capital inside, is never hidden.
_TOKEN = re.compile(
    r"(?<![A-Za-z0-9])(?=[A-Za-z0-9]*(?:[_.~@*{}/\\:#?=&%+$<>-]|(?<=[a-z0-9])[A-Z]))"
    r"[A-Za-z0-9_.~@*{}/\\:#?=&%+$<>-]{2,}"
)
_DOTTED = re.compile(r"[A-Za-z0-9_]\.[A-Za-z0-9_]|^\.[A-Za-z]")
_CAMEL = re.compile(r"[a-z0-9][A-Z]")
_AMOUNT = re.compile(r"\d+(?:\.\d+)?[A-Za-z]{1,3}")
_CUE_WORDS = frozenset(("not", "never", "only", "must", "always", "no", "stop", "avoid", "dont"))
_KEPT = frozenset(
    (
        "off-limits", "hands-off", "go-ahead", "as-is", "no-go", "and/or", "w/o", "ok/approval",
        "must/should", "either/or", "e.g.", "i.e.", "e.g", "i.e", "etc.", "a/an", "he/she",
    )
)  # fmt: skip


def mask(text: str) -> str:
    """`text` with pasted lines and fenced blocks blank, and code, quotes, paths and identifiers as
    runs of FILL. Linear in the length of the text."""
    masked: list[str] = []
    lines = text.split("\n")
    foreign = _fenced(lines) | pasted(lines)
    for number, line in enumerate(lines):
        blank = not line or number in foreign
        if blank or _PASTED.match(line[:600]) or _CODE_END.search(line[-300:]):
            masked.append(" " * len(line))
        else:
            masked.append(_mask_line(line))
    return "\n".join(masked)


def _fenced(lines: Sequence[str]) -> set[int]:
    """The lines of fenced blocks. One that is never closed goes to the end, but not where the words
    behind its mark are a sentence: "``` fences are not allowed"."""
    marks = {n: found[1] for n, line in enumerate(lines) if (found := _FENCE.match(line))}
    closing = [n for n, mark in marks.items() if lines[n].strip() == mark]
    inside: set[int] = set()
    never: set[str] = set()  # marks that nothing closes from here on
    end = -1
    for n, mark in marks.items():
        if n <= end:
            continue
        after = range(bisect_right(closing, n), len(closing) if mark not in never else 0)
        close = next((closing[at] for at in after if marks[closing[at]].startswith(mark)), None)
        if close is None:
            never.add(mark)
            if len(lines[n].split()) > 2:
                continue
        end = len(lines) if close is None else close
        inside.update(range(n, end + 1))
    return inside


def hidden(text: str, masked: str) -> list[str]:
    """The words of `text` that `masked` hides as single words: identifiers, paths, quotes."""
    found: list[str] = []
    start = masked.find(FILL)
    while start >= 0:
        end = start
        while end < len(masked) and masked[end] == FILL:
            end += 1
        found.append(text[start:end])
        start = masked.find(FILL, end)
    return found


def _mask_line(line: str) -> str:
    if "`" in line:
        line = _INLINE.sub(_filled, line)
    if "<!" in line or "->" in line:
        line = _MARK.sub(_filled, line)
    line = _QUOTED.sub(_filled, line)
    return _TOKEN.sub(_filled_name, line)


def _filled(match: re.Match[str]) -> str:
    return FILL * len(match.group())


def _filled_name(match: re.Match[str]) -> str:
    return _name(match.group())


@lru_cache(maxsize=16_384)  # most words of a prompt were there before
def _name(token: str) -> str:
    core = token.rstrip(".:?")
    if core.lower() in _KEPT or not core:
        return token
    lead = len(core) - len(core.lstrip("-*+"))  # a list mark or emphasis
    core = core[lead:].rstrip("*")
    pieces = [piece for piece in core.lower().split("-") if piece]
    if (
        ("/" in core and len(core) > 1)
        or "\\" in core
        or "_" in core.strip("_")
        or core.startswith(("@", "--"))
        or _DOTTED.search(core)
        or (_CAMEL.search(core) and not _AMOUNT.fullmatch(core))
        or (len(pieces) > 1 and not _CUE_WORDS.isdisjoint(pieces))
    ):
        return token[:lead] + FILL * len(core) + token[lead + len(core) :]
    return token
