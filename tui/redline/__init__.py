"""redline as a library: what its screens and commands are made of. See docs/library.md.

Each name is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_PUBLIC = {
    "Budget": "redline.handoff.budget",
    "Choice": "redline.review",
    "Database": "redline.database",
    "HandoffFile": "redline.targets.handoff_file",
    "LedgerStore": "redline.ledger.store",
    "Receipts": "redline.targets.receipts",
    "RedlineError": "redline.errors",
    "Review": "redline.review",
    "RulesBlock": "redline.targets.rules_block",
    "commit": "redline.targets.commit",
    "detect": "redline.ledger.detect",
    "discover": "redline.agents.discover",
    "extract": "redline.facts.extract",
    "load_settings": "redline.settings",
    "measure": "redline.context.measure",
    "open_session": "redline.agents.opening",
    "places_of": "redline.places",
    "session_of": "redline.agents.messages.given",
    "strategies": "redline.compaction.strategies.registry",
    "tuned": "redline.compaction.strategies.tuned",
}
_OTHERWISE = {"places_of": "places", "strategies": "names"}


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'redline' has no attribute {name!r}")
    return getattr(import_module(_PUBLIC[name]), _OTHERWISE.get(name, name))


def __dir__() -> list[str]:
    return [*globals(), *_PUBLIC]
