"""What Hermes' compaction needs to know of each message: its price, and what may stand for it.

Bodies are read once and not held.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import md5
from typing import Any

from redline.agents.hermes.kinds import TODO
from redline.agents.hermes.summaries import is_summary, summary_spans
from redline.compaction.strategies.hermes_lines import SKILL_MARK, decoded_object, line
from redline.compaction.strategies.hermes_messages import (
    ASSISTANT,
    SUMMARY_MARK,
    TOOL,
    USER,
    Given,
    given,
    given_each,
)
from redline.compaction.strategies.hermes_prices import (
    OVERHEAD,
    dense_tokens,
    lean_price,
    legacy_price,
    listed,
    made_calls,
    shortened_price,
    texts_in,
)
from redline.model import Message, Session

PRUNE_FROM = 200  # characters of a result that is left as it is
NO_IMAGE = "[screenshot removed to save context]"
_CLEARED = "[Old tool output cleared to save context space]"
_STAND_INS = ("[Duplicate tool output", "[screenshot removed")
_STEER = "steer"
# Rows of the user's role that 0.22 itself writes and never takes for a request.
_NUDGES = (
    "[System: Your previous ", "[System: The previous response was cut off",
    "[System: Continue now.", "Your previous turn indicated a tool call but none",
    "You just executed tool calls but returned", "[IMPORTANT: Background process ",
    "Continue from the compressed conversation context above.",
    "You've reached the maximum number of tool-calling iterations allowed.", f"{TODO}\n",
)  # fmt: skip
# Rows of the user's role that hold nothing of a person's to quote.
_UNQUOTED = (
    "[System:", "[CONTEXT", "[PRIOR CONTEXT", "[IMPORTANT: Background", "[Your active task list",
    "[Planning state preserved", "[ASYNC DELEGATION", "[OUT-OF-BAND", "Cronjob Response:",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One message of Hermes. `message` is the index of the context message it is of, `places` are
    its parts, `call_ids` the ids of its calls.

    `legacy` and `lean` are its prices in tokens, to which 0.22 adds `thinking` for the newest reply
    only; `shortened` is 0.19's price once long inputs are cut. Of a result: `chars` is its length
    (-1 where it is no text), `digest` tells equal ones apart, `lines` is what 0.19 and 0.22 would
    leave of it, `again` what 0.22 would leave of that. `images` counts pictures, beside which there
    are `words` characters; `envelope` is what is left of a result that is an object.

    `summary` says that an earlier summary stands in it, `merged` that it says something else too;
    `asks` that it is a request for 0.22, `plain` that it is text and nothing else; `quoted` that
    0.22 quotes it once it is summarised, with its `chars`.
    """

    message: int
    places: tuple[int, ...]
    role: str
    legacy: int
    lean: int
    thinking: int = 0
    shortened: int | None = None
    call_ids: tuple[str, ...] = ()
    call_id: str = ""
    tool: str = ""
    owner: tuple[int, int] | None = None
    chars: int = -1
    digest: bytes | None = None
    lines: tuple[str, str] | None = None
    again: str | None = None
    stub: bool = False
    skill_mark: bool = False
    skills: tuple[str, ...] = ()
    skill: str | None = None
    images: int = 0
    words: int = 0
    envelope: str | None = None
    summary: bool = False
    merged: bool = False
    said: bool = False
    asks: bool = False
    blank: bool = False
    plain: bool = True
    steers: bool = False
    quoted: bool = False


@dataclass(slots=True)
class _Called:
    """A call: where it stands, which tool, and its input (None: not read yet)."""

    owner: tuple[int, int]
    tool: str = "unknown"
    arguments: object = None


_Calls = dict[str, _Called]


def rows_of(session: Session, before: tuple[Session, tuple[Row, ...]] | None) -> tuple[Row, ...]:
    """The rows of the context of `session`. What was measured `before` is not read again where the
    message is the very same object."""
    known: dict[int, list[Row]] = {}
    if before is not None:
        for row in before[1]:
            known.setdefault(id(before[0].context[row.message]), []).append(row)
    rows: list[Row] = []
    calls: _Calls = {}
    unread = given_each(session, [m for m in session.context if id(m) not in known])
    for index, message in enumerate(session.context):
        found = known.get(id(message))
        if found is None:
            rows += (_row(index, told, calls) for told in next(unread))
            continue
        for row in found:
            rows.append(row if row.message == index else replace(row, message=index))
            for at, name in enumerate(row.call_ids):
                calls[name] = _Called((index, at))
    for at, row in enumerate(rows):
        called = calls.get(row.call_id)
        if row.lines is not None and row.owner != (called and called.owner):
            rows[at] = _lined_again(session, row, calls)
    return tuple(rows)


def _lined_again(session: Session, row: Row, calls: _Calls) -> Row:
    """A result whose id a later call took too: Hermes knows the last one only."""
    called = calls.get(row.call_id)
    if called is not None and called.arguments is None:
        for told in given(session, session.context[called.owner[0]]):
            _note_calls(called.owner[0], told.body, calls, only=row.call_id)
    content = _body(session, row).get("content")
    return _lined(row, content, calls) if isinstance(content, str) else row


def body_text(session: Session, row: Row) -> str:
    """The text of `row`, "" where it is none. Read from the session."""
    found = _body(session, row).get("content")
    return found if isinstance(found, str) else ""


def _body(session: Session, row: Row) -> Mapping[str, Any]:
    message: Message = session.context[row.message]
    bodies = (told.body for told in given(session, message) if told.places == row.places)
    return next(bodies, {})


def line_price(text: str, *, lean: bool) -> int:
    """What a result weighs of which `text` is left."""
    return OVERHEAD + (dense_tokens(text) if lean else len(text) // 4)


def without_images(row: Row) -> int:
    """What a result weighs in which words stand for the pictures."""
    return OVERHEAD + (row.words + row.images * len(NO_IMAGE)) // 4


def _row(index: int, told: Given, calls: _Calls) -> Row:
    body = told.body
    role, content = str(body.get("role", "")), body.get("content")
    images, words = listed(content)
    _note_calls(index, body, calls)
    row = Row(
        index,
        told.places,
        role,
        legacy_price(body),
        *lean_price(body),
        images=images,
        words=words,
        call_id=str(body.get("tool_call_id") or ""),
        tool=str(body.get("tool_name") or ""),
    )
    if role == TOOL:
        return _result(row, content, calls)
    if role == ASSISTANT:
        return _reply(row, body)
    if role == USER:
        return _request(row, body)
    return row


def _reply(row: Row, body: Mapping[str, Any]) -> Row:
    made = _calls_of(body)
    return replace(
        row,
        call_ids=tuple(name for name, _, _ in made),
        shortened=shortened_price(body, row.legacy),
        skills=tuple(
            skill
            for _, tool, arguments in made
            if tool == "skill_view" and isinstance(skill := _skill(arguments), str) and skill
        ),
        said=any(text.strip() for text in texts_in(body.get("content"))),
        **_about_summary(body),
    )


def _request(row: Row, body: Mapping[str, Any]) -> Row:
    content, display = body.get("content"), body.get("display_kind")
    texts = list(texts_in(content))
    whole = "\n".join(text for text in texts if text)
    found = _about_summary(body)
    blank = not found["summary"] and not whole.strip() and not row.images
    nudge = whole.strip().startswith(_NUDGES) or f"{whole.strip()}\n" == _NUDGES[-1]
    return replace(
        row,
        steers=display == _STEER,
        blank=blank,
        plain=not row.images and not isinstance(content, dict),
        asks=not (found["summary"] or blank or nudge or display not in (None, _STEER)),
        chars=len(whole.strip()),
        quoted=bool(whole.strip()) and not whole.lstrip().startswith(_UNQUOTED),
        **found,
    )


def _about_summary(body: Mapping[str, Any]) -> dict[str, Any]:
    whole = "\n".join(text for text in texts_in(body.get("content")) if text)
    found = is_summary(whole)
    spans = summary_spans(whole) or [] if found else []
    return {
        "summary": found or bool(body.get(SUMMARY_MARK)),
        "merged": any(kind is None and whole[a:b].strip() for kind, a, b in spans),
    }


def _result(row: Row, content: object, calls: _Calls) -> Row:
    if isinstance(content, dict) and content.get("_multimodal"):
        inner, _ = listed(content.get("content"))
        left = content.get("text_summary") or NO_IMAGE
        envelope = f"[screenshot removed] {str(left)[:PRUNE_FROM]}"
        return replace(row, images=inner, envelope=envelope)
    if not isinstance(content, str):
        return row
    size = len(content)
    row = replace(
        row,
        chars=size,
        digest=md5(content.encode("utf-8", "replace"), usedforsecurity=False).digest()
        if size >= PRUNE_FROM
        else None,
        stub=_is_stub(content),
        skill_mark=SKILL_MARK in content,
    )
    return _lined(row, content, calls) if size > PRUNE_FROM and content != _CLEARED else row


def _lined(row: Row, content: str, calls: _Calls) -> Row:
    """`row` with what is left of `content`. "" where that is left as it is."""
    called = calls.get(row.call_id)
    tool, arguments = (called.tool, called.arguments) if called else ("unknown", "")
    legacy = lean = ""
    again = None
    if not content.startswith(_STAND_INS[0]):
        legacy = line(tool, arguments, content, lean=False)
    if not (content.startswith(_STAND_INS) or row.stub):
        lean = line(tool, arguments, content, lean=True)
        if len(lean) > PRUNE_FROM and not (lean.startswith(_STAND_INS) or _is_stub(lean)):
            again = line(tool, arguments, lean, lean=True)
    return replace(
        row,
        lines=(legacy, lean),
        again=again,
        owner=called.owner if called else None,
        skill=_skill(arguments).lower() if tool == "skill_view" else None,
    )


def _is_stub(content: str) -> bool:
    """Whether 0.22 takes a result for one that it cut before."""
    return content.startswith("[") and " chars)" in content and len(content) < 400


def _skill(arguments: object) -> str:
    name = decoded_object(arguments).get("name", "")
    return name if isinstance(name, str) else ""


def _note_calls(
    index: int, body: Mapping[str, Any], calls: _Calls, *, only: str | None = None
) -> None:
    for at, (name, tool, arguments) in enumerate(_calls_of(body)):
        if only is None or (name == only and calls[name].owner == (index, at)):
            calls[name] = _Called((index, at), tool, arguments)


def _calls_of(body: Mapping[str, Any]) -> list[tuple[str, str, object]]:
    """Id, tool and input of each call."""
    found: list[tuple[str, str, object]] = []
    if body.get("role") != ASSISTANT:
        return found
    for call in made_calls(body):
        function = call.get("function")
        function = function if isinstance(function, dict) else {}
        tool = function.get("name", "unknown")
        found.append((str(call.get("id") or ""), str(tool), function.get("arguments") or ""))
    return found
