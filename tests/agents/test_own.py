"""The agents' own settings, for whatever project a session names."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.claude_code.limits import limits as claude_code_limits
from redline.agents.codex.limits import limits as codex_limits
from redline.agents.own import own_settings
from redline.agents.pi.limits import limits as pi_limits

IMPOSSIBLE = (
    "/" + "y" * 300,
    "/" + "deep/" * 2_000,
    "/nul\0inside",
    "/lone\udcffsurrogate\ud800",
    "LOOP",
    "FILE/below",
    "LOCKED/below",
)


def _named(text: str, folder: Path) -> Path:
    (folder / "LOOP").symlink_to(folder / "LOOP")
    (folder / "FILE").write_text("no folder")
    locked = folder / "LOCKED"
    locked.mkdir()
    (locked / "below").mkdir()
    locked.chmod(0)
    return folder / text  # an absolute one stays as it is


@pytest.mark.parametrize("text", IMPOSSIBLE)
def test_a_project_that_cannot_be_looked_into_tells_nothing(tmp_path: Path, text: str) -> None:
    project, environment = _named(text, tmp_path), {"HOME": str(tmp_path / "home")}
    codex = tmp_path / "home" / ".codex"
    codex.mkdir(parents=True)
    (codex / "config.toml").write_text('[projects."/somewhere"]\ntrust_level = "trusted"\n')
    try:
        assert not any(own_settings(project, environment).values())
        assert codex_limits("gpt-5", None, project, environment) == codex_limits(
            "gpt-5", None, None, environment
        )
        assert pi_limits("m", project, environment) == pi_limits("m", None, environment)
        claude_code_limits("claude-opus-4-8", project=project, environment=environment)
    finally:
        (tmp_path / "LOCKED").chmod(0o700)
