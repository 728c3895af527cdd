"""A session that its agent would compact again at once is warned of before it is written."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from redline.agents.opening import open_session
from redline.compaction.whole import whole
from redline.context.measure import measure
from redline.context.window import Window
from redline.settings import Settings
from redline.targets.native.heavy import heavy
from redline.targets.native.native import NativeSession, work_of
from tests.agents.codex.threads import conversation, in_dialect
from tests.targets.native.making import NOW

QUICK = replace(Settings(), tokenizer="estimate")


def window_of(home: Path, dialect: str = "flat") -> Window:
    session = open_session(in_dialect(dialect, home, conversation()))
    return measure(session, QUICK, {"CODEX_HOME": str(home)})


def told(window: Window, home: Path, summary: str = "") -> str:
    found = heavy(whole(window.session), window, summary, {"CODEX_HOME": str(home)})
    return found[0] if found else ""


@pytest.mark.parametrize(("room", "warned"), [(0, True), (1, False)])
def test_what_reaches_the_threshold_is_warned_of(tmp_path: Path, room: int, warned: bool) -> None:
    found = window_of(tmp_path)
    at = found.used + room
    window = replace(found, limit=2 * at, threshold=at, threshold_source="its settings")
    said = told(window, tmp_path)
    assert bool(said) is warned
    if warned:
        assert f"about {found.used:,} tokens, and codex compacts at {at:,} (its settings)" in said


def test_what_is_larger_than_the_window_is_said_to_be(tmp_path: Path) -> None:
    found = window_of(tmp_path)
    window = replace(found, limit=found.used - 1, limit_source="session", threshold=10)
    assert f"more than the {found.used - 1:,} of the window (session)" in told(window, tmp_path)


def test_the_summary_counts(tmp_path: Path) -> None:
    found = window_of(tmp_path)
    window = replace(found, limit=found.used + 100, threshold=found.used + 50)
    assert not told(window, tmp_path)
    assert "compacts at" in told(window, tmp_path, "x" * 200)


def test_of_an_unknown_window_nothing_is_said(tmp_path: Path) -> None:
    found = window_of(tmp_path, "legacy")
    session = replace(found.session, info=replace(found.session.info, model="unknown-1"))
    window = replace(found, session=session, limit=None, threshold=None)
    assert not told(window, tmp_path)


@pytest.mark.parametrize("model", ['model = "gpt-5.9"\n', ""])
def test_a_thread_without_a_model_goes_on_with_the_configured_one(
    tmp_path: Path, model: str
) -> None:
    (tmp_path / "config.toml").write_text(f"{model}model_auto_compact_token_limit = 100\n")
    window = window_of(tmp_path)
    assert window.threshold is None
    assert "codex compacts at 100 (" in told(window, tmp_path)


def test_a_configured_model_that_nobody_knows_is_not_guessed_at(tmp_path: Path) -> None:
    text = 'model = "mine"\nmodel_auto_compact_token_limit = 100\n'
    (tmp_path / "config.toml").write_text(text)
    assert not told(window_of(tmp_path), tmp_path)


def test_the_warning_stands_in_what_is_shown_before_it_is_written(tmp_path: Path) -> None:
    found = window_of(tmp_path)
    window = replace(found, limit=2 * found.used, threshold=found.used)
    environment = {"CODEX_HOME": str(tmp_path)}
    plan = whole(found.session)

    def warnings(measured: Window | None) -> str:
        task = work_of(found.session, plan, "", now=NOW, environment=environment, window=measured)
        return "\n".join(NativeSession(task).preview().warnings)

    assert "it may do so at once" in warnings(window)
    assert "it may do so at once" not in warnings(None)
