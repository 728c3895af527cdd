"""What bears on compaction in Codex's own settings (0.100 to 0.171).

`config.toml` in Codex's folder, its chosen profile, and the `.codex/config.toml` of a trusted
project. What a flag of one run sets (`-c`, `--profile`) no file tells.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from redline.agents.codex.finding import home
from redline.agents.own import OwnSetting

WINDOW = "model_context_window"
LIMIT = "model_auto_compact_token_limit"
SCOPE = "model_auto_compact_token_limit_scope"
PROVIDER = "model_provider"
PROVIDER_NAME = "model_providers.name"  # of the chosen provider: it decides who compacts
TOKEN_BUDGET = "features.token_budget"
_CONFIG = "config.toml"
_KEYS: Mapping[str, type] = {
    WINDOW: int,
    LIMIT: int,
    SCOPE: str,
    PROVIDER: str,
    "model": str,
    "compact_prompt": str,
    "experimental_compact_prompt_file": str,
    "tool_output_token_limit": int,
    "project_doc_max_bytes": int,
    "features.remote_compaction_v2": bool,
    TOKEN_BUDGET: bool,
    "features.hooks": bool,
    "features.retain_client_developer_messages": bool,
}


def settings(
    project: Path | None, environment: Mapping[str, str] | None = None
) -> Mapping[str, OwnSetting]:
    """The settings that hold in the folder `project`; one of a wrong type is passed over, so that
    the next file that has it holds. `model_providers.name` is that of the chosen provider."""
    stated = list(_stated(project, environment))
    found: dict[str, OwnSetting] = {}
    for key, kind in _KEYS.items():
        setting = _first(stated, key.split("."), kind)
        if setting is not None:
            found[key] = setting
    if PROVIDER in found:
        path = ["model_providers", str(found[PROVIDER].value), "name"]
        name = _first(stated, path, str)
        if name is not None:
            found[PROVIDER_NAME] = name
    return found


def number(project: Path, environment: Mapping[str, str] | None, key: str) -> int | None:
    """A whole number from 0 that is set under `key` (dotted)."""
    for tables in _values(project, environment, key):
        if type(tables) is int and tables >= 0:
            return tables
    return None


def listed(project: Path, environment: Mapping[str, str] | None, key: str) -> tuple[str, ...]:
    """The texts of a list that is set under `key` (dotted), empty where none is."""
    for value in _values(project, environment, key):
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
    return ()


def untrusted(project: Path, environment: Mapping[str, str] | None) -> bool:
    """Whether the user said of `project` that it is not to be trusted."""
    folder = home(environment)
    users = _read(folder / _CONFIG) if folder is not None else {}
    return any(entry.get("trust_level") == "untrusted" for entry in _entries_of(project, users))


def _values(project: Path, environment: Mapping[str, str] | None, key: str) -> Iterator[object]:
    for _, tables in _stated(project, environment):
        value: object = tables
        for name in key.split("."):
            value = value.get(name) if isinstance(value, dict) else None
        yield value


def _first(
    stated: list[tuple[str, Mapping[str, Any]]], path: list[str], kind: type
) -> OwnSetting | None:
    for source, tables in stated:
        value: object = tables
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if kind is bool and isinstance(value, dict):  # a table of the feature's own settings
            value = value.get("enabled", True)
        if type(value) is kind and isinstance(value, int | str) and (kind is not int or value > 0):  # type: ignore[operator]
            return OwnSetting(value, source)
    return None


def _stated(
    project: Path | None, environment: Mapping[str, str] | None
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The settings files, the ones that win first, each with its place."""
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
    tops = (project, *project.parents)
    root = next((top for top in tops if os.path.exists(top / ".git")), project)
    if not (_trusted(project, users) or _trusted(root, users)):
        return
    for folder in (project, *project.parents):
        path = folder / ".codex" / _CONFIG
        if os.path.isfile(path):
            yield path
        if folder == root:
            return


def _trusted(folder: Path, users: Mapping[str, Any]) -> bool:
    return any(entry.get("trust_level") == "trusted" for entry in _entries_of(folder, users))


def _entries_of(folder: Path, users: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the user's settings say of a folder, under its name or where it lies."""
    projects = users.get("projects")
    if not isinstance(projects, dict):
        return []
    entries = (projects.get(name) for name in (str(folder), _real(folder)))
    return [entry for entry in entries if isinstance(entry, dict)]


def _real(folder: Path) -> str:
    """Where `folder` lies; a name that no file system can hold stays as it is."""
    try:
        return os.path.realpath(folder)
    except (OSError, ValueError):
        return str(folder)
