"""What bears on compaction in this agent's own settings."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from redline.agents.own import OwnSetting


def settings(
    project: Path | None,  # noqa: ARG001
    environment: Mapping[str, str] | None = None,  # noqa: ARG001
) -> Mapping[str, OwnSetting]:
    return {}
