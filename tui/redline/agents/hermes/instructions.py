"""The files of instructions that Hermes reads on start (checked with 0.19.0).

SOUL.md of its home, and of the project only the first kind that is there. What is longer than a
limit loses its middle: 70 % of the limit is kept of its start and 20 % of its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from redline.agents.hermes.finding import home
from redline.agents.hermes.settings import FILE, read_yaml
from redline.agents.instructions import Instructions, Shelf, repository, upwards

LIMIT = 20_000  # characters of one kind, where neither the settings nor the window give more
_MOST = 500_000
_PART = 0.06 * 4  # of the window, in characters
_HEAD = 0.7
_UPWARDS = (".hermes.md", "HERMES.md")
_HERE = (("AGENTS.md", "agents.md"), ("CLAUDE.md", "claude.md"))
NAMES = (*_UPWARDS, *_HERE[0], *_HERE[1], ".cursorrules")


def instructions(
    project: Path, environment: Mapping[str, str] | None, shelf: Shelf
) -> tuple[Instructions, ...]:
    """The files for the folder `project`, in order."""
    folder = home(environment)
    found = [] if folder is None else _named([(folder / "SOUL.md", "yours, who it is")], shelf)
    most = limit(environment)
    above = [place for place in _above(project) if shelf.read(place[0]) is not None][:1]
    for names in (above, *(_beside(project, names) for names in _HERE)):
        if of_project := _named(names, shelf)[:1]:
            return _cut([*found, *of_project], most)
    rules = [(project / ".cursorrules", "project")]
    rules += [
        (path, "project")
        for path in sorted(shelf.below(project / ".cursor" / "rules"))
        if path.suffix == ".mdc"
    ]
    return _cut([*found, *_named(rules, shelf)], most)


def limit(environment: Mapping[str, str] | None) -> int:
    """The characters of one kind of file that Hermes reads."""
    folder = home(environment)
    config = read_yaml(folder / FILE) if folder is not None else {}
    stated = config.get("context_file_max_chars")
    if isinstance(stated, int | float) and stated > 0:
        return int(stated)
    model = config.get("model")
    window = model.get("context_length") if isinstance(model, dict) else None
    if not isinstance(window, int) or window <= 0:
        return LIMIT
    return max(LIMIT, min(int(window * _PART), _MOST))


def _above(project: Path) -> Iterator[tuple[Path, str]]:
    """The nearest file of Hermes' own, up to the repository's root."""
    for folder in reversed(upwards(project, repository(project) or project)):
        for name in _UPWARDS:
            yield folder / name, "project" if folder == project else f"of {folder}"


def _beside(project: Path, names: tuple[str, ...]) -> list[tuple[Path, str]]:
    return [(project / name, "project") for name in names]


def _named(names: Iterable[tuple[Path, str]], shelf: Shelf) -> list[Instructions]:
    found = []
    for path, why in names:
        data = shelf.read(path) or b""
        if text := data.decode("utf-8-sig", "replace").strip():
            found.append(Instructions(path, len(data), why, text))
    return found


def _cut(found: list[Instructions], most: int) -> tuple[Instructions, ...]:
    return tuple(
        one
        if len(one.text) <= most
        else replace(one, cut_at=len(one.text[: int(most * _HEAD)].encode()))
        for one in found
    )
