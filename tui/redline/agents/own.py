"""What a person set in an agent's own configuration, read and never written."""

from __future__ import annotations

from collections.abc import Mapping
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
    or broken tells nothing."""
    from redline.agents.claude_code.settings import settings as claude_code
    from redline.agents.codex.settings import settings as codex
    from redline.agents.hermes.settings import settings as hermes
    from redline.agents.pi.settings import settings as pi

    return {
        Agent.CLAUDE_CODE: claude_code(project, environment),
        Agent.CODEX: codex(project, environment),
        Agent.PI: pi(project, environment),
        Agent.HERMES: hermes(project, environment),
    }
