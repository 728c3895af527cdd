"""What a summary from before says: its state, what it planned, and, of a handoff, all its fields.

Read mechanically from the headings that the agents' summaries have (Claude Code 2.1, pi 1.6, Hermes
0.19 and 0.22), or as a handoff where redline wrote it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from redline.agents.codex.kinds import SUMMARY_PREFIX
from redline.facts.pasted import without_kept
from redline.handoff.handoff import Files, Handoff
from redline.handoff.layout import TITLE
from redline.handoff.reading import parse
from redline.patterns import lazy

NOT_SEEN = "nothing seen of it since"
_STATE_CHARS = 1_500
_ITEM_CHARS = 200
_ITEMS = 20
_HEADING = lazy(
    r"^(?:#{1,6}[ \t]+(?P<mark>[^\n]+)|\d{1,2}\.[ \t]+\**(?P<number>[^\n:*]{1,60}):\**"
    r"|\*\*(?P<bold>[^*\n]{1,80}?):?\*\*:?|(?P<plain>[A-Z][\w &/-]{2,40}):)[ \t]*$",
    re.M,
)
_STATE = lazy(
    r"(?i)(?:historical )?(?:current (?:work|state|task|status)|active (?:state|task)|goal|status"
    r"|当前(?:工作|状态)|目标)\b"
)
_PENDING = lazy(
    r"(?i)(?:historical )?(?:pending (?:tasks|user asks|work)|(?:optional )?next steps?"
    r"|remaining work|in[- ]progress(?: state)?|to-?do|open tasks|blocked|待办|下一步|进行中)\b"
)
_BULLET = lazy(r"^([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ x>]\][ \t]+)?(.*)$")
_TICKED = lazy(r"^[ \t]*[-*+][ \t]+\[x\]", re.I)
_NOTHING = lazy(
    r"(?i)\W*(?:(?:none|n/?a|nothing|no (?:pending|open|remaining) \w+)\W*\Z"
    r"|(?:none|nothing) (?:is |are )?"
    r"(?:explicitly|currently|else|left|pending|remaining|open|at|so)\b)"
)
_FILES = lazy(r"<(read|modified)-files>\s*\n(.*?)\n\s*</\1-files>", re.S)
_HANDOFF = lazy(rf"^{TITLE} \(schema ", re.M)


@dataclass(frozen=True, slots=True)
class Earlier:
    """`state` is where the work stood (at most 1,500 characters), `pending` what was to be done,
    each in a line. `files` are those it lists for programs. `handoff` is the whole where redline
    wrote it."""

    state: str
    pending: tuple[str, ...] = ()
    files: Files = field(default_factory=Files)
    handoff: Handoff | None = None


def read_earlier(text: str) -> Earlier:
    """What `text` says; an unknown form gives its start as the state."""
    start = _HANDOFF.search(text)
    if start is not None:
        return _of_handoff(parse(without_kept(text[start.start() :])))
    return _of_summary(text)


@cache
def _not_seen() -> re.Pattern[str]:
    return re.compile(rf"^- {NOT_SEEN}: (.+)$", re.M)


def _of_handoff(handoff: Handoff) -> Earlier:
    pending = [*handoff.next_plan, *handoff.blocked, *_not_seen().findall(handoff.previous)]
    state = [f"Goal: {handoff.goal}"] if handoff.goal else []
    state += [handoff.current_state] if handoff.current_state else []
    return Earlier(
        _short("\n".join(state), _STATE_CHARS), _distinct(pending), handoff.files, handoff
    )


def _of_summary(text: str) -> Earlier:
    if text.startswith(SUMMARY_PREFIX):  # Codex's own words to the next model, in a line
        text = text.partition("\n")[2]
    said: list[str] = []
    pending: list[str] = []
    headings = list(_HEADING.finditer(text))
    for place, heading in enumerate(headings):
        title = next(group for group in heading.groups() if group).strip(" #*:")
        end = headings[place + 1].start() if place + 1 < len(headings) else len(text)
        body = text[heading.end() : end].strip("\n").rstrip()
        if not body or _NOTHING.match(body):
            continue
        if _PENDING.match(title):
            pending += _items(body)
        elif _STATE.match(title):
            said.append(f"{title}: {body.strip()}")
    state = "\n".join(said) if said or pending else text.strip()
    state = "\n".join(line.rstrip() for line in state.split("\n"))
    return Earlier(_short(state, _STATE_CHARS), _distinct(pending), _files(text))


def _items(body: str) -> list[str]:
    """The outermost bullets of a section, each in a line; the text itself where it has none. What
    is ticked is not pending."""
    lines = body.split("\n")
    found = [(match, line) for line in lines if (match := _BULLET.match(line))]
    if not found:
        return [body]
    least = min(len(match[1]) for match, _ in found)
    return [match[2] for match, line in found if len(match[1]) == least and not _TICKED.match(line)]


def _distinct(items: list[str]) -> tuple[str, ...]:
    cleaned = (_short(" ".join(item.split()), _ITEM_CHARS) for item in items)
    return tuple(dict.fromkeys(item for item in cleaned if item and not _NOTHING.match(item)))[
        :_ITEMS
    ]


def _files(text: str) -> Files:
    """The lists pi writes under its summaries, over all of its compactions."""
    found: dict[str, tuple[str, ...]] = {"read": (), "modified": ()}
    for match in _FILES.finditer(text):
        paths = (line.strip() for line in match[2].split("\n"))
        found[match[1]] = tuple(dict.fromkeys((*found[match[1]], *filter(None, paths))))
    return Files(found["modified"], found["read"])


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit].rstrip()} [...]"
