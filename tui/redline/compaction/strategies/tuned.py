"""The settings that strategies start with: the person's, and what the agents' own files say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from redline.agents.own import own_settings
from redline.compaction.strategies.strategy import StrategySettings
from redline.model import Session
from redline.settings import Settings


def tuned(settings: Settings, session: Session, environment: Mapping[str, str]) -> StrategySettings:
    """For a plan on `session`. Reads the agents' settings files, each where it is there."""
    named = Path(session.info.project) if session.info.project else None
    project = named if named is not None and named.is_absolute() else None
    return StrategySettings(
        tail_tokens=settings.tail_tokens,
        weights=settings.weights,
        score=settings.score,
        turns=settings.turns,
        own=own_settings(project, environment),
    )
