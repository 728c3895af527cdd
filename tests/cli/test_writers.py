"""`redline handoff --writer`: models and programs, their progress, and the end by ctrl-c."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from redline.handoff.writers.templates import template
from tests.cli.conftest import Run

GOOD = template("example-handoff").text


@pytest.fixture
def agent(tmp_path: Path) -> str:
    """A writer that answers as the example does."""
    script = tmp_path / "agent.py"
    script.write_text(f"import sys\nsys.stdin.read()\nprint({GOOD!r})\n", encoding="utf-8")
    return f"command: {shlex.quote(sys.executable)} {shlex.quote(str(script))}"


def test_a_program_writes_the_handoff_and_stderr_says_what_it_does(
    run: Run, shop: str, agent: str
) -> None:
    answer = run("handoff", shop, "--writer", agent, "-o", "-")
    assert answer.status == 0
    assert "Make the export of invoices survive a restart" in answer.out
    assert "reading the session" in answer.err
    assert "tokens in" in answer.err


def test_what_the_session_does_not_bear_out_is_told(run: Run, shop: str, tmp_path: Path) -> None:
    script = tmp_path / "agent.py"
    answer = GOOD.replace("## Done\n", "## Done\n- `made_up/thing.py` was written\n")
    script.write_text(f"import sys\nsys.stdin.read()\nprint({answer!r})\n", encoding="utf-8")
    writer = f"command: {shlex.quote(sys.executable)} {shlex.quote(str(script))}"
    told = run("handoff", shop, "--writer", writer, "-o", "-").err
    assert "1 thing named that the session does not hold: made_up/thing.py" in told
    report = run("handoff", shop, "--writer", writer, "--json").json
    assert report["invented"] == [{"text": "made_up/thing.py", "kind": "path"}]
    assert report["finished"] == []
    offline = run("handoff", shop, "--json").json
    assert (offline["invented"], offline["finished"]) == ([], [])


def test_what_was_written_is_told_as_json(run: Run, shop: str, agent: str) -> None:
    told = run("handoff", shop, "--writer", agent, "--json").json
    assert told["complete"] is True
    assert told["writer"] == agent
    assert told["prompt"].startswith("handoff ")
    assert told["spent"]["output_tokens"] > 0
    assert "Make the export" in Path(told["path"]).read_text(encoding="utf-8")
    assert told["receipt"]
    offline = run("handoff", shop, "--json").json
    assert (offline["writer"], offline["spent"], offline["remarks"]) == ("offline", None, [])
    assert run("handoff", shop, "--json", "-o", "-").status == 2


def test_a_writer_that_fails_is_told_and_the_handoff_is_written(run: Run, shop: str) -> None:
    answer = run("handoff", shop, "--writer", "command: no-such-thing-1", "-o", "-")
    assert answer.status == 0
    assert "there is no program no-such-thing-1" in answer.err
    assert "offline writer" in answer.err
    assert "## Files changed" in answer.out
    doctor = run("doctor", "--json")
    assert doctor.status in (0, 1)


def test_the_setting_is_taken_where_no_writer_is_named(
    run: Run, shop: str, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REDLINE_WRITER", agent)
    assert "survive a restart" in run("handoff", shop, "-o", "-").out
    assert "survive a restart" not in run("handoff", shop, "--writer", "offline", "-o", "-").out
    checks = {check["name"]: check for check in run("doctor", "--json").json["checks"]}
    assert checks["writer"]["ok"]
    assert sys.executable in checks["writer"]["detail"]


def test_doctor_says_where_a_key_is_missing_and_how_a_writer_stands(
    run: Run, shop: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("REDLINE_WRITER", "openai/gpt-4o")
    assert run("handoff", shop, "-o", "-").status == 0
    answer = run("doctor")
    assert answer.status == 1
    assert "there is no key in $OPENAI_API_KEY" in answer.out
    assert "left alone" in answer.out


def test_a_project_can_name_no_writer(run: Run, shop: str, scratch: Path) -> None:
    Path(".redline.yaml").write_text("writer: 'command: touch owned'\n", encoding="utf-8")
    answer = run("handoff", shop, "-o", "-")
    assert answer.status == 2
    assert "cannot be set in a project's file" in answer.err


WAITING = """
import signal, sys
print('## Goal', flush=True)
open(sys.argv[1], 'w').write('begun')  # somebody waits for it
signal.pause()
"""


def test_ctrl_c_ends_the_writer_and_says_what_had_come(run: Run, shop: str, tmp_path: Path) -> None:
    script, pipe = tmp_path / "slow.py", tmp_path / "pipe"
    script.write_text(WAITING, encoding="utf-8")
    os.mkfifo(pipe)
    writer = f"command: {sys.executable} {script} {pipe}"
    words = [sys.executable, "-m", "redline", "handoff", shop, "--writer", writer]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    process = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=paths
    )
    assert pipe.read_text(encoding="utf-8") == "begun"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out == ""
    assert "cancelled after" in err
    assert "nothing was written" in err
    assert not list(tmp_path.rglob("handoffs/*/*.md"))


def test_json_of_a_report_is_json(run: Run, shop: str) -> None:
    answer = run("handoff", shop, "--writer", "command: no-such-thing-1", "--json")
    told = json.loads(answer.out)
    assert told["complete"] is False
    assert told["remarks"][0]["kind"] == "program failed"
