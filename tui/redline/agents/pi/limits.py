"""What pi itself says of the window and of when it compacts (1.6.0).

pi compacts when the context passes window - reserve. The window is the model's; pi's own model
table is not on disk, only the models a user added (`models.json`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redline.agents.pi.fields import number_of
from redline.agents.pi.finding import agent_folder, read_settings

RESERVE_TOKENS = 16384
KEEP_RECENT_TOKENS = 20000


@dataclass(frozen=True, slots=True)
class Limits:
    """pi's figures for one model, in tokens.

    `window` is None where no file of pi's tells it. `source` names the file the reserve is from,
    "pi's default" where none states one.
    """

    window: int | None
    reserve: int
    keep_recent: int
    enabled: bool
    source: str

    def threshold(self, window: int | None = None) -> int | None:
        """Where pi compacts in a window of that size (its own `window` where None), in tokens.
        None where the window is unknown or pi does not compact by itself."""
        size = self.window if window is None else window
        if size is None or not self.enabled:
            return None
        return max(0, size - self.reserve)


def limits(
    model: str | None,
    project: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Limits:
    """What holds for `model` (its id, with or without `provider/`) in the folder `project`.

    A model's own override comes first, then the project's `.pi/settings.json`, then the settings of
    the agent's folder, then the defaults. Values that are no whole numbers are passed over.
    """
    folder = agent_folder(environment)
    files = []
    if project is not None:
        files.append(project / ".pi" / "settings.json")
    if folder is not None:
        files.append(folder / "settings.json")
    stated = [(path, _compaction(path)) for path in files]
    reserve, source = _figure(stated, model, "reserveTokens", RESERVE_TOKENS)
    keep, _ = _figure(stated, model, "keepRecentTokens", KEEP_RECENT_TOKENS)
    enabled = next((c["enabled"] for _, c in stated if isinstance(c.get("enabled"), bool)), True)
    window = _window(folder / "models.json", model) if folder is not None else None
    return Limits(window, reserve, keep, enabled, source)


def _compaction(path: Path) -> Mapping[str, Any]:
    found = read_settings(path).get("compaction")
    return found if isinstance(found, dict) else {}


def _is_model(name: object, model: str | None) -> bool:
    """Whether the setting's `provider/id` means `model`."""
    if model is None or not isinstance(name, str):
        return False
    return name == model or name.partition("/")[2] == model


def _figure(
    stated: list[tuple[Path, Mapping[str, Any]]], model: str | None, field: str, default: int
) -> tuple[int, str]:
    for path, settings in stated:
        overrides = settings.get("modelOverrides")
        for name, override in overrides.items() if isinstance(overrides, dict) else ():
            if _is_model(name, model) and isinstance(override, dict):
                figure = number_of(override.get(field))
                if figure is not None and figure >= 0:
                    return figure, str(path)
    for path, settings in stated:
        figure = number_of(settings.get(field))
        if figure is not None and figure >= 0:
            return figure, str(path)
    return default, "pi's default"


def _window(path: Path, model: str | None) -> int | None:
    """The window of a model the user added, in tokens."""
    providers = read_settings(path).get("providers")
    for name, provider in providers.items() if isinstance(providers, dict) else ():
        models = provider.get("models") if isinstance(provider, dict) else None
        for entry in models if isinstance(models, list) else ():
            if isinstance(entry, dict) and _is_model(f"{name}/{entry.get('id')}", model):
                window = number_of(entry.get("contextWindow"))
                if window:
                    return window
    return None
