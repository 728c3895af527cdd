"""`inspect` of a large session: on two cores it tells what it tells on one."""

from __future__ import annotations

import pytest

from redline.cli import two_cores
from redline.context import counted_beside, tokenizer
from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def own_tokenizers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer, "LOADED", {})


@pytest.fixture
def every_session_is_large(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What two cores were used for, which is noted down."""
    used: list[str] = []
    count = counted_beside.count_beside

    def noted(*given: object) -> None:
        used.append("counting")
        count(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("redline.cli.inspect.LARGE", 0)
    monkeypatch.setattr(two_cores, "count_beside", noted)
    return used


def test_two_cores_tell_what_one_does(
    run: Run, shop: str, monkeypatch: pytest.MonkeyPatch, every_session_is_large: list[str]
) -> None:
    on_two = run("inspect", shop, "--json").json
    assert every_session_is_large == ["counting"]
    monkeypatch.setattr("redline.cli.inspect.LARGE", 10**9)
    tokenizer.LOADED.clear()
    assert run("inspect", shop, "--json").json == on_two
    assert every_session_is_large == ["counting"]


def test_a_rule_that_was_confirmed_is_told_as_such(
    run: Run, shop: str, every_session_is_large: list[str]
) -> None:
    found = run("inspect", shop, "--json").json["rules"]
    assert run("rules", shop, "confirm", found[0]["id"]).status == 0
    assert run("inspect", shop, "--json").json["rules"][0]["state"] == "active"


def test_a_broken_session_is_refused_as_on_one_core(
    run: Run, every_session_is_large: list[str]
) -> None:
    answer = run("inspect", "nowhere.jsonl")
    assert answer.status == 2
    assert "nowhere.jsonl" in answer.err
