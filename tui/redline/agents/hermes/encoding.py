"""Rows as Hermes writes them when it compacts: the handoff, and copies of rows that go on.

A copy is a new row of the same session or of another, column by column as it is stored; what is
taken out of it takes the columns along that would say it otherwise (the bytes that were sent, the
items of the Responses API).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from redline.agents.hermes.messages import holds_summary
from redline.agents.hermes.rows import JSON_COLUMNS, JSON_MARK, decoded, row_of
from redline.agents.hermes.summaries import BELOW, END, PREFIXES, PRIOR
from redline.model import Pointer

CLEARED = "[Old tool output cleared]"  # begins as what Hermes itself leaves of one
CARRIER = "_compressed_summary"
# The oldest of the openings by which every Hermes knows a summary (0.13 to 0.22); what follows says
# what its own say: background, tools go on, nothing is to be started over.
_OPENING = (
    f"{PREFIXES[1]} earlier turns were taken out of this conversation, and this stands for them. "
    "It is background, not a request: what it tells was answered or done. Answer the newest "
    "message of the user below it, which goes before all that is said here. Your tools and your "
    "memory files stay as they are."
)
_MARKS = re.compile("|".join(map(re.escape, (PRIOR, BELOW, "--- END OF CONTEXT SUMMARY"))))
_SURROGATE = re.compile("[\ud800-\udfff]")
_REASONING = ("reasoning", "reasoning_content")
_SEALED = ("reasoning_details", "codex_reasoning_items")
_FIRST = (*_REASONING, *_SEALED, "codex_message_items")  # what is sent before a row's content
# What a row says once more in another form; it is stale where the row says less or more.
_AGAIN = ("api_content", "codex_message_items", "token_count", "display_identity")


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a row: where its body lies (`pointer`, `span`), and what stands in its place
    (`body`, None for word for word, "" for nothing). `stays` False: it is taken out."""

    pointer: Pointer
    span: tuple[int, int] | None = None
    body: str | None = None
    stays: bool = True

    @property
    def untouched(self) -> bool:
        return self.stays and self.body is None


@dataclass(frozen=True, slots=True)
class NewRow:
    """A row to be written: a copy of the row `of` (None: of none), with `columns` of its own."""

    of: int | None
    columns: Mapping[str, Any] = field(default_factory=dict)


def unmarked(text: str) -> str:
    """`text` without the marks by which Hermes tells where a summary starts and ends, nor what no
    database stores as text (half of a pair of surrogates)."""
    stored = text.encode("utf-8", "replace").decode()
    return _MARKS.sub(lambda found: found[0].replace("[", "(").replace("--- ", "-- "), stored)


def handoff(text: str) -> str:
    """The summary `text` as Hermes hands it on."""
    return f"{_OPENING}\n\n{text}\n\n{END}"


def handoff_row(role: str, text: str, now: datetime) -> NewRow:
    """The row of a handoff, see `handoff`."""
    columns = {"role": role, "content": handoff(text), "timestamp": now.timestamp(), CARRIER: 1}
    return NewRow(None, columns)


def placed(above: str | None, below: str | None, *, asked: bool) -> tuple[str, bool]:
    """The role of a handoff between rows of the roles `above` and `below` (None: there is none),
    and whether it goes into the row below, because either role would come twice (0.22).

    `asked` tells whether a message of a user stays. First of all it is a user's, as some APIs want.
    """
    forced = above is None or not asked
    role = "user" if forced or above in ("assistant", "tool") else "assistant"
    if role != below:
        return role, False
    other = "assistant" if role == "user" else "user"
    return (role, True) if forced or other == above else (other, False)


def with_handoff(row: NewRow, stored: Mapping[str, Any], text: str) -> NewRow | None:
    """`row`, a copy of `stored`, with the handoff in front of what it says; None where the two
    could not be told apart any more.

    Hermes also puts it behind what the row says and calls that old; a request that stays would be
    none then.
    """
    now = {**stored, **row.columns}
    content = decoded("content", now.get("content"))
    if any(now.get(name) for name in _FIRST) or holds_summary(row_of(now, 0, [])):
        return None
    told = handoff(text)
    if isinstance(content, list):
        content = [{"type": "text", "text": f"{told}\n\n"}, *content]
    elif content is None or content == "":
        content = told
    elif isinstance(content, str) and content.strip() and not content.startswith("\n"):
        content = f"{told}\n\n{content}"
    else:
        return None
    return NewRow(row.of, {**row.columns, **_said(content), CARRIER: 1})


def mended(stored: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of the row `stored` that hold no list where only that can be read, as none: they
    say nothing, and nobody reads them."""
    return {
        name: None
        for name in JSON_COLUMNS
        if stored.get(name) is not None and not isinstance(decoded(name, stored[name]), list)
    }


def edited(stored: Mapping[str, Any], pieces: Sequence[Piece]) -> dict[str, Any]:
    """The columns in which the row `stored` differs where `pieces`, which are all of its parts, are
    left of it; none where all stay word for word."""
    changed = [piece for piece in pieces if not piece.untouched]
    if not changed:
        return {}
    found: dict[str, Any] = {}
    touched = {str(piece.pointer[0]) for piece in changed}
    if "content" in touched:
        of_content = [piece for piece in pieces if piece.pointer[0] == "content"]
        found |= _said(_content(stored, of_content))
    if touched & {*_REASONING, *_SEALED}:
        found |= _thought(stored, pieces)
    if "tool_calls" in touched:
        gone = {piece.pointer[1] for piece in changed if piece.pointer[0] == "tool_calls"}
        calls = decoded("tool_calls", stored.get("tool_calls"))
        kept = [call for place, call in enumerate(calls or ()) if place not in gone]
        found["tool_calls"] = json.dumps(kept) if kept else None
    return found | dict.fromkeys(_AGAIN)


def _said(content: object) -> dict[str, Any]:
    """The columns of a row that says `content`."""
    if isinstance(content, str) and _SURROGATE.search(content):
        content = [{"type": "text", "text": content}]  # as JSON it can be stored
    listed = isinstance(content, list | dict)
    stored = f"{JSON_MARK}{json.dumps(content)}" if listed else content
    return {"content": stored, **dict.fromkeys(_AGAIN)}


def _content(stored: Mapping[str, Any], pieces: Sequence[Piece]) -> object:
    content = decoded("content", stored.get("content"))
    result = stored.get("role") == "tool"
    if isinstance(content, dict) and isinstance(content.get("content"), list):
        inside = [Piece(p.pointer[1:], p.span, p.body, p.stays) for p in pieces]
        left = _blocks(content["content"], inside, result=result)
        return {**content, "content": left} if isinstance(left, list) else left
    if isinstance(content, list | dict):
        left = _blocks(content if isinstance(content, list) else [content], pieces, result=result)
        alone = left[0] if isinstance(left, list) and len(left) == 1 else None
        # A text alone is stored as one: Hermes joins what a role says twice only where both are.
        told = isinstance(alone, dict) and alone.get("type") == "text" and alone.get("text")
        return told if isinstance(told, str) and told else left
    if not any(piece.stays for piece in pieces):
        return None
    if not isinstance(content, str):
        content = "" if content is None else str(content)
    return "".join(_left(content, piece) for piece in pieces)


def _left(text: str, piece: Piece) -> str:
    if not piece.stays:
        return ""
    if piece.body is not None:
        return piece.body
    return text[slice(*piece.span)] if piece.span else text


def _blocks(blocks: Sequence[Any], pieces: Sequence[Piece], *, result: bool) -> object:
    """`blocks` with what is left of them; what is no part at all stays. Of a result that is cleared
    only its pictures stay as blocks."""
    of: dict[object, list[Piece]] = {}
    body: str | None = None
    for piece in pieces:
        if len(piece.pointer) > 1:
            of.setdefault(piece.pointer[1], []).append(piece)
        elif piece.body is not None:
            body = piece.body
    kept = []
    for place, block in enumerate(blocks):
        if place not in of:
            if body is None:
                kept.append(block)
        elif (left := _block(block, of[place])) is not None:
            kept.append(left)
    if body is None:
        return kept
    return [{"type": "text", "text": body}, *kept] if kept or not result else body


def _block(block: Any, pieces: Sequence[Piece]) -> Any:
    if all(piece.untouched for piece in pieces):
        return block
    said = block.get("text") if isinstance(block, dict) else block
    text = "".join(_left(said if isinstance(said, str) else "", piece) for piece in pieces)
    if not text:
        return None
    if isinstance(block, dict) and isinstance(said, str):
        return {**block, "text": text}
    return text if isinstance(block, str) else {"type": "text", "text": text}


def _thought(stored: Mapping[str, Any], pieces: Iterable[Piece]) -> dict[str, Any]:
    """The columns of what was thought, readable and sealed."""
    gone: set[tuple[object, ...]] = set()
    sealed: set[tuple[object, ...]] = set()
    found: dict[str, Any] = {}
    for piece in pieces:
        if piece.pointer[0] in _SEALED:
            (sealed if piece.stays else gone).add(piece.pointer[:2])
        elif piece.pointer[0] in _REASONING and not piece.stays:
            found = dict.fromkeys(_REASONING)
    for column in _SEALED:
        items = decoded(column, stored.get(column))
        if not isinstance(items, list):
            continue
        # Without the thought itself, what stands there in plain words goes as well.
        kept = [
            item
            for place, item in enumerate(items)
            if (column, place) not in gone and (not found or (column, place) in sealed)
        ]
        if len(kept) < len(items):
            found[column] = json.dumps(kept) if kept else None
    return found


def counts(rows: Iterable[Mapping[str, Any]]) -> tuple[int, int]:
    """How many messages and calls a session row says of `rows`."""
    messages = calls = 0
    for row in rows:
        messages += 1
        made = decoded("tool_calls", row.get("tool_calls")) if row.get("tool_calls") else None
        calls += len(made) if isinstance(made, list) else 0
    return messages, calls


def next_title(title: str, known: Iterable[str]) -> str:
    """What Hermes calls the session that goes on with one called `title`, beside those `known`."""
    numbered = re.fullmatch(r"(.*?) #(\d+)", title, re.S)
    base = numbered[1] if numbered else title
    found = (re.fullmatch(rf"{re.escape(base)} #(\d{{1,9}})", other) for other in known)
    return f"{base} #{max([1, *(int(number[1]) for number in found if number)]) + 1}"


def session_id(now: datetime, random: str) -> str:
    """The id of a session that starts at `now`; `random` are at least six characters."""
    return f"{now.astimezone():%Y%m%d_%H%M%S}_{random[-6:]}"
