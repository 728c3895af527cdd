"""A model's window and where its agent compacts, from the first source that tells it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from redline.context.model_table import window_of
from redline.model import Session
from redline.settings import Settings

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Limits:
    """In tokens, None where nothing tells it; the sources say in a word or two who did."""

    limit: int | None
    limit_source: str
    threshold: int | None
    threshold_source: str


def find_limits(
    session: Session,
    model: str | None,
    used: int,
    settings: Settings,
    environment: Mapping[str, str],
) -> Limits:
    """The limits of `session` for `model` (the one that answers in it).

    Asked in turn: the settings, the session, the agent's own default, litellm's table. A model
    that none of them knows has no limit; it is never guessed.
    """
    limit, source = _limit(session, model, settings)
    return Limits(limit, source, session.threshold, "session" if session.threshold else UNKNOWN)


def _limit(session: Session, model: str | None, settings: Settings) -> tuple[int | None, str]:
    if set_by_hand := settings.limit(model):
        return set_by_hand, "settings"
    if session.window:
        return session.window, "session"
    if model and (found := window_of(model)):
        return found, "model table"
    return None, UNKNOWN
