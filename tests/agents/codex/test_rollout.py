"""Rollouts, plain and packed, and the chain of rollouts that one continues."""

from __future__ import annotations

import io
import tracemalloc
from pathlib import Path

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from redline.agents.codex.packed import PackedPlaces, Unpacked, buffered
from redline.agents.codex.peek import peek
from redline.agents.codex.rollout import Rollout
from redline.agents.records import Record
from redline.errors import RedlineError
from redline.model import Damage, DamageKind, Origin
from tests.agents.codex.files import (
    CHILD,
    GRANDCHILD,
    JSON,
    PARENT,
    counted,
    event,
    item,
    line,
    meta,
    pack,
    rollout_file,
    said,
    text_of,
    turn,
    write,
)


def read(path: Path) -> tuple[list[Record], list[Damage]]:
    damage: list[Damage] = []
    return list(Rollout(path).records(damage)), damage


def said_in(path: Path) -> list[str]:
    damage: list[Damage] = []
    return [
        record.value["payload"]["content"][0]["text"]
        for record in Rollout(path).records(damage)
        if record.value["type"] == "response_item"
    ]


def numbered(*records: JSON, start: int = 0) -> list[JSON]:
    return [
        {"timestamp": r["timestamp"], "ordinal": start + at, **r} for at, r in enumerate(records)
    ]


def test_a_packed_rollout_reads_as_the_plain_one_with_the_same_places(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.jsonl", meta(), said("user", "go"), "", said("assistant", "ok"))
    before = read(plain)
    packed = pack(plain)
    assert read(packed) == before
    rollout = Rollout(packed)
    for record in before[0]:
        origin = Origin(packed, record.number, record.start, record.end)
        assert rollout.value(origin) == record.value


def test_a_file_that_was_packed_or_unpacked_meanwhile_is_still_read(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.jsonl", meta(), said("user", "go"))
    rollout = Rollout(plain)
    record = list(rollout.records([]))[1]
    packed = pack(plain)
    assert rollout.value(Origin(plain, 2, record.start, record.end)) == record.value
    assert Rollout(plain).path == packed
    write(plain, meta())
    assert Rollout(packed).path == plain


def test_the_plain_file_wins_over_the_packed_one(tmp_path: Path) -> None:
    plain = write(tmp_path / "a.jsonl", meta())
    packed = pack(plain, keep=True)
    write(plain, meta(), said("user", "later"))
    assert len(read(packed)[0]) == 2


@pytest.mark.parametrize("lost", [3, 40, 10_000])
def test_a_packed_file_that_is_cut_off_gives_what_can_be_read(tmp_path: Path, lost: int) -> None:
    texts = [said("user", f"{at * 7919 % 1013:x} " * 40) for at in range(4000)]
    packed = pack(write(tmp_path / "a.jsonl", meta(), *texts))
    data = packed.read_bytes()
    packed.write_bytes(data[: max(1, len(data) - lost)])
    records, damage = read(packed)
    assert len(records) < 4001
    assert damage[-1].kind is DamageKind.UNREADABLE
    assert "cut off" in damage[-1].detail


def test_bytes_that_are_no_zstd_are_damage(tmp_path: Path) -> None:
    packed = tmp_path / "a.jsonl.zst"
    packed.write_bytes(b"this was never packed")
    records, damage = read(packed)
    assert records == []
    assert [found.kind for found in damage] == [DamageKind.UNREADABLE]


def test_frames_that_were_appended_are_read_one_after_another(tmp_path: Path) -> None:
    packed = tmp_path / "a.jsonl.zst"
    pieces = [text_of(meta()), text_of(said("user", "one")), b"", text_of(said("user", "two"))]
    packed.write_bytes(b"".join(zstandard.compress(piece) for piece in pieces))
    assert said_in(packed) == ["one", "two"]
    assert read(packed)[1] == []


def test_a_frame_of_zeros_that_unpacks_to_a_gigabyte_is_not_held_in_memory() -> None:
    compressor = zstandard.ZstdCompressor(level=3).compressobj()
    bomb = b"".join(compressor.compress(b"\n" * 1_000_000) for _ in range(200))
    bomb += compressor.flush()
    tracemalloc.start()
    with buffered(Unpacked(io.BytesIO(bomb))) as text:
        found = sum(len(piece) for piece in iter(lambda: text.read(1_000_000), b""))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == 200_000_000
    assert most < 100_000_000


@given(st.binary(max_size=4000), st.lists(st.tuples(st.integers(0, 4200), st.integers(0, 300))))
def test_places_of_a_packed_text_are_those_of_the_plain_one(
    tmp_path_factory: pytest.TempPathFactory, plain: bytes, asked: list[tuple[int, int]]
) -> None:
    path = tmp_path_factory.mktemp("packed") / "a.zst"
    path.write_bytes(zstandard.compress(plain))
    places = PackedPlaces()
    for start, length in asked:
        assert places.read(path, start, start + length) == plain[start : start + length]
    with buffered(Unpacked(path.open("rb"))) as text:
        for start, length in asked:
            text.seek(start)
            assert text.read(length) == plain[start : start + length]


def chain(home: Path) -> tuple[Path, Path, Path]:
    """A thread, a fork of its first turn, and a fork of that one's first turn."""
    first = rollout_file(home)
    records = numbered(meta(history_mode="paginated"), said("user", "one"), said("user", "undone"))
    write(first, *records)
    cut = len(text_of(*records[:2]))
    second = rollout_file(home, CHILD)
    base = {"thread_id": PARENT, "end_ordinal_exclusive": 2, "end_byte_offset": cut}
    own = numbered(meta(CHILD, history_base=base), said("user", "two"), said("user", "no"), start=2)
    write(second, *own)
    base = {
        "thread_id": CHILD,
        "end_ordinal_exclusive": 4,
        "end_byte_offset": len(text_of(*own[:2])),
    }
    third = rollout_file(home, GRANDCHILD)
    write(third, *numbered(meta(GRANDCHILD, history_base=base), said("user", "three"), start=4))
    return first, second, third


def test_a_fork_of_a_fork_reads_what_it_continues_first(tmp_path: Path) -> None:
    first, second, third = chain(tmp_path)
    assert said_in(third) == ["one", "two", "three"]
    located = [(path, record.number) for path, record in Rollout(third).located([])]
    assert located == [(first, 1), (first, 2), (second, 1), (second, 2), (third, 1), (third, 2)]
    rollout = Rollout(third)
    assert rollout.meta["id"] == GRANDCHILD
    for path, record in rollout.located([]):
        origin = Origin(path, record.number, record.start, record.end)
        assert rollout.value(origin) == record.value


@pytest.mark.parametrize("left", ["end_byte_offset", "end_ordinal_exclusive"])
def test_one_figure_of_where_the_base_ends_is_enough(tmp_path: Path, left: str) -> None:
    _, second, _ = chain(tmp_path)
    text = second.read_text().replace(left, "unknown")
    second.write_text(text)
    assert said_in(second) == ["one", "two", "no"]


def test_a_base_is_found_archived_packed_and_on_another_day(tmp_path: Path) -> None:
    first, _, third = chain(tmp_path)
    archived = tmp_path / "archived_sessions" / first.name
    archived.parent.mkdir()
    first.rename(archived)
    pack(archived)
    far = rollout_file(tmp_path, CHILD, "2026-01-02")
    far.parent.mkdir(parents=True)
    rollout_file(tmp_path, CHILD).rename(far)
    assert said_in(third) == ["one", "two", "three"]


def test_a_reverted_thread_is_found_by_its_rollouts_id(tmp_path: Path) -> None:
    first, _, _ = chain(tmp_path)
    reverted = rollout_file(tmp_path, PARENT, rollout=NEW)
    base = {"thread_id": PARENT, "end_ordinal_exclusive": 2}
    records = numbered(meta(history_base=base), said("user", "again"), start=2)
    write(reverted, *records)
    base = {"thread_id": NEW, "end_ordinal_exclusive": 4}
    last = rollout_file(tmp_path, PARENT, rollout=NEWER)
    write(last, *numbered(meta(history_base=base), said("user", "and again"), start=4))
    assert said_in(last) == ["one", "again", "and again"]
    assert said_in(first) == ["one", "undone"]


NEW = "019f0000-3000-7000-8000-000000000004"
NEWER = "019f0000-4000-7000-8000-000000000005"


def test_a_base_that_is_not_there_is_damage(tmp_path: Path) -> None:
    first, _, third = chain(tmp_path)
    first.unlink()
    damage: list[Damage] = []
    assert len(list(Rollout(third).records(damage))) == 4
    assert [found.kind for found in damage] == [DamageKind.MISSING]
    assert PARENT in damage[0].detail


def test_a_chain_that_comes_back_to_itself_ends_there(tmp_path: Path) -> None:
    first, second, _ = chain(tmp_path)
    write(first, *numbered(meta(history_base={"thread_id": CHILD}), said("user", "one")))
    assert said_in(second)[-2:] == ["two", "no"]
    assert [found.kind for found in read(second)[1]] == [DamageKind.CYCLE]
    write(first, *numbered(meta(history_base={"thread_id": PARENT})))
    assert [found.kind for found in read(first)[1]] == [DamageKind.CYCLE]


@pytest.mark.parametrize("base", [None, 7, "x", [], {}, {"thread_id": 3}, {"thread_id": "../x"}])
def test_a_history_base_of_another_form_costs_nothing_else(tmp_path: Path, base: object) -> None:
    path = write(rollout_file(tmp_path), meta(history_base=base), said("user", "go"))
    assert said_in(path) == ["go"]


def test_damage_in_a_base_names_its_file(tmp_path: Path) -> None:
    first, second, _ = chain(tmp_path)
    torn = first.read_text().replace('{"timestamp"', '{"timest\n{"timestamp"', 1)
    first.write_text(torn)
    damage = read(second)[1]
    assert damage[0].kind is DamageKind.UNREADABLE
    assert first.name in damage[0].detail


@pytest.mark.parametrize(
    ("records", "dialect"),
    [
        ([meta(), said("user", "go")], "legacy"),
        ([said("user", "go")], "legacy"),
        ([meta(history_mode="paginated")], "paginated"),
        (numbered(meta()), "paginated"),
        ([{"id": "x", "timestamp": "2025-08-01T00:00:00.000Z", "instructions": None}], "flat"),
        ([{"type": "message", "role": "user", "content": []}], "flat"),
        ([], "flat"),
    ],
)
def test_the_dialect_is_told_by_the_first_records(
    tmp_path: Path, records: list[JSON], dialect: str
) -> None:
    assert Rollout(write(tmp_path / "a.jsonl", *records)).dialect == dialect


def test_the_first_session_meta_is_the_files_own(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", meta(CHILD), meta(PARENT))
    assert Rollout(path).meta["id"] == CHILD
    broken = write(tmp_path / "b.jsonl", "{torn", event("x"), meta(PARENT))
    assert Rollout(broken).meta["id"] == PARENT


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RedlineError, match="cannot read"):
        Rollout(tmp_path / "none.jsonl")


def test_what_is_not_wanted_is_left_out_undecoded(tmp_path: Path) -> None:
    long = "x" * 4000
    path = write(
        tmp_path / "a.jsonl",
        meta(),
        event("agent_message", message=long),
        event("agent_message", message="short"),
        line("compacted", {"message": long}),
        item("reasoning", encrypted_content=long),
        counted(9),
    )
    asked: list[tuple[str, str]] = []

    def unwanted(kind: str, inner: str, size: int) -> bool:
        asked.append((kind, inner))
        assert size > 2000
        return kind != "response_item"

    kept = [record.number for record in Rollout(path).records([], unwanted)]
    assert kept == [1, 3, 5, 6]
    assert asked == [
        ("event_msg", "agent_message"),
        ("compacted", ""),
        ("response_item", "reasoning"),
    ]


def test_a_line_that_is_torn_or_glued_is_never_passed_over(tmp_path: Path) -> None:
    whole = text_of(event("agent_message", message="x" * 3000)).strip()
    other = text_of(said("user", "kept")).strip()
    assert peek(whole + b"\n") == ("event_msg", "agent_message")
    assert peek(whole + other + b"\n") is None
    assert peek(whole[:-5] + b"\n") is None
    assert peek(whole) is None
    path = tmp_path / "a.jsonl"
    path.write_bytes(text_of(meta()) + whole + other + b"\n" + whole[:2500] + other + b"\n")
    found = [r.value["type"] for r in Rollout(path).records([], lambda *_: True)]
    assert found.count("response_item") == 2


def test_a_large_file_is_read_in_the_memory_of_its_largest_line(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", meta())
    one = text_of(turn(), said("assistant", "y" * 20_000))
    with path.open("ab") as file:
        for _ in range(1000):
            file.write(one)
    tracemalloc.start()
    assert sum(1 for _ in Rollout(path).records([])) == 2001
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 2_000_000
