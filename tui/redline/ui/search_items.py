"""What the search screen shows: hits by session, and a passage with what stands around it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from redline.context.window import Category
from redline.model import Kind, SessionInfo
from redline.text import counted
from redline.ui.marked import Marked, Span, marked
from redline.ui.roster import Key, key_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from redline.agents.finder import Passage
    from redline.catalogue.search import Found, Hit

LETTER = {
    Kind.PROMPT: "u",
    Kind.REPLY: "a",
    Kind.TOOL_CALL: "c",
    Kind.TOOL_RESULT: "r",
    Kind.SUMMARY: "s",
    Kind.INJECTED: "i",
    Kind.NOTICE: "n",
}
WORD = {
    Kind.PROMPT: "prompt",
    Kind.REPLY: "reply",
    Kind.TOOL_CALL: "call",
    Kind.TOOL_RESULT: "result",
    Kind.SUMMARY: "summary",
    Kind.INJECTED: "injected",
    Kind.NOTICE: "notice",
}
CATEGORY = {
    Kind.PROMPT: Category.USER,
    Kind.REPLY: Category.ASSISTANT,
    Kind.TOOL_CALL: Category.TOOL,
    Kind.TOOL_RESULT: Category.TOOL,
    Kind.SUMMARY: Category.SUMMARY,
    Kind.INJECTED: Category.SYSTEM,
    Kind.NOTICE: Category.SYSTEM,
}

_NEAR = 2  # passages before and after that are shown with one
_BEFORE = 1_500  # characters of a passage before the first place that was found in it
_AFTER = 6_000
_EDGE = 300  # characters of its neighbours


@dataclass(frozen=True, slots=True)
class Group:
    """The heading of the hits in one session, and how many those are."""

    info: SessionInfo
    hits: int


def grouped(hits: Sequence[Hit]) -> list[Group | Hit]:
    """The hits under their sessions; sessions and hits in the order they were given."""
    sessions: dict[Key, list[Hit]] = {}
    for hit in hits:
        sessions.setdefault(key_of(hit.info), []).append(hit)
    rows: list[Group | Hit] = []
    for members in sessions.values():
        rows.append(Group(members[0].info, len(members)))
        rows += members
    return rows


def told(found: Found, *, indexing: bool) -> str:
    """How many there are, and whether these are all."""
    if not found.hits:
        words = "nothing found"
    else:
        sessions = len({key_of(hit.info) for hit in found.hits})
        words = f"{counted(len(found.hits), 'hit')} in {counted(sessions, 'session')}"
        if not found.complete:
            words = f"the first {words}"
    if indexing:
        return f"{words} so far"
    if found.unread:
        words = f"{words}, {counted(found.unread, 'session')} unread"
    if found.unreadable:
        words = f"{words}, {counted(len(found.unreadable), 'file')} unreadable"
    return words


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage in the preview: what it is, its text, and what of it is left out."""

    kind: Kind
    time: datetime | None
    text: Marked
    before: int = 0
    after: int = 0
    found: bool = False


def excerpts(
    hit: Hit, passages: Iterable[Passage], cancelled: Callable[[], bool]
) -> list[Excerpt] | None:
    """The passage of `hit` between its neighbours; None where it is not there any more, or the
    search was given up. Reads the session up to there: slow."""
    before: list[Passage] = []
    after: list[Passage] = []
    here: Passage | None = None
    for passage in passages:
        if cancelled():
            return None
        if here is not None:
            after.append(passage)
            if len(after) >= _NEAR:
                break
        elif _is(passage, hit):
            here = passage
        else:
            before = [*before[1 - _NEAR :], passage]
    if here is None:
        return None
    return [
        *(_neighbour(passage, ending=True) for passage in before),
        whole(hit, here.text),
        *(_neighbour(passage, ending=False) for passage in after),
    ]


def _is(passage: Passage, hit: Hit) -> bool:
    return (
        passage.record == hit.record
        and passage.start == hit.start
        and passage.kind is hit.kind
        and hit.snippet in passage.text
    )


def whole(hit: Hit, text: str) -> Excerpt:
    """The passage of `hit`, whose body is `text`, around what was found."""
    base = max(text.find(hit.snippet), 0)
    spans: list[Span] = [(base + start, base + end) for start, end in hit.spans]
    first = spans[0][0] if spans else base
    start = max(0, first - _BEFORE)
    if start and (line := text.find("\n", start, first)) >= 0:
        start = line + 1
    end = min(len(text), first + _AFTER)
    near = [(one - start, two - start) for one, two in spans if start <= one and two <= end]
    shown = marked(text[start:end], near)
    return Excerpt(hit.kind, hit.time, shown, start, len(text) - end, found=True)


def _neighbour(passage: Passage, *, ending: bool) -> Excerpt:
    text = passage.text
    left_out = max(0, len(text) - _EDGE)
    shown = text[-_EDGE:] if ending else text[:_EDGE]
    return Excerpt(
        passage.kind,
        passage.time,
        marked(shown.strip("\n")),
        left_out if ending else 0,
        0 if ending else left_out,
    )
