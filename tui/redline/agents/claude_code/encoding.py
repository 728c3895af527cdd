"""Records as Claude Code writes them: what its loader needs of a compacted session (2.1.197).

A boundary whose parent is null, the summary behind it, and every other record on one chain of
parents. It asks for a uuid, a parent and a time on each; a usage that is left in a reply counts as
the size of the context, and the agent compacts again at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from redline.agents.bodies import texts
from redline.agents.claude_code.kinds import kind_of
from redline.agents.pieces import Piece
from redline.agents.times import read_time
from redline.model import Kind, Pointer

Record = dict[str, Any]

CLEARED = "[Old tool result content cleared]"  # what its own clearing leaves (formats, 5.3)
IMAGE_CLEARED = "<system-reminder>An image stood here; it was cleared.</system-reminder>"
_OPENING = (
    "This session is being continued from a previous conversation. This summary stands for what "
    "was taken out of it; the messages around it were kept word for word."
)
_CONTENT: Pointer = ("message", "content")
_ENVELOPE = ("userType", "entrypoint", "cwd", "version", "gitBranch", "slug")
_OF_ANOTHER = ("agentId", "requestId", "logicalParentUuid", "forkedFrom", "sourceToolAssistantUUID")
_NO_USAGE = {
    "input_tokens": 0,
    "cache_creation_input_tokens": 0,
    "cache_read_input_tokens": 0,
    "output_tokens": 0,
}


@dataclass(frozen=True, slots=True)
class Link:
    """What places a record in its session: its own id, the one before it, the session's."""

    uuid: str
    parent: str | None
    session: str


def boundary(link: Link, like: Record, now: datetime, *, tokens_before: int) -> Record:
    """A compaction; `like` is a record of the session, for what every record says of its program
    and place."""
    return {
        "parentUuid": None,
        "isSidechain": False,
        "type": "system",
        "subtype": "compact_boundary",
        "content": "Conversation compacted",
        "isMeta": False,
        "level": "info",
        "compactMetadata": {"trigger": "manual", "preTokens": tokens_before},
        **_placed(link, like, now),
    }


def summary(link: Link, like: Record, now: datetime, text: str) -> Record:
    """The summary `text` as the message that the agent takes it from."""
    return {
        "parentUuid": link.parent,
        "isSidechain": False,
        "type": "user",
        "message": {"role": "user", "content": f"{_OPENING}\n\nSummary:\n{text}"},
        "isVisibleInTranscriptOnly": True,
        "isCompactSummary": True,
        **_placed(link, like, now),
    }


def title(session: str, text: str) -> Record:
    """What the agent's own list calls the session."""
    return {"type": "ai-title", "aiTitle": text, "sessionId": session}


def last_prompt(session: str, leaf: str) -> Record:
    """The record that the session goes on from."""
    return {"type": "last-prompt", "leafUuid": leaf, "sessionId": session}


def moved(
    record: Record, link: Link, now: datetime, api_id: str | None, caller: str | None
) -> Record:
    """`record` in another session, billed to nobody.

    `api_id` is the new id of its reply, the same for all records of one; `caller` the new id of the
    record that holds the call it answers. One without a time gets `now`: the agent wants one.
    """
    found = {key: value for key, value in record.items() if key not in _OF_ANOTHER}
    found |= {"uuid": link.uuid, "parentUuid": link.parent, "sessionId": link.session}
    found["isSidechain"] = False
    if read_time(record.get("timestamp")) is None:
        found["timestamp"] = _moment(now)
    if caller is not None and "sourceToolAssistantUUID" in record:
        found["sourceToolAssistantUUID"] = caller
    message = record.get("message")
    if isinstance(message, dict):
        found["message"] = {**message, "content": _well_formed(message.get("content"))}
    if record.get("type") == "assistant" and isinstance(message, dict):
        message = dict(found["message"])
        if api_id is not None:
            message["id"] = api_id
        if message.get("usage") is not None:
            message["usage"] = dict(_NO_USAGE)
        found["message"] = message
    return found


def told(record: Record, text: str, *, typed: bool) -> Record:
    """A record whose text the agent makes up from its fields (an attachment, the output of a
    command), saying `text` instead; `typed` where the agent is to show it as a person's."""
    found = {key: value for key, value in record.items() if key not in ("attachment", "content")}
    found.pop("subtype", None)
    return {
        **found,
        "type": "user",
        "isMeta": not typed,
        "message": {"role": "user", "content": text},
    }


def is_echo(record: Record) -> bool:
    """Whether a record is what a command that ran here was, or printed."""
    return record.get("type") == "system" and record.get("subtype") == "local_command"


def is_answer(record: Record) -> bool:
    """Whether a record holds what the agent sends of a reply: a call or words."""
    message = record.get("message")
    if record.get("type") != "assistant" or not isinstance(message, dict):
        return False
    content = message.get("content")
    blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
    return any(_is_said(block) for block in blocks)


def _is_said(block: Any) -> bool:
    if not isinstance(block, dict) or block.get("type") in ("thinking", "redacted_thinking"):
        return False
    return block.get("type") != "text" or bool(texts(block.get("text")).strip())


def echoed(record: Record) -> Record:
    """A command's line as the message that earlier versions wrote and the agent still makes of it.

    Behind a prompt without an answer 2.1.197 puts an answer when it resumes. It hangs that on the
    last message, so that lines of the other form, which are none, are on no branch from then on.
    """
    text = texts(record.get("content"))
    return told(record, text, typed=kind_of(text) is not Kind.PROMPT)


def with_pieces(record: Record, pieces: Sequence[Piece], spans: Mapping[Pointer, int]) -> Record:
    """A record of a person or a reply with nothing but `pieces` in its content.

    `spans` says of each pointer how many pieces the whole record has there. What the agent keeps of
    a result for its screen goes where the result does.
    """
    message = dict(record["message"])
    content = message["content"]
    if isinstance(content, str):
        message["content"] = _texts({}, content, pieces, spans)
    else:
        message["content"] = [
            block
            for place, whole in enumerate(content)
            for block in _blocks(whole, place, pieces, spans)
        ]
    found = {**record, "message": message}
    if any(piece.body is not None for piece in pieces):
        found.pop("toolUseResult", None)
    return found


def _blocks(
    block: Any, place: int, pieces: Sequence[Piece], spans: Mapping[Pointer, int]
) -> list[Any]:
    """What stays of one block of a content list."""
    here = [piece for piece in pieces if piece.pointer[:3] == (*_CONTENT, place)]
    if not here:
        return []
    if isinstance(block, str):
        return _texts({}, block, here, spans)
    kind = block.get("type")
    if kind == "text" and here[0].pointer[-1] == "text":
        return _texts(block, texts(block.get("text")), here, spans)
    if kind == "tool_result":
        return _result(block, here, place)
    return [_image(block, here[0])]


def _texts(
    block: Record, text: str, pieces: Sequence[Piece], spans: Mapping[Pointer, int]
) -> list[Record]:
    """What stays of a text as blocks, one a piece: what was apart must not grow together."""
    if len(pieces) == spans[pieces[0].pointer] and all(piece.body is None for piece in pieces):
        return [{**block, "type": "text", "text": text}]
    cut = [text[slice(*piece.span)] if piece.span else text for piece in pieces]
    bodies = [
        whole if piece.body is None else piece.body
        for whole, piece in zip(cut, pieces, strict=True)
    ]
    return [{"type": "text", "text": body} for body in bodies]


def _result(block: Record, pieces: Sequence[Piece], place: int) -> list[Record]:
    """A result of which something is cleared or shortened in its place; images that stay without
    it, which no call ties to it, as blocks of their own."""
    content = block.get("content")
    items = content if isinstance(content, list) else []
    at = (*_CONTENT, place, "content")
    own = [piece for piece in pieces if piece.pointer == at]
    if not own:
        return [_image(items[int(piece.pointer[-1])], piece) for piece in pieces]
    if all(piece.body is None for piece in pieces):
        return [block]
    gone = {piece.pointer[-1] for piece in pieces if piece.body is not None}
    kept = [item for index, item in enumerate(items) if index not in gone]
    body = own[0].body
    if body is None:
        return [{**block, "content": kept}]
    images = [item for item in kept if isinstance(item, dict) and item.get("type") == "image"]
    if not images:
        return [{**block, "content": body}]
    return [{**block, "content": [{"type": "text", "text": body}, *images]}]


def _image(block: Record, piece: Piece) -> Record:
    """An image, or the words that stand in its place."""
    return block if piece.body is None else {"type": "text", "text": piece.body}


def _well_formed(content: Any) -> Any:
    """The content of a message without what is no block, which no API takes."""
    if not isinstance(content, list):
        return content
    blocks = [{"type": "text", "text": one} if isinstance(one, str) else one for one in content]
    return [one for one in blocks if isinstance(one, dict) and isinstance(one.get("type"), str)]


def _placed(link: Link, like: Record, now: datetime) -> Record:
    return {
        "uuid": link.uuid,
        "timestamp": _moment(now),
        "sessionId": link.session,
        **{key: like[key] for key in _ENVELOPE if like.get(key) is not None},
    }


def _moment(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
