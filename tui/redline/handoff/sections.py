"""Which lines of a summary can state a rule, which can hold the user's words, which keep anything.

A list of what was lost keeps nothing; what a tool printed, an example, a comment or a rule that
was taken back states none. Nor does redline's own block of rules, which an agent only repeats.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LOST = re.compile(r"missing|\blost\b|audit|not (?:kept|carried)|left out|缺失|丢失", re.IGNORECASE)
_ENDED = (
    r"reject|revoked|superseded|dismissed|no longer|not in force|obsolete|outdated|dropped|lifted|"
    r"withdrawn|decided against|cancell?ed|expired|inactive|deprecated|replaced|overruled|"
    r"overridden|"
    r"(?:\bold|removed|earlier|former|initial|original) (?:rule|instruction|constraint|require)|"
    r"rules removed|作废|取消|废弃|废除|不再|撤销|撤回|失效|过期|过时|替代|替换|取代|旧规则|旧约束"
)
_FOREIGN = (
    r"\bexamples?\b|\bsamples?\b|hypothetical|\balternatives?\b|options considered|other project|"
    r"another project|示例|例子|例如|比如|备选|假设|别的项目|其他项目"
)
_REPORTED = (
    r"\b(?:docs?|documentation|readme|wiki|tool|command|output|log|another \w+)\b"
    r".{0,30}\b(?:says?|said|states?|prints?|printed|reads?|shows?|showed)\b|输出"
)
_NOT_IN_FORCE = re.compile(f"{_ENDED}|{_FOREIGN}|previous|(?:以前|之前|原来)的", re.IGNORECASE)
# A line that heads a list as a heading would: "Revoked:", "**Revoked rules**"; no rule itself.
_LABEL = re.compile(
    rf"(\s*)([-*+]\s+)?(?:\*\*|__)?"
    rf"(?=.{{0,80}}(?:{_ENDED}|{_FOREIGN}|{_REPORTED})|\W*(?:if|unless|only (?:if|when))\b)"
    r"(?!.*(?:\b(?:never|do not|don't|must|always|only use|only change)\b|不要|必须|禁止)).{1,100}?"
    r"(?:[:：](?:\*\*|__)?|\*\*|__)\s*",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(\s*)(?:[-*+>]|\d{1,3}[.)])\s")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_COPIES = "kept word for word"  # the section of `document.py`
_COPY = re.compile(r"(~{3,})text")  # what opens a copied body there; as many tildes close it
_FENCE = re.compile(r"(?:\s*(?:[-*+]|\d{1,3}[.)])\s+)?\s*(`{3,}|~{3,})[^`]*$")
_OWN_FENCE = re.compile(r"(`{3,}|~{3,})[^`]*$")  # in a handoff of redline, whose items are escaped
_OWN = re.compile(r"^# Handoff \(schema ", re.MULTILINE)
# Sections of a handoff of redline that hold what was printed, named or run, and no one's will.
_PRINTED = frozenset(
    (
        *("errors", "files changed", "files referenced", "commits", "issues and pull requests"),
        *("links", "commands", "transcript", "sources", "other fields"),
    )
)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# The block that redline writes into a rules file (`targets/block.py`), whole or as it is repeated.
_BLOCK = re.compile(
    r"(?m)^[ \t]*<!--\s*redline:rules:begin\b.*?(?:^[ \t]*<!--\s*redline:rules:end\b[^\n]*|\Z)"
    r"|^[ \t]*#{1,6} Rules of this project[ \t]*$(?:\n(?!#{1,2} )[^\n]*)*",
    re.DOTALL,
)
_BLOCK_SAYS = "Stated by the user and still in force. They hold until the user takes them back."


@dataclass(frozen=True, slots=True)
class Sections:
    """The text by what it can do: `in_force` can state a rule, `own` hold the user's words,
    `everything` keep an anchor. Lines that cannot are left out, or empty."""

    in_force: str
    own: str
    everything: str


def sections(text: str) -> Sections:
    """The lines of a summary or a handoff (Markdown) by what they can do."""
    text = without_block(text)
    in_force: list[str] = []
    own: list[str] = []
    everything: list[str] = []
    lost_level = past_level = 0
    copies = copied = False
    label: _Label | None = None
    fence = ""  # of a copied body
    code = ""  # of any other
    is_own = _OWN.search(text) is not None
    opens_code = _OWN_FENCE if is_own else _FENCE
    bare = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text).split("\n")
    for line, uncommented in zip(text.split("\n"), bare, strict=True):
        heading = None if fence or code else _HEADING.match(line)
        inside = bool(fence or code)
        if fence:
            fence = "" if line == fence else fence
        elif copies and (opened := _COPY.fullmatch(line)):
            fence = opened[1]
        elif code:
            code = "" if line.strip() == code else code
        elif found := opens_code.match(line):
            code, inside = found[1], True
        label = None if heading else _under_label(line, label)
        if heading and not (copies and len(heading[1]) > 3):
            level, title = len(heading[1]), heading[2].strip().casefold()
            if level <= 2:
                copies = title == _COPIES
                copied = False
            if copies and level == 3:
                copied = title != "user"
            else:
                if not lost_level or level <= lost_level:
                    lost_level = level if _LOST.search(title) else 0
                if not past_level or level <= past_level:
                    past = _NOT_IN_FORCE.search(title) or (is_own and title in _PRINTED)
                    past_level = level if past else 0
        if not lost_level:
            everything.append(line)
            printed = inside and not (copies and not copied)
            idle = past_level or copied or label is not None or printed
            in_force.append("" if idle else uncommented)
            own.append("" if copied else line)
    return Sections("\n".join(in_force), "\n".join(own), "\n".join(everything))


def without_block(text: str) -> str:
    """`text` without redline's block of rules, between its markers or as an agent repeats it."""
    if "redline:rules:" not in text and _BLOCK_SAYS not in text:
        return text
    return _BLOCK.sub("", text)


@dataclass(frozen=True, slots=True)
class _Label:
    """What stands under a label has at least `indent`; `met` says that something did already."""

    indent: int
    colon: bool
    met: bool = False


def _under_label(line: str, label: _Label | None) -> _Label | None:
    """The label that lines after `line` stand under, which says that its list is not in force; None
    where they stand under none. `label` is that of `line` itself."""
    if match := _LABEL.fullmatch(line):
        indent = len(match[1]) + (1 if match[2] else 0)
        return _Label(indent, colon=line.rstrip("*_ ").endswith((":", "：")))
    if label is None or not line.strip():
        return label
    indent = len(line) - len(line.lstrip())
    is_item = indent > 0 or _ITEM.match(line) is not None
    if indent >= label.indent and (is_item or (label.colon and not label.met)):
        return _Label(label.indent, label.colon, met=True)
    return None
