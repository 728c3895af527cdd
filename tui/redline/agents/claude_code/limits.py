"""What Claude Code itself says of the window and of when it compacts.

The file of a session does not tell: it depends on the model, the version, the environment and the
settings. So every figure is an estimate, with a word for where it is from.

Sources: the documented defaults of 2.1.240; measured automatic compactions of 2.0.64 to 2.1.42
(smallest: 155,031 tokens before 2.1.21 and 167,038 after, of a window of 200,000).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.agents.claude_code.settings import (
    AUTO_COMPACT,
    AUTO_WINDOW,
    MODEL_WINDOW,
    MOST_OUTPUT,
    NO_AUTO_COMPACT,
    NO_COMPACT,
    NO_LONG_WINDOW,
    PERCENT,
    WINDOW_VARIABLE,
    settings,
)
from redline.agents.limits import Limits
from redline.agents.own import OwnSetting

WINDOW, LONG_WINDOW = 200_000, 1_000_000
SUMMARY_RESERVE = 20_000  # held back for the summary, at most
BUFFER = 13_000  # tokens before the rest that it compacts at
OLD_OUTPUT_RESERVE = 32_000  # before 2.1.21 the whole output limit was held back
_FULL_OUTPUT_UNTIL = (2, 1, 21)
_CUSTOM_WINDOW = (100_000, 1_000_000)
_NATIVE_LONG = re.compile(r"claude-(sonnet|fable)-5(?!\d)")
_DATE = re.compile(r"-\d{8}$")


@dataclass(frozen=True, slots=True)
class Threshold:
    """Where it compacts by itself, in tokens (None: it does not), a word for who told it, and the
    setting that decided, where one did."""

    tokens: int | None
    source: str
    key: str | None = None


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
    own = settings(project, environment)
    window, source = _window(model, used, own)
    if window is None:
        return Limits(None, source, None, "unknown")
    found = threshold(window, version, own)
    return Limits(window, source, found.tokens, found.source)


def _window(model: str | None, used: int, own: Mapping[str, OwnSetting]) -> tuple[int | None, str]:
    if asked := _tokens(own, MODEL_WINDOW):
        return asked, "environment"
    name = _DATE.sub("", (model or "").lower())
    if used > WINDOW:
        return LONG_WINDOW, "more was used"
    if _is_on(own, NO_LONG_WINDOW):
        return (WINDOW, "environment") if "claude" in name else (None, "unknown")
    if "[1m]" in name:
        return LONG_WINDOW, "model name"
    if "claude" not in name:
        return None, "unknown"
    if _NATIVE_LONG.search(name):
        return LONG_WINDOW, "agent default"
    return WINDOW, "agent default"


def threshold(window: int, version: str | None, own: Mapping[str, OwnSetting]) -> Threshold:
    """Where `version` compacts a `window` of so many tokens, with the settings `own`.

    The percentage is one of the window without the summary's reserve, and only lowers (seen with
    2.1.197: 36,673 tokens of a window of 100,000 are over 40 % and under 50 %).
    """
    for name in (NO_COMPACT, NO_AUTO_COMPACT):
        if _is_on(own, name):
            return Threshold(None, "switched off by the environment", name)
    if AUTO_COMPACT in own and own[AUTO_COMPACT].value is False:
        return Threshold(None, "switched off by the settings", AUTO_COMPACT)
    size, source, key = window, "estimated", None
    if asked := _tokens(own, WINDOW_VARIABLE):
        size, source, key = min(window, _clamped(asked)), "environment", WINDOW_VARIABLE
    elif asked := _tokens(own, AUTO_WINDOW):
        size, source, key = min(window, _clamped(asked)), "settings", AUTO_WINDOW
    output = _tokens(own, MOST_OUTPUT) or OLD_OUTPUT_RESERVE
    reserve = output if before(version, _FULL_OUTPUT_UNTIL) else min(output, SUMMARY_RESERVE)
    usual = max(0, size - reserve - BUFFER)
    percent = _tokens(own, PERCENT)
    if percent and percent <= 100:
        lowered = (size - reserve) * percent // 100
        if lowered < usual:
            return Threshold(lowered, "environment", PERCENT)
    return Threshold(usual, source, key)


def before(version: str | None, limit: tuple[int, ...]) -> bool:
    """Whether `version` is older than `limit`; an unknown one is not."""
    found = re.match(r"(\d+)\.(\d+)\.(\d+)", version or "")
    return found is not None and tuple(int(n) for n in found.groups()) < limit


def _clamped(asked: int) -> int:
    return max(_CUSTOM_WINDOW[0], min(asked, _CUSTOM_WINDOW[1]))


def _tokens(own: Mapping[str, OwnSetting], name: str) -> int | None:
    value = own[name].value if name in own else None
    return value if isinstance(value, int) else None


def _is_on(own: Mapping[str, OwnSetting], name: str) -> bool:
    return name in own and own[name].value is True
