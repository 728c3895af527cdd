"""Whether a session that is written is so large that its agent compacts it again at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from redline.agents.limits import Limits
from redline.compaction.effect import plan_tokens
from redline.compaction.plan import Plan
from redline.context.window import Window
from redline.model import Agent

_CHARACTERS = 3  # a token of a summary has, about


def heavy(
    plan: Plan, window: Window, summary: str, environment: Mapping[str, str]
) -> tuple[str, ...]:
    """A warning with the sizes in tokens where what `plan` leaves of `window`, with the text
    `summary`, is not below the threshold at which the agent compacts, or above its window."""
    session = window.session
    held = Limits(window.limit, window.limit_source, window.threshold, window.threshold_source)
    if session.info.agent is Agent.CODEX and held.window is None and session.info.model is None:
        held = _of_codex(session.info.project, environment)
    holds = plan_tokens(plan, window).after_without_summary + len(summary) // _CHARACTERS
    agent = session.info.agent.value
    if held.window is not None and holds > held.window:
        return (
            f"it holds about {holds:,} tokens, more than the {held.window:,} of the window "
            f"({held.window_source}): {agent} compacts it at once, or is refused its request",
        )
    if held.threshold is not None and holds >= held.threshold:
        return (
            f"it holds about {holds:,} tokens, and {agent} compacts at {held.threshold:,} "
            f"({held.threshold_source}): it may do so at once",
        )
    return ()


def frees_nothing(after: int, used: int) -> str:
    """What is said of a session that holds `used` tokens and would hold `after`; "" where that is
    less."""
    if after < used:
        return ""
    return f"it frees nothing: about {after:,} tokens then, {used:,} now"


def _of_codex(project: str | None, environment: Mapping[str, str]) -> Limits:
    """What holds for a thread that names no model: it goes on with the one that is configured, and
    else with one that Codex lists."""
    from redline.agents.codex.limits import LISTED, limits_of
    from redline.agents.codex.settings import settings

    own = settings(Path(project) if project else None, environment)
    model = own.get("model")
    return limits_of(str(model.value) if model else LISTED, None, own)
