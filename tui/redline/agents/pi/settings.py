"""What bears on compaction in this agent's own settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from redline.agents.own import OwnSetting
from redline.agents.pi.fields import number_of
from redline.agents.pi.finding import agent_folder, read_settings

ENABLED = "compaction.enabled"
_OVERRIDES = "compaction.modelOverrides."
_FIGURES = ("reserveTokens", "keepRecentTokens")


def settings(
    project: Path | None, environment: Mapping[str, str] | None = None
) -> Mapping[str, OwnSetting]:
    """`compaction.*` of the project's `.pi/settings.json`, then of the agent's folder; what holds
    for one model is under `compaction.modelOverrides.PROVIDER/ID.*`. Values that are no whole
    numbers are passed over."""
    folder = agent_folder(environment)
    files = [] if project is None else [project / ".pi" / "settings.json"]
    files += [] if folder is None else [folder / "settings.json"]
    found: dict[str, OwnSetting] = {}
    for path in files:
        compaction = read_settings(path).get("compaction")
        if isinstance(compaction, dict):
            for name, value in _stated(compaction):
                found.setdefault(name, OwnSetting(value, str(path)))
    return found


def figure(own: Mapping[str, OwnSetting], model: str | None, name: str) -> OwnSetting | None:
    """The setting `name` that holds for `model` (its id, with or without `provider/`): a model's
    own comes first."""
    for key, setting in own.items():
        its = key.removeprefix(_OVERRIDES).removesuffix(f".{name}")
        if key == f"{_OVERRIDES}{its}.{name}" and is_model(its, model):
            return setting
    return own.get(f"compaction.{name}")


def is_model(name: object, model: str | None) -> bool:
    """Whether the setting's `provider/id` means `model`."""
    if model is None or not isinstance(name, str):
        return False
    return name == model or name.partition("/")[2] == model


def _stated(compaction: Mapping[str, Any]) -> Iterator[tuple[str, int | bool]]:
    if isinstance(compaction.get("enabled"), bool):
        yield ENABLED, compaction["enabled"]
    yield from _figures("compaction.", compaction)
    overrides = compaction.get("modelOverrides")
    for model, override in overrides.items() if isinstance(overrides, dict) else ():
        if isinstance(override, dict):
            yield from _figures(f"{_OVERRIDES}{model}.", override)


def _figures(start: str, stated: Mapping[str, Any]) -> Iterator[tuple[str, int]]:
    for name in _FIGURES:
        value = number_of(stated.get(name))
        if value is not None and value >= 0:
            yield start + name, value
