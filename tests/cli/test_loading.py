"""What the command line loads before it knows what is wanted."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from redline.cli import arguments

HEAVY = ("textual", "rich", "litellm", "tiktoken", "yaml", "orjson")


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["plan", "--help"]])
def test_asking_for_version_or_help_loads_nothing_heavy(words: list[str]) -> None:
    program = (
        "import sys\n"
        "from redline.cli.main import main\n"
        f"try: main({words!r})\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        f"heavy = [name for name in {HEAVY!r} if name in sys.modules]\n"
        "sys.exit(f'loaded {heavy}' if heavy else 0)\n"
    )
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=paths
    )
    assert done.returncode == 0, done.stderr


def test_the_declared_strategies_are_those_that_there_are() -> None:
    from redline.compaction.strategies.registry import names
    from redline.model import Agent

    assert names() == arguments.STRATEGIES
    discovered = (agent.value for agent in Agent if agent is not Agent.MESSAGES)
    assert tuple(discovered) == arguments.AGENTS


def test_every_command_has_its_module() -> None:
    from importlib import import_module

    for module in set(arguments.MODULES.values()):
        assert callable(import_module(f"redline.cli.{module}").run)


@pytest.mark.parametrize(
    ("text", "tokens"), [("20000", 20_000), ("20k", 20_000), ("1.5K", 1_500), ("1m", 1_000_000)]
)
def test_tokens_are_read_as_people_write_them(text: str, tokens: int) -> None:
    assert arguments.tokens(text) == tokens


@pytest.mark.parametrize("text", ["", "k", "-3", "ten", "1e400", "nan"])
def test_what_is_no_number_of_tokens_is_refused(text: str) -> None:
    import argparse

    with pytest.raises(argparse.ArgumentTypeError, match="expected"):
        arguments.tokens(text)


def test_an_interrupted_command_ends_with_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from redline.cli import doctor
    from redline.cli.main import main

    def interrupted(_options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(doctor, "run", interrupted)
    assert main(["doctor"]) == 130
    assert "interrupted" in capsys.readouterr().err
