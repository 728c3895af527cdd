"""What a list shows of a session, stored and read again."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from redline.catalogue.stored_info import WRONG, read, stored
from redline.model import Agent, SessionInfo

FULL = SessionInfo(
    agent=Agent.CODEX,
    id="a",
    path=Path("/x"),
    project="/home/\ud800dev",
    title="Ünï \0",
    model="m",
    started=datetime(2026, 1, 1, 1, 2, 3, 456789, tzinfo=UTC),
    updated=datetime(2026, 1, 2, tzinfo=timezone(timedelta(hours=8))),
    size=7,
    first_prompt="first",
    last_prompt="last",
    billed=3,
    parent="p",
)


@pytest.mark.parametrize("info", [FULL, SessionInfo(Agent.PI, "b", Path("/y"))])
def test_it_comes_back_as_it_was(info: SessionInfo) -> None:
    assert read(stored(info), info.agent.value, info.path) == info


def test_everything_is_stored_but_whether_it_is_in_use() -> None:
    plain = SessionInfo(Agent.CODEX, "a", Path("/x"))
    for field in fields(SessionInfo):
        one = replace(plain, **{field.name: getattr(FULL, field.name)})
        back = read(stored(one), one.agent.value, one.path)
        assert getattr(back, field.name) == getattr(one, field.name)
    live = replace(FULL, live=True, live_by="lock")
    assert read(stored(live), "codex", FULL.path) == FULL


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"id": 1}', stored(FULL)[:-1]])
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(WRONG):
        read(text, "codex", Path("/x"))
