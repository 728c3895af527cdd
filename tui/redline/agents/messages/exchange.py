"""A request to a model and its response, out of what proxies and loggers put around them.

A body may stand alone, under `request`, `body` and the like, or as a JSON text in one of them; a
response as JSON, or as the text of the stream of events it came in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from redline.agents.bodies import follow
from redline.agents.messages.shapes import is_item, is_request, list_key
from redline.agents.messages.streams import assembled
from redline.agents.records import decode
from redline.model import Pointer

_REQUESTS = (
    "request",
    "req",
    "request_body",
    "requestBody",
    "request_data",
    "raw_request",
    "body",
    "json",
    "data",
    "kwargs",
    "params",
    "input",
    "postData",
    "text",
)
_RESPONSES = (
    "response",
    "res",
    "response_body",
    "responseBody",
    "response_data",
    "raw_response",
    "output",
    "completion",
    "body",
    "body_raw",
    "json",
    "data",
    "content",
    "text",
    "message",
)
_ENTRIES = ("entries", "requests", "exchanges", "logs", "log", "data", "items")
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request's `body` with the way to it, and the items that were answered, each with its own.

    `entry` is what stands around both.
    """

    entry: Mapping[str, Any]
    pointer: Pointer
    body: Mapping[str, Any]
    response: Mapping[str, Any] | None = None
    answer: tuple[tuple[Pointer, object], ...] = ()

    @property
    def items(self) -> list[tuple[Pointer, object]]:
        """The messages of the request, each with the way to it; a prompt may be a mere text."""
        key = list_key(self.body) or ""
        found = self.body.get(key)
        if isinstance(found, list):
            return [((*self.pointer, key, at), item) for at, item in enumerate(found)]
        return [((*self.pointer, key), found)]


def inside(value: object) -> object:
    """What a text holds that is JSON or a stream of events; any other value itself."""
    if not isinstance(value, str):
        return value
    start = value.lstrip()[:6]
    if start.startswith(("{", "[")):
        try:
            return decode(value.encode("utf-8", "surrogatepass"))
        except ValueError:
            return value
    if start.startswith(("event:", "data:")):
        return assembled(value)
    return value


def step_into(value: object, pointer: Pointer) -> object:
    """What `pointer` leads to inside `value`, also through texts that hold JSON."""
    for step in pointer:
        value = follow(inside(value), (step,))
    return value


def exchange_in(entry: object) -> Exchange | None:
    """The exchange that a log's `entry` holds, None where it holds none."""
    if not isinstance(entry, dict):
        return None
    found = _request(entry, (), _DEPTH)
    if found is None:
        return None
    pointer, body = found
    for place, response in _responses(entry, pointer):
        answer = tuple(_answer(response, place))
        if answer:
            return Exchange(entry, pointer, body, response, answer)
    return Exchange(entry, pointer, body)


def entries_in(value: object) -> Iterator[tuple[Pointer, object]]:
    """The entries of a document that is a log of exchanges (a list, or an object around one)."""
    if isinstance(value, list):
        yield from (((at,), entry) for at, entry in enumerate(value))
    elif isinstance(value, dict):
        for key in _ENTRIES:
            for place, entry in entries_in(value.get(key)):
                yield (key, *place), entry


def _request(value: object, pointer: Pointer, depth: int) -> tuple[Pointer, dict[str, Any]] | None:
    value = inside(value)
    if not isinstance(value, dict):
        return None
    if is_request(value):
        return pointer, value
    for key in _REQUESTS if depth else ():
        if key in value and (found := _request(value[key], (*pointer, key), depth - 1)):
            return found
    return None


def _responses(
    entry: Mapping[str, Any], request: Pointer
) -> Iterator[tuple[Pointer, dict[str, Any]]]:
    """Everything beside the request that may be its response, with the way to it."""
    levels = [request[:size] for size in range(len(request) + 1)]
    for level in levels:
        around = inside(step_into(entry, level))
        for key in _RESPONSES if isinstance(around, dict) else ():
            if (*level, key) != request[: len(level) + 1]:
                beside = follow(around, (key,))
                yield from _unwrapped(beside, (*level, key), _DEPTH)


def _unwrapped(
    value: object, pointer: Pointer, depth: int
) -> Iterator[tuple[Pointer, dict[str, Any]]]:
    value = inside(value)
    if not isinstance(value, dict):
        return
    yield pointer, value
    for key in _RESPONSES if depth else ():
        if key in value:
            yield from _unwrapped(value[key], (*pointer, key), depth - 1)


def _answer(response: Mapping[str, Any], pointer: Pointer) -> Iterator[tuple[Pointer, object]]:
    """The items of a response in any of the three dialects, each with the way to it."""
    choices, output = response.get("choices"), response.get("output")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        message = choices[0].get("message")
        if isinstance(message, dict):
            yield (*pointer, "choices", 0, "message"), message
    elif isinstance(output, list) and any(map(is_item, output)):
        for at, item in enumerate(output):
            yield (*pointer, "output", at), item
    elif response.get("role") == "assistant" and is_item(response):
        yield pointer, response
