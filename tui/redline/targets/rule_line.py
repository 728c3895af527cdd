"""A rule as one line of Markdown that can be nothing else: no import, comment, heading or fence."""

from __future__ import annotations

import re

from redline.text import plain

# Claude Code (2.1.197) imports `@path` after white space or at the start of a text token; code
# spans are left alone.
_AT = re.compile(r"@+(?=\S|$)(?:[\w./~:+\-@%#]*[\w/~])?")
_WORD = re.compile(r"\S*@\S*")
_ADDRESS = re.compile(r"[^\s@]*[A-Za-z0-9]@[A-Za-z0-9][^\s@]*")
_SPAN = re.compile(r"(?<!`)`(?!`)([^`]+)`(?!`)")
_LEADING = re.compile(
    r"#{1,6}(?=\s|$)|[-+*](?=\s|$)|>|~{3,}|\||=+\s*$|(?:[-_*]\s*)+$|<"
    r"|\[(?=[^\]]*\]:)|\[(?=[ xX]\]\s)"
)
_FENCE = re.compile("`{3,}")
_REPLACING = re.compile(r" \(replaces “[^”]*” of this file\)\Z")
_NUMBERED = re.compile(r"(\d{1,9})([.)])(?=\s|$)")


def rule_line(text: str) -> str:
    """`text` on one line, its words unchanged; "" where nothing of it can be seen.

    White space is collapsed, hidden and control characters go, comment marks are pulled apart,
    `@path` gets into a code span, and a first character that would start a block is escaped.
    """
    line = " ".join(plain(text).split())
    line = re.sub(r"<(?=!--)", "< ", line)
    line = re.sub(r"--(?=!?>)", "-- ", line)
    return _inline(_at_start(line))


def replacing(line: str, other: str) -> str:
    """`line` of a block, with the line of the same file that it takes the place of; of that no
    import and no code span is quoted."""
    quoted = _WORD.sub("…", rule_line(other).replace("`", "")).replace("“", '"').replace("”", '"')
    return f"{line} (replaces “{quoted}” of this file)"


def alone(line: str) -> str:
    """`line` of a block without what it takes the place of."""
    return _REPLACING.sub("", line)


def _at_start(line: str) -> str:
    if line.startswith("```"):
        # A pair can only be meant as a code span; anything else would open a fence.
        line = _FENCE.sub("`" if len(_FENCE.findall(line)) == 2 else "'''", line)
    if numbered := _NUMBERED.match(line):
        return f"{numbered.group(1)}\\{line[numbered.end(1) :]}"
    return f"\\{line}" if _LEADING.match(line) else line


def _inline(line: str) -> str:
    """`line` with every possible import in a code span of its own."""
    if all(_ADDRESS.fullmatch(word) for word in _WORD.findall(line)):
        return line
    if "``" in line or "<" in line or "\\`" in line:
        # What is a code span then depends on the reader: leave none but ours.
        return _spanned(line)
    pieces: list[str] = []
    start = 0
    for span in _SPAN.finditer(line):
        pieces += [_spanned(line[start : span.start()]), f"`{span.group(1).strip() or '-'}`"]
        start = span.end()
    pieces.append(_spanned(line[start:]))
    joined = ""
    for piece in pieces:
        # A backtick after a backslash would be a character, after another one a longer fence.
        apart = joined.endswith(("`", "\\")) and piece.startswith("`")
        joined += f" {piece}" if apart else piece
    return joined


def _spanned(stretch: str) -> str:
    """A stretch without code spans: loose backticks become apostrophes, imports code spans."""
    return _WORD.sub(_word, stretch.replace("`", "'"))


def _word(found: re.Match[str]) -> str:
    word = found.group()
    if _ADDRESS.fullmatch(word):
        return word
    return _AT.sub(
        lambda at: (" `" if word[: at.start()].endswith("\\") else "`") + at.group() + "`", word
    )
