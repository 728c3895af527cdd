"""Fixtures that every floor's tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings


@pytest.fixture(scope="session")
def real_sessions() -> Path:
    """The folder of real session files, named by REDLINE_REAL_SESSIONS; skips without it."""
    named = os.environ.get("REDLINE_REAL_SESSIONS", "")
    folder = Path(named)
    if not named or not folder.is_dir():
        pytest.skip("REDLINE_REAL_SESSIONS names no folder")
    return folder


@pytest.fixture(autouse=True)
def _no_pi_of_this_machine(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No pi that somebody runs meanwhile has a test's session open, but in tests with a real pi."""
    if "real" not in request.keywords:
        nowhere = tmp_path_factory.getbasetemp() / "no processes"
        monkeypatch.setattr("redline.agents.pi.liveness.PROCESSES", nowhere)


# The same examples on every run: a change is judged, not the day. HYPOTHESIS_PROFILE=search looks
# for new ones. A loaded machine is no fault of an example.
_PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", _PATIENT, derandomize=True)
settings.register_profile("search", _PATIENT, max_examples=1_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
