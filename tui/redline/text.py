"""Text from a session made safe to show, and short enough for a list.

Only for display: what redline writes to files keeps its characters (see `printable`). Nothing is
hidden from the person who supervises; complete CSI sequences (colours, cursor moves) go, every
other control character is shown as a picture, every invisible one as a mark.
"""

from __future__ import annotations

import json
import re
import unicodedata

HIDDEN = "⍰"  # stands for a character that shows nothing; one cell wide in every locale
REPLACED = "\ufffd"
CUT = "..."  # U+2026 is two cells wide in Chinese terminals

# Possessive, so that a long unfinished sequence is read once.
_CSI = re.compile(r"\x1b\[[0-?]*+[ -/]*+[@-~]")
_ASCII_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

# C1, bidirectional controls and lone surrogates act on the terminal or reorder what is read.
_ACTING = r"\x80-\x9f\u061c\u200e\u200f\u202a-\u202e\ud800-\udfff"
# Show nothing, and can carry a text of their own past a reader: zero width, fillers, tags
# ("ASCII smuggling"), variation selectors except the two that choose an emoji's form.
_UNSEEN = (
    r"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u206f\u3164\ufe00-\ufe0d"
    r"\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_HIDDEN = re.compile(f"[{_UNSEEN}]")
_UNSAFE = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029{_ACTING}{_UNSEEN}]")
_IN_JSON = re.compile(rf"[\x7f\u2028\u2029{_ACTING}{_UNSEEN}]")


def _picture(found: re.Match[str]) -> str:
    character = found.group()
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if code in (0x2028, 0x2029):
        return "␤"
    if 0xE0020 <= code <= 0xE007E:  # a tag character spells an ASCII one: show which
        return HIDDEN + chr(code - 0xE0000)
    return HIDDEN if _HIDDEN.match(character) else REPLACED


def safe(text: str) -> str:
    """`text` with nothing in it that a terminal acts on; new lines and tabs stay.

    `\\r\\n` becomes a new line. Idempotent, linear, and quick for plain text.
    """
    if text.isascii():
        if text.isprintable() or not _ASCII_CONTROLS.search(text):
            return text
    elif not _UNSAFE.search(text):
        return text
    if "\r\n" in text:
        text = text.replace("\r\n", "\n")
    if "\x1b[" in text:
        text = _CSI.sub("", text)
    return _UNSAFE.sub(_picture, text)


def hidden_characters(text: str) -> int:
    """How many characters of `text` show nothing but are read by a model."""
    return 0 if text.isascii() else sum(1 for _ in _HIDDEN.finditer(text))


def plain(text: str) -> str:
    """`text` with control and hidden characters taken out: for what another agent will read.

    Tabs stay, and every kind of line end becomes a new line.
    """
    text = _LINE_ENDS.sub("\n", _HIDDEN.sub("", printable(text)))
    return _UNSAFE.sub("", _CSI.sub("", text))


def one_line(text: str, limit: int = 200) -> str:
    """The first line that is not blank, safe, white space collapsed, at most `limit` characters.

    Reads no more of `text` than it needs.
    """
    line = " ".join(safe(_first_line(text, limit)).split())
    return line if len(line) <= limit else line[: max(limit - len(CUT), 0)] + CUT[:limit]


def first_line(text: str, width: int) -> str:
    """As `one_line`, but at most `width` terminal cells wide."""
    line = " ".join(safe(_first_line(text, width)).split())
    return line if cells(line) <= width else _fit(line, width - len(CUT)) + CUT[:width]


def cells(text: str) -> int:
    """The width of one line of safe text in terminal cells."""
    return len(text) if text.isascii() else sum(_cells_of(character) for character in text)


def printable(text: str) -> str:
    """`text` as it can be written to a file: surrogate pairs joined, lone ones U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def json_text(value: object, indent: int | None = 2) -> str:
    """`value` as JSON with escapes for what a terminal acts on, what shows nothing, and what
    changes the order of reading; for a parser it is the same. Lone surrogates become U+FFFD."""
    text = printable(json.dumps(value, ensure_ascii=False, indent=indent))
    return _IN_JSON.sub(lambda found: json.dumps(found.group())[1:-1], text)


def _first_line(text: str, limit: int) -> str:
    # Room for sequences and runs of white space that fall away.
    start = text[: limit * 8 + 4096].lstrip()
    if not start and text and not text.isspace():
        start = text.lstrip()[: limit * 8 + 4096]
    line, _, _ = start.partition("\n")
    return line[: limit * 8 + 4096]


def _fit(line: str, width: int) -> str:
    used = 0
    for index, character in enumerate(line):
        used += _cells_of(character)
        if used > width:
            return line[:index]
    return line


def _cells_of(character: str) -> int:
    if character < "\u0300":
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def counted(count: int, name: str) -> str:
    """`1 commit`, `3 commits`."""
    ending = "" if count == 1 else "es" if name.endswith("ch") else "s"
    return f"{count:,} {name}{ending}"
