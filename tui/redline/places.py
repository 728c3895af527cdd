"""Where redline keeps its own files. `REDLINE_HOME` puts all of them under one folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.errors import RedlineError

NAME = "redline"


@dataclass(frozen=True, slots=True)
class Places:
    """The four folders; none is made before something is written to it."""

    config: Path
    state: Path
    data: Path
    cache: Path

    @property
    def settings(self) -> Path:
        """The settings file."""
        return self.config / "config.yaml"

    @property
    def database(self) -> Path:
        """Ledger, pins and drafts."""
        return self.state / "redline.sqlite"

    @property
    def catalogue(self) -> Path:
        """The list of sessions and the index of their texts; a cache."""
        return self.cache / "catalogue.sqlite"

    @property
    def receipts(self) -> Path:
        """One folder per commit."""
        return self.state / "receipts"

    @property
    def handoffs(self) -> Path:
        """Handoffs that no other place was named for."""
        return self.data / "handoffs"


def places(environment: Mapping[str, str] | None = None) -> Places:
    """The folders for this user. Raises RedlineError where there is no home folder.

    `environment` stands for the process's own; on Linux nothing else is asked (the XDG base
    directories), on other systems the folders of the platform are taken.
    """
    env = os.environ if environment is None else environment
    try:
        if home := env.get("REDLINE_HOME"):
            root = _home(env, home).absolute()
            return Places(root / "config", root / "state", root / "data", root / "cache")
        if sys.platform.startswith("linux"):
            return Places(
                _xdg(env, "XDG_CONFIG_HOME", ".config"),
                _xdg(env, "XDG_STATE_HOME", ".local/state"),
                _xdg(env, "XDG_DATA_HOME", ".local/share"),
                _xdg(env, "XDG_CACHE_HOME", ".cache"),
            )
        import platformdirs

        return Places(
            platformdirs.user_config_path(NAME),
            platformdirs.user_state_path(NAME),
            platformdirs.user_data_path(NAME),
            platformdirs.user_cache_path(NAME),
        )
    except RuntimeError as error:  # Path.home() knows no home folder
        raise RedlineError(
            "there is no home folder to keep redline's files in",
            "set HOME, or REDLINE_HOME to a folder of your choice",
        ) from error


def _xdg(env: Mapping[str, str], variable: str, default: str) -> Path:
    """A base directory with redline's folder in it; a relative one is not taken (XDG 0.8)."""
    named = env.get(variable, "")
    base = Path(named) if Path(named).is_absolute() else _home(env, "~") / default
    return base / NAME


def _home(env: Mapping[str, str], text: str) -> Path:
    """`text` as a path, `~` by the HOME of `env`. Raises RuntimeError where there is none."""
    path = Path(text)
    if path.parts[:1] == ("~",) and env.get("HOME") == "":
        raise RuntimeError("HOME is empty")
    if path.parts[:1] != ("~",) or not env.get("HOME"):
        return path.expanduser()
    return Path(env["HOME"]).joinpath(*path.parts[1:])
