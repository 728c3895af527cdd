"""Passages in chunks and out again."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from redline.agents.finder import Passage
from redline.catalogue import chunk as chunk_module
from redline.catalogue.chunk import Chunk, Packer, Sought, kind_bits
from redline.catalogue.folding import fold
from redline.model import Kind

TIME = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)


def passage(number: int, text: str, *, start: int | None = None, **fields: object) -> Passage:
    begin = number * 100 if start is None else start
    kind, time = fields.get("kind", Kind.REPLY), fields.get("time", TIME)
    assert isinstance(kind, Kind)
    assert time is None or isinstance(time, datetime)
    return Passage(number + 1, begin, begin + 90, kind, time, text)


def opened(passages: list[Passage]) -> list[Chunk]:
    reader = zstandard.ZstdDecompressor()
    return [
        Chunk(packed.text, packed.places, packed.simple, reader)
        for packed in Packer().packed(passages)
    ]


def numbers(made: Chunk, terms: tuple[str, ...]) -> list[int]:
    return [match.number for match in made.matches(Sought(terms))]


ODD = st.text(alphabet="aAsS\u0301éÉßİﬁ\u1100\u1161\n\0 中x", max_size=12)


@given(
    st.lists(ODD | st.text(max_size=60), min_size=1, max_size=12),
    ODD.filter(bool) | st.text(min_size=1, max_size=3),
)
def test_a_passage_is_found_by_what_it_holds(texts: list[str], term: str) -> None:
    (made,) = opened([passage(number, text) for number, text in enumerate(texts)])
    wanted = fold(term)
    expected = [number for number, text in enumerate(texts) if wanted in fold(text)]
    assert numbers(made, (wanted,)) == expected


def test_texts_and_places_come_back_as_they_were() -> None:
    given_ = [
        passage(0, "Ünï\0 e\u0301", kind=Kind.PROMPT, time=None),
        passage(1, ""),
        passage(2, "x"),
    ]
    (made,) = opened(given_)
    for number, one in enumerate(given_):
        place = made.place(number)
        assert made.passage(number) == one.text
        assert (place.record, place.start, place.kind, place.time) == (
            one.record,
            one.start,
            one.kind,
            one.time,
        )


def test_what_goes_over_from_one_passage_to_the_next_is_not_there() -> None:
    (made,) = opened([passage(0, "ends with al"), passage(1, "pha begins"), passage(2, "alpha")])
    assert numbers(made, ("alpha",)) == [2]
    assert numbers(made, ("al\npha",)) == []
    assert numbers(made, ("\npha",)) == []


def test_all_words_have_to_be_in_one_passage() -> None:
    (made,) = opened([passage(0, "red green"), passage(1, "red"), passage(2, "green and RED")])
    assert numbers(made, ("green", "red")) == [0, 2]


def test_the_passages_of_one_record_stay_in_one_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunk_module, "SIZE", 10)
    given_ = [passage(0, "x" * 20, start=0), passage(0, "y" * 20, start=0), passage(1, "z")]
    packed = list(Packer().packed(given_))
    assert [made.first for made in packed] == [0, 100]


def test_a_passage_too_long_for_one_piece_is_found_everywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(chunk_module, "LARGEST", 100)
    monkeypatch.setattr(chunk_module, "OVERLAP", 10)
    text = "".join(f"<{number:04d}>" for number in range(100))
    (made,) = opened([passage(0, text)])
    for number in range(100):
        assert len(numbers(made, (f"<{number:04d}>",))) == 1
    assert len(numbers(made, ("<",))) == 1


def test_a_chunk_says_what_it_holds() -> None:
    (packed,) = Packer().packed([passage(0, "x", kind=Kind.PROMPT), passage(1, "y")])
    assert packed.kinds == kind_bits({Kind.PROMPT, Kind.REPLY})
    assert packed.latest is not None
    (timeless,) = Packer().packed([passage(0, "x", time=None), passage(1, "y")])
    assert timeless.latest is None


def test_a_damaged_text_is_noticed() -> None:
    (packed,) = Packer().packed([passage(0, "some text that is long enough" * 9)])
    for broken in (b"", packed.text[:-4], packed.text[:-1] + b"\0", bytes(len(packed.text))):
        with pytest.raises(zstandard.ZstdError):
            Chunk(broken, packed.places, packed.simple, zstandard.ZstdDecompressor())


@pytest.mark.parametrize("numbers", [0, 1, 5])
def test_places_that_are_not_whole_are_noticed(numbers: int) -> None:
    (packed,) = Packer().packed([passage(0, "some text")])
    places = zstandard.ZstdCompressor().compress(bytes(8 * numbers))
    chunk = Chunk(packed.text, places, packed.simple, zstandard.ZstdDecompressor())
    with pytest.raises(ValueError, match="not whole"):
        chunk.passage(0)
