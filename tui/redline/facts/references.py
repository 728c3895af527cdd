"""Issue and pull request numbers, and URLs, in what people and agents write."""

from __future__ import annotations

import re
from collections.abc import Iterator

_URL = re.compile(
    r"https?://[^\s<>\"'`\\|{}\x00-\x1f，。；：、！？（）【】「」『』《》“”‘’]{3,2000}", re.I
)
_URL_END = ".,;:!?*_~"
_ISSUE_URL = re.compile(
    r"https?://[^/]+/([\w.-]+/[\w.-]+)/(?:-/)?(?:issues|pull|pulls|merge_requests)/(\d+)", re.I
)
# ASCII classes: \w and \b would take Chinese letters beside a number for a part of it.
_REFERENCE = re.compile(
    r"(?P<repository>(?<![A-Za-z0-9_./-])[A-Za-z0-9][A-Za-z0-9_.-]{0,80}/[A-Za-z0-9_.-]{1,80}"
    r"#\d{1,7})(?![A-Za-z0-9_])"
    r"|(?P<number>(?<![A-Za-z0-9_/#&.-])#\d{1,5})(?![A-Za-z0-9_%-])"
    r"|(?P<word>(?<![A-Za-z0-9_-])(?:PR|MR|GH|pull request|merge request|issue)[ -]#?\d{1,7})"
    r"(?![A-Za-z0-9_-]|\.\d)"
    r"|(?P<ticket>(?<![A-Za-z0-9_/.-])[A-Z]{2,10}-\d{1,6})(?![A-Za-z0-9_-]|\.\d)",
)
# Standards, encodings, ciphers, models: a letter group and a number, but no ticket.
_NO_TICKETS = (
    "UTF SHA ISO RFC CVE CWE MD AES RSA TLS SSL HTTP HTTPS ES ECMA IEEE ASCII GPT COVID BASE UTC"
    " GMT CP LATIN PEP EN GB GBK KOI WINDOWS ANSI UCS SM MP RS HS PS ED USB PCI IPV IP RTX GTX"
    " CLAUDE OPUS SONNET HAIKU LLAMA QWEN GEMINI CODEX PHASE STEP TASK OPTION PART PLAN ITEM"
    " SECTION TIER LEVEL CHAPTER APPENDIX FIGURE TABLE NOTE PY PYTHON NODE JAVA TS JS"
    " LTS RC BETA ALPHA"
)
_NO_TICKET = frozenset(_NO_TICKETS.split())
_NO_NUMBER = re.compile(
    r"(?:option|task|step|item|comment|point|number|rule|test|attempt|phase|line|finding|todo|note"
    r"|question|case|example|figure|table|section|round|part|day|color|colour|background|bg|fill"
    r"|stroke|rgb|hex|border|任务|步骤|选项|第)\W{0,3}$",
    re.I,
)
_ISSUE_WORD = re.compile(
    r"(?:issues?|prs?|mrs?|pull requests?|bugs?|tickets?|fix(?:es|ed)?|close[sd]?|resolve[sd]?"
    r"|refs?|see)\W{0,3}$",
    re.I,
)
_LONGEST = 400_000


def urls(text: str) -> Iterator[str]:
    """Each URL, without the punctuation and brackets of the sentence around it."""
    for match in _URL.finditer(text[:_LONGEST]):
        url = match.group()
        while True:
            shorter = url.rstrip(_URL_END)
            for opening, closing in ("()", "[]"):
                if shorter.endswith(closing) and shorter.count(closing) > shorter.count(opening):
                    shorter = shorter[:-1]
            # `[text](url)` leaves the bracket and what follows it behind.
            if shorter == url:
                break
            url = shorter
        if "](" in url:
            url = url.partition("](")[0]
        if "." in url or "localhost" in url or re.search(r"//[^/]+:\d", url):
            yield url


def references(text: str, *, sure: bool = True) -> Iterator[str]:
    """Each issue or pull request number as written; of a URL its `owner/repository#number`.

    Where `text` numbers its own points (`sure` is False: an agent's reply) a bare `#7` counts only
    behind a word like "issue" or "fixes".
    """
    text = text[:_LONGEST]
    for match in _REFERENCE.finditer(_URL.sub(_reference_of_url, text)):
        kind = match.lastgroup
        found = match.group()
        if kind == "ticket" and found.partition("-")[0] in _NO_TICKET:
            continue
        if kind == "number":
            before = match.string[max(0, match.start() - 16) : match.start()]
            if _NO_NUMBER.search(before) or found.startswith("#0"):
                continue
            if not sure and len(found) == 2 and not _ISSUE_WORD.search(before):
                continue
        yield found


def _reference_of_url(match: re.Match[str]) -> str:
    issue = _ISSUE_URL.match(match.group())
    return f" {issue[1]}#{issue[2]} " if issue else " "
