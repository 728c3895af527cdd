"""What pi itself says of the window and of when it compacts (1.6.0).

pi compacts when the context passes window - reserve. The window is the model's; pi's own model
table is not on disk, only the models a user added (`models.json`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.agents.own import OwnSetting
from redline.agents.pi.fields import number_of
from redline.agents.pi.finding import agent_folder, read_settings
from redline.agents.pi.settings import ENABLED, figure, is_model, settings

RESERVE_TOKENS = 16384
KEEP_RECENT_TOKENS = 20000
DEFAULT = "pi's default"


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
    window = _window(folder / "models.json", model) if folder is not None else None
    return limits_by(settings(project, environment), model, window)


def limits_by(
    own: Mapping[str, OwnSetting], model: str | None, window: int | None = None
) -> Limits:
    """What `own`, pi's settings, mean for `model`."""
    reserve, keep = figure(own, model, "reserveTokens"), figure(own, model, "keepRecentTokens")
    enabled = own.get(ENABLED)
    return Limits(
        window,
        RESERVE_TOKENS if reserve is None else int(reserve.value),
        KEEP_RECENT_TOKENS if keep is None else int(keep.value),
        enabled is None or bool(enabled.value),
        DEFAULT if reserve is None else reserve.source,
    )


def _window(path: Path, model: str | None) -> int | None:
    """The window of a model the user added, in tokens."""
    providers = read_settings(path).get("providers")
    for name, provider in providers.items() if isinstance(providers, dict) else ():
        models = provider.get("models") if isinstance(provider, dict) else None
        for entry in models if isinstance(models, list) else ():
            if isinstance(entry, dict) and is_model(f"{name}/{entry.get('id')}", model):
                window = number_of(entry.get("contextWindow"))
                if window:
                    return window
    return None
