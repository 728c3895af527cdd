"""What all tests of the screens share."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def _garbage_is_rare() -> Iterator[None]:
    """Looking for garbage in all of Textual again and again is a third of these tests' time."""
    before = gc.get_threshold()
    gc.set_threshold(20_000, 10, 10)
    yield
    gc.set_threshold(*before)
