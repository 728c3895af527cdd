"""A scratch copy of the sample sessions, and the command line run in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from redline.cli.demo import furnish
from redline.cli.main import main


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Answer]


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The samples in a folder that is all this test knows of the world."""
    place = furnish(tmp_path)
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in place.environment.items():
        if name in ("HOME", "REDLINE_HOME", "CLAUDE_CONFIG_DIR", "PI_CODING_AGENT_DIR"):
            monkeypatch.setenv(name, value)
    monkeypatch.chdir(place.cwd)
    return tmp_path


@pytest.fixture
def run(scratch: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def command(*words: str) -> Answer:
        capsys.readouterr()
        try:
            status = main(words)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 2
        captured = capsys.readouterr()
        return Answer(status, captured.out, captured.err)

    return command


@pytest.fixture
def shop(run: Run) -> str:
    """The id of the fullest sample: rules, commits, a compaction, an open error."""
    sessions = run("sessions", "--json").json["sessions"]
    return next(str(info["id"]) for info in sessions if "rounding" in info["title"])


def newest_receipt(run: Run) -> str:
    """The id of what was written last."""
    return str(run("receipts", "--json").json["receipts"][0]["id"])
