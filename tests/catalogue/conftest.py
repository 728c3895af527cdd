"""The world that the catalogue's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.catalogue.world import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)
