"""What bears on compaction in Claude Code's own settings and environment.

Names and meanings are those documented for 2.1.240. Files are only read: the user's
`settings.json`, then the project's, then its local one; the later wins. An `env` block in them sets
variables too, under the ones that are really set.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import orjson

from redline.agents.claude_code.finding import config_folder
from redline.agents.own import OwnSetting
from redline.agents.token_count import token_count

AUTO_COMPACT, AUTO_WINDOW = "autoCompactEnabled", "autoCompactWindow"
NO_COMPACT, NO_AUTO_COMPACT = "DISABLE_COMPACT", "DISABLE_AUTO_COMPACT"
WINDOW_VARIABLE = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
PERCENT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"
MODEL_WINDOW = "CLAUDE_CODE_MAX_CONTEXT_TOKENS"
MOST_OUTPUT = "CLAUDE_CODE_MAX_OUTPUT_TOKENS"
NO_LONG_WINDOW = "CLAUDE_CODE_DISABLE_1M_CONTEXT"
NO_SESSION_MEMORY = "DISABLE_CLAUDE_CODE_SM_COMPACT"


def settings(
    project: Path | None, environment: Mapping[str, str] | None = None
) -> Mapping[str, OwnSetting]:
    """The settings that are there, by Claude Code's names: switches as bool, sizes in tokens and
    percentages as int. `source` is the path of a file, or `$NAME`. A value that Claude Code could
    not read is none."""
    env = os.environ if environment is None else environment
    found: dict[str, OwnSetting] = {}
    variables: dict[str, tuple[str, str]] = {}
    for path, values in files(project, environment):
        for name, fits in _IN_FILES.items():
            if name in values:
                found.pop(name, None)
                if fits(values[name]):
                    found[name] = OwnSetting(values[name], str(path))
        given = values.get("env")
        if isinstance(given, dict):
            variables |= {n: (given[n], str(path)) for n in _VARIABLES if _is_text(given.get(n))}
    variables |= {name: (env[name], f"${name}") for name in _VARIABLES if name in env}
    for name, (text, source) in variables.items():
        value = _VARIABLES[name](text)
        if value is not None:
            found[name] = OwnSetting(value, source)
    return found


def files(
    project: Path | None, environment: Mapping[str, str] | None
) -> list[tuple[Path, dict[str, Any]]]:
    """The settings files that are there and can be read, with what they hold; later ones win."""
    paths = []
    if (folder := config_folder(environment)) is not None:
        paths.append(folder / "settings.json")
    if project is not None:
        paths += [project / ".claude" / name for name in ("settings.json", "settings.local.json")]
    found: list[tuple[Path, dict[str, Any]]] = []
    for path in paths:
        try:
            value = orjson.loads(path.read_bytes())
        except (OSError, ValueError):
            continue
        if isinstance(value, dict):
            found.append((path, value))
    return found


def _number(text: str) -> int | None:
    """The leading whole number of a variable ("500k" reads as 500); 0 sets nothing."""
    found = re.match(r"\s*(\d{1,12})", text)
    return int(found[1]) or None if found else None


def _on(text: str) -> bool:
    return text.strip().lower() in ("1", "true", "yes", "on")


def _is_text(value: object) -> bool:
    return isinstance(value, str)


_IN_FILES: Mapping[str, Callable[[object], bool]] = {
    AUTO_COMPACT: lambda value: isinstance(value, bool),
    AUTO_WINDOW: lambda value: bool(token_count(value)),
}
_VARIABLES: Mapping[str, Callable[[str], int | bool | None]] = {
    NO_COMPACT: _on,
    NO_AUTO_COMPACT: _on,
    NO_LONG_WINDOW: _on,
    NO_SESSION_MEMORY: _on,
    WINDOW_VARIABLE: _number,
    PERCENT: _number,
    MODEL_WINDOW: _number,
    MOST_OUTPUT: _number,
}
