"""What Codex itself says of the window and of when it compacts (0.100 to 0.171).

A model has a raw window; Codex works with 95 % of it and compacts at 90 % of it or at a lower
figure of the settings, never at a higher one. A session states the 95 %.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from redline.agents.codex.settings import LIMIT, SCOPE, WINDOW, settings
from redline.agents.limits import Limits
from redline.agents.own import OwnSetting

RAW_WINDOW = 272_000  # of every model that Codex lists, unless the settings ask for more
LISTED = "gpt-5"
_ROUND = (1000, 1024)  # raw windows are multiples of one of these
DEFAULT = "Codex's default"
BODY = "body_after_prefix"


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
    return limits_of(model, window, settings(project, environment))


def limits_of(model: str | None, window: int | None, own: Mapping[str, OwnSetting]) -> Limits:
    """What holds for a session with `model` where Codex's settings are `own`."""
    raw, source = _figure(own, WINDOW)
    if window is not None and window > 0:
        raw, size, source = raw_of(window), window, "session"
    elif raw is not None:
        size = effective(raw)
    elif model is not None and model.startswith(LISTED):
        raw, source = RAW_WINDOW, DEFAULT
        size = effective(raw)
    else:
        return Limits(None, "unknown", None, "unknown")
    asked, asked_source = _figure(own, LIMIT)
    scope = own.get(SCOPE)
    if scope is not None and scope.value == BODY:
        return Limits(size, source, None, f"{scope.source}: of what follows the first request")
    most = trigger_of(raw)
    if asked is not None and asked < most:
        return Limits(size, source, min(asked, size), asked_source)
    return Limits(size, source, min(most, size), DEFAULT)


def trigger_of(raw: int) -> int:
    """The most that a raw window is filled with before Codex compacts (since 0.100)."""
    return raw * 9 // 10


def _figure(own: Mapping[str, OwnSetting], key: str) -> tuple[int | None, str]:
    found = own.get(key)
    return (found.value, found.source) if found and type(found.value) is int else (None, "unknown")
