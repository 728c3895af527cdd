"""Themes: YAML files that say every colour of the screens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from textual.color import Color, ColorParseError
from textual.theme import Theme

from redline.errors import in_words

DEFAULT = "redline-dark"

_COLOURS = (
    "primary",
    "secondary",
    "accent",
    "warning",
    "error",
    "success",
    "foreground",
    "background",
    "surface",
    "panel",
)

# What a theme of somebody else's does not know: taken from its nearest colour of Textual's.
FALLBACKS = {
    "category-system": "#8794b8",
    "category-user": "#e6b450",
    "category-assistant": "#4fc3b8",
    "category-thinking": "#b294e0",
    "category-tool": "#6f9cf0",
    "category-summary": "#8cc97f",
    "category-free": "#808080",
    "category-reserve": "#a06868",
    "bar-ink": "#0d0f14",
    "cut": "#ff5f5a",
    "faint": "#8a8f99",
    "row-cursor": "#3d4660",
    "row-cursor-blurred": "#30343f",
    "row-picked": "#4a3f5c",
    "removed": "#4a252d",
    "added": "#214030",
}


@dataclass(frozen=True, slots=True)
class Themes:
    """The themes that could be read, and in `failures` what is wrong with the others."""

    themes: tuple[Theme, ...]
    failures: tuple[str, ...]


def read_themes(folders: Iterable[Path]) -> Themes:
    """All `*.yaml` themes of `folders`; a later one replaces an earlier one of the same name."""
    found: dict[str, Theme] = {}
    failures: list[str] = []
    for folder in folders:
        for path in sorted(folder.glob("*.yaml")):
            theme, wrong = read_theme(path)
            failures += [f"{path.name}: {what}" for what in wrong]
            if theme is not None:
                found[theme.name] = theme
    return Themes(tuple(found.values()), tuple(failures))


def read_theme(path: Path) -> tuple[Theme | None, list[str]]:
    """The theme in `path`, or everything that is wrong with it."""
    import yaml

    try:
        value = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        return None, [f"cannot be read: {in_words(error)}"]
    except yaml.YAMLError as error:
        return None, [f"no YAML: {' '.join(str(error).split())}"]
    if not isinstance(value, dict):
        return None, ["a mapping was expected"]
    wrong: list[str] = []
    name = value.get("name")
    if not isinstance(name, str) or not name:
        wrong.append("name: a text was expected")
    dark = value.get("dark", True)
    if not isinstance(dark, bool):
        wrong.append("dark: true or false was expected")
    variables = value.get("variables") or {}
    if not isinstance(variables, dict):
        wrong.append("variables: a mapping was expected")
        variables = {}
    known = (*_COLOURS, "name", "dark", "variables")
    wrong += [f"{key}: no such setting of a theme" for key in value if key not in known]
    if "primary" not in value:
        wrong.append("primary: missing")
    colours = {key: value[key] for key in _COLOURS if key in value}
    for key, colour in {**colours, **variables}.items():
        if not _is_colour(colour):
            wrong.append(f"{key}: {colour!r} is no colour")
    if wrong:
        return None, wrong
    return Theme(name=str(name), dark=dark, variables=variables, **colours), []


def _is_colour(value: object) -> bool:
    try:
        Color.parse(str(value))
    except ColorParseError:
        return False
    return isinstance(value, str)
