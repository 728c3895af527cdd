"""What Claude Code itself says of the window and of when it compacts.

The file of a session does not tell: it depends on the model, the version, the environment and the
settings. So every figure is an estimate, with a word for where it is from.

Sources: the documented defaults of 2.1.240; measured automatic compactions of 2.0.64 to 2.1.42
(smallest: 155,031 tokens before 2.1.21 and 167,038 after, of a window of 200,000).
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from redline.agents.claude_code.finding import config_folder
from redline.agents.token_count import token_count

WINDOW, LONG_WINDOW = 200_000, 1_000_000
SUMMARY_RESERVE = 20_000  # held back for the summary, at most
BUFFER = 13_000  # tokens before the rest that it compacts at
OLD_OUTPUT_RESERVE = 32_000  # before 2.1.21 the whole output limit was held back
_FULL_OUTPUT_UNTIL = (2, 1, 21)
_CUSTOM_WINDOW = (100_000, 1_000_000)
_NATIVE_LONG = re.compile(r"claude-(sonnet|fable)-5(?!\d)")
_DATE = re.compile(r"-\d{8}$")


@dataclass(frozen=True, slots=True)
class Limits:
    """Figures for one model, in tokens.

    `window` is None for a model that is not Claude's. `threshold` is None where it does not
    compact by itself. The sources say in a word or two where a figure is from.
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


def limits(
    model: str | None,
    *,
    version: str | None = None,
    used: int = 0,
    project: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Limits:
    """The limits of `model` in Claude Code `version`.

    `used` are the most tokens that the session was ever billed: more than the usual window means
    the long one. Settings files are only read: the user's, then the project's, then its local one.
    """
    env = os.environ if environment is None else environment
    settings = _settings(project, environment)
    env = {**_settings_environment(settings), **env}
    window, source = _window(model, used, env)
    if window is None:
        return Limits(None, source, None, "unknown")
    threshold, threshold_source = _threshold(window, version, settings, env)
    return Limits(window, source, threshold, threshold_source)


def _window(model: str | None, used: int, env: Mapping[str, str]) -> tuple[int | None, str]:
    if asked := _number(env.get("CLAUDE_CODE_MAX_CONTEXT_TOKENS")):
        return asked, "environment"
    name = _DATE.sub("", (model or "").lower())
    if used > WINDOW:
        return LONG_WINDOW, "more was used"
    if _on(env.get("CLAUDE_CODE_DISABLE_1M_CONTEXT")):
        return (WINDOW, "environment") if "claude" in name else (None, "unknown")
    if "[1m]" in name:
        return LONG_WINDOW, "model name"
    if "claude" not in name:
        return None, "unknown"
    if _NATIVE_LONG.search(name):
        return LONG_WINDOW, "agent default"
    return WINDOW, "agent default"


def _threshold(
    window: int, version: str | None, settings: Mapping[str, Any], env: Mapping[str, str]
) -> tuple[int | None, str]:
    if _on(env.get("DISABLE_COMPACT")) or _on(env.get("DISABLE_AUTO_COMPACT")):
        return None, "switched off by the environment"
    if settings.get("autoCompactEnabled") is False:
        return None, "switched off by the settings"
    size, source = window, "estimated"
    if asked := _number(env.get("CLAUDE_CODE_AUTO_COMPACT_WINDOW")):
        size, source = min(window, _clamped(asked)), "environment"
    elif asked := token_count(settings.get("autoCompactWindow")):
        size, source = min(window, _clamped(asked)), "settings"
    output = _number(env.get("CLAUDE_CODE_MAX_OUTPUT_TOKENS")) or OLD_OUTPUT_RESERVE
    reserve = output if _before(version, _FULL_OUTPUT_UNTIL) else min(output, SUMMARY_RESERVE)
    threshold = max(0, size - reserve - BUFFER)
    percent = _number(env.get("CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"))
    if percent and percent <= 100:
        lowered = (size - reserve) * percent // 100
        if lowered < threshold:
            return lowered, "environment"
    return threshold, source


def _clamped(asked: int) -> int:
    return max(_CUSTOM_WINDOW[0], min(asked, _CUSTOM_WINDOW[1]))


def _before(version: str | None, limit: tuple[int, ...]) -> bool:
    """Whether `version` is older than `limit`; an unknown one is not."""
    found = re.match(r"(\d+)\.(\d+)\.(\d+)", version or "")
    return found is not None and tuple(int(n) for n in found.groups()) < limit


def _number(value: str | None) -> int | None:
    """The leading whole number of a setting in the environment ("500k" reads as 500)."""
    found = re.match(r"\s*(\d{1,12})", value or "")
    return int(found[1]) or None if found else None


def _on(value: str | None) -> bool:
    return (value or "").strip().lower() in ("1", "true", "yes", "on")


def _settings(project: Path | None, environment: Mapping[str, str] | None) -> dict[str, Any]:
    """The user's settings, with the project's over them."""
    files = []
    if (folder := config_folder(environment)) is not None:
        files.append(folder / "settings.json")
    if project is not None:
        files += [project / ".claude" / name for name in ("settings.json", "settings.local.json")]
    merged: dict[str, Any] = {}
    for path in files:
        try:
            value = orjson.loads(path.read_bytes())
        except (OSError, ValueError):
            continue
        if isinstance(value, dict):
            both = {**_dict(merged.get("env")), **_dict(value.get("env"))}
            merged = {**merged, **value, "env": both}
    return merged


def _settings_environment(settings: Mapping[str, Any]) -> dict[str, str]:
    return {k: v for k, v in _dict(settings.get("env")).items() if isinstance(v, str)}


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
