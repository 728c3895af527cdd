"""A model's window and where its agent compacts, from the first source that tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.context.billed import billed_input
from redline.context.model_table import window_of
from redline.model import Agent, Session
from redline.settings import Settings

UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Limits:
    """In tokens, None where nothing tells it; the sources say in a word or two who did."""

    limit: int | None
    limit_source: str
    threshold: int | None
    threshold_source: str


@dataclass(frozen=True, slots=True)
class _Agents:
    """What the agent says: its window, what it holds back of a window, and who told it."""

    window: int | None = None
    window_source: str = UNKNOWN
    reserve: int | None = None
    reserve_source: str = UNKNOWN
    threshold: Callable[[int], int | None] | None = None  # where it is no matter of a reserve


def find_limits(
    session: Session, model: str | None, settings: Settings, environment: Mapping[str, str]
) -> Limits:
    """The limits of `session` for `model` (the one that answers in it).

    Asked in turn: the settings, the session, the agent's own default, litellm's table. A window
    that the session was already billed more than is not believed, unless a person set it. A model
    that nobody knows has no limit; it is never guessed.
    """
    agents = _agents(session, model, most_billed(session), environment)
    limit, source = settings.limit(model), "settings"
    if limit is None:
        proved = most_billed(session, model)
        told = _told(session, model, agents)
        limit, source = next(
            ((size, who) for size, who in told if size and size >= proved), (None, UNKNOWN)
        )
    if session.threshold is not None:
        return Limits(limit, source, session.threshold, "session")
    if agents.threshold is not None and limit is not None:
        return Limits(limit, source, agents.threshold(limit), agents.reserve_source)
    if agents.reserve is None:
        return Limits(limit, source, None, agents.reserve_source)
    if limit is None:
        return Limits(None, source, None, UNKNOWN)
    return Limits(limit, source, max(0, limit - agents.reserve), agents.reserve_source)


def most_billed(session: Session, model: str | None = None) -> int:
    """The largest input that the session is known to have been billed, in tokens.

    With `model` what that model is known to have taken: past compactions do not name theirs, so
    they count only where the context knows no other.
    """
    taken = [
        tokens
        for message in session.context
        if (tokens := billed_input(message)) is not None
        and (model is None or message.model in (None, model))
    ]
    others = {message.model for message in session.context} - {None, model}
    if model is None or not others:
        taken += [c.tokens_before for c in session.compactions if c.tokens_before is not None]
    return max(taken, default=0)


def _told(session: Session, model: str | None, agents: _Agents) -> Iterator[tuple[int | None, str]]:
    yield session.window, "session"
    yield agents.window, agents.window_source
    if model:
        yield window_of(model), "model table"


def _agents(
    session: Session, model: str | None, most: int, environment: Mapping[str, str]
) -> _Agents:
    named = Path(session.info.project) if session.info.project else None
    project = named if named is not None and named.is_absolute() else None
    match session.info.agent:
        case Agent.CLAUDE_CODE:
            from redline.agents.claude_code import limits as claude_code

            # "More was used" means the long window of Claude's models, of no other's.
            used = most if model and "claude" in model.lower() else 0
            found = claude_code.limits(
                model, version=session.version, used=used, project=project, environment=environment
            )
            return _Agents(found.window, found.window_source, found.reserve, found.threshold_source)
        case Agent.PI:
            from redline.agents.pi import limits as pi

            told = pi.limits(model, project, environment)
            reserve = told.reserve if told.enabled else None
            source = told.source if told.enabled else "switched off by the settings"
            return _Agents(told.window, "pi's models.json", reserve, source)
        case Agent.CODEX:
            from redline.agents.codex import limits as codex

            held = codex.limits(model, session.window, project, environment)
            return _Agents(held.window, held.window_source, held.reserve, held.threshold_source)
        case Agent.HERMES:
            from redline.agents.hermes import limits as hermes

            home = hermes.home_of(session.info.path)
            its = hermes.limits(model, home, old=session.version == hermes.OLD)
            source = its.source if its.enabled else "switched off by the settings"
            return _Agents(its.window, its.window_source, None, source, its.threshold)
        case _:
            return _Agents()
