"""When Codex compacts by itself (0.100 to 0.171): the same for all its forms."""

from __future__ import annotations

from redline.agents.codex.limits import BODY, DEFAULT, effective, limits_of
from redline.agents.codex.settings import LIMIT, SCOPE
from redline.agents.limits import Limits
from redline.compaction.strategies.strategy import StrategySettings, Trigger
from redline.context.window import Window
from redline.model import Agent

BEFORE = "before a turn"
WITHIN = "within a turn"
BY_HAND = "by hand"


def triggers(window: Window, settings: StrategySettings) -> tuple[Trigger, ...]:
    """The full window before a turn and, where the turn goes on, within it; another model; by hand.

    A turn that ends above the limit is compacted when the next one starts, without its prompt.
    """
    own = settings.own.get(Agent.CODEX, {})
    held = _limits(window, settings)
    count = _count(window)
    scope = own.get(SCOPE)
    if scope is not None and scope.value == BODY:
        limit = own.get(LIMIT)
        asked = limit.value if limit is not None and type(limit.value) is int else None
        grown = "what came after the first request of this window"
        full: tuple[Trigger, ...] = (
            Trigger("auto", BEFORE, asked, grown, scope.source),
            Trigger("auto", WITHIN, asked, f"{grown}, where the turn goes on", scope.source),
            Trigger("auto, none left", BEFORE, held.window, count, held.window_source),
        )
    else:
        tokens, source = held.threshold, held.threshold_source
        full = (
            Trigger("auto", BEFORE, tokens, count, source),
            Trigger("auto", WITHIN, tokens, f"{count}, where the turn goes on", source),
        )
    return (
        *full,
        Trigger(
            "model switch",
            BEFORE,
            None,
            "a model of another comp_hash, or a smaller window that the count is beyond",
            DEFAULT,
        ),
        Trigger("manual", BY_HAND, None, "nothing", "/compact"),
    )


def _limits(window: Window, settings: StrategySettings) -> Limits:
    """Codex's for this window; where it does not know the model, as it would treat that window."""
    own = settings.own.get(Agent.CODEX, {})
    session = window.session
    if session.info.agent is Agent.CODEX:
        held = limits_of(session.info.model, session.window, own)
        if held.window is not None:
            return held
    if window.limit is None:
        return Limits(None, "unknown", None, "unknown")
    return limits_of(None, effective(window.limit), own)


def _count(window: Window) -> str:
    """What is compared with the limit: Codex's hidden count where the session tells it."""
    gauge = window.session.gauge
    if window.session.info.agent is Agent.CODEX and gauge is not None and gauge.active is not None:
        return f"its hidden count, now {gauge.active}"
    return f"what is used, now {window.used}"
