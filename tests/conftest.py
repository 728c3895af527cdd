"""Fixtures that every floor's tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def real_sessions() -> Path:
    """The folder of real session files, named by REDLINE_REAL_SESSIONS; skips without it."""
    named = os.environ.get("REDLINE_REAL_SESSIONS", "")
    folder = Path(named)
    if not named or not folder.is_dir():
        pytest.skip("REDLINE_REAL_SESSIONS names no folder")
    return folder
