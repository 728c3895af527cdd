"""Bodies of parts, read from their record when they are wanted."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from redline.agents.records import decode
from redline.errors import RedlineError
from redline.model import Origin, Part, PartType, Pointer

_CACHED_BYTES = 8_000_000


def follow(value: Any, pointer: Pointer) -> Any:
    """What `pointer` leads to inside `value`, None where it leads nowhere."""
    for step in pointer:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def texts(content: Any) -> str:
    """The texts of a content field joined by newlines: a text, a block, or a list of them."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return _text_of(content) or ""
    if isinstance(content, list):
        found = []
        for item in content:
            if isinstance(item, str):
                found.append(item)
            elif isinstance(item, dict) and (said := _text_of(item)) is not None:
                found.append(said)
        return "\n".join(found)
    return ""


def _text_of(block: dict[str, Any]) -> str | None:
    """The text of a block, or of something that holds it as its content; None where it has none."""
    for key in ("text", "content"):
        if isinstance(block.get(key), str):
            return str(block[key])
    return None


def call_text(value: Any) -> str:
    """A tool call's input as text: JSON with sorted keys, or the string the agent stores."""
    if isinstance(value, str):
        return value
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def call_words(value: Any) -> str:
    """A tool call's input as people look for it: a line for each argument, the words of a command
    in one, nothing escaped; what an agent stores as JSON in a string is decoded."""
    inside = value
    if isinstance(value, str):
        try:
            inside = decode(value.encode()) if value.lstrip().startswith(("{", "[")) else value
        except ValueError:  # also where it is no Unicode text
            return value
    lines: list[str] = []
    rest: list[tuple[str, Any]] = [("", inside)]
    while rest:
        name, inner = rest.pop()
        if isinstance(inner, dict):
            rest += reversed(inner.items())
        elif isinstance(inner, list) and all(isinstance(item, str) for item in inner):
            lines.append(f"{name}: {' '.join(inner)}" if name else " ".join(inner))
        elif isinstance(inner, list):
            rest += [(name, item) for item in reversed(inner)]
        elif inner is not None:
            said = inner if isinstance(inner, str) else json.dumps(inner)
            lines.append(f"{name}: {said}" if name else said)
    return "\n".join(lines)


class FileBodies:
    """Bodies of the records of files; decoded records are cached up to `cached` bytes of them."""

    def __init__(self, cached: int = _CACHED_BYTES) -> None:
        self._most = cached
        self._cache: OrderedDict[tuple[Path, int], tuple[int, Any]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()  # the screens read a body while the audit reads others
        self._held: dict[Path, BinaryIO] = {}
        self._one_at_a_time = Lock()

    @contextmanager
    def held_open(self, path: Path) -> Iterator[None]:
        """The file at `path` is opened once for all that is read of it inside the block."""
        try:
            opened = path.open("rb") if path not in self._held else None
        except OSError:  # said where a body is wanted
            opened = None
        if opened is None:
            yield
            return
        with opened as file:
            self._held[path] = file
            try:
                yield
            finally:
                with self._one_at_a_time:
                    del self._held[path]

    def of_held(self, origin: Origin) -> bytes | None:
        """The bytes of the record of `origin` where its file is held open."""
        with self._one_at_a_time:
            file = self._held.get(origin.path)
            if file is None:
                return None
            file.seek(origin.start)
            return file.read(origin.end - origin.start)

    def record(self, origin: Origin) -> Any:
        """The decoded record of `origin`. Raises RedlineError where it is not there any more."""
        key = (origin.path, origin.start)
        with self._lock:
            if key in self._cache:
                self._cache.move_to_end(key)
                return self._cache[key][1]
        try:
            value = decode(self.raw(origin))
        except OSError as error:
            raise RedlineError(f"cannot read {origin.path}: {error.strerror}") from error
        except ValueError as error:
            raise RedlineError(
                f"{origin.path}, record {origin.record}: the file has changed since it was opened",
                "open the session again",
            ) from error
        size = origin.end - origin.start
        with self._lock:
            if size <= self._most and key not in self._cache:
                self._cache[key] = (size, value)
                self._bytes += size
                while self._bytes > self._most:
                    _, (freed, _value) = self._cache.popitem(last=False)
                    self._bytes -= freed
        return value

    def raw(self, origin: Origin) -> bytes:
        """The bytes of the record of `origin`. Raises OSError where they cannot be read."""
        if (held := self.of_held(origin)) is not None:
            return held
        with origin.path.open("rb") as file:
            file.seek(origin.start)
            return file.read(origin.end - origin.start)

    def value(self, part: Part) -> object:
        """The decoded body of `part`."""
        return follow(self.record(part.origin), part.origin.pointer)

    def text(self, part: Part) -> str:
        """The body of `part` as text (see `SessionSource.text`)."""
        if part.type is PartType.IMAGE:
            return ""
        value = self.value(part)
        body = call_text(value) if part.type is PartType.TOOL_CALL else texts(value)
        if part.origin.span:
            body = body[slice(*part.origin.span)]
        return body
