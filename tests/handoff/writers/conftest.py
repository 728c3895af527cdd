"""litellm takes seconds to load: once is enough."""

from __future__ import annotations

import pytest

from redline.handoff.writers.gateway import loaded


@pytest.fixture(scope="session")
def _models() -> None:
    loaded()
