"""What holds in a session of pi beside its messages: its system prompt and tools, the model, the
level of thinking, its name, labels, what extensions noted, and the files it worked on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from redline.agents.pi.encoding import Record, replayed
from redline.agents.pi.entries import COMPACTION, MESSAGE, Entry, values_of
from redline.agents.pi.reader import PiSource

_LAST = ("model_change", "thinking_level_change", "session_info")  # only the last one holds
_ALL = ("custom", "label")
Value = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class State:
    """`system` is the system message as it holds, `compaction` the newest one, `noted` the entries
    of the live path that give the model nothing and still hold, each with its place there."""

    system: Record | None
    compaction: Value | None
    noted: tuple[tuple[int, Value], ...]


def state_of(source: PiSource) -> State:
    """What holds at the end of the live path. Raises RedlineError where the file has changed."""
    branch = source.branch
    newest = source.given.compaction
    systems: list[Value] = []
    noted: dict[object, tuple[int, Value]] = {}
    compaction: Value | None = None
    quiet = [(at, entry) for at, entry in enumerate(branch) if _is_quiet(entry) or entry is newest]
    values = values_of(source.path, (entry for _, entry in quiet))
    for (at, entry), (_, value) in zip(quiet, values, strict=True):
        if entry is newest:
            compaction = value
            held = value.get("systemMessage")
            systems = [held] if isinstance(held, dict) else []
        elif entry.type == MESSAGE:
            message = value.get("message")
            if isinstance(message, dict) and message.get("role") == "system":
                systems.append(message)
        elif entry.type in _LAST:
            noted[entry.type] = at, value
        else:
            noted[at] = at, value
    return State(replayed(systems), compaction, tuple(sorted(noted.values(), key=_place)))


def _place(noted: tuple[int, Value]) -> int:
    return noted[0]


def _is_quiet(entry: Entry) -> bool:
    if entry.type == MESSAGE:
        return entry.role is None
    return entry.type in _LAST or entry.type in _ALL


def file_lists(earlier: Value | None, messages: Iterable[Value]) -> dict[str, list[str]]:
    """The files that were read and changed, as pi's compactions list them: those of the `earlier`
    one, where it is pi's own, and of the calls in the entries `messages`."""
    read: set[str] = set()
    modified: set[str] = set()
    details = earlier.get("details") if earlier is not None else None
    if earlier is not None and not earlier.get("fromHook") and isinstance(details, dict):
        read |= _texts(details.get("readFiles"))
        modified |= _texts(details.get("modifiedFiles"))
    for value in messages:
        for call in _calls(value):
            arguments = call.get("arguments")
            path = arguments.get("path") if isinstance(arguments, dict) else None
            if isinstance(path, str) and path:
                match call.get("name"):
                    case "read":
                        read.add(path)
                    case "write" | "edit":
                        modified.add(path)
    return {"readFiles": sorted(read - modified), "modifiedFiles": sorted(modified)}


def _texts(value: object) -> set[str]:
    return {item for item in value if isinstance(item, str)} if isinstance(value, list) else set()


def _calls(value: Value) -> Iterator[Value]:
    """The calls of a reply, and those that a result notes of a script."""
    message = value.get("message")
    if value.get("type") != MESSAGE or not isinstance(message, dict):
        return
    found: object = None
    if message.get("role") == "assistant":
        found = message.get("content")
    elif message.get("role") == "toolResult":
        nested = message.get("nestedCalls")
        found = nested.get("calls") if isinstance(nested, dict) else None
    for call in found if isinstance(found, list) else ():
        if isinstance(call, dict) and (
            call.get("type") == "toolCall" or message["role"] == "toolResult"
        ):
            yield call


def summarised(source: PiSource, staying: Iterable[int]) -> Iterator[Value]:
    """The entries of the context that do not stay, `staying` being the places of those that do."""
    kept = set(staying)
    gone = [entry for place, entry in enumerate(source.given.entries) if place not in kept]
    wanted = [entry for entry in gone if entry.type != COMPACTION]
    return (value for _, value in values_of(source.path, wanted))
