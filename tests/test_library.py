"""redline as a library: what docs/library.md says, run as it stands there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import redline
from redline.shipped import shipped

DOCUMENT = Path(__file__).parents[1] / "docs" / "library.md"
OPENING, LISTS, OWN = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text("utf-8"), re.S)


def run(program: str, folder: Path) -> str:
    paths = os.pathsep.join([str(folder), *sys.path])
    environment = {**os.environ, "PYTHONPATH": paths, "REDLINE_HOME": str(folder / "home")}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def copy_sample(folder: Path) -> None:
    samples = (shipped("sample_sessions") / "claude").rglob("*.jsonl")
    shutil.copy(max(samples, key=lambda path: path.stat().st_size), folder / "session.jsonl")


def add_package(folder: Path, module: str, *, value: str = "", name: str = "last-turn") -> None:
    """A package that adds a strategy, as an installer leaves it."""
    (folder / "added.py").write_text(module, "utf-8")
    about = folder / "added-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: added\nVersion: 1.0\n", "utf-8")
    points = f"[redline.strategies]\n{name} = {value or 'added:STRATEGY'}\n"
    (about / "entry_points.txt").write_text(points, "utf-8")


def test_a_session_goes_the_whole_way_in_twenty_lines(tmp_path: Path) -> None:
    copy_sample(tmp_path)
    said = run(OPENING, tmp_path)
    assert re.match(r"\d+ tokens used, \d+ kept, audit ok: (True|False)\n\S+\n$", said)
    (written,) = (tmp_path / "home" / "data" / "handoffs").rglob("*.md")
    assert "the failing test" in written.read_text("utf-8")
    lines = [line for line in OPENING.splitlines() if line and not line.startswith("print")]
    assert len([line for line in lines if "import" not in line]) <= 20


def test_messages_are_given_as_a_plain_list(tmp_path: Path) -> None:
    said = run(LISTS, tmp_path)
    assert "Never touch src/legacy." in said


def test_a_request_body_brings_its_system_prompt_and_its_tools() -> None:
    body = {
        "model": "claude-opus-4-6",
        "system": "You are terse.",
        "tools": [{"name": "Read", "input_schema": {}}],
        "messages": [
            {"role": "user", "content": "read it"},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "a", "name": "Read", "input": {"p": 1}}],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": "a", "content": "body"}],
            },
        ],
    }
    session = redline.session_of(body)
    assert session.info.model == "claude-opus-4-6"
    assert [message.role.value for message in session.context] == [
        "system",
        "user",
        "assistant",
        "user",
    ]
    assert session.text(session.context[0].parts[0]) == "You are terse."
    assert session.text(session.context[3].parts[0]) == "body"
    assert session.counts.tool_pairs == 1


@pytest.mark.parametrize("nothing", [[], {}, {"messages": []}, {"model": "m"}])
def test_no_messages_are_refused(nothing: object) -> None:
    with pytest.raises(redline.RedlineError):
        redline.session_of(nothing)


def test_another_package_adds_a_strategy_in_one_file(tmp_path: Path) -> None:
    add_package(tmp_path, OWN)
    copy_sample(tmp_path)
    program = OPENING.replace('"pi"', '"last-turn"')
    assert "kept" in run(program + "\nassert redline.strategies()[-1] == 'last-turn'\n", tmp_path)
    planned = run(
        "import sys; from redline.cli.main import main;"
        "sys.exit(main(['plan', 'session.jsonl', '--strategy', 'last-turn']))",
        tmp_path,
    )
    assert "last-turn" in planned


@pytest.mark.parametrize(
    ("module", "value", "says"),
    [
        ("1 / 0", "", "cannot be loaded: division by zero"),
        ("", "", "cannot be loaded"),
        ("STRATEGY = object()", "", "has no name, about, triggers, propose"),
        (OWN.replace('"last-turn"', '"other"'), "", "calls itself 'other'"),
        ("", "nowhere:STRATEGY", "cannot be loaded: No module named 'nowhere'"),
    ],
)
def test_a_strategy_that_cannot_be_used_is_told(
    tmp_path: Path, module: str, value: str, says: str
) -> None:
    add_package(tmp_path, module, value=value)
    program = (
        "import redline\n"
        "from redline.compaction.strategies.registry import strategy\n"
        "try:\n    strategy('last-turn')\n"
        "except redline.RedlineError as error:\n    print(error.message)\n"
    )
    assert says in run(program, tmp_path)


def test_a_name_of_redlines_own_is_not_taken_over(tmp_path: Path) -> None:
    add_package(tmp_path, OWN.replace('"last-turn"', '"pi"'), name="pi")
    program = (
        "from redline.compaction.strategies.registry import names, strategy\n"
        "print(names().count('pi'), type(strategy('pi')).__module__)\n"
    )
    assert run(program, tmp_path) == "1 redline.compaction.strategies.pi\n"


def test_every_public_name_is_there() -> None:
    public = vars(redline)["_PUBLIC"]
    assert all(getattr(redline, name) is not None for name in public)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = redline.nothing
