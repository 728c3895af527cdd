"""The prompts: files of their own, each with its version in the first line."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_FIRST = re.compile(r"<!-- redline prompt: ([a-z-]+), version (\d+) -->\n")
_GAP = re.compile(r"\{\{([a-z]+)\}\}")


@dataclass(frozen=True, slots=True)
class Template:
    """A prompt with gaps `{{name}}`."""

    name: str
    version: int
    text: str

    def filled(self, **gaps: str) -> str:
        """The text with its gaps filled. What fills them is not looked into for further gaps.
        Raises KeyError for one that nothing was given for."""
        return _GAP.sub(lambda gap: gaps[gap[1]], self.text)


@cache
def template(name: str) -> Template:
    """The prompt called `name`."""
    text = files("redline.handoff.writers").joinpath("prompts", f"{name}.md").read_text("utf-8")
    first = _FIRST.match(text)
    if first is None or first[1] != name:
        raise ValueError(f"prompts/{name}.md does not begin with its name and version")
    return Template(name, int(first[2]), text[first.end() :].strip())


def versions(names: tuple[str, ...]) -> str:
    """The names with their versions, as they are noted down with what was written."""
    found: Mapping[str, int] = {name: template(name).version for name in names}
    return ", ".join(f"{name} {version}" for name, version in found.items())
