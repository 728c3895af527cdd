"""What a person set in an agent's own configuration, read and never written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.model import Agent


@dataclass(frozen=True, slots=True)
class OwnSetting:
    """A value and who told it: the file or the environment variable. Defaults are not listed."""

    value: int | float | bool | str
    source: str


OwnSettings = Mapping[Agent, Mapping[str, OwnSetting]]


def own_settings(project: Path | None, environment: Mapping[str, str] | None = None) -> OwnSettings:
    """What bears on compaction in each agent's settings, under the agent's own names
    (`compaction.keepRecentTokens`, `model_auto_compact_token_limit`, ...). A file that is missing
    or broken tells nothing. An agent's files are read when they are first asked for."""
    return _Own(project, environment)


class _Own(Mapping[Agent, Mapping[str, OwnSetting]]):
    def __init__(self, project: Path | None, environment: Mapping[str, str] | None) -> None:
        self._asked = project, environment
        self._read: dict[Agent, Mapping[str, OwnSetting]] = {}

    def __getitem__(self, agent: Agent) -> Mapping[str, OwnSetting]:
        if agent not in self._read:
            self._read[agent] = _reader(agent)(*self._asked)
        return self._read[agent]

    def __iter__(self) -> Iterator[Agent]:
        return iter(_AGENTS)

    def __len__(self) -> int:
        return len(_AGENTS)


_AGENTS = (Agent.CLAUDE_CODE, Agent.CODEX, Agent.PI, Agent.HERMES)
_Reader = Callable[[Path | None, Mapping[str, str] | None], Mapping[str, OwnSetting]]


def _reader(agent: Agent) -> _Reader:
    """What reads the settings of an agent. Raises KeyError for one without."""
    match agent:
        case Agent.CLAUDE_CODE:
            from redline.agents.claude_code.settings import settings as claude_code

            return claude_code
        case Agent.CODEX:
            from redline.agents.codex.settings import settings as codex

            return codex
        case Agent.PI:
            from redline.agents.pi.settings import settings as pi

            return pi
        case Agent.HERMES:
            from redline.agents.hermes.settings import settings as hermes

            return hermes
        case _:
            raise KeyError(agent)
