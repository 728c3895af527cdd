from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from redline.ui.untrusted import fitted, fitted_end, untrusted, wrapped
from tests.ui.stage import harmful

TEXT = st.text(st.sampled_from("ab 中👩\u200d\x1b[31m\t\n\u202e[/]é/"), max_size=60)


@given(TEXT)
def test_nothing_that_acts_on_a_terminal_comes_through(text: str) -> None:
    shown = untrusted(text).plain
    assert not harmful(shown.replace("\n", ""))


@pytest.mark.parametrize("text", ["[/nope]", "[@click=app.quit]x[/]", "[red on]", "[link=http:/"])
def test_markup_is_text(text: str) -> None:
    assert untrusted(text).plain == text
    assert not untrusted(text).spans


@given(TEXT, st.integers(-3, 30))
def test_a_fitted_line_is_no_wider_than_asked_for(text: str, width: int) -> None:
    assert cell_len(fitted(text, width).plain) <= max(width, 0)
    assert cell_len(fitted_end(text, width).plain) <= max(width, 0)


@given(TEXT, st.integers(8, 30))
def test_wrapping_keeps_every_character_but_blanks(text: str, width: int) -> None:
    lines, hidden = wrapped(text, width, 1_000)
    assert hidden == 0
    assert all(cell_len(line) <= width for line in lines)
    whole = untrusted(text).plain
    assert "".join("".join(lines).split()) == "".join(whole.split())


def test_what_is_not_shown_is_counted() -> None:
    lines, hidden = wrapped("one\ntwo\nthree\n", 20, 2)
    assert lines == ["one", "two"]
    assert hidden == len("three\n")


def test_of_a_path_the_end_is_shown() -> None:
    assert fitted_end("/home/dev/shop/src/totals.py", 17).plain == ".../src/totals.py"


@given(TEXT, st.integers(8, 30), st.integers(1, 4))
def test_what_does_not_fit_into_the_lines_is_never_left_out_in_silence(
    text: str, width: int, limit: int
) -> None:
    lines, hidden = wrapped(text, width, limit)
    assert len(lines) <= limit
    shown = "".join("".join(lines).split()) == "".join(untrusted(text).plain.split())
    assert shown or hidden > 0


def test_a_long_line_that_is_cut_off_in_its_middle_is_counted() -> None:
    lines, hidden = wrapped("one two three four five", 10, 1)
    assert lines == ["one two"]
    assert hidden == len(" three four five")
