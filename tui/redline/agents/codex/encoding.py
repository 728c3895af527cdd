"""Records as Codex writes them: what its loader needs of a compacted thread (0.171.0).

A session_meta with a time, a folder and the program's name and version; the last turn_context for
the model; a `compacted` whose replacement history is the whole of what is sent. `codex resume
--last` finds a thread only by a user_message. Behind the `compacted` a world_state with its
turn_context says that the instructions and the environment are in the history already; without
them Codex puts them in anew at the next prompt. No token_count is written: the next prompt is asked
before anything is compacted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from redline.agents.codex.fitting import Value, spoken
from redline.agents.codex.head import GIT, are_tools, is_id
from redline.agents.codex.item import INTER_AGENT, MESSAGE, OUTPUTS, REASONING
from redline.agents.pieces import Piece

CLEARED = "[old tool output cleared]"  # Codex clears nothing by itself and has no words for it
# Its own next compaction takes a message for a summary, which it retells, only where it begins with
# just these words and a new line; any other it takes for a prompt and carries along word for word.
SUMMARY_MARK = (
    "Another language model started to solve this problem and produced a summary of its thinking "
    "process. You also have access to the state of the tools that were used by that language "
    "model. Use this to build on the work that has already been done and avoid duplicating work. "
    "Here is the summary produced by the other language model, use the information in this "
    "summary to assist with your own analysis:"
)
PROVIDER = "model_provider"
_VERSION = "0.171.0"
_ORIGINATOR = "codex-tui"
_ABOUT = ("cwd", "originator", "cli_version", PROVIDER, "memory_mode")
_SOURCES = ("cli", "vscode", "exec", "mcp")
# Of a turn_context: what it was set to, and neither its ids nor instructions that it repeats.
_TURN = (
    "cwd",
    "workspace_roots",
    "approval_policy",
    "approvals_reviewer",
    "sandbox_policy",
    "permission_profile",
    "active_permission_profile",
    "network",
    "model",
    "effort",
    "summary",
    "personality",
    "truncation_policy",
)
_IDS = ("turn_id", "root_turn_id")


def moment(now: datetime) -> str:
    """`now` as records have it."""
    return now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def thread_id(now: datetime, random: str) -> str:
    """An id of version 7, as Codex makes them, which tells its time: the rest of it is that of the
    UUID `random`."""
    time = f"{int(now.timestamp() * 1000):012x}"
    return f"{time[:8]}-{time[8:]}-7{random[15:]}"


def file_name(now: datetime, thread: str) -> str:
    """The name of the rollout of `thread`: it has the local time."""
    return f"rollout-{now.astimezone():%Y-%m-%dT%H-%M-%S}-{thread}.jsonl"


def record(kind: str, payload: Mapping[str, Any], now: datetime) -> Value:
    """A record of a rollout."""
    return {"timestamp": moment(now), "type": kind, "payload": payload}


def session_meta(old: Mapping[str, Any], thread: str, folder: str, now: datetime) -> Value:
    """The head of a new thread made from the one with the head `old` (as its payload, {} where
    there is none), of the same program, provider and instructions. Of a field that the loader could
    not read nothing is taken: it takes the whole file for empty then."""
    kept = {name: old[name] for name in _ABOUT if isinstance(old.get(name), str) and old[name]}
    found: Value = {
        "id": thread,
        "session_id": thread,
        "timestamp": moment(now),
        "originator": _ORIGINATOR,
        "cli_version": _VERSION,
        "source": old["source"] if old.get("source") in _SOURCES else _SOURCES[0],
        **kept,
    }
    found.setdefault("cwd", folder)
    if is_id(before := old.get("id")):
        found["forked_from_id"] = before
    base = old.get("base_instructions")
    if isinstance(base, dict) and isinstance(base.get("text"), str):
        found["base_instructions"] = {"text": base["text"]}
    if isinstance(git := old.get("git"), dict):
        found["git"] = {name: git[name] for name in GIT if isinstance(git.get(name), str)}
    if are_tools(tools := old.get("dynamic_tools")):
        found["dynamic_tools"] = tools
    return found


def turn_context(old: Mapping[str, Any], turn: str, *, whole: bool = False) -> Value:
    """The settings of the turn_context `old` (its payload) for the turn called `turn`; with `whole`
    also what was put into the context by it."""
    kept = {name: old[name] for name in old if name in _TURN or (whole and name not in _IDS)}
    return {"turn_id": turn, **kept}


def user_message(text: str) -> Value:
    """The event that a person said `text`: it is what lists call the thread."""
    return {"type": "user_message", "message": text, "images": [], "text_elements": []}


def summary(text: str) -> Value:
    """The summary `text` as the message that the model is given."""
    content = [{"type": "input_text", "text": marked(text)}]
    return {"type": MESSAGE, "role": "user", "content": content}


def marked(text: str) -> str:
    """The summary `text` as Codex knows one again."""
    return f"{SUMMARY_MARK}\n{text}"


def compacted(text: str, history: Sequence[Value]) -> Value:
    """A compaction: from here on `history` is what is sent. `text` is its summary, "" for none."""
    return {"message": marked(text) if text else "", "replacement_history": list(history)}


def with_pieces(kind: str, value: Mapping[str, Any], pieces: Sequence[Piece]) -> Value:
    """The item `value` of the type `kind` with nothing but `pieces` in it."""
    if kind == MESSAGE or kind == "agent_message":
        return {**value, "content": _contents(value["content"], pieces)}
    if kind == REASONING:
        return _reasoning(value, pieces)
    if kind in OUTPUTS:
        return _output(value, pieces, OUTPUTS[kind])
    if kind == INTER_AGENT:
        told = {piece.pointer[0]: piece.body for piece in pieces}
        kept = {name: value[name] for name in value if name in told or name not in _TOLD}
        return {**kept, **{str(name): body for name, body in told.items() if body is not None}}
    body = next((piece.body for piece in pieces if piece.body is not None), None)
    return dict(value) if body is None else spoken(body)


_TOLD = ("content", "encrypted_content")


def _contents(content: Any, pieces: Sequence[Piece]) -> list[Any]:
    """What stays of a message's content; a text of which something is left out or shortened becomes
    a block for each piece of it."""
    found: list[Any] = []
    for at, block in enumerate(content):
        here = [piece for piece in pieces if piece.pointer[:2] == ("content", at)]
        for piece in here:
            text = block.get("text")
            if piece.body is not None and not isinstance(text, str):
                found.append({"type": "input_text", "text": piece.body})  # an image
            elif piece.body is not None:
                found.append({**block, "text": piece.body})
            elif piece.span is not None and isinstance(text, str):
                found.append({**block, "text": text[slice(*piece.span)]})
            else:
                found.append(block)
    return found


def _reasoning(value: Mapping[str, Any], pieces: Sequence[Piece]) -> Value:
    places = {piece.pointer[:2] for piece in pieces}
    found = {name: held for name, held in value.items() if name != "encrypted_content"}
    if ("encrypted_content",) in places:
        found["encrypted_content"] = value["encrypted_content"]
    for field in ("summary", "content"):
        if isinstance(blocks := value.get(field), list):
            found[field] = [block for at, block in enumerate(blocks) if (field, at) in places]
    return found


def _output(value: Mapping[str, Any], pieces: Sequence[Piece], field: str) -> Value:
    """A result of which something is cleared or shortened in its place. What is no text and no
    image goes with the text."""
    held = value.get(field)
    bodies = {piece.pointer: piece.body for piece in pieces}
    own = bodies.get((field,))
    blocks = held if isinstance(held, list) else []
    images = {at for at, block in enumerate(blocks) if _is_image(block)}
    kept = {at for at in images if bodies.get((field, at), "") is None}
    if own is not None:
        shown = [blocks[at] for at in sorted(kept)]
        return {**value, field: [{"type": "input_text", "text": own}, *shown] if shown else own}
    if kept == images:
        return dict(value)
    return {**value, field: [b for at, b in enumerate(blocks) if at in kept or at not in images]}


def _is_image(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "input_image"
