"""The strategies by name. Each is loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module

from redline.compaction.strategies.strategy import Strategy
from redline.errors import RedlineError

DEFAULT = "redline"

_PLACES = {
    "redline": "redline.compaction.strategies.redline",
    "clear": "redline.compaction.strategies.clear",
    "claude-code": "redline.compaction.strategies.claude_code",
    "codex": "redline.compaction.strategies.codex",
    "codex-remote": "redline.compaction.strategies.codex_remote",
    "codex-remote-v1": "redline.compaction.strategies.codex_remote_v1",
    "hermes": "redline.compaction.strategies.hermes",
    "hermes-legacy": "redline.compaction.strategies.hermes_legacy",
    "pi": "redline.compaction.strategies.pi",
    "scored": "redline.compaction.strategies.scored",
    "fresh": "redline.compaction.strategies.fresh",
}


def names() -> tuple[str, ...]:
    """Every strategy, the default first."""
    return tuple(_PLACES)


def strategy(name: str) -> Strategy:
    """The strategy called `name`. Raises RedlineError where there is none."""
    if name not in _PLACES:
        raise RedlineError(f"there is no strategy {name!r}", f"there are: {', '.join(_PLACES)}")
    found: Strategy = import_module(_PLACES[name]).STRATEGY
    return found
