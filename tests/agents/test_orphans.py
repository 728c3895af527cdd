"""A result is an orphan where its call does not stand before it."""

from __future__ import annotations

from redline.agents.orphans import orphans
from redline.model import DamageKind
from tests.sessions_in_memory import call, reply, result, session, together, user


def test_a_result_behind_its_call_is_none() -> None:
    calls = together(call("Bash", {}, call_id="a"), call("Bash", {}, call_id="b"))
    given = session(user("go"), calls, result("1", call_id="b"), result("2", call_id="a"))
    assert list(orphans(given.context)) == []


def test_a_result_before_its_call_or_without_one_is_named_with_its_record() -> None:
    given = session(
        user("go"),
        result("early", call_id="a"),
        call("Bash", {}, call_id="a"),
        result("in time", call_id="a"),
        result("of none", call_id="z"),
        reply("done"),
    )
    found = list(orphans(given.context))
    assert [one.kind for one in found] == [DamageKind.ORPHAN] * 2
    assert [one.record for one in found] == [
        given.context[place].parts[0].origin.record for place in (1, 4)
    ]
    assert [one.detail.split(",")[0] for one in found] == ["result of a", "result of z"]
