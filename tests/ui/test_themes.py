from __future__ import annotations

from pathlib import Path

import pytest

from redline.shipped import shipped
from redline.ui.themes import FALLBACKS, read_themes


def test_the_shipped_themes_are_whole() -> None:
    found = read_themes([shipped("themes")])
    assert found.failures == ()
    assert {theme.name for theme in found.themes} == {"redline-dark", "redline-light"}
    for theme in found.themes:
        assert set(theme.variables) == set(FALLBACKS)


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("name: a\nprimary: nocolour\nsurfice: '#fff'\n")
    (tmp_path / "b.yaml").write_text("[")
    (tmp_path / "c.yaml").write_text("- 1\n")
    (tmp_path / "d.yaml").write_bytes(b"\xff\xfe")
    found = read_themes([tmp_path])
    assert found.themes == ()
    told = "\n".join(found.failures)
    assert "a.yaml: primary: 'nocolour' is no colour" in told
    assert "a.yaml: surfice: no such setting of a theme" in told
    assert "b.yaml: no YAML" in told
    assert "c.yaml: a mapping was expected" in told
    assert "d.yaml: cannot be read" in told


def test_a_theme_of_ones_own_replaces_a_shipped_one(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("name: redline-dark\nprimary: '#123456'\n")
    found = read_themes([shipped("themes"), tmp_path])
    named = {theme.name: theme for theme in found.themes}
    assert named["redline-dark"].primary == "#123456"


@pytest.mark.parametrize("name", sorted(FALLBACKS))
def test_every_colour_of_the_style_sheets_has_a_fallback(name: str) -> None:
    assert FALLBACKS[name].startswith("#")
