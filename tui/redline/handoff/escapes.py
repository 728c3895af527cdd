"""Any text as Markdown that says the same and does nothing, and back again exactly.

What acts is made inert where a reader still sees what it is: control characters and the start of
an HTML comment become entities, `@path` (an import for Claude Code) gets a backslash, as do
line starts that would change the structure of the document.
"""

from __future__ import annotations

import re

_ENTITY = re.compile(r"&(?:#(\d{1,7})|amp|lt);")
_LOOKS_LIKE_ENTITY = re.compile(r"&(?=(?:#\d{1,7}|amp|lt);)")
# Controls but tab, what other programs take for line ends, and what reorders or hides text.
_ACTING = re.compile(
    r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_AT = re.compile(r"(?<!\S)(\\*+)@")
_ESCAPED_AT = re.compile(r"(?<!\S)\\(\\*+)@")
_INSIDE_CODE = re.compile(r"\s\\*@|<!--|\\$|&(?:#\d{1,7}|amp|lt);")
_BLANK = " \t"

TEXT_START = re.compile(r"(\\*+)(#|```|~~~)")
CODE_START = re.compile(r"(\\*+)`")


def encode_line(line: str) -> str:
    """`line` (no new line in it) with nothing in it that acts."""
    return _without_import(_with_entities(line))


def _without_import(line: str) -> str:
    return _AT.sub(r"\\\1@", line) if "@" in line else line


def _with_entities(line: str) -> str:
    if "&" in line:
        line = _LOOKS_LIKE_ENTITY.sub("&amp;", line)
    if not (line.isascii() and line.isprintable()):
        line = _ACTING.sub(lambda found: f"&#{ord(found.group())};", line)
    return line.replace("<!--", "&lt;!--")


def decode_line(line: str) -> str:
    """The text that `encode_line` made `line` from; what a person typed plainly stays."""
    if "@" in line:
        line = _ESCAPED_AT.sub(r"\1@", line)
    return _ENTITY.sub(_character, line) if "&" in line else line


def _character(found: re.Match[str]) -> str:
    if number := found[1]:
        return chr(int(number)) if int(number) < 0x110000 else found.group()
    return "&" if found.group() == "&amp;" else "<"


def encode(text: str) -> list[str]:
    """The lines of `text`, so that white space at its edges and lines of nothing else survive."""
    lines = [_with_entities(line) for line in text.split("\n")]
    for place, line in enumerate(lines):
        if line and not line.strip(_BLANK):
            lines[place] = _entity(line[0]) + line[1:-1] + _entity(line[-1] if line[1:] else "")
    if len(lines) > 1 and not lines[0]:
        lines[:2] = ["&#10;" + lines[1]]
    if len(lines) > 1 and not lines[-1]:
        lines[-2:] = [lines[-2] + "&#10;"]
    if lines[0][:1] in _BLANK and lines[0]:
        lines[0] = _entity(lines[0][0]) + lines[0][1:]
    if lines[-1][-1:] in _BLANK and lines[-1]:
        lines[-1] = lines[-1][:-1] + _entity(lines[-1][-1])
    return [_without_import(line) for line in lines]


def _entity(character: str) -> str:
    return f"&#{ord(character)};" if character else ""


def decode(lines: list[str]) -> str:
    """The text of `lines`, white space at its edges left out."""
    return "\n".join(decode_line(line) for line in lines)


def guard(line: str, start: re.Pattern[str]) -> str:
    """`line` with a backslash where it begins with `start` (whose first group are backslashes)."""
    return "\\" + line if start.match(line) else line


def unguard(line: str, start: re.Pattern[str]) -> str:
    """The line that `guard` made `line` from."""
    return line[1:] if line.startswith("\\") and start.match(line, 1) else line


def code(text: str) -> str | None:
    """`text` as a code span, None where it cannot be one."""
    if text and "`" not in text and text == text.strip(_BLANK):
        return None if _ACTING.search(text) or _INSIDE_CODE.search(text) else f"`{text}`"
    return None


def uncode(line: str) -> str | None:
    """The text of a line that is one code span, None for any other."""
    if len(line) > 2 and line[0] == line[-1] == "`" and "`" not in line[1:-1]:
        return line[1:-1]
    return None
