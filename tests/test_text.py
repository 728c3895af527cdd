from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.text import (
    cells,
    first_line,
    hidden_characters,
    json_text,
    one_line,
    plain,
    printable,
    safe,
)

ANYTHING = st.text(
    st.one_of(
        st.sampled_from("\x1b[]0;31mKJ?\x07\x9b\x9c\x90\r\n\t\u202e\u200b\ufeff\U000e0041 x"),
        st.characters(codec=None),
    ),
    max_size=200,
)


@given(ANYTHING)
def test_nothing_a_terminal_acts_on_is_left_in_safe_text(text: str) -> None:
    shown = safe(text)
    assert all(
        character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
        for character in shown
    )
    assert not set(shown) & set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e")
    assert hidden_characters(shown) == 0


@given(ANYTHING)
def test_safe_text_stays_as_it_is_when_made_safe_again(text: str) -> None:
    assert safe(safe(text)) == safe(text)


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"])))
def test_visible_text_is_shown_unchanged(text: str) -> None:
    if hidden_characters(text) == 0:
        assert safe(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\n\tb", "a\n\tb"),
        ("a\r\nb\r", "a\nb␍"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[?25l\x1b[10;20Hx", "x"),
        ("\x1b]0;title\x07", "␛]0;title␇"),
        ("\x1b]52;c;aGk=\x1b\\", "␛]52;c;aGk=␛\\"),
        ("\x9b31m", "\ufffd31m"),
        ("\x1b[\x1b[31m31m", "␛[31m"),
        ("\x1b[12", "␛[12"),
        ("\x00\x0f\x7f", "␀␏␡"),
        ("a\u202eb", "a\ufffdb"),
        ("\ud83d", "\ufffd"),
        ("a\u200bb\ufeff", "a⍰b⍰"),
        ("\U000e0048\U000e0049", "⍰H⍰I"),
        ("a\U000e0101", "a⍰"),
        ("👩\u200d💻 中文 é", "👩\u200d💻 中文 é"),
        ("x[/b] [red]", "x[/b] [red]"),
        ("a\u2028b", "a␤b"),
    ],
)
def test_each_kind_of_character_is_shown_in_its_way(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_hidden_characters_are_counted() -> None:
    assert hidden_characters("plain") == 0
    assert hidden_characters("a\u200b\u2060\ufeff\U000e0041\U000e0100b\u200d") == 5


def test_a_line_for_a_list_is_the_first_that_is_not_blank() -> None:
    assert one_line("\n\n  Fix \t the\x1b[1m bug\x1b[0m \nnow") == "Fix the bug"
    assert one_line("abcdefghij", 8) == "abcde..."
    assert one_line("abcdefgh", 8) == "abcdefgh"
    assert one_line(" " * 100_000 + "late") == "late"
    assert one_line(" \n ") == ""


def test_a_first_line_fits_its_cells() -> None:
    assert first_line("中文中文中文", 8) == "中文..."
    assert cells(first_line("中" * 50, 9)) <= 9
    assert first_line("abc", 2) == ".."
    assert cells("e\u0301中a") == 4


@given(ANYTHING, st.integers(0, 40))
def test_lines_for_lists_keep_to_their_room(text: str, room: int) -> None:
    assert len(one_line(text, room)) <= room
    assert cells(first_line(text, room)) <= room
    assert "\n" not in one_line(text, room)


@given(ANYTHING)
def test_printable_text_can_be_written(text: str) -> None:
    written = printable(text)
    written.encode()
    if all(not 0xD800 <= ord(character) < 0xE000 for character in text):
        assert written == text


def test_a_surrogate_pair_is_joined_and_a_lone_one_replaced() -> None:
    assert printable("\ud83d\ude00 \ud83d") == "😀 \ufffd"


@given(ANYTHING)
def test_plain_text_holds_nothing_that_acts_or_hides(text: str) -> None:
    left = plain(text)
    assert hidden_characters(left) == 0
    assert safe(left) == left
    assert plain(left) == left


def test_plain_text_keeps_its_words_apart() -> None:
    assert plain("a\rb\u2028c\r\nd\x1b[1m!\u200b\U000e0041\x07") == "a\nb\nc\nd!"


def test_json_is_the_same_for_a_parser_and_does_nothing_on_a_terminal() -> None:
    text = "".join(map(chr, range(0x300))) + "\u2028\u202e\u2066\ufeff\U000e0041\u4e2d\u2764\ufe0f"
    document = json_text({"a": [text]})
    assert json.loads(document) == {"a": [text]}
    assert safe(document) == document
    assert "\u4e2d" in document


def test_lone_surrogates_in_json_become_the_replacement_character() -> None:
    assert json.loads(json_text("a\ud800b")) == "a\ufffdb"
