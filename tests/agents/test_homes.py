"""Where an agent's own folder is, with and without a home folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.homes import agent_home, beneath_home, users_home

HOME = {"HOME": "/home/dev"}


def test_the_folder_an_agent_was_told_to_use_comes_first() -> None:
    assert agent_home("/srv/agent", ".agent", HOME) == Path("/srv/agent")
    assert agent_home("", ".agent", HOME) == Path("/home/dev/.agent")
    assert agent_home(None, ".pi/agent", HOME) == Path("/home/dev/.pi/agent")


@pytest.mark.parametrize(
    ("named", "expected"),
    [("~", "/home/dev"), ("~/a/b", "/home/dev/a/b"), ("~other/a", "~other/a"), ("a~", "a~")],
)
def test_only_a_tilde_of_its_own_is_the_home_folder(named: str, expected: str) -> None:
    assert beneath_home(named, HOME) == Path(expected)


def test_windows_names_the_home_folder_otherwise() -> None:
    assert users_home({"USERPROFILE": "/users/dev", "HOME": ""}) == Path("/users/dev")


def test_without_a_home_folder_there_is_nothing_beneath_it() -> None:
    assert users_home({}) is None
    assert agent_home("~/agent", ".agent", {}) is None
    assert agent_home(None, ".agent", {}) is None
    assert agent_home("/srv/agent", ".agent", {}) == Path("/srv/agent")


def test_the_system_is_asked_only_for_the_home_of_this_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.delenv("USERPROFILE", raising=False)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/system"))
    assert users_home() == Path("/home/system")

    def nowhere() -> Path:
        raise RuntimeError("no home folder")

    monkeypatch.setattr(Path, "home", nowhere)
    assert users_home() is None
