"""Writers that are left alone for a while."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from redline.handoff.writers.cooldown import Cooldowns, Standing
from redline.handoff.writers.failure import Failure, FailureKind

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FAULT = Failure(FailureKind.SERVER, "the provider failed")


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def rests(cooldowns: Cooldowns, seconds: float, *, by_person: bool = False) -> bool:
    return cooldowns.rest("m", later(seconds), by_person=by_person) is not None


def test_the_pauses_grow_and_the_third_failure_stops_it(tmp_path: Path) -> None:
    cooldowns = Cooldowns(tmp_path / "state")
    assert not rests(cooldowns, 0)
    cooldowns.failed("m", FAULT, NOW)
    assert (rests(cooldowns, 59), rests(cooldowns, 61)) == (True, False)
    cooldowns.failed("m", FAULT, NOW)
    assert (rests(cooldowns, 299), rests(cooldowns, 301)) == (True, False)
    standing = cooldowns.failed("m", FAULT, NOW)
    assert standing.stopped
    assert datetime.fromisoformat(standing.until) == later(900)
    assert rests(cooldowns, 10**6)
    assert "3 times in a row" in str(cooldowns.rest("m", later(10**6), by_person=False))


def test_what_a_person_asks_for_is_tried_all_the_same(tmp_path: Path) -> None:
    cooldowns = Cooldowns(tmp_path)
    for _ in range(5):
        cooldowns.failed("m", FAULT, NOW)
    assert not rests(cooldowns, 0, by_person=True)


def test_but_not_while_the_provider_asks_to_wait(tmp_path: Path) -> None:
    cooldowns = Cooldowns(tmp_path)
    limited = Failure(FailureKind.RATE_LIMIT, "slow down", retry_after=120)
    cooldowns.failed("m", limited, NOW)
    assert (rests(cooldowns, 119, by_person=True), rests(cooldowns, 121, by_person=True)) == (
        True,
        False,
    )
    assert rests(cooldowns, 100)


def test_one_that_went_well_forgets_it_and_others_are_not_touched(tmp_path: Path) -> None:
    cooldowns = Cooldowns(tmp_path)
    cooldowns.failed("m", FAULT, NOW)
    cooldowns.failed("n", FAULT, NOW)
    cooldowns.worked("m")
    assert cooldowns.standing("m") == Standing()
    assert cooldowns.standing("n").failures == 1


def test_another_process_sees_it_and_nobody_else_reads_it(tmp_path: Path) -> None:
    Cooldowns(tmp_path).failed("command: agent --key sk-ant-abcdef123456789", FAULT, NOW)
    file = tmp_path / "writers.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "abcdef123456789" not in file.read_text()
    again = Cooldowns(tmp_path)
    assert again.standing("command: agent --key sk-ant-abcdef123456789").failures == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        "[]",
        '{"m": 1}',
        '{"m": {"failures": true}}',
        '{"m": {"failures": -1}}',
        '{"m": {"failures": 1, "until": "then", "asked": 5}}',
        '{"m": {"failures": 1, "until": "9999-01-01T00:00:00+00:00"}}',
        '{"m": {"failures": 1, "until": "2026-11-30T12:00:00"}}',
        '{"m": {"failures": 1, "asked": "9999-01-01T00:00:00+00:00"}}',
    ],
)
def test_a_damaged_file_is_no_reason_not_to_try(tmp_path: Path, text: str) -> None:
    (tmp_path / "writers.json").write_text(text)
    cooldowns = Cooldowns(tmp_path)
    assert not rests(cooldowns, 0)
    cooldowns.failed("m", FAULT, NOW)
    assert rests(cooldowns, 1)
