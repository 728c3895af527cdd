"""A time says its zone, or is told by how long ago it was, everywhere."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.agents.opening import open_session
from redline.ui.roster import Roster
from redline.ui.session_details import detail_items
from tests.faults.dialects import ASK, CLAUDE_CODE, Dialect
from tests.faults.surfaces import Commands

_BARE = re.compile(r"\d{4}-\d\d-\d\dT?[ ]?\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?!\d*Z|[+\d:.])")


@pytest.mark.parametrize("zone", ["Asia/Shanghai", "America/Los_Angeles", "UTC"])
def test_no_time_is_printed_without_its_zone(
    home: Path, tmp_path: Path, writer: Dialect, commands: Commands, zone: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """A42: 17:30 UTC is the next day in Shanghai; what is printed can be told apart."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        path = writer.write(home, *ASK)
        for words in (("inspect",), ("show",), ("plan",), ("handoff", "-o", "-"), ("rules",)):
            _, out, _ = commands.run(words[0], str(path), *words[1:])
            assert not _BARE.findall(out), words
        stated = commands.json("inspect", str(path))["session"]
        if writer.name != "messages":
            assert stated["updated"].endswith("Z")
            assert stated["updated"].startswith("2026-08-07T17:30")
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()


def test_the_screens_speak_of_the_local_day(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A42: the local morning is of its own day."""
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    time.tzset()
    try:
        info = open_session(CLAUDE_CODE.write(home, *ASK)).info
        items = detail_items(info, Roster(), None, datetime(2026, 8, 9, tzinfo=UTC))
        told = " ".join(item.text for item in items)
        assert "2026-08-08 01:30" in told
        assert "2026-08-07" not in told
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()
