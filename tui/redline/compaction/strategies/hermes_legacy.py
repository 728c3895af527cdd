"""`hermes-legacy`: what Hermes 0.19 itself would do, see `hermes`."""

from __future__ import annotations

from redline.compaction.strategies.hermes import Hermes

STRATEGY = Hermes(
    "hermes-legacy",
    "what Hermes 0.19 does: the same with a tail of a fifth of its threshold",
    lean=False,
)
