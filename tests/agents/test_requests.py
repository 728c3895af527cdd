"""Requests that were met while a file was read are those that its billing tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.billing import Bills
from redline.agents.claude_code.billing import billed as billed_in_claude_code
from redline.agents.codex.billing import billed as billed_in_codex
from redline.agents.opening import open_session, scan
from redline.agents.requests import Requests
from redline.errors import RedlineError
from redline.model import Agent, Billed, Usage
from tests.agents.claude_code import writing as claude

ONE, OTHER = Usage(1, 2, None, 4), Usage(5, None, 7, 8, 9)
READERS = {Agent.CLAUDE_CODE: billed_in_claude_code, Agent.CODEX: billed_in_codex}


def test_requests_come_in_the_order_of_their_first_record_with_what_was_said_last() -> None:
    requests = Requests()
    requests.set("a", "m", ONE)
    requests.set("b", None, ONE, aside=True)
    requests.set("a", "m", OTHER)
    assert requests.usage("a") == OTHER
    assert list(requests.first(2)) == [Billed("a", "m", OTHER), Billed("b", None, ONE, aside=True)]


def test_what_is_added_later_is_not_among_the_first() -> None:
    requests = Requests()
    requests.set("a", "m", ONE)
    known, apart = requests.first(len(requests)), requests.copied()
    requests.set("b", "n", OTHER)
    assert [request.key for request in known] == ["a"]
    assert len(apart) == 1


def test_a_subagents_own_requests_are_not_aside() -> None:
    requests = Requests()
    requests.set("a", "m", ONE, aside=True)
    assert list(requests.first(1)) == [Billed("a", "m", ONE)]


def test_an_opened_session_tells_them_as_a_reading_of_its_file_does(tmp_path: Path) -> None:
    used = {"input_tokens": 2, "output_tokens": 1}
    records = [
        claude.user("u1", None, "go"),
        claude.reply("a1", "u1", "m1", claude.text("so"), usage=used),
        claude.reply("a2", "a1", "m1", claude.call("t1"), usage={**used, "output_tokens": 30}),
        claude.reply("a2", "a1", "m1", claude.call("t1"), usage={**used, "output_tokens": 31}),
        claude.reply("a3", "a2", "m2", claude.text("more"), usage=used),
    ]
    path = claude.write(tmp_path, records)
    source = open_session(path).source
    assert isinstance(source, Bills)
    assert list(source.billed()) == list(billed_in_claude_code(path))


@pytest.mark.real
def test_so_does_every_real_session(real_sessions: Path) -> None:
    seen = 0
    for path in sorted(real_sessions.rglob("*.jsonl*")):
        found = scan(path)
        if not found or (reader := READERS.get(found[0].agent)) is None:
            continue
        try:
            source = open_session(path).source
        except RedlineError:
            continue
        assert isinstance(source, Bills)
        assert list(source.billed()) == list(reader(path)), path
        seen += 1
    assert seen
