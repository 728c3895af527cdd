"""How full each window is, for the list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from redline.model import Agent, Block, Message, Part, Session, SessionInfo
from redline.settings import Settings
from redline.ui.roster import Key, key_of


class Shares:
    """Works out the per cent of its window that a session uses. The limit of an agent, a model and
    a project is looked up once: that reads the settings of agents."""

    def __init__(self, settings: Settings, environment: Mapping[str, str]) -> None:
        self._settings = settings
        self._environment = environment
        self._limits: dict[tuple[Agent, str | None, str | None], int | None] = {}

    def of(self, infos: Iterable[SessionInfo]) -> dict[Key, int]:
        """Per cent of those whose usage and window are known. Slow."""
        shares: dict[Key, int] = {}
        for info in infos:
            if info.billed is None:
                continue
            limit = self._limit(info)
            if limit is not None and limit >= info.billed:
                shares[key_of(info)] = round(100 * info.billed / limit)
        return shares

    def _limit(self, info: SessionInfo) -> int | None:
        key = (info.agent, info.model, info.project)
        if key not in self._limits:
            from redline.context.limits import find_limits

            bare = Session(info=info, context=(), source=NothingRead())
            self._limits[key] = find_limits(
                bare, info.model, self._settings, self._environment
            ).limit
        return self._limits[key]


class NothingRead:
    """The source of a session that is known by its list entry only: it holds nothing."""

    def text(self, part: Part) -> str:  # noqa: ARG002
        return ""

    def value(self, part: Part) -> object:  # noqa: ARG002
        return None

    def history(self) -> Iterator[Message]:
        return iter(())

    def resume(self) -> Iterator[Block]:
        return iter(())
