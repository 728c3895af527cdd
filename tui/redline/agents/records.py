"""Records of a JSONL file, each with its place, and what is wrong with the file.

A bad line costs that line. What cannot be decoded is listed as damage, never raised.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import orjson

from redline.agents.reached import Reached
from redline.errors import RedlineError, kind_in_words
from redline.model import Damage, DamageKind

BOM = b"\xef\xbb\xbf"
_DECODER = json.JSONDecoder()
_START = re.compile(r'\{\s*"')
_SURROGATE = re.compile("[\ud800-\udfff]")
_RESYNC_TRIES = 200
_LISTED_PER_LINE = 5
_PIECE = 1_048_576


class Record(NamedTuple):
    """One decoded object. `number` counts lines from 1; `start` and `end` are its byte span.

    `leading` is false where something stands before it on its line (a glued record, the rest of a
    torn one), so that a reader which takes one object a line does not see it.
    """

    number: int
    start: int
    end: int
    value: dict[str, Any]
    leading: bool = True


def decode(raw: bytes) -> Any:
    """The JSON value of `raw`, as leniently as agents write it: NaN, lone surrogates and bytes
    that are not UTF-8 are read, the latter two as U+FFFD (one a byte, as `read_records` does).
    Raises ValueError where it is no JSON."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        pass
    try:
        return _well_formed(json.loads(raw.decode("utf-8", "surrogateescape")))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _well_formed(value: Any) -> Any:
    """`value` with lone surrogates, which no encoding can write, as U+FFFD."""
    if isinstance(value, str):
        return value if value.isascii() else _SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_well_formed(item) for item in value]
    if isinstance(value, dict):
        return {_well_formed(key): _well_formed(item) for key, item in value.items()}
    return value


def read_records(
    path: Path,
    damage: list[Damage],
    *,
    is_record: Callable[[dict[str, Any]], bool] = lambda _value: True,
    start: int = 0,
    number: int = 0,
) -> Iterator[Record]:
    """Every record from byte `start` on, whose first line has the number `number` + 1.

    See `records_in`. Raises RedlineError where the file cannot be opened.
    """
    try:
        file = path.open("rb")
    except OSError as error:
        raise RedlineError(f"cannot read {path}: {error.strerror}") from error
    with file:
        file.seek(start)
        try:
            yield from records_in(file, damage, is_record=is_record, start=start, number=number)
        except OSError as error:
            raise RedlineError(f"cannot read {path}: {error.strerror}") from error


def read_on(
    path: Path,
    damage: list[Damage],
    start: int,
    *,
    is_record: Callable[[dict[str, Any]], bool] = lambda _value: True,
    passes_over: Callable[[bytes], bool] | None = None,
) -> Iterator[Record]:
    """Every record from byte `start` on, numbered as if the whole file were read.

    See `records_in`. Raises RedlineError where the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            yield from records_in(
                file,
                damage,
                is_record=is_record,
                passes_over=passes_over,
                start=start,
                number=lines_before(file, start),
            )
    except OSError as error:
        raise RedlineError(f"cannot read {path}: {error.strerror}") from error


def lines_before(file: BinaryIO, place: int) -> int:
    """How many lines end before byte `place` of `file`, to which it goes from its start."""
    found = 0
    while place > 0 and (piece := file.read(min(place, _PIECE))):
        found += piece.count(b"\n")
        place -= len(piece)
    return found


def records_in(
    file: BinaryIO,
    damage: list[Damage],
    *,
    is_record: Callable[[dict[str, Any]], bool] = lambda _value: True,
    passes_over: Callable[[bytes], bool] | None = None,
    start: int = 0,
    number: int = 0,
    reached: Reached | None = None,
) -> Iterator[Record]:
    """Every record of `file`, which stands at byte `start` of its text.

    Lines end at b"\\n" only (U+2028 stays inside strings). `is_record` tells an agent's record from
    an object inside one, for lines that are torn and go on with a whole record. A line that
    `passes_over` names is counted and not decoded. Findings are appended to `damage`. With
    `reached` only whole lines are read, from there on, and it goes along. Raises OSError where the
    file cannot be read.
    """
    if reached is not None:
        start, number = reached.end, reached.number
        file.seek(start)
    offset = start
    while line := file.readline():
        number += 1
        begin, offset = offset, offset + len(line)
        whole = line.endswith(b"\n")
        if reached is not None:
            if not whole:
                return
            reached.end, reached.number = offset, number
        if passes_over is not None and passes_over(line):
            continue
        body = line.rstrip(b"\r\n")
        if begin == 0 and body.startswith(BOM):
            body = body[len(BOM) :]
            begin += len(BOM)
        if not body or body.isspace():
            continue
        try:
            value = orjson.loads(body)
        except orjson.JSONDecodeError:
            yield from _recover(body, number, begin, whole, damage, is_record)
            continue
        if isinstance(value, dict):
            yield Record(number, begin, begin + len(body), value)
        else:
            damage.append(_not_an_object(number, value))


def _not_an_object(number: int, value: object) -> Damage:
    detail = f"an object was expected, this is {kind_in_words(value)}"
    return Damage(number, DamageKind.NOT_AN_OBJECT, detail)


def _recover(
    body: bytes,
    number: int,
    begin: int,
    whole: bool,
    damage: list[Damage],
    is_record: Callable[[dict[str, Any]], bool],
) -> Iterator[Record]:
    """What can be read of a line that is not one plain JSON object."""
    text = body.decode("utf-8", "surrogateescape")
    found: list[tuple[int, int, dict[str, Any]]] = []
    others, torn, changed = 0, False, _SURROGATE.search(text) is not None
    at = _skip_space(text, 0)
    while at < len(text):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            torn = True
            resumed = _resync(text, at + 1, is_record)
            if resumed is None:
                break
            at = resumed
            continue
        if isinstance(value, dict):
            clean = _well_formed(value)
            changed = changed or clean != value
            found.append((at, end, clean))
        else:
            others += 1
            if others <= _LISTED_PER_LINE:
                damage.append(_not_an_object(number, value))
        at = _skip_space(text, end)
    if changed:
        detail = "bytes or escapes that are no Unicode text"
        damage.append(Damage(number, DamageKind.ENCODING, detail))
    if torn:
        kind = DamageKind.UNREADABLE if whole else DamageKind.TORN_TAIL
        detail = "no JSON" if whole else "half-written"
        damage.append(Damage(number, kind, f"{detail}, {len(found)} record(s) recovered"))
    if len(found) > 1:
        damage.append(Damage(number, DamageKind.GLUED, f"{len(found)} objects on one line"))
    first = _skip_space(text, 0)
    offset = done = 0
    for start, end, value in found:
        offset += len(text[done:start].encode("utf-8", "surrogateescape"))
        size = len(text[start:end].encode("utf-8", "surrogateescape"))
        yield Record(number, begin + offset, begin + offset + size, value, start == first)
        offset, done = offset + size, end


def _skip_space(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def objects_in(line: bytes, is_record: Callable[[dict[str, Any]], bool]) -> list[dict[str, Any]]:
    """The objects on a line: one, several glued together, or what can be read of a broken one."""
    if b"{" not in line:
        return []
    return [one.value for one in records_in(BytesIO(line), [], is_record=is_record)]


def _resync(text: str, at: int, is_record: Callable[[dict[str, Any]], bool]) -> int | None:
    """Where the next whole record of a torn line starts."""
    for tries, match in enumerate(_START.finditer(text, at)):
        if tries >= _RESYNC_TRIES:
            return None
        try:
            value, end = _DECODER.raw_decode(text, match.start())
        except (ValueError, RecursionError):
            continue
        rest = text[end:].lstrip()
        if isinstance(value, dict) and is_record(value) and (not rest or rest[0] == "{"):
            return match.start()
    return None
