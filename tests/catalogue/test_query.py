"""What people type, and what is looked for then."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.catalogue.query import ROLES, Query, is_below, parse_since
from redline.cli import arguments
from redline.errors import RedlineError
from redline.model import Kind

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("one Two", ("one", "two")),
        ('"one two" three', ("one two", "three")),
        ('say "a  b"', ("say", "a  b")),
        ("don't", ("don't",)),
        ("C++ a/b fn_4242", ("c++", "a/b", "fn_4242")),
        ('"', ('"',)),
        ('""', ('""',)),
        ('" "', ('"',)),
        ('"open', ("open",)),
        ('"still op', ("still op",)),
        ('say "still op ', ("say", "still op ")),
        ('"one two" "still op', ("one two", "still op")),
        ('say "', ("say",)),
        ('print("x")', ('print("x")',)),
        ('key="a b"', ('key="a', 'b"')),
        ("* AND NEAR( OR NOT ^ -x", ("*", "and", "near(", "or", "not", "^", "-x")),
        ("错误 配置", ("错误", "配置")),
        ("错误\u3000配置", ("错误", "配置")),
        ("ＡＢ", ("ａｂ",)),
        ("a a A", ("a",)),
        ("", ()),
        (" \t\n\u3000", ()),
        ("nul\0", ("nul␀",)),
        ("😀", ("😀",)),
    ],
)
def test_words_and_phrases_are_told_apart(text: str, terms: tuple[str, ...]) -> None:
    assert Query(text).terms == terms


@given(st.text())
def test_nothing_that_can_be_typed_is_a_fault(text: str) -> None:
    assert all(Query(text).terms)


def test_the_roles_of_the_command_line_are_those_there_are() -> None:
    assert tuple(ROLES) == arguments.ROLES
    assert Query("x", role="user").kinds == {Kind.PROMPT}
    with pytest.raises(RedlineError, match="no role"):
        _ = Query("x", role="robot").kinds


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3d", datetime(2026, 11, 17, 12, tzinfo=UTC)),
        ("12h", datetime(2026, 11, 20, 0, tzinfo=UTC)),
        ("30M", datetime(2026, 11, 20, 11, 30, tzinfo=UTC)),
        (" 2w ", datetime(2026, 11, 6, 12, tzinfo=UTC)),
        ("2026-08-01T00:00:00Z", datetime(2026, 8, 1, tzinfo=UTC)),
        ("2026-08-01T02:00:00+02:00", datetime(2026, 8, 1, tzinfo=UTC)),
    ],
)
def test_a_time_is_read_as_people_write_it(text: str, expected: datetime) -> None:
    assert parse_since(text, NOW) == expected


def test_a_date_begins_at_midnight_here() -> None:
    assert parse_since("2026-08-01", NOW) == datetime(2026, 8, 1).astimezone(UTC)


@pytest.mark.parametrize(
    "text", ["", "soon", "3", "d", "999999w", "0001-01-01", "2026-13-01", "-3d"]
)
def test_what_is_no_time_is_told(text: str) -> None:
    with pytest.raises(RedlineError, match="is no time"):
        parse_since(text, NOW)


def test_a_project_is_its_folder_and_all_below(tmp_path: Path) -> None:
    real = tmp_path / "shop"
    real.mkdir()
    link = tmp_path / "link"
    link.symlink_to(real)
    assert is_below(str(real), link)
    assert is_below(str(link / "src"), real)
    assert not is_below(str(tmp_path / "shopping"), real)
    assert not is_below("relative", real)
    assert not is_below(None, real)
    assert not is_below("/a\0b", real)
