"""The grammar of the command line."""

from __future__ import annotations

import argparse

import pytest

from redline.cli import arguments
from redline.cli.main import parser


@pytest.mark.parametrize("name", arguments.NAMES)
def test_a_command_that_is_declared_alone_reads_as_it_does_among_all(name: str) -> None:
    alone, among = _command(parser(name), name), _command(parser(), name)
    assert alone.format_help() == among.format_help()
    assert parser(name).format_usage() == parser().format_usage()
    assert len(_commands(parser(name))) <= 2


def test_every_command_that_has_a_module_is_declared() -> None:
    assert set(_commands(parser())) == set(arguments.NAMES)


def test_a_count_is_a_number_from_1_wherever_one_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = [
        (name, option.option_strings[-1])
        for name in arguments.NAMES
        for option in _command(parser(name), name)._actions
        if option.type is arguments.ordinal
    ]
    assert ("search", "--limit") in asked
    for name, option in asked:
        for wrong in ("-5", "0", "1.5", "", "1" + "0" * 19, "9" * 5_000):
            with pytest.raises(SystemExit) as ended:
                parser(name).parse_args([name, option, wrong, "x"])
            assert ended.value.code == 2
            assert "a number from 1" in capsys.readouterr().err


def test_an_id_that_is_empty_is_told_wherever_one_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = [
        (name, option.option_strings[-1])
        for name in arguments.NAMES
        for option in _command(parser(name), name)._actions
        if option.metavar == "ID" and option.option_strings
    ]
    assert {("contents", "--leaf"), ("show", "--message"), ("plan", "--keep")} <= set(asked)
    for name, option in [*asked, ("audit", "--compaction")]:
        for wrong in ("", " "):
            with pytest.raises(SystemExit) as ended:
                parser(name).parse_args([name, "x", option, wrong])
            assert ended.value.code == 2
            assert "no id was given" in capsys.readouterr().err


def test_no_count_is_read_as_any_number() -> None:
    free = {
        option.option_strings[-1]
        for name in arguments.NAMES
        for option in _command(parser(name), name)._actions
        if option.type is int
    }
    assert free == {"--seed"}


def _command(root: argparse.ArgumentParser, name: str) -> argparse.ArgumentParser:
    return _commands(root)[name]


def _commands(root: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    (commands,) = (
        action for action in root._actions if isinstance(action, argparse._SubParsersAction)
    )
    return dict(commands.choices)
