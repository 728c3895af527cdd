"""Where the user's home folder is, and the folders that agents have in it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path


def users_home(environment: Mapping[str, str] | None = None) -> Path | None:
    """The user's home folder, None where there is none. Without an `environment` that of this
    process holds, and the system is asked where it names no home."""
    env = os.environ if environment is None else environment
    if named := env.get("HOME") or env.get("USERPROFILE"):
        return Path(named)
    if environment is not None:
        return None
    try:
        return Path.home()
    except RuntimeError:
        return None


def beneath_home(named: str, environment: Mapping[str, str] | None = None) -> Path | None:
    """The path `named`, in which `~` is the user's home folder: None where it names one that is
    not there."""
    if named == "~" or named.startswith("~/"):
        base = users_home(environment)
        return base / named[2:] if base is not None else None
    return Path(named)


def agent_home(
    named: str | None, default: str, environment: Mapping[str, str] | None = None
) -> Path | None:
    """The folder that an agent was told to use (`named`), else `default` in the user's home."""
    return beneath_home(named or f"~/{default}", environment)
