"""What bears on compaction in Hermes' own configuration (`config.yaml`, 0.19 and 0.22).

Hermes reads it from its home, which `HERMES_HOME` names; it has none of a project's and no variable
that sets a threshold.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from redline.agents.hermes.finding import home
from redline.agents.own import OwnSetting

FILE = "config.yaml"
MODEL_THRESHOLDS = "compression.model_thresholds"
_SECTIONS = ("compression", "model", "context", "auxiliary.compression")
_SECRETS = frozenset(("key", "token", "secret", "password"))
_DEEPEST = 4  # levels; an alias in YAML may hold itself
_LARGEST_FILE = 4_000_000  # bytes


def settings(
    project: Path | None,  # noqa: ARG001 - no setting of Hermes is of a project
    environment: Mapping[str, str] | None = None,
) -> Mapping[str, OwnSetting]:
    """The values that a person set, under Hermes' own names (`compression.threshold`,
    `compression.model_thresholds.NAME`, `model.max_tokens`)."""
    return stated(home(environment))


def stated(folder: Path | None) -> Mapping[str, OwnSetting]:
    """What the configuration in the home `folder` says, none where there is no file."""
    return stated_in(read_yaml(folder / FILE), str(folder / FILE)) if folder is not None else {}


def stated_in(config: Mapping[Any, Any], source: str) -> Mapping[str, OwnSetting]:
    """The same of a configuration that was read from `source`."""
    found: dict[str, OwnSetting] = {}
    for section in _SECTIONS:
        inner: Any = config
        for step in section.split("."):
            inner = inner.get(step) if isinstance(inner, dict) else None
        if section == "model" and isinstance(inner, str):
            inner = {"default": inner}
        if isinstance(inner, dict):
            found |= {name: OwnSetting(value, source) for name, value in _values(inner, section)}
    return found


def _values(
    inner: object, name: str, depth: int = 0
) -> Iterator[tuple[str, int | float | bool | str]]:
    """The plain values under `inner`, with their names; keys and passwords are passed over."""
    if isinstance(inner, dict) and depth < _DEEPEST:
        for key, value in inner.items():
            if _SECRETS.isdisjoint(str(key).lower().split("_")):
                yield from _values(value, f"{name}.{key}", depth + 1)
    elif isinstance(inner, int | float | bool | str):
        yield name, inner


def read_yaml(path: Path) -> Mapping[str, Any]:
    """A YAML file of Hermes, empty where it is missing or broken."""
    try:
        if path.stat().st_size > _LARGEST_FILE:
            return {}
        written = path.read_bytes().decode("utf-8-sig", "replace")
    except OSError:
        return {}
    import yaml

    try:
        found = yaml.safe_load(written)
    except (ValueError, RecursionError, yaml.YAMLError):
        return {}
    return found if isinstance(found, dict) else {}
