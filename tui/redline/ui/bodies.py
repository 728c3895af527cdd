"""Messages for the screens: whole, part by part, and in one line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from redline.model import Kind, Message, Part, PartState, PartType

LONGEST_LAID_OUT = 400_000  # characters of a call's input that is shown field by field


@dataclass(frozen=True, slots=True)
class Body:
    """A message read whole: a heading and the text of each of its parts."""

    parts: tuple[tuple[str, str], ...]


def read_body(message: Message, text: Callable[[Part], str]) -> Body:
    """The body of `message`; slow where its record is large. Raises RedlineError."""
    return Body(tuple((_heading(part), _shown(part, text(part))) for part in message.parts))


def _heading(part: Part) -> str:
    match part.type:
        case PartType.TOOL_CALL:
            words = f"call {part.tool or ''}"
        case PartType.TOOL_RESULT:
            words = f"{'error' if part.error else 'result'} {part.tool or ''}"
        case PartType.IMAGE:
            words = "image" + (f" {part.pixels[0]}x{part.pixels[1]}" if part.pixels else "")
        case PartType.OPAQUE:
            words = "only the provider can read this"
        case PartType.THINKING:
            words = "thinking"
        case PartType.TEXT:
            words = {Kind.PROMPT: "prompt", Kind.REPLY: "reply"}.get(part.kind, part.kind.value)
    cleared = ", cleared by the agent" if part.state is PartState.CLEARED else ""
    return f"{words.strip()}, {part.chars:,} characters{cleared}"


def _shown(part: Part, body: str) -> str:
    """A call's input readable, a line for each field; everything else as it is."""
    if part.type is not PartType.TOOL_CALL or len(body) > LONGEST_LAID_OUT:
        return body
    import orjson

    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return body
    if not isinstance(value, dict):
        return body
    fields = []
    for name, held in value.items():
        text = held if isinstance(held, str) else orjson.dumps(held).decode()
        fields.append(f"{name}: {text}" if "\n" not in text else f"{name}:\n{text}")
    return "\n".join(fields)


def head_of(message: Message, project: str | None = None) -> str:
    """The line of `message` for lists; paths in the project are told from there."""
    if message.head:
        here = (project or "").rstrip("/")
        return message.head.replace(f"{here}/", "") if here else message.head
    if tools := [part.tool for part in message.parts if part.tool]:
        return ", ".join(dict.fromkeys(tools))
    images = sum(part.type is PartType.IMAGE for part in message.parts)
    if images:
        return "image" if images == 1 else f"{images} images"
    return message.parts[0].type.value if message.parts else "empty"
