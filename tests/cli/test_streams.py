"""The program as a process of its own: its streams, its locale and its end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run

Process = Callable[..., "subprocess.CompletedProcess[str]"]
LINUX_FULL = Path("/dev/full")


@pytest.fixture
def shell(scratch: Path) -> Process:
    """Runs a line of shell in which `redline` is this program."""

    def line(text: str, **environment: str) -> subprocess.CompletedProcess[str]:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment}
        program = f'redline() {{ "{sys.executable}" -m redline "$@"; }}; set -o pipefail; {text}'
        return subprocess.run(
            ["bash", "-c", program],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=env,
            stdin=subprocess.DEVNULL,
        )

    return line


@pytest.mark.parametrize("command", ["show SHOP", "show SHOP --json", "handoff SHOP -o -"])
def test_a_reader_that_goes_away_is_no_error(shell: Process, shop: str, command: str) -> None:
    done = shell(f"redline {command.replace('SHOP', shop)} | head -1 >/dev/null")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("command", ["sessions", "sessions --json", "--help", "inspect SHOP"])
def test_a_closed_output_is_no_error(shell: Process, shop: str, command: str) -> None:
    done = shell(f"redline {command.replace('SHOP', shop)} >&-")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not LINUX_FULL.exists(), reason="no /dev/full")
@pytest.mark.parametrize("command", ["show SHOP", "inspect SHOP --json"])
def test_a_full_disk_behind_the_output_is_told(shell: Process, shop: str, command: str) -> None:
    done = shell(f"redline {command.replace('SHOP', shop)} >{LINUX_FULL}")
    assert done.returncode == 2
    assert done.stderr == "redline: cannot write the output: No space left on device\n"


def test_a_rule_is_kept_as_typed_in_a_locale_without_unicode(
    shell: Process, run: Run, shop: str
) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = shell(f"redline rules {shop} add '不要修改 docs'", **plain)
    assert done.returncode == 0, done.stderr
    assert "不要修改 docs" in done.stdout
    assert "不要修改 docs" in [rule["text"] for rule in run("rules", shop, "--json").json["rules"]]


def test_a_name_that_the_locale_lacks_is_told(shell: Process, shop: str, tmp_path: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = shell(f"redline handoff {shop}", REDLINE_HOME=str(tmp_path / "x"), **plain)
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stderr
