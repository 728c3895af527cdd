"""Whether Codex refuses a rollout by its first record."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.codex.head import refusal
from redline.agents.codex.reader import open_session
from redline.agents.codex.rollout import Rollout
from redline.model import DamageKind
from tests.agents.codex.files import JSON, PARENT, meta, pack, rollout_file, write
from tests.agents.codex.heads import GONE, REFUSED, TAKEN
from tests.agents.codex.rolling import user


def put(home: Path, head: list[JSON | str]) -> Path:
    return write(rollout_file(home), *head, user("KEPT"))


@pytest.mark.parametrize("name", TAKEN)
def test_a_head_that_it_reads_is_not_refused(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, TAKEN[name])
    assert refusal(Rollout(path)) == ""
    assert open_session(path).resume_lost == 0


@pytest.mark.parametrize("name", REFUSED)
def test_all_of_a_session_is_lost_behind_a_head_that_it_refuses(tmp_path: Path, name: str) -> None:
    path = put(tmp_path, REFUSED[name])
    session = open_session(path)
    assert session.resume_messages == 0
    assert session.resume_lost == len(session.context) > 0


def test_what_it_refuses_is_told(tmp_path: Path) -> None:
    session = open_session(put(tmp_path, REFUSED["no originator"]))
    (told,) = [one for one in session.damage if "refuses" in one.detail]
    assert (told.record, told.kind) == (1, DamageKind.MISSING)
    assert told.detail == "Codex refuses the file: its session_meta has no originator"


def test_a_packed_file_is_looked_into(tmp_path: Path) -> None:
    taken = pack(put(tmp_path / "one", TAKEN["as it is written"]))
    refused = pack(put(tmp_path / "other", REFUSED["no cwd"]))
    assert refusal(Rollout(taken)) == ""
    assert refusal(Rollout(refused)) == "its session_meta has no cwd"


def test_a_fork_is_taken_while_what_it_goes_on_from_is_there(tmp_path: Path) -> None:
    path = put(tmp_path, REFUSED["a base that is gone"])
    assert refusal(Rollout(path)) == "the history that it goes on from is not there"
    write(rollout_file(tmp_path, PARENT, rollout=GONE), meta(history_mode="paginated"))
    assert refusal(Rollout(path)) == ""


@pytest.mark.parametrize("ordinal", ["1", 1.5, -1])
def test_a_record_with_a_number_that_is_none_is_passed_over(
    tmp_path: Path, ordinal: object
) -> None:
    path = write(rollout_file(tmp_path), meta(), {**user("GONE"), "ordinal": ordinal}, user("KEPT"))
    session = open_session(path)
    assert (session.resume_messages, session.resume_lost) == (1, 1)
