"""The strategies by name. Each is loaded when it is asked for.

A package adds its own in the entry point group `redline.strategies`: the name of the strategy, and
the object that is one (see `Strategy`).
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from redline.compaction.strategies.strategy import Strategy
from redline.errors import RedlineError, in_words

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "redline.strategies"

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
OWN = frozenset(_PLACES)  # what is redline's own
_ASKED = ("name", "about", "triggers", "propose")


def names() -> tuple[str, ...]:
    """Every strategy: the default first, those that other packages add last."""
    return (*_PLACES, *_added())


def strategy(name: str) -> Strategy:
    """The strategy called `name`. Raises RedlineError where there is none, or where one that
    another package adds cannot be loaded."""
    if name in _PLACES:
        found: Strategy = import_module(_PLACES[name]).STRATEGY
        return found
    if name not in _added():
        raise RedlineError(f"there is no strategy {name!r}", f"there are: {', '.join(names())}")
    return _loaded(name)


@cache
def _added() -> dict[str, EntryPoint]:
    """What other packages add. A name of redline's own stays redline's."""
    from importlib import metadata

    found = sorted(metadata.entry_points(group=GROUP), key=lambda entry: entry.name)
    return {entry.name: entry for entry in found if entry.name not in _PLACES}


@cache
def _loaded(name: str) -> Strategy:
    entry = _added()[name]
    try:
        found = entry.load()
    except Exception as error:
        raise RedlineError(
            f"the strategy {name!r} ({entry.value}) cannot be loaded: {in_words(error)}",
            "update or remove the package that adds it",
        ) from error
    made: Strategy = found() if isinstance(found, type) else found
    missing = [asked for asked in _ASKED if not hasattr(made, asked)]
    if missing or made.name != name:
        wrong = f"has no {', '.join(missing)}" if missing else f"calls itself {made.name!r}"
        raise RedlineError(
            f"the strategy {name!r} ({entry.value}) {wrong}",
            "what a strategy must have stands in docs/library.md",
        )
    return made
