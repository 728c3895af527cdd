"""What a file of instructions only tells of: rules that it quotes, or of which it says that they
hold no longer."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LIFTED = re.compile(
    r"\bused to\b|\bno longer\b|\bnot? (?:any ?more|valid|in force)\b|\bformer(?:ly)?\b"
    r"|\bpreviously\b|\bdeprecated\b|\bobsolete\b|\boutdated\b|\bout of date\b|\bsuperseded\b"
    r"|\breplaced\b|\b(?:withdrawn|revoked|lifted|retired|repealed|abandoned|dropped|void)\b"
    r"|\bdoes(?: not|n['’]t) (?:hold|apply)\b|\bdo(?: not|n['’]t) (?:hold|apply)\b"
    r"|\bold (?:rule|way|convention|policy|policies)s?\b|\bin the past\b|\bhistor(?:y|ical)\b"
    r"|\bignore (?:this|these|the following)\b|\bwas once\b|\bonce said\b|\barchived?\b|~~"
    r"|\b(?:bad|wrong|counter)[- ]?examples?\b|\bexamples? of\b"
    r"|不再|以前|曾经|原来的?规|旧规|作废|废弃|废止|过时|失效|已取消|已撤销|不适用|历史规",
    re.I,
)
_HEADING = re.compile(r" {0,3}(#{1,6})\s")
_ITEM = re.compile(r"([ \t]*)(?:[-+*]|\d{1,9}[.)])\s")
_QUOTED = re.compile(
    r"\"[^\"\n]{8,300}?\"|“[^”\n]{8,300}?”|「[^」\n]{4,300}?」|『[^』\n]{4,300}?』|‘[^’\n]{8,300}?’"
    r"|(?<!\w)'[^'\n]{8,300}?'(?!\w)|~~[^~\n]{1,300}~~"
)
_CUE = re.compile(r"\s|[\u3400-\u9fff]{4}")


def without_lifted(text: str) -> str:
    """`text` with as many lines, of which those are empty that only tell of a rule: a paragraph or
    item that says that it holds no more, what stands under such a heading, and what quotes a
    sentence. In doubt a line is taken for told only: then a rule is written once more."""
    lines = text.split("\n")
    under: int | None = None  # the level of a heading whose rules hold no more
    kept: list[str] = []
    for piece in _pieces(lines):
        heading = _HEADING.match(piece[0])
        whole = "\n".join(piece)
        if heading:
            level = len(heading[1])
            if under is None or level <= under:
                under = level if _LIFTED.search(whole) else None
        told = under is not None or tells_of(whole)
        kept += [""] * len(piece) if told else piece
    return "\n".join(kept)


def tells_of(text: str) -> bool:
    """Whether a statement says of something that it holds no more, or quotes another one."""
    if _LIFTED.search(text):
        return True
    return any(_CUE.search(found[0][1:-1].strip()) for found in _QUOTED.finditer(text))


def _pieces(lines: list[str]) -> Iterator[list[str]]:
    """The lines of each heading, paragraph, and item with what is under it."""
    piece: list[str] = []
    indent = -1  # of the item that is open
    for line in lines:
        bare = line.lstrip()
        depth = len(line) - len(bare)
        item = _ITEM.match(line)
        apart = (
            not bare
            or _HEADING.match(line)
            or (piece and _HEADING.match(piece[0]))
            or (item is not None and depth <= indent)
            or (item is not None and indent < 0)
        )
        if apart and piece:
            yield piece
            piece, indent = [], -1
        if not piece and item:
            indent = depth
        piece.append(line)
    if piece:
        yield piece
