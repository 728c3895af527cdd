"""Which lines of a prompt were pasted into it: logs, output of tools, configuration, mails, quotes.

Some lines say so by themselves: a time, a place in a file, a frame of a stack. Others only beside
those: two lines in a row that begin with a level, a line between two of a log. A paragraph without
any of them is the person's own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from redline.patterns import lazy

_LINE = 300  # characters of a line that are looked at
_GAP = 3  # lines between two pasted ones that are so too
_LEVEL = (
    r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|ERR|SEVERE|CRITICAL|CRIT|FATAL|PANIC|EMERG|ALERT"
    r"|OK|FAIL(?:ED|URE)?|PASS(?:ED)?)"
)
_CLOCK = r"\d\d?:\d\d(?::\d\d)?"
# A line that nobody writes by hand.
_SURE = lazy(
    r"[ \t]*(?:"
    rf"\[?\d{{4}}[-/.]\d\d[-/.]\d\d[T ]{_CLOCK}"
    rf"|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\s+\d{{1,2}} {_CLOCK}"
    rf"|[IWEF]\d{{4}} {_CLOCK}|\[{_CLOCK}(?:[.,]\d+)?[\] ]"
    rf"|\[(?:\w+[ :])?{_LEVEL}\w*\](?=\s)"
    r"|\d{1,3}:\d{1,3}\s{1,4}(?:error|warning|info|[✖✘⚠×✗])"
    r"|(?:\S+/)?[\w.+-]+\.\w{1,5}(?::\d+){1,2}(?::\s|:?\s*$)|[\w./\\-]+\.\w{1,5}\(\d+(?:,\d+)?\): "
    r"|at [\w$.<>/\[\]]+ ?\(|at <\w+>|\.\.\. \d+ more|Caused by: |Exception in thread "
    r"|(?:[a-z_]\w*\.)+[A-Z]\w*(?:Error|Exception|Warning|Violation)\b"
    r"|remote: |fatal: |To \S+[@:/]\S+$| ! \[|[\w.-]+@[\w.-]+:[~/]\S*[$#]|PS [A-Z]:\\"
    r"|[\w-]+[_-]\d+ +\| |[\w-]+\[\d+\]: |##\[\w+\]|\w+ \[[^\]\n]*\] \*{3,}|\[\w+ WARNING\]"
    r"|(?:DETAIL|HINT|CONTEXT|STATEMENT|LOG|QUERY): |psql:|nginx: |npm (?:ERR!|WARN|error|warn) "
    r"|(?:FAILED|PASSED|ERROR|PASS|FAIL) [\w./-]+(?:::|\.(?:test|spec)\.|\.py\b)"
    r"|--- (?:FAIL|PASS): |={3,} .* ={3,}$|\d+ (?:passed|failed)\b|Failure/Error: "
    r"|Failed asserting |# \./|ERROR in \.?/| @ \.?/|\d+ *\|\s|\| +[\^~-]|\^[\^~]*"
    r"|= (?:help|note): |--> \S+:\d+"
    r"|HTTP/\d|Content-Type: |(?:error|warning)\[\w+\]: |(?:info|warning|error) (?=.*(?:https?://|\"))"
    r"|[$❯➜»](?:\s|$)|on \S+ line \d+:$|\d+:\s{2}|[\w./-]+: (?:warning|(?:fatal )?error): "
    r"|Process (?:finished|completed) |exit (?:status|code) \d|\[Vue warn\]|\[SQL: "
    r")",
)
# One that only is one beside another of them, and one that is beside a sure one.
_MAYBE = lazy(
    r"[ \t]*(?:(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|SEVERE|CRITICAL|FATAL|PANIC)"
    r"(?:\s(?!\w+:)|:\s)"
    r"|(?:[Ww]arning|[Ee]rror|[Ff]atal)(?::\s|\s(?=[A-Z\"]))|info\s(?=[A-Z]))"
)
_WEAK = lazy(r"[ \t]*(?:(?i:note|info|hint|help|debug|warn):\s|(?:expected|got|actual): )")
_TAGGED = lazy(r"[ \t]*(\[[A-Za-z][\w.-]+\])\s")
_COLUMNS = lazy(r"\S[ \t]{2,}(?=\S)")
_MANY_COLUMNS = 3  # gaps of two blanks and more
_FRAME = lazy(r"\s+(?:at (?:<|[\w$.]+ ?\(|\S+:\d+)|# \./|in \S+:\d+|Failure/Error)")
_AT = lazy(r"\s+at \w+$")
_HEADER = lazy(
    r"[ \t]*(?:From|To|Cc|Bcc|Sent|Date|Subject|Reply-To"
    r"|发件人|收件人|抄送|主题|日期|发送时间|时间)\s*[:：]\s*\S"
)
_OF_MAIL = lazy(
    r"[ \t]*(?:(?:Sent|Subject|Cc|Bcc|Reply-To|发件人|收件人|抄送|主题|发送时间)\s*[:：]|\w+: .*@)"
)
_SIGNED = lazy(
    r"[ \t]*(?:(?:best|kind|warm)?\s*regards|best|cheers|thanks|thank you|sincerely|yours"
    r"|此致|谢谢|祝好|顺祝商祺)[,，!.。]?\s*$",
    re.I,
)
_RULER = lazy(r"[ \t]*(?:-{3,}|={3,}|_{3,}|\*{3,})[ \t]*$")
_SPEAKER = lazy(
    r"[ \t]*(?:[\w.@-]+|[\u4e00-\u9fff]{2,4})(?: [\w.-]+)?,?\s+\[?\d{1,2}:\d\d(?:\s*[AP]M)?\]?"
    r"\s*[:：]?\s*$",
    re.I,
)
_SETTING = lazy(
    r"[ \t]*(?:(?:- )?[\w.\"'-]+\s*(?:[:=]\s*(?:$|\S+(?:\s+#.*)?$|[\"'\[{].*)|=(?:\s|$|\S).*)"
    r"|\[[\w. -]+\]$|[\w./ -]+\{$|\}[;,]?$|[\w-]+ [^.!?]*;$|(?:#|//|;)(?!#)\s?.*$)"
)
_COMMENT = lazy(r"[ \t]*(?:#(?!#)|//|;)")
_STRUCTURE = lazy(r"[ \t]+[\w\"'-]+\s*[:=]|\[[\w. -]+\]$|[A-Z][A-Z0-9_]+=|[\w./ -]+\{$|[\w.-]+:$")
_DIFF = lazy(r"diff --git |@@ -\d")
_CHANGED = lazy(r"[-+ \\]")
_OPENED = lazy(r"(?:^|[:：]\s*|\s)[“「『](?=[^”」』]*$)|(?:^|[:：]\s*)\"(?=[^\"]*$)")
_QUOTE_ENDS = {"“": "”", "「": "」", "『": "』", '"': '"'}
_LONGEST_QUOTE = 8  # lines


def pasted(lines: Sequence[str]) -> frozenset[int]:
    """The numbers, from 0, of the lines that were pasted."""
    if len(lines) < 2:
        return frozenset()
    found: set[int] = set()
    for start, end in _paragraphs(lines):
        found |= _of_output(lines, start, end)
        found |= _of_settings(lines, start, end)
        found |= _of_changes(lines, start, end)
        found |= _quoted(lines, start, end)
    found |= _of_comments(lines)
    found |= _of_mails(lines)
    found |= _of_chats(lines)
    return frozenset(found)


def _paragraphs(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The first line of each run of lines that are not blank, and the one behind its last."""
    start = None
    for number, line in enumerate(lines):
        if line.strip():
            start = number if start is None else start
        elif start is not None:
            yield start, number
            start = None
    if start is not None:
        yield start, len(lines)


def _of_output(lines: Sequence[str], start: int, end: int) -> set[int]:
    """Lines of a log or of what a tool printed."""
    numbers = range(start, end)
    sure = {n for n in numbers if _SURE.match(lines[n][:_LINE]) or _in_columns(lines[n])}
    for n in reversed(range(start, end - 1)):
        below = lines[n + 1][:_LINE]
        if _FRAME.match(below) or (n + 1 in sure and _AT.match(below)):
            sure.add(n)
    tags = [_TAGGED.match(lines[n][:_LINE]) for n in numbers]
    often = Counter(tag[1] for tag in tags if tag)
    sure |= {n for n, tag in zip(numbers, tags, strict=True) if tag and often[tag[1]] > 1}
    maybe = {n for n in numbers if n not in sure and _MAYBE.match(lines[n][:_LINE])}
    near = [*range(-_GAP, 0), *range(1, _GAP + 1)]
    alike = {*sure, *maybe}
    sure |= {n for n in maybe if any(n + by in alike for by in near)}
    weak = [n for n in numbers if _WEAK.match(lines[n]) or tags[n - start]]
    sure |= {n for n in weak if n - 1 in sure or n + 1 in sure}
    ordered = sorted(sure)
    for one, other in pairwise(ordered):
        if other - one <= _GAP + 1:
            sure |= {*range(one, other)}
    return sure


def _in_columns(line: str) -> bool:
    return len(_COLUMNS.findall(line.strip()[:_LINE])) >= _MANY_COLUMNS


def _of_settings(lines: Sequence[str], start: int, end: int) -> set[int]:
    """A paragraph of configuration, with its comments."""
    if end - start < 3:
        return set()
    settings = [n for n in range(start, end) if _SETTING.match(lines[n][:_LINE])]
    stated = [n for n in settings if not _COMMENT.match(lines[n])]
    structure = sum(_STRUCTURE.match(lines[n][:_LINE]) is not None for n in stated)
    if structure < 2 or len(settings) * 4 < (end - start) * 3:
        return set()
    return set(range(settings[0], settings[-1] + 1))


def _of_changes(lines: Sequence[str], start: int, end: int) -> set[int]:
    """A difference of two files, from its head to where its lines have no mark any more."""
    found: set[int] = set()
    for n in range(start, end):
        if _DIFF.match(lines[n]) or (n - 1 in found and _CHANGED.match(lines[n])):
            found.add(n)
    return found


def _quoted(lines: Sequence[str], start: int, end: int) -> set[int]:
    """The lines of a quote that goes over several."""
    found: set[int] = set()
    for n in range(start, end - 1):
        opened = _OPENED.search(lines[n]) if n not in found else None
        if opened is None:
            continue
        closing = _QUOTE_ENDS[opened[0][-1]]
        last = next(
            (m for m in range(n + 1, min(end, n + _LONGEST_QUOTE)) if closing in lines[m]), None
        )
        if last is not None:
            found |= {*range(n, last + 1)}
    return found


def _of_comments(lines: Sequence[str]) -> set[int]:
    """Comments of HTML that stand on lines of their own."""
    found: set[int] = set()
    opened: int | None = None
    for n, line in enumerate(lines):
        bare = line.strip()
        if bare.startswith("<!--"):
            opened = n
        if opened is not None and "-->" in bare:
            if bare.endswith("-->"):
                found |= {*range(opened, n + 1)}
            opened = None
    return found


def _of_mails(lines: Sequence[str]) -> set[int]:
    """A mail: from its head to a ruler, to the name under its last words, or to the end."""
    found: set[int] = set()
    inside = signed = False
    for n, line in enumerate(lines):
        if not inside and _HEADER.match(line[:_LINE]):
            head = lines[n : n + 2]
            inside = len(head) == 2 and _HEADER.match(head[1][:_LINE]) is not None
            inside = inside and any(_OF_MAIL.match(each[:_LINE]) for each in head)
            signed = False
        if not inside:
            continue
        blank = not line.strip() and (signed or not lines[n - 1].strip())
        if _RULER.match(line) or blank:
            inside = False
            continue
        found.add(n)
        signed = signed or _SIGNED.match(line) is not None
    return found


def _of_chats(lines: Sequence[str]) -> set[int]:
    """What several people said, each under a name and a time."""
    heads = [n for n, line in enumerate(lines) if _SPEAKER.match(line[:_LINE])]
    found: set[int] = set()
    for n in heads if len(heads) > 1 else ():
        while n < len(lines) and n not in found and lines[n].strip():
            found.add(n)
            n += 1
    return found
