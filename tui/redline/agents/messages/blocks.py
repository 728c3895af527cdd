"""The parts of one message or item: the content blocks of all three dialects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from redline.agents.bodies import call_text, texts
from redline.agents.heads import call_line
from redline.agents.image_size import image_size
from redline.agents.messages.draft import Draft, Place
from redline.agents.messages.exchange import inside
from redline.model import Kind, PartType

Object = Mapping[str, Any]

_TEXTS = ("text", "input_text", "output_text", "summary_text", "reasoning_text", "refusal")
_IMAGES = ("image", "image_url", "input_image", "computer_screenshot")
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
# What an item is a call of that does not name its tool.
_TOOLS = {
    "local_shell_call": "local_shell",
    "shell_call": "shell",
    "apply_patch_call": "apply_patch",
    "computer_call": "computer",
}
_FILES = ("document", "file", "input_file", "input_audio", "container_upload", "search_result")


def named(value: object) -> str | None:
    """A text that says something, None for anything else."""
    return value if isinstance(value, str) and value else None


def content(draft: Draft, value: object, place: Place, kind: Kind, tools: dict[str, str]) -> None:
    """Everything in the `content` of a message: a text, or a list of texts and blocks."""
    if isinstance(value, str):
        if value:
            draft.text(kind, "text", place, value)
        return
    for at, block in enumerate(value if isinstance(value, list) else ()):
        if isinstance(block, str):
            draft.text(kind, "text", place.at(at), block)
        elif isinstance(block, dict):
            _block(draft, block, place.at(at), kind, tools)


def _block(draft: Draft, block: Object, place: Place, kind: Kind, tools: dict[str, str]) -> None:
    wire = named(block.get("type")) or ("text" if isinstance(block.get("text"), str) else "")
    if wire in _TEXTS:
        key = "refusal" if wire == "refusal" else "text"
        if isinstance(block.get(key), str):
            draft.text(kind, wire, place.at(key), block[key])
    elif wire in _IMAGES:
        draft.add(PartType.IMAGE, kind, wire, place, pixels=pixels(block))
    elif wire in _CALLS:
        call(draft, wire, block, place.at("input"), block.get("id"), tools)
    elif wire == "tool_result" or wire.endswith("_tool_result"):
        ident = named(block.get("tool_use_id"))
        failed = block.get("is_error") is True
        result(draft, wire, block.get("content"), place.at("content"), ident, tools, failed)
    elif wire == "thinking":
        body = texts(block.get("thinking"))
        draft.add(PartType.THINKING, Kind.REPLY, wire, place.at("thinking"), body)
    elif wire == "redacted_thinking":
        body = texts(block.get("data"))
        draft.add(PartType.OPAQUE, Kind.REPLY, wire, place.at("data"), body)
    elif wire == "compaction" and isinstance(block.get("content"), str):
        draft.add(PartType.TEXT, Kind.SUMMARY, wire, place.at("content"), block["content"])
    elif wire in _FILES:
        _file(draft, wire, block, place, kind)
    elif wire:
        draft.add(PartType.OPAQUE, kind, wire, place)


def _file(draft: Draft, wire: str, block: Object, place: Place, kind: Kind) -> None:
    """A document: its text where the body holds it as text. A human put it in, but wrote it not."""
    kind = Kind.INJECTED if kind is Kind.PROMPT else kind
    source = block.get("source")
    if isinstance(source, dict) and source.get("type") == "text":
        body = texts(source.get("data"))
        draft.add(PartType.TEXT, kind, wire, place.at("source", "data"), body)
        return
    for key, value in (("source", source), ("content", block)):
        inner = value.get("content") if isinstance(value, dict) else None
        if body := texts(inner):
            steps = ("source", "content") if key == "source" else ("content",)
            draft.add(PartType.TEXT, kind, wire, place.at(*steps), body)
            return
    draft.add(PartType.OPAQUE, kind, wire, place)


def pixels(block: Object) -> tuple[int, int] | None:
    """The size of an image block of any dialect, None where it is only named or unknown."""
    found = block.get("source") if "source" in block else block.get("image_url")
    if found is None:
        return image_size(block)
    url = found.get("url") if isinstance(found, dict) and "url" in found else found
    if isinstance(url, str) and url.startswith("data:"):
        return image_size({"data": url.partition(",")[2]})
    return image_size(found)


def call(
    draft: Draft, wire: str, owner: Object, place: Place, ident: object, tools: dict[str, str]
) -> None:
    """A tool call whose input lies at `place`, under the last step of its pointer in `owner`."""
    value = owner.get(str(place.pointer[-1]))
    call_id, tool = named(ident), named(owner.get("name")) or _TOOLS.get(wire)
    if call_id and tool:
        tools[call_id] = tool
    draft.calls.append(call_line(tool, inside(value)))
    draft.add(
        PartType.TOOL_CALL,
        Kind.TOOL_CALL,
        wire,
        place,
        call_text({} if value is None else value),
        call_id=call_id,
        tool=tool,
    )


def result(
    draft: Draft,
    wire: str,
    value: object,
    place: Place,
    ident: str | None,
    tools: Mapping[str, str],
    failed: bool = False,
) -> None:
    """A tool's result at `place`, and the images in it."""
    tool = tools.get(ident) if ident else None
    draft.add(
        PartType.TOOL_RESULT,
        Kind.TOOL_RESULT,
        wire,
        place,
        texts(value),
        call_id=ident,
        tool=tool,
        error=failed,
    )
    pictures = [(place, value)] if isinstance(value, dict) else []
    if isinstance(value, list):
        pictures = [(place.at(at), item) for at, item in enumerate(value)]
    for spot, item in pictures:
        if isinstance(item, dict) and item.get("type") in _IMAGES:
            draft.add(
                PartType.IMAGE,
                Kind.TOOL_RESULT,
                str(item["type"]),
                spot,
                call_id=ident,
                tool=tool,
                pixels=pixels(item),
            )
