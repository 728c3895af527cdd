"""Records of JSONL files, and what is wrong with the file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.records import Record, decode, read_records
from redline.errors import RedlineError
from redline.model import Damage, DamageKind


def read(path: Path, data: bytes, **options: Any) -> tuple[list[Record], list[Damage]]:
    path = path / "x.jsonl"
    path.write_bytes(data)
    damage: list[Damage] = []
    return list(read_records(path, damage, **options)), damage


def values(records: list[Record]) -> list[Any]:
    return [record.value for record in records]


def test_each_line_is_a_record_with_its_number_and_span(tmp_path: Path) -> None:
    data = b'{"a":1}\n\n{"b":2}\r\n{"c":"\xe2\x80\xa8"}'
    records, damage = read(tmp_path, data)
    assert [(r.number, data[r.start : r.end]) for r in records] == [
        (1, b'{"a":1}'),
        (3, b'{"b":2}'),
        (4, b'{"c":"\xe2\x80\xa8"}'),
    ]
    assert damage == []


def test_a_byte_order_mark_costs_nothing(tmp_path: Path) -> None:
    records, damage = read(tmp_path, b'\xef\xbb\xbf{"a":1}\r\n{"b":2}\r\n')
    assert values(records) == [{"a": 1}, {"b": 2}]
    assert damage == []


@pytest.mark.parametrize("line", [b'["x"]', b"null", b"3", b'"s"'])
def test_what_is_no_object_is_listed_and_costs_itself(tmp_path: Path, line: bytes) -> None:
    records, damage = read(tmp_path, b'{"a":1}\n' + line + b'\n{"b":2}\n')
    assert values(records) == [{"a": 1}, {"b": 2}]
    assert [(d.record, d.kind) for d in damage] == [(2, DamageKind.NOT_AN_OBJECT)]


def test_glued_objects_are_all_read_each_with_its_span(tmp_path: Path) -> None:
    data = '{"a":"}{ü"} {"b":2}{"c":3}\n'.encode()
    records, damage = read(tmp_path, data)
    assert [json.loads(data[r.start : r.end]) for r in records] == values(records)
    assert len(records) == 3
    assert [record.leading for record in records] == [True, False, False]
    assert [(d.record, d.kind) for d in damage] == [(1, DamageKind.GLUED)]


def test_a_whole_record_behind_a_torn_one_is_read(tmp_path: Path) -> None:
    data = b'{"type":"x","inner":{"a":1},"te{"type":"x","n":2}\n'
    records, damage = read(tmp_path, data, is_record=lambda value: "type" in value)
    assert values(records) == [{"type": "x", "n": 2}]
    assert not records[0].leading
    assert [d.kind for d in damage] == [DamageKind.UNREADABLE]


def test_a_half_written_last_line_is_a_torn_tail(tmp_path: Path) -> None:
    records, damage = read(tmp_path, b'{"a":1}\n{"b":')
    assert values(records) == [{"a": 1}]
    assert [(d.record, d.kind) for d in damage] == [(2, DamageKind.TORN_TAIL)]


def test_a_last_line_without_a_line_end_is_whole(tmp_path: Path) -> None:
    records, damage = read(tmp_path, b'{"a":1}\n{"b":2}')
    assert values(records) == [{"a": 1}, {"b": 2}]
    assert damage == []


@pytest.mark.parametrize("data", [b'{"a":"x\xff"}\n', b'{"a":"x\\ud83d"}\n'])
def test_what_is_no_unicode_becomes_a_mark_and_is_listed(tmp_path: Path, data: bytes) -> None:
    records, damage = read(tmp_path, data)
    assert values(records) == [{"a": "x\ufffd"}]
    assert [d.kind for d in damage] == [DamageKind.ENCODING]
    assert decode(data) == {"a": "x\ufffd"}


def test_a_pair_of_surrogates_is_one_character_also_on_a_glued_line(tmp_path: Path) -> None:
    records, damage = read(tmp_path, b'{"a":"\\ud83d\\ude00"}{"b":2}\n')
    assert values(records) == [{"a": "😀"}, {"b": 2}]
    assert [d.kind for d in damage] == [DamageKind.GLUED]


def test_numbers_that_json_does_not_know_are_read(tmp_path: Path) -> None:
    records, damage = read(tmp_path, b'{"a":Infinity,"b":1}\n')
    assert records[0].value["b"] == 1
    assert damage == []


def test_reading_can_start_in_the_middle(tmp_path: Path) -> None:
    records, _ = read(tmp_path, b'{"a":1}\n{"b":2}\n', start=8, number=1)
    assert [(r.number, r.start, r.value) for r in records] == [(2, 8, {"b": 2})]


@pytest.mark.parametrize(
    "line",
    [
        b"{" * 200_000,
        b"[" * 200_000,
        b'{"a":' * 100_000,
        b"1 " * 200_000,
        b'{"a":1}' * 100_000,
        b'{"a{"' * 100_000,
        b"\x00\xff" * 200_000,
    ],
)
def test_no_line_stops_the_reader_or_fills_the_list(tmp_path: Path, line: bytes) -> None:
    records, damage = read(tmp_path, line + b'\n{"last":1}\n')
    assert records[-1].value == {"last": 1}
    assert 0 < len(damage) < 10


def test_a_file_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RedlineError, match="cannot read"):
        list(read_records(tmp_path / "none", []))
    with pytest.raises(RedlineError, match="cannot read"):
        list(read_records(tmp_path, []))
