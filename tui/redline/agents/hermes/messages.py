"""Messages of the model from rows of Hermes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from redline.agents.bodies import call_text, texts
from redline.agents.heads import call_line, calls_line, head_line
from redline.agents.hermes.kinds import STRIPPED_IMAGES, Said, user_spans
from redline.agents.hermes.rows import Row
from redline.agents.hermes.summaries import is_summary, summary_spans
from redline.agents.image_size import image_size
from redline.agents.records import decode
from redline.model import Kind, Message, Origin, Part, PartState, PartType, Pointer, Role

IMAGES = ("image_url", "input_image", "image")
_TEXTS = ("text", "input_text", "output_text")
_LONGEST_PRUNED = 600  # characters of the one line that an old result is cut to
_CLEARED = ("[Duplicate tool output", "[Old tool output cleared")
_STEER = "steer"  # what a person says while Hermes works; 0.22 marks such a row
_HIDDEN = "hidden"  # how older versions marked a summary


def message_of(path: Path, row: Row) -> Message:
    """The message that `row` of the file `path` is."""
    parts = _Parts(path, row)
    match row.role:
        case "assistant":
            parts.reply()
        case "tool":
            parts.result()
        case "system":
            parts.content(Kind.INJECTED)
        case _:
            parts.content(Kind.PROMPT)
    roles = {"assistant": Role.ASSISTANT, "system": Role.SYSTEM}
    return Message(
        row.id,
        roles.get(row.role, Role.USER),
        tuple(parts.parts),
        row.said_at,
        stop=row.stop,
        head=parts.head or calls_line(parts.calls),
    )


def spans_of(row: Row, text: str) -> list[Said]:
    """Who wrote what of a text of `row`, in order."""
    if row.role == "user":
        notice = row.display not in (None, _STEER, _HIDDEN)
        return user_spans(text, carrier=_claims(row), notice=notice)
    if row.role == "assistant":
        found = summary_spans(text, carrier=_claims(row)) or [(None, 0, len(text))]
        return [(kind or Kind.REPLY, start, end) for kind, start, end in found]
    return [(Kind.INJECTED, 0, len(text))] if text else []


def pieces(row: Row) -> Iterator[tuple[Pointer, str]]:
    """The texts in the content of `row`, each with where it stands."""
    content = row.content
    if isinstance(content, str):
        yield ("content",), content
    for at, block in enumerate(_blocks(content)):
        if isinstance(block, str):
            yield ("content", at), block
        elif isinstance(block, dict) and block.get("type") in _TEXTS:
            said = block.get("text")
            if isinstance(said, str):
                yield ("content", at, "text"), said


def prompts_of(row: Row) -> list[str]:
    """What a person put into `row`, one string a part, "" for an image."""
    if row.role != "user":
        return []
    found = [
        text[start:end]
        for _, text in pieces(row)
        if text not in STRIPPED_IMAGES
        for kind, start, end in spans_of(row, text)
        if kind is Kind.PROMPT
    ]
    return found + [""] * sum(1 for block in _blocks(row.content) if _is_image(block))


def holds_summary(row: Row) -> bool:
    """Whether a summary stands in `row`."""
    if row.role not in ("user", "assistant"):
        return False
    return any(
        kind is Kind.SUMMARY
        for _, text in pieces(row)
        for kind, _, _ in summary_spans(text, carrier=_claims(row)) or ()
    )


def _claims(row: Row) -> bool:
    """Whether only its own mark tells that `row` is a summary, no wording of one of its texts."""
    return row.carrier and not any(is_summary(text) for _, text in pieces(row))


def result_text(row: Row) -> str:
    """The texts of a tool's result."""
    return texts(row.content["content"] if _holds_list(row.content) else row.content)


def _blocks(content: object) -> list[Any]:
    if isinstance(content, dict):  # a tool's result of several kinds, or one block
        inner = content.get("content")
        return inner if isinstance(inner, list) else [content]
    return content if isinstance(content, list) else []


def _is_image(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") in IMAGES


class _Parts:
    """Collects the parts of one message."""

    def __init__(self, path: Path, row: Row) -> None:
        self._path = path
        self._row = row
        self.parts: list[Part] = []
        self.head = ""
        self._prompted = False
        self.calls: list[str] = []

    def add(
        self,
        type: PartType,  # noqa: A002 - the model's own word
        kind: Kind,
        pointer: Pointer,
        body: str,
        wire: str,
        *,
        span: tuple[int, int] | None = None,
        **fields: Any,
    ) -> None:
        row = self._row
        origin = Origin(self._path, row.number, row.start, row.end, pointer, span)
        said = body[slice(*span)] if span else body
        chars = 0 if type is PartType.IMAGE else len(said)
        self.parts.append(Part(type, kind, origin, chars, wire, index=len(self.parts), **fields))
        prompt = kind is Kind.PROMPT and not self._prompted
        if type in (PartType.TEXT, PartType.TOOL_RESULT) and (prompt or not self.head):
            self.head = head_line(said)
            self._prompted = prompt

    def content(self, kind: Kind) -> None:
        """Texts and images; a text that several wrote is split by who did."""
        for pointer, text in pieces(self._row):
            if text in STRIPPED_IMAGES and len(pointer) > 1:
                self.add(PartType.TEXT, Kind.INJECTED, pointer, text, "text")
                continue
            spans = spans_of(self._row, text)
            for what, start, end in spans:
                span = (start, end) if len(spans) > 1 else None
                self.add(PartType.TEXT, what, pointer, text, "text", span=span)
        self.images(kind)

    def images(self, kind: Kind, **fields: Any) -> None:
        inside = isinstance(self._row.content, dict) and "content" in self._row.content
        for at, block in enumerate(_blocks(self._row.content)):
            if _is_image(block):
                place: Pointer = ("content", "content", at) if inside else ("content", at)
                self.add(
                    PartType.IMAGE,
                    kind,
                    place,
                    "",
                    str(block["type"]),
                    pixels=image_size(_picture(block)),
                    **fields,
                )

    def reply(self) -> None:
        row = self._row
        if row.reasoning:
            column, text = row.reasoning
            self.add(PartType.THINKING, Kind.REPLY, (column,), text, column)
        for column, place, name in row.sealed:
            self.add(PartType.OPAQUE, Kind.REPLY, (column, place, name), "", "reasoning")
        self.content(Kind.REPLY)
        for call in row.calls:
            pointer = ("tool_calls", call.place, "function", "arguments")
            self.add(
                PartType.TOOL_CALL,
                Kind.TOOL_CALL,
                pointer,
                call_text({} if call.arguments is None else call.arguments),
                "function",
                call_id=call.id,
                tool=call.tool,
            )
            self.calls.append(call_line(call.tool, _given(call.arguments)))

    def result(self) -> None:
        row = self._row
        body = result_text(row)
        self.add(
            PartType.TOOL_RESULT,
            Kind.TOOL_RESULT,
            ("content", "content") if _holds_list(row.content) else ("content",),
            body,
            "tool",
            call_id=row.call_id,
            tool=row.tool,
            error=_failed(body),
            state=PartState.CLEARED if _is_cleared(body, row.tool) else PartState.LIVE,
        )
        self.images(Kind.TOOL_RESULT, call_id=row.call_id, tool=row.tool)


def _holds_list(content: object) -> bool:
    return isinstance(content, dict) and isinstance(content.get("content"), list)


def _picture(block: dict[str, Any]) -> object:
    """The source of an image as `image_size` takes it."""
    source = block.get("source", block.get("image_url"))
    address = source.get("url") if isinstance(source, dict) and "url" in source else source
    if isinstance(address, str):
        return {"data": address.partition("base64,")[2]}
    return address


def _given(arguments: object) -> object:
    """A call's input decoded, for its line in a list."""
    if isinstance(arguments, str):
        try:
            return decode(arguments.encode("utf-8", "replace"))
        except ValueError:
            return arguments
    return arguments


def _failed(body: str) -> bool:
    """Whether a tool says of itself that it failed: its result is an object with an `error`."""
    if not body.startswith("{") or not ('"error"' in body or '"success"' in body):
        return False
    try:
        value = decode(body.encode("utf-8", "replace"))
    except ValueError:
        return False
    return isinstance(value, dict) and (bool(value.get("error")) or value.get("success") is False)


def _is_cleared(body: str, tool: str | None) -> bool:
    """Whether Hermes took the output out and left one line (its prune passes, 0.19 and 0.22)."""
    if body.startswith(_CLEARED):
        return True
    pruned = tool is not None and body.startswith(f"[{tool}] ")
    return pruned and len(body) <= _LONGEST_PRUNED and "\n" not in body.strip()
