"""What Codex itself says of the window and of when it compacts (0.100 to 0.171).

A model has a raw window; Codex works with 95 % of it and compacts at 90 % of it or at a lower
figure of the settings, never at a higher one. A session states the 95 %.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redline.agents.codex.finding import home

RAW_WINDOW = 272_000  # of every model that Codex lists, unless the settings ask for more
_LISTED = "gpt-5"
_ROUND = (1000, 1024)  # raw windows are multiples of one of these
DEFAULT = "Codex's default"
_CONFIG = "config.toml"
_WINDOW = "model_context_window"
_LIMIT = "model_auto_compact_token_limit"
_SCOPE = "model_auto_compact_token_limit_scope"


@dataclass(frozen=True, slots=True)
class Limits:
    """Codex's figures for one session, in tokens.

    `window` is what it works with (None for a model that it does not list), `threshold` where it
    compacts, None where that cannot be told. The sources name the file a figure is from.
    """

    window: int | None
    window_source: str
    threshold: int | None
    threshold_source: str

    @property
    def reserve(self) -> int | None:
        """What it holds back of the window before it compacts."""
        if self.window is None or self.threshold is None:
            return None
        return max(0, self.window - self.threshold)


def effective(raw: int) -> int:
    """The window that Codex works with, of a model's raw one."""
    return raw * 95 // 100


def raw_of(window: int) -> int:
    """The raw window of which a session states `window`; builds of 2025 stated the raw one."""
    raw = -(-window * 100 // 95)
    if any(raw % size == 0 for size in _ROUND):
        return raw
    return window if any(window % size == 0 for size in _ROUND) else raw


def limits(
    model: str | None,
    window: int | None = None,
    project: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Limits:
    """What holds for a session with `model` in the folder `project`.

    `window` is the one that the session states; it wins over every file. Settings that are no
    whole numbers are passed over. Which profile was chosen by a flag no file tells.
    """
    stated = list(_settings(project, environment))
    raw, source = _figure(stated, _WINDOW)
    if window is not None and window > 0:
        raw, size, source = raw_of(window), window, "session"
    elif raw is not None:
        size = effective(raw)
    elif model is not None and model.startswith(_LISTED):
        raw, source = RAW_WINDOW, DEFAULT
        size = effective(raw)
    else:
        return Limits(None, "unknown", None, "unknown")
    asked, asked_source = _figure(stated, _LIMIT)
    scope, scope_source = next(
        ((settings[_SCOPE], file) for file, settings in stated if _SCOPE in settings), ("total", "")
    )
    if scope == "body_after_prefix":
        return Limits(size, source, None, f"{scope_source}: of what follows the first request")
    most = raw * 9 // 10
    if asked is not None and asked < most:
        return Limits(size, source, min(asked, size), asked_source)
    return Limits(size, source, min(most, size), DEFAULT)


def _figure(stated: list[tuple[str, Mapping[str, Any]]], key: str) -> tuple[int | None, str]:
    for source, settings in stated:
        figure = settings.get(key)
        if type(figure) is int and figure > 0:
            return figure, source
    return None, "unknown"


def _settings(
    project: Path | None, environment: Mapping[str, str] | None
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The settings that hold, the ones that win first, each with its file."""
    folder = home(environment)
    own = folder / _CONFIG if folder is not None else None
    users = _read(own) if own is not None else {}
    profile = users.get("profile")
    profiles = users.get("profiles")
    chosen = profiles.get(profile) if isinstance(profiles, dict) else None
    if isinstance(chosen, dict):
        yield f"{own}, profile {profile}", chosen
    if project is not None:
        for path in _project_files(project, users):
            if path != own:
                yield str(path), _read(path)
    if own is not None:
        yield str(own), users


def _read(path: Path) -> Mapping[str, Any]:
    """A settings file of Codex, empty where it is missing or broken."""
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}


def _project_files(project: Path, users: Mapping[str, Any]) -> Iterator[Path]:
    """The settings files of a trusted project, the deepest folder's first."""
    root = next((top for top in (project, *project.parents) if (top / ".git").exists()), project)
    if not (_trusted(project, users) or _trusted(root, users)):
        return
    for folder in (project, *project.parents):
        path = folder / ".codex" / _CONFIG
        if path.is_file():
            yield path
        if folder == root:
            return


def _trusted(folder: Path, users: Mapping[str, Any]) -> bool:
    projects = users.get("projects")
    if not isinstance(projects, dict):
        return False
    entries = (projects.get(name) for name in (str(folder), os.path.realpath(folder)))
    return any(
        isinstance(entry, dict) and entry.get("trust_level") == "trusted" for entry in entries
    )
