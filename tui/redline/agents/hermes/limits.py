"""What Hermes itself says of the window and of when it compacts (0.19 and 0.22).

The window is the model's: from the configuration, or from what Hermes found out about the endpoint
before. The trigger is a share of what the window leaves for input, with a floor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from redline.agents.hermes.settings import FILE, MODEL_THRESHOLDS, read_yaml, stated_in
from redline.agents.hermes.store import DATABASE
from redline.agents.own import OwnSetting

OLD = "schema 22"  # the version of a session of 0.19
THRESHOLD = 0.50
SMALL_THRESHOLD = 0.75  # the least share of a window under SMALL_WINDOW
SMALL_WINDOW = 512_000
FLOOR = 64_000  # tokens
FLOOR_RATIO = 0.85  # of a window that the floor would fill
_CODEX = "openai-codex"
_CODEX_LARGE = ("gpt-5.4", "gpt-5.5", "gpt-5.6", "gpt-6-sol", "gpt-6.1-sol", "gpt-6-luna")
_CODEX_SPARK = "gpt-5.3-codex-spark"
_CODEX_SHARE, _SPARK_SHARE, _TRINITY_SHARE = 0.85, 0.70, 0.75
_CACHE = "context_length_cache.yaml"
_OFF = ("false", "0", "no")


@dataclass(frozen=True, slots=True)
class Limits:
    """Hermes' figures for one model. Sizes in tokens.

    `window` is None where none of its files tells it. `share` is the part of the input budget that
    may be filled, `held` what is reserved for the reply, `cap` the most that the trigger may be.
    `capped_floor` is the rule of 0.22: the floor leaves room in a window that is hardly larger.
    `source` says where the share is from.
    """

    window: int | None = None
    window_source: str = "hermes' config.yaml"
    share: float = THRESHOLD
    held: int = 0
    cap: int | None = None
    enabled: bool = True
    capped_floor: bool = True
    source: str = "hermes' default"

    def threshold(self, window: int | None = None) -> int | None:
        """Where Hermes compacts in a window of that size (its own `window` where None), in tokens.
        None where the window is unknown or it does not compact by itself."""
        size = self.window if window is None else window
        if size is None or size <= 0 or not self.enabled:
            return None
        share = max(self.share, SMALL_THRESHOLD) if size < SMALL_WINDOW else self.share
        found = trigger(size, share, self.held, capped_floor=self.capped_floor)
        return found if self.cap is None else min(found, self.cap, size)


def trigger(window: int, share: float, held: int = 0, *, capped_floor: bool = True) -> int:
    """Where Hermes compacts that may fill `share` of a window and holds `held` of it back."""
    budget = window - held if window > held else window
    by_share = int(budget * share)
    most = int(budget * FLOOR_RATIO)
    floored = max(by_share, FLOOR)
    if capped_floor and floored > by_share and floored > most:
        floored = max(by_share, most)
    return max(1, min(most, budget - 1)) if floored >= budget else floored


def home_of(path: Path) -> Path | None:
    """The home of Hermes that the file at `path` lies in, None where it lies elsewhere."""
    if path.name == DATABASE:
        return path.parent
    return path.parent.parent if path.parent.name == "sessions" else None


def limits(
    model: str | None, home: Path | None, *, provider: str | None = None, old: bool = False
) -> Limits:
    """What holds for `model` in the Hermes at `home`. `old` means 0.19, whose databases are of
    schema 22. Values of the wrong type are passed over."""
    config = read_yaml(home / FILE) if home is not None else {}
    found = limits_by(stated_in(config, FILE), model, provider=provider, old=old)
    named = config.get("model")
    chosen = named if isinstance(named, dict) else {"default": named}
    window, window_source = _window(config, chosen, model, home)
    return replace(found, window=window, window_source=window_source)


def limits_by(
    own: Mapping[str, OwnSetting],
    model: str | None,
    *,
    provider: str | None = None,
    old: bool = False,
) -> Limits:
    """What holds for `model` by Hermes' own settings, see `settings`; the window is not told."""
    said = {name: setting.value for name, setting in own.items()}
    route = provider or _text(said.get("model.provider"))
    stated = _share(said.get("compression.threshold"))
    share = stated or THRESHOLD
    source = own["compression.threshold"].source if stated else "hermes' default"
    special = _special(model, route, said.get("compression.codex_gpt55_autoraise", True))
    if special is not None:
        share, source = max(share, special), f"hermes' figure for {model}"
    named = {
        name.removeprefix(f"{MODEL_THRESHOLDS}."): setting
        for name, setting in own.items()
        if name.startswith(f"{MODEL_THRESHOLDS}.")
    }
    best = None if old else _own_share(named, model, route)
    if best is not None:
        share, source = best
    return Limits(
        share=share,
        held=_whole(said.get("model.max_tokens")) or 0,
        cap=None if old else _whole(said.get("compression.threshold_tokens")),
        enabled=str(said.get("compression.enabled", True)).lower() not in _OFF,
        capped_floor=not old,
        source=source,
    )


def _special(model: str | None, route: str | None, autoraise: object) -> float | None:
    """The shares that Hermes knows itself: of models that Codex gives a smaller window."""
    bare = (model or "").lower().rsplit("/", 1)[-1]
    if "trinity" in bare and "thinking" in bare:
        return _TRINITY_SHARE
    if (route or "").strip().lower() != _CODEX:
        return None
    raised = str(autoraise).lower() not in _OFF
    if raised and any(bare == f or bare.startswith((f"{f}-", f"{f}.")) for f in _CODEX_LARGE):
        return _CODEX_SHARE
    return _SPARK_SHARE if bare == _CODEX_SPARK else None


def _own_share(
    named: Mapping[str, OwnSetting], model: str | None, route: str | None
) -> tuple[float, str] | None:
    """The share that the user set for the model, and where: the longest name that it holds wins."""
    best: tuple[int, bool, float, str] | None = None
    for key, setting in named.items():
        scope, colon, name = key.rpartition(":")
        share = _share(setting.value)
        fits = not colon or scope.strip().lower() == (route or "").strip().lower()
        if share is not None and model and name in model and fits:
            found = (len(name), bool(colon), share, setting.source)
            best = found if best is None else max(best, found)
    return best[2:] if best else None


def _window(
    config: Mapping[str, Any], chosen: Mapping[str, Any], model: str | None, home: Path | None
) -> tuple[int | None, str]:
    default = _text(chosen.get("default")) or _text(chosen.get("model"))
    stated = _whole(chosen.get("context_length"))
    if stated and (default is None or model is None or default == model):
        return stated, FILE
    providers = config.get("custom_providers")
    for provider in providers if isinstance(providers, list) else ():
        models = _dict(_dict(provider).get("models"))
        own = _whole(_dict(models.get(model)).get("context_length"))
        if own:
            return own, FILE
    known = _dict(read_yaml(home / _CACHE).get("context_lengths")) if home is not None else {}
    found = [n for key, n in known.items() if str(key).rpartition("@")[0] == model and _whole(n)]
    return (_whole(min(found)), _CACHE) if found else (None, "unknown")


def _dict(value: object) -> Mapping[Any, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _whole(value: object) -> int | None:
    """A positive whole number, also one that is written as text."""
    if isinstance(value, str) and value.strip().isdecimal():
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _share(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        share = float(value)
    except ValueError:
        return None
    return share if 0 < share <= 1 else None
