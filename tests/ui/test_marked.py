from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from redline.ui.marked import Marked, around, lines, marked
from tests.ui.stage import harmful

TEXTS = st.text(
    st.one_of(
        st.characters(codec=None),
        st.sampled_from("ab \n\t中文é👩\u200d\u200b\u202e\x1b[m\ud800"),
    ),
    max_size=120,
)


@given(TEXTS, st.lists(st.tuples(st.integers(-3, 130), st.integers(-3, 130)), max_size=4))
def test_marks_stay_on_their_words_and_nothing_harmful_is_left(
    raw: str, spans: list[tuple[int, int]]
) -> None:
    shown = marked(raw, spans)
    assert not harmful(shown.text.replace("\u200d", ""))
    at = 0
    for start, end in shown.spans:
        assert at <= start < end <= len(shown.text)
        at = end


def test_a_mark_moves_with_what_is_taken_out_or_widened_before_it() -> None:
    shown = marked("\x1b[31mred\x1b[0m\tword\r\nnext", [(13, 17)])
    (span,) = shown.spans
    assert shown.text[slice(*span)] == "word"


@given(TEXTS, st.integers(0, 130), st.integers(1, 12), st.integers(0, 60))
def test_a_line_around_a_match_never_takes_more_than_its_cells(
    raw: str, start: int, length: int, width: int
) -> None:
    pieces = around(raw, [(start, start + length)], width)
    text = "".join(piece for piece, _ in pieces)
    assert cell_len(text) <= max(width, 0)
    assert "\n" not in text


def test_the_first_match_is_in_sight_and_in_one_line_whatever_lies_before_it() -> None:
    raw = "word " * 100 + "\n中文" * 50 + " NEEDLE " + "tail " * 100
    start = raw.index("NEEDLE")
    pieces = around(raw, [(start, start + 6)], 40)
    assert [text for text, hit in pieces if hit] == ["NEEDLE"]
    assert "".join(text for text, _ in pieces).startswith("..")
    assert around("NEEDLE first", [(0, 6)], 40) == [("NEEDLE", True), (" first", False)]


@given(TEXTS, st.integers(8, 40))
def test_wrapped_lines_hold_every_character_and_fit(raw: str, width: int) -> None:
    text = marked(raw).text
    shown = list(lines(Marked(text), width, 10_000))
    assert "".join(piece for line in shown for piece, _ in line) == text.replace("\n", "")
    assert all(cell_len("".join(piece for piece, _ in line)) <= width for line in shown)


def test_marks_go_on_over_the_end_of_a_line() -> None:
    text = "aaaa bbbbbbbbbbbbbbbbbbbb cccc"
    shown = lines(Marked(text, ((5, 25),)), 10, 10)
    assert "".join(piece for line in shown for piece, hit in line if hit) == "b" * 20


def test_of_a_line_of_ten_megabytes_only_what_is_seen_is_made() -> None:
    raw = "x" * 10_000_000
    pieces = around(raw, [(9_000_000, 9_000_003)], 80)
    shown = list(lines(Marked(raw), 80, 20))
    assert sum(len(piece) for piece, _ in pieces) <= 80
    assert any(hit for _, hit in pieces)
    assert len(shown) == 20
