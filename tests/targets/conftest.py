from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from redline.targets.deed import FORMS
from tests.targets.repositories import Repositories


@pytest.fixture
def root(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in the memory, where there is one: it is made and removed some hundred times. The
    deed of the tests is known."""
    monkeypatch.setitem(FORMS, "rows", "tests.targets.rows")
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder).resolve() / "world"


@pytest.fixture
def repositories(tmp_path: Path) -> Repositories:
    return Repositories.at(tmp_path)
