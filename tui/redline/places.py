"""Where redline keeps its own files. `REDLINE_HOME` puts all of them under one folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from redline.errors import RedlineError

NAME = "redline"


@dataclass(frozen=True, slots=True)
class Places:
    """The four folders; none is made before something is written to it."""

    config: Path
    state: Path
    data: Path
    cache: Path

    @property
    def settings(self) -> Path:
        return self.config / "config.yaml"

    @property
    def database(self) -> Path:
        """Ledger, pins and drafts."""
        return self.state / "redline.sqlite"

    @property
    def receipts(self) -> Path:
        return self.state / "receipts"

    @property
    def handoffs(self) -> Path:
        return self.data / "handoffs"


def places(environment: dict[str, str] | None = None) -> Places:
    """The folders for this user. Raises RedlineError where there is no home folder."""
    env = dict(os.environ) if environment is None else environment
    if home := env.get("REDLINE_HOME"):
        root = Path(home).expanduser().absolute()
        return Places(root / "config", root / "state", root / "data", root / "cache")
    import platformdirs

    try:
        return Places(
            platformdirs.user_config_path(NAME),
            platformdirs.user_state_path(NAME),
            platformdirs.user_data_path(NAME),
            platformdirs.user_cache_path(NAME),
        )
    except RuntimeError as error:  # Path.home() knows no home folder
        raise RedlineError(
            "there is no home folder to keep redline's files in",
            "set HOME, or REDLINE_HOME to a folder of your choice",
        ) from error
