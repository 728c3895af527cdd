"""Records in which anything may stand: nothing is fatal, and the figures agree all the same."""

from __future__ import annotations

import json
import tempfile
from copy import deepcopy
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from redline.agents.codex.reader import open_session
from redline.model import PartType, Session
from tests.agents.codex.files import item, line, meta, said, turn
from tests.agents.codex.rolling import (
    PREFIX,
    asked,
    call,
    compacted,
    count,
    estimate,
    image,
    message,
    output,
    rolled_back,
    sealed,
    user,
)

RECORDS = [
    meta(base_instructions={"text": "You are"}),
    turn(),
    *asked("t1", "one", sealed(), call("c1"), count(900, 900), output("c1", [image()])),
    line("inter_agent_communication", {"author": "a", "recipient": "b", "content": "c"}),
    item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c2"),
    item("custom_tool_call_output", call_id="c2", output='{"output":"x","metadata":{}}'),
    item("web_search_call", action={"type": "search", "query": "q"}),
    user(image(), "see"),
    compacted("", [message("user", "one"), {"type": "compaction", "encrypted_content": "g"}]),
    estimate(500, 900),
    *asked("t2", "two"),
    compacted(f"{PREFIX}S"),
    *asked("t3", "three"),
    rolled_back(2),
    said("assistant", "end"),
]
ODD: list[Any] = [
    None,
    -1,
    1.5,
    True,
    "",
    "\ud800",
    float("nan"),
    [],
    {},
    [None],
    [["x"]],
    {"type": 3},
    ["s", {"type": "input_text", "text": None}],
    {"message": "x", "replacement_history": [None, {"type": []}]},
]


def places(value: Any, above: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [above]
    if isinstance(value, dict):
        for name, held in value.items():
            found += places(held, (*above, name))
    elif isinstance(value, list):
        for at, held in enumerate(value):
            found += places(held, (*above, at))
    return found


PLACES = [(at, *place) for at, record in enumerate(RECORDS) for place in places(record)]


def spoiled(changes: list[tuple[tuple[Any, ...], Any]]) -> bytes:
    records: list[Any] = deepcopy(RECORDS)
    for place, odd in changes:
        value: Any = records
        try:
            for step in place[:-1]:
                value = value[step]
            value[place[-1]] = odd
        except (KeyError, IndexError, TypeError):
            continue  # what held it was spoiled before
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def check(session: Session) -> None:
    history = list(session.source.history())
    ids = [message.id for message in history]
    assert len(history) == session.counts.messages
    assert len(set(ids)) == len(ids)
    assert {message.id for message in session.context} <= set(ids)
    assert sum(len(message.prompts) for message in history) == session.counts.prompts
    assert sum(1 for message in history if message.prompts) == session.counts.turns
    assert [message for message in history if message.prompts] == list(session.prompts())
    for part in [part for m in (*session.context, *history) for part in m.parts]:
        session.source.value(part)
        assert part.type is PartType.IMAGE or len(session.text(part)) == part.chars
    list(session.source.resume())


@given(st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(ODD)), min_size=1, max_size=4))
def test_any_field_may_hold_anything(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rollout.jsonl"
        path.write_bytes(spoiled(changes))
        session = open_session(path)
        check(session)
        for number in range(len(session.compactions)):
            check(open_session(path, before=number + 1))
        for branch in session.side_branches:
            other = open_session(path, leaf=branch.leaf)
            check(other)
            assert other.leaf == branch.leaf


@given(st.integers(0, 100_000), st.sampled_from([b"", b"\xff", b"\n", b"}{", b"\x00"]))
def test_a_torn_line_costs_that_line(place: int, put_in: bytes) -> None:
    content = spoiled([])
    at = place % len(content)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rollout.jsonl"
        path.write_bytes(content[:at] + put_in + content[at + 1 :])
        check(open_session(path))
