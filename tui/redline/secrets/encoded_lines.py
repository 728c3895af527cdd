"""Lines of base64 as keys are wrapped, where nothing before them says whose they are.

A key that is pasted without its first line, or cut off above, is a run of lines of 64 characters
(RFC 7468) or 70 (OpenSSH). Images and archives are known by how they begin, certificates and public
keys by the line above; both stay, and so do hashes, which have no capitals beside small letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.patterns import lazy
from redline.secrets.span import Span

_FEWEST = 3  # lines
_BREAK = r"(?:\\{1,4}r)?\\{1,4}n|\r?\n"  # the first in a text of JSON
_LEAD = (
    r"[ \t>|+\"'-]{0,12}(?:\d{1,6}+[→|:\t ][ \t]{0,4}+)?+"  # a quotation, a difference, a number
)
_LINE = r"(?:[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{64})(?![A-Za-z0-9+/=])"
_TAIL = r"(?:[A-Za-z0-9+/]{2,69}={1,2}|(?=[A-Za-z+/]*\d)[A-Za-z0-9+/]{8,69})(?![\w+/=.-])"
# Each begins with the break before the second line, which the engine finds fast.
_RUNS = tuple(
    lazy(rf"{start}{_LEAD}(?P<first>{_LINE})"
               rf"(?:[\"', ]{{0,3}}+(?:{_BREAK}){_LEAD}{_LINE})++"
               rf"(?:[\"', ]{{0,3}}+(?:{_BREAK}){_LEAD}{_TAIL})?+")
    for start in ("\n", r"\\n")
)  # fmt: skip
_ABOVE = lazy(
    r"(?:(?<=\\)[nrt])?(?P<body>[A-Za-z0-9+/]{16,70})[\"', ]{0,3}(?:\r|\\{1,4}r)?\\{0,3}$"
)
_CHANGE = lazy(
    r"[a-z](?![a-z])|[A-Z](?![A-Z])|\d(?!\d)"
)  # of 64 characters drawn at random 40 are followed by one of another kind, of a path 15
_AFTER = lazy(rf"[\"', \t]{{0,4}}+(?:(?:{_BREAK})[ \t>|+]{{0,12}}+)?+")
_NEAR = 400  # characters between a mark and the lines
_ONE = lazy(rf"(?:{_BREAK}){_LEAD}({_LINE})")
_PUBLIC = lazy(r"-----(?:BEGIN|END) (?![A-Z0-9 ]*PRIVATE)[A-Z0-9 ]{3,40}-----")
# PNG, JPEG, GIF, WebP, BMP, TIFF, SVG, PDF, ZIP, gzip, WebAssembly, fonts, ICO, MP3, MP4.
_FILES = (
    "iVBOR", "/9j/", "R0lGOD", "UklGR", "Qk0", "SUkq", "TU0A", "PHN2Zy", "PD94bW", "JVBERi", "UEsD",
    "H4sI", "AGFzb", "d09GM", "d09GR", "AAEAAA", "T1RUTw", "AAABAA", "SUQz", "AAAAI", "AAAAG",
)  # fmt: skip
_KEYS = ("MI", "MH", "MC", "b3BlbnNzaC1rZXk", "lQ", "xc", "AAAA")


def encoded_lines(text: str) -> Iterator[Span]:
    """Runs of three and more lines of base64 that may be a key's."""
    for pattern in _RUNS:
        done = 0
        for match in pattern.finditer(text):
            above = _ABOVE.search(text, max(match.start() - 76, done), match.start())
            if above and not _is_random(above["body"]):
                above = None
            lines = _ONE.findall(match.group())
            padded = match.group().endswith("=")
            count = len(lines) + (above is not None) + padded
            if count < _FEWEST or not all(map(_is_random, lines)):
                continue
            begin = above.start("body") if above else match.start("first")
            first = above["body"] if above else lines[0]
            public = _is_public(text, begin, match.end(), done)
            done = match.end()
            if public or first.startswith(_FILES):
                continue
            kind = "private key" if first.startswith(_KEYS) else "encoded data"
            yield Span(begin, match.end(), kind)


def _is_public(text: str, begin: int, end: int, limit: int) -> bool:
    """Whether the run between is the body of something that is published, by its marks."""
    above = text[max(begin - _NEAR, limit) : begin].rpartition("-----END")[2]
    below = _AFTER.match(text, end)
    return bool(_PUBLIC.search(above) or (below and _PUBLIC.match(text, below.end())))


def _is_random(line: str) -> bool:
    """Whether a line may be drawn at random: capitals, small letters and digits alternate more
    than they do in words, names and paths."""
    return bool(
        re.search(r"[a-z]", line) and re.search(r"[A-Z]", line) and re.search(r"\d", line)
    ) and len(_CHANGE.findall(line)) * 3 >= len(line)
