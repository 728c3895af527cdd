"""What a session was billed: every request that its files tell of, each once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol, runtime_checkable

from redline.agents.subagents import info_of
from redline.errors import RedlineError
from redline.model import Agent, Billed, Session, SessionInfo


@runtime_checkable
class Bills(Protocol):
    """A source (see `SessionSource`) that knows the requests of its own files already."""

    def billed(self) -> Iterator[Billed]:
        """What the reader of billing would give for the session's own file."""
        ...


def billed(session: Session) -> Iterator[Billed]:
    """Every request of `session`, also on branches that were left and for summaries, then those of
    its subagents. A request that stands in several files counts where it comes first. Reads the
    whole of those that were not read yet: slow where they are long. Raises RedlineError where the
    session's own file cannot be read; a subagent's that cannot counts nothing.
    """
    seen: set[str] = set()
    own = session.source.billed() if isinstance(session.source, Bills) else None
    yield from _new(_of(session.info, session) if own is None else own, seen)
    files = {session.info.path}
    for subagent in session.subagents:
        info, _leaf = info_of(session, subagent)
        if info.agent is not Agent.HERMES and info.path in files:
            continue  # it lies in a file that was read
        files.add(info.path)
        try:
            requests = list(_of(info))
        except RedlineError:
            continue
        yield from _new((replace(request, aside=True) for request in requests), seen)


def _new(requests: Iterable[Billed], seen: set[str]) -> Iterator[Billed]:
    for request in requests:
        if request.key not in seen:
            seen.add(request.key)
            yield request


def _of(info: SessionInfo, session: Session | None = None) -> Iterator[Billed]:
    match info.agent:
        case Agent.CLAUDE_CODE:
            from redline.agents.claude_code.billing import billed as of_claude_code

            yield from of_claude_code(info.path)
        case Agent.CODEX:
            from redline.agents.codex.billing import billed as of_codex

            yield from of_codex(info.path)
        case Agent.PI:
            from redline.agents.pi.billing import billed as of_pi

            yield from of_pi(info.path)
        case Agent.HERMES:
            from redline.agents.hermes.billing import billed as of_hermes

            yield from of_hermes(info.path, info.id)
        case Agent.MESSAGES if session is not None:
            for message in session.source.history():
                if message.usage is not None:
                    yield Billed(message.api_id or message.id, message.model, message.usage)
        case _:
            return
