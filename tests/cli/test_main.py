"""How a command ends that fails in a way nobody foresaw."""

from __future__ import annotations

import subprocess
import sys

import pytest

from redline.cli import compact, doctor
from redline.cli.main import FAULT
from tests.cli.conftest import Run


@pytest.mark.parametrize(
    "error",
    [AssertionError(), KeyError("sk-ant-api03-" + "Ab3d" * 20), RecursionError("a\x1b[2Jb")],
)
def test_a_fault_of_redline_itself_ends_in_lines_to_report_and_no_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def fails(_: object) -> int:
        raise error

    for module, words in ((compact, ("compact", "last", "--dry-run")), (doctor, ("doctor",))):
        monkeypatch.setattr(module, "run", fails)
        answer = run(*words)
        assert (answer.status, answer.out) == (FAULT, "")
        assert f"a fault of redline itself: {type(error).__name__}" in answer.err
        assert "test_main.py:" in answer.err
        assert "please report" in answer.err
        assert "Traceback" not in answer.err
        assert "\x1b" not in answer.err
        assert "Ab3dAb3d" not in answer.err


def test_whoever_develops_redline_sees_the_traceback() -> None:
    program = (
        "import redline.cli.doctor as d; from redline.cli.main import main\n"
        "def fails(_): raise AssertionError\n"
        "d.run = fails; main(['doctor'])"
    )
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-c", program], capture_output=True, text=True, check=False
    )
    assert "Traceback" in done.stderr
