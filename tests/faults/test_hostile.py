"""No text of a file acts on the terminal, in whatever field it stands, in any command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.faults.dialects import ASK, HERMES, Call, Dialect, Prompt, Reply, Result, line
from tests.faults.surfaces import Commands
from tests.ui.stage import harmful

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202e\u2066\u200b\x00\x7f\ud800[/nope]{0}%s"
_STRUCTURE = ("type", "role", "subtype", "timestamp", "data", "source", "cli_version")
STEPS = (
    Prompt(f"Never touch src/legacy. {EVIL}"),
    Call("t1"),
    Result("t1", f"fatal: {EVIL}"),
    Reply(f"I decided to use {EVIL} because {EVIL}."),
    *ASK,
)
COMMANDS = (
    ("inspect",),
    ("show",),
    ("show", "--resume"),
    ("show", "--history"),
    ("contents",),
    ("plan",),
    ("rules",),
    ("handoff", "-o", "-"),
    ("audit",),
)


def soiled(value: Any) -> Any:
    """`value` with every text in it hostile, but for what tells what it is."""
    match value:
        case str():
            return value + EVIL
        case list():
            return [soiled(one) for one in value]
        case dict():
            return {key: one if key in _STRUCTURE else soiled(one) for key, one in value.items()}
    return value


def told(commands: Commands, *words: str) -> None:
    status, out, err = commands.run(*words)
    assert status in (0, 1, 2), words
    assert not harmful(out.replace("\t", " ")), words
    assert not harmful(err), words
    assert "Traceback" not in err


def test_no_field_of_a_line_acts_on_the_terminal(
    home: Path, dialect: Dialect, commands: Commands
) -> None:
    """Ids, models, folders, names of tools and arguments, not only texts."""
    groups = dialect.lines(*STEPS)
    dirty = [[line(soiled(json.loads(one))) for one in group] for group in groups]
    path = dialect.write_lines(home, dirty)
    assert commands.json("inspect", str(path))["counts"]["context_messages"] >= 8
    for name, *flags in COMMANDS:
        told(commands, name, str(path), *flags)
    told(commands, "sessions")
    told(commands, "doctor")


def test_no_column_of_a_row_acts_on_the_terminal(home: Path, commands: Commands) -> None:
    """The same of a database."""
    clean = EVIL.replace("\ud800", "")
    steps = (Prompt(f"Never touch src. {clean}"), Call(f"t{clean}"), Result(f"t{clean}", clean))
    path = HERMES.write(home, *steps, Reply(clean, None, f"model {clean}"), cwd=f"/x{clean}")
    for name, *flags in COMMANDS:
        told(commands, name, str(path), *flags)
    told(commands, "sessions")


@pytest.mark.parametrize(
    "name", ["\x1b[2Jx.jsonl", "a\nb.jsonl", "\u202elnosj.jsonl", "[red].jsonl"]
)
def test_no_name_of_a_file_acts_on_the_terminal(
    home: Path, dialect: Dialect, commands: Commands, name: str
) -> None:
    """Also in the error that names it."""
    path = dialect.write(home, *ASK)
    other = path.with_name(name)
    other.write_bytes(path.read_bytes())
    told(commands, "inspect", str(other))
    other.write_bytes(b"{}\n")
    told(commands, "inspect", str(other))
    told(commands, "sessions")
