"""A rollout that is opened again while Codex writes to it."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from redline.agents.codex.reader import open_session
from redline.agents.opening import reopen
from tests.agents.codex.files import event, line, meta, pack, said, text_of, turn
from tests.agents.codex.rolling import (
    PREFIX,
    asked,
    call,
    compacted,
    count,
    estimate,
    marked,
    message,
    output,
    rolled_back,
    sealed,
    started,
    user,
)
from tests.agents.told import told

COMPACTION = {"type": "compaction", "encrypted_content": "g" * 40}
CONTENT = text_of(
    meta(base_instructions={"text": "You are"}),
    user("rules of a host"),
    *asked("t1", "one", sealed(), call("c1"), count(900, 900), count(900, 900), output("c1")),
    event("agent_message", message="x" * 3_000),
    started("t2"),
    turn(),
    user("two"),
    marked("two"),
    call("c2"),
    count(2_000, 2_900),
    output("c2", "y" * 3_000),
    user("and three"),
    marked("and three"),
    compacted("", [message("user", "one"), message("user", "two"), COMPACTION]),
    estimate(500, 2_900),
    said("assistant", "Right."),
    count(700, 3_600),
    *asked("t3", "four"),
    rolled_back(1),
    line("future", {"x": 1}),
    *asked("t4", "five", compacted(f"{PREFIX}S")),
    rolled_back(2),
    *asked("t5", "six"),
)


@given(cuts=st.lists(st.integers(0, 100_000), max_size=8))
def test_opening_again_after_any_appends_is_opening_anew(cuts: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rollout.jsonl"
        path.write_bytes(CONTENT[:300])
        session = open_session(path)
        for cut in [*sorted(300 + cut % (len(CONTENT) - 300) for cut in cuts), len(CONTENT)]:
            path.write_bytes(CONTENT[:cut])
            session = reopen(session)
            assert told(session) == told(open_session(path))


def test_opening_again_at_the_end_of_every_line_is_opening_anew(tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl"
    session = None
    end = 0
    for record in CONTENT.splitlines(keepends=True):
        end += len(record)
        path.write_bytes(CONTENT[:end])
        session = open_session(path) if session is None else reopen(session)
        assert told(session) == told(open_session(path))


def test_a_session_whose_file_is_as_it_was_is_the_same_session(tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(CONTENT)
    session = open_session(path)
    assert reopen(session) is session


def test_messages_that_are_as_they_were_are_the_same_objects(tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(CONTENT)
    before = open_session(path)
    first = told(before)
    with path.open("ab") as file:
        file.write(text_of(said("assistant", "And"), user("seven")))
    after = reopen(before)
    same = [old is new for old, new in zip(before.context, after.context, strict=False)]
    assert len(after.context) == len(before.context) + 2
    assert all(same)
    assert told(before) == first


def test_a_rollout_that_was_packed_or_replaced_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(CONTENT)
    session = open_session(path)
    pack(path)
    session = reopen(session)
    assert session.info.path.name == "rollout.jsonl.zst"
    path.write_bytes(text_of(meta(), user("other"), *asked("t1", "x" * 20_000)))
    assert told(reopen(session)) == told(open_session(path))
