"""One message row of Hermes, whatever stands in it: of a database, an export or a transcript."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from redline.agents.records import decode
from redline.agents.times import read_time
from redline.errors import kind_in_words
from redline.model import Damage, DamageKind

JSON_MARK = "\0json:"  # in front of content that is a list (all schemas)
META = "session_meta"  # a row of the gateway's that is no message
ROLES = ("user", "assistant", "tool", "system")
JSON_COLUMNS = frozenset(
    {"tool_calls", "reasoning_details", "codex_reasoning_items", "codex_message_items"}
)
_STEPS = ("codex_reasoning_items", "codex_message_items")


def decoded(column: str, stored: object) -> Any:
    """What a column holds: text, or the JSON in it; None where that cannot be read."""
    if isinstance(stored, bytes):
        stored = stored.decode("utf-8", "replace")
    if not isinstance(stored, str):
        return stored
    marked = column in ("content", "api_content") and stored.startswith(JSON_MARK)
    if not marked and column not in JSON_COLUMNS:
        return stored
    try:
        return decode((stored[len(JSON_MARK) :] if marked else stored).encode("utf-8", "replace"))
    except ValueError:
        return stored if marked else None


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of a reply. `place` is its index; `id` what its result names it by."""

    place: int
    id: str | None
    names: frozenset[str]
    tool: str | None
    arguments: Any


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `number` is its id in the database (its place from 1 elsewhere), `id` the message's.

    `content` is decoded. `sent` is the text that the API was given where it is another. `active`
    and `compacted` are Hermes' flags; `carrier` says that the row itself claims to hold a summary,
    `items` that it is a step of the Responses API. `sealed` is what only the provider can read.
    `start` and `end` are the byte span of its record in a file, both 0 otherwise.
    """

    number: int
    id: str
    session: str
    role: str
    content: Any = None
    calls: tuple[Call, ...] = ()
    call_id: str | None = None
    tool: str | None = None
    sent: str | None = None
    reasoning: tuple[str, str] | None = None
    sealed: tuple[tuple[str, int, str], ...] = ()
    items: bool = False
    time: float | None = None
    stop: str | None = None
    display: str | None = None
    active: bool = True
    compacted: bool = False
    carrier: bool = False
    start: int = 0
    end: int = 0

    @property
    def live(self) -> bool:
        """Whether the row is a part of the conversation, in or out of the context."""
        return (self.active or self.compacted) and self.role != META

    @property
    def said_at(self) -> datetime | None:
        """When the row says that it was written, UTC."""
        return moment(self.time)


def moment(stored: object) -> datetime | None:
    """Seconds since 1970, or ISO text, as a time in UTC."""
    if isinstance(stored, str):
        return read_time(stored)
    try:
        if isinstance(stored, int | float) and not isinstance(stored, bool) and stored > 0:
            return datetime.fromtimestamp(stored, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    return None


def row_of(
    values: Mapping[str, Any],
    number: int,
    damage: list[Damage],
    *,
    session: str = "",
    id: str | None = None,  # noqa: A002 - the model's own word
    span: tuple[int, int] = (0, 0),
) -> Row:
    """The row that `values` are, column by column. What is wrong with one is listed in `damage` and
    costs that column."""
    said = _Columns(values, number, damage)
    role = said.text("role") or "unknown"
    if role not in ROLES and role != META:
        damage.append(Damage(number, DamageKind.UNKNOWN, f"message role {role[:40]!r}"))
    content = said.body("content")
    assistant = role == "assistant"
    return Row(
        number,
        id or str(number),
        said.text("session_id") or session,
        role,
        content,
        _calls(said.json("tool_calls", list)) if assistant else (),
        said.text("tool_call_id"),
        said.text("tool_name") or (said.text("name") if role == "tool" else None),
        said.text("api_content") if role in ("user", "assistant") else None,
        _reasoning(said) if assistant else None,
        tuple(_sealed(said)) if assistant else (),
        assistant and any(said.json(name, list) for name in _STEPS),
        seconds(values.get("timestamp")),
        said.text("finish_reason"),
        said.text("display_kind"),
        said.flag("active", True),
        said.flag("compacted", False),
        said.flag("_compressed_summary", False),
        *span,
    )


class _Columns:
    """The columns of a row, each of the type it should be or nothing."""

    def __init__(self, values: Mapping[str, Any], number: int, damage: list[Damage]) -> None:
        self._values = values
        self._number = number
        self._damage = damage

    def _wrong(self, name: str, value: object) -> None:
        detail = f"{name} is {kind_in_words(value)}"
        self._damage.append(Damage(self._number, DamageKind.WRONG_TYPE, detail))

    def text(self, name: str) -> str | None:
        value = self._values.get(name)
        if value is None:
            return None
        if not isinstance(value := decoded("", value), str):
            self._wrong(name, value)
            return None
        return value or None

    def body(self, name: str) -> Any:
        """A message's content: text, a list of blocks or one block. A number is read as text, as
        SQLite would give it."""
        stored = self._values.get(name)
        if isinstance(stored, bytes):
            self._damage.append(Damage(self._number, DamageKind.ENCODING, f"{name} is bytes"))
        value = decoded(name, stored)
        if isinstance(value, str) and value.startswith(JSON_MARK):
            detail = f"{name} is marked as JSON, but is none"
            self._damage.append(Damage(self._number, DamageKind.UNREADABLE, detail))
        if value is None or isinstance(value, str | list | dict):
            return value
        self._wrong(name, value)
        return str(value)

    def json(self, name: str, kind: type) -> Any:
        stored = self._values.get(name)
        if stored is None or stored == "":
            return None
        value = decoded(name, stored)
        if value is None:
            self._damage.append(Damage(self._number, DamageKind.UNREADABLE, f"{name} is no JSON"))
        elif not isinstance(value, kind):
            self._wrong(name, value)
        return value if isinstance(value, kind) else None

    def flag(self, name: str, otherwise: bool) -> bool:
        """A flag. A row of before the column was added has none; Hermes then takes the default."""
        value = self._values.get(name)
        return otherwise if value is None else bool(value == 1)


def seconds(stored: object) -> float | None:
    """A stored time as seconds since 1970, None where it is none."""
    if isinstance(stored, int | float) and not isinstance(stored, bool):
        return float(stored)
    found = moment(stored)
    return found.timestamp() if found else None


def _calls(stored: list[Any] | None) -> tuple[Call, ...]:
    found = []
    for place, call in enumerate(stored or ()):
        if not isinstance(call, dict):
            continue
        function = call.get("function")
        function = function if isinstance(function, dict) else {}
        names = [call.get(key) for key in ("call_id", "id")]
        told = [name for name in names if isinstance(name, str) and name]
        tool = function.get("name")
        found.append(
            Call(
                place,
                told[0] if told else None,
                frozenset(told),
                tool if isinstance(tool, str) and tool else None,
                function.get("arguments"),
            )
        )
    return tuple(found)


def _reasoning(said: _Columns) -> tuple[str, str] | None:
    """The column that holds the reasoning, and its text."""
    for column in ("reasoning_content", "reasoning"):
        text = said.text(column)
        if text and text.strip():
            return column, text
    return None


def _sealed(said: _Columns) -> Any:
    """What only the provider can read: (column, place, field) of each."""
    for column in ("codex_reasoning_items", "reasoning_details"):
        for place, item in enumerate(said.json(column, list) or ()):
            for name in ("encrypted_content", "data"):
                if isinstance(item, dict) and isinstance(item.get(name), str) and item[name]:
                    yield column, place, name
                    break
