"""Texts as they are compared."""

from __future__ import annotations

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.catalogue.folding import fold, keeps_places, place_before

ODD = st.text(
    alphabet="aAeE\u0301\u0327éÉßẞİıſﬁ가각ㄱ\u1100\u1161\u11a8中\n\r \0\ud800😀ǰ\u0958", max_size=30
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("É", "é"),
        ("Straße", "STRASSE"),
        ("ẞ", "ß"),
        ("e\u0301", "é"),
        ("E\u0301", "é"),
        ("ΟΔΟΣ", "οδος"),
        ("Ж", "ж"),
    ],
)
def test_case_and_form_make_no_difference(one: str, other: str) -> None:
    assert fold(one) == fold(other)


@pytest.mark.parametrize(("one", "other"), [("e", "é"), ("ａ", "a"), ("中", "巾"), ("ı", "i")])
def test_accents_and_other_letters_do(one: str, other: str) -> None:
    assert fold(one) != fold(other)


@given(ODD | st.text(max_size=30))
def test_a_folded_text_can_be_stored(text: str) -> None:
    folded = fold(text)
    assert "\0" not in folded
    folded.encode()


@given(ODD, ODD)
def test_a_line_is_folded_for_itself(one: str, other: str) -> None:
    assert fold(f"{one}\n{other}") == f"{fold(one)}\n{fold(other)}"


@given(ODD)
def test_places_lead_back_to_the_character_they_came_from(text: str) -> None:
    text = text.replace("\ud800", "")
    folded = fold(text)
    for place in range(len(folded)):
        at = place_before(text, place)
        assert len(fold(text[:at])) <= place
        assert len(fold(text[: at + 1])) > place or at + 1 <= len(text)
        if keeps_places(text, folded):
            assert at == place


def test_places_are_exact_among_letters_that_change_their_length() -> None:
    text = "Straße e\u0301 x"
    folded = fold(text)
    assert text[place_before(text, folded.index("x"))] == "x"
    assert text[place_before(text, folded.index("é"))] == "e"
    assert not keeps_places(text, folded)


def test_composed_and_plain_texts_keep_their_places() -> None:
    for text in ("Plain ASCII", "Ärger über Öl", "中文 Text"):
        assert keeps_places(text, fold(text))
        assert normalize("NFC", text) == text
