from __future__ import annotations

from pathlib import Path

import pytest

from tests.targets.repositories import Repositories


@pytest.fixture
def repositories(tmp_path: Path) -> Repositories:
    return Repositories.at(tmp_path)
