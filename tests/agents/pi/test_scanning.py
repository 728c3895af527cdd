"""What a list shows of a pi session."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from redline.agents.pi.reader import open_session, scan
from redline.model import Agent
from tests.agents.pi.made_up import chain, compaction, entry, header, reply, result, user, write


def test_the_list_shows_what_the_opened_session_says(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(parentSession="/home/dev/old.jsonl"),
        chain(
            user("a", None, "\nFix the rounding\nin totals"),
            reply("b", None, "on it", billed=4000),
            entry("session_info", "n", None, name="  Rounding "),
            compaction("c", None, "a"),
            user("d", None, "now run the whole suite"),
            reply("e", None, "done", billed=1200),
        ),
    )
    info = scan(path)
    assert info is not None
    assert info == open_session(path).info
    assert (info.agent, info.id, info.project) == (Agent.PI, "0199-shop", "/home/dev/shop")
    assert (info.title, info.model) == ("Rounding", "claude-opus-4-5")
    assert (info.first_prompt, info.last_prompt) == ("Fix the rounding", "now run the whole suite")
    assert info.billed == 1200
    assert info.started == datetime(2026, 10, 3, 10, tzinfo=UTC)
    assert info.updated == datetime(2026, 10, 3, 10, 0, 1, tzinfo=UTC)
    assert info.parent == "/home/dev/old.jsonl"
    assert info.size == path.stat().st_size


def test_before_the_first_reply_after_a_compaction_nothing_is_billed(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        header(),
        chain(user("a", None, "one"), reply("b", None, "x"), compaction("c", None, "a")),
    )
    info = scan(path)
    assert info is not None
    assert info.billed is None
    assert info.title == "one"


def test_of_a_large_file_only_the_two_ends_are_read(tmp_path: Path) -> None:
    middle = [result(f"r{i}", "a", f"t{i}", "x" * 1_000_000) for i in range(6)]
    path = write(
        tmp_path,
        header(),
        chain(
            user("a", None, "the first"),
            *middle,
            user("z", None, "the last"),
            reply("e", None, "ok"),
        ),
    )
    info = scan(path)
    assert info is not None
    assert (info.first_prompt, info.last_prompt, info.billed) == ("the first", "the last", 900)
