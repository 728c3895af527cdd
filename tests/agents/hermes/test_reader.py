"""Rows become sessions: context, history, summaries, compactions, lineage, branches."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.hermes.reader import open_session
from redline.agents.hermes.scanning import scan
from redline.agents.hermes.summaries import BELOW, PRIOR
from redline.agents.opening import reopen
from redline.errors import RedlineError
from redline.model import CompactionKind, DamageKind, Kind, PartState, PartType, Role, Session

from .made_up import ALONE, SESSION, SUMMARY, Made, behind, call, in_front


@pytest.fixture
def made(tmp_path: Path) -> Made:
    made = Made(tmp_path / "state.db")
    made.session(title="Rounding", model="m", cwd="/home/dev/ledger")
    return made


def _open(made: Made, id: str = SESSION, **asked: object) -> Session:  # noqa: A002
    return open_session(made.path, id=id, **asked)  # type: ignore[arg-type]


def _ids(session: Session) -> list[int]:
    return [int(message.id) for message in session.context]


def _history(session: Session) -> list[int]:
    return [int(message.id) for message in session.source.history()]


def _said(session: Session, kind: Kind) -> list[str]:
    return [session.text(part) for m in session.context for part in m.parts if part.kind is kind]


def _compact(made: Made, *, head: int = 0, tail: int = 4) -> tuple[list[int], int]:
    """An in-place compaction as 0.19 does it: the ids of the copies, and of the summary."""
    ids = [row[0] for row in made.run("SELECT id FROM messages WHERE active = 1 ORDER BY id")]
    made.archive()
    copies = made.copy(ids[:head])
    carrier = made.row("user", ALONE)
    return copies + made.copy(ids[-tail:]), carrier


def test_the_context_are_the_active_rows_in_the_order_of_their_ids(made: Made) -> None:
    ids = made.turns(2)
    made.run("UPDATE messages SET timestamp = 5 WHERE id = ?", ids[3])  # a clock that was set back
    session = _open(made)
    assert _ids(session) == ids
    assert _history(session) == ids
    assert (session.counts.prompts, session.counts.turns, session.counts.tool_pairs) == (2, 2, 2)
    assert session.info.title == "Rounding"
    assert session.info.first_prompt == "prompt 0"
    assert session.info.last_prompt == "prompt 1"


def test_roles_kinds_and_bodies_are_those_of_the_rows(made: Made) -> None:
    made.row("user", "look")
    made.row(
        "assistant", "Looking.", reasoning="need to see", finish_reason="tool_calls",
        tool_calls=[call("terminal", "c1", command="ls")],
        codex_reasoning_items='[{"type": "reasoning", "encrypted_content": "zzz"}]',
    )  # fmt: skip
    made.result("terminal", "c1", '{"output": "a", "exit_code": 2, "error": "no"}')
    session = _open(made)
    parts = [part for message in session.context for part in message.parts]
    assert [part.type for part in parts] == [
        PartType.TEXT, PartType.THINKING, PartType.OPAQUE, PartType.TEXT, PartType.TOOL_CALL,
        PartType.TOOL_RESULT,
    ]  # fmt: skip
    assert [session.text(part) for part in parts] == [
        "look", "need to see", "zzz", "Looking.", '{"command": "ls"}',
        '{"output": "a", "exit_code": 2, "error": "no"}',
    ]  # fmt: skip
    assert [message.role for message in session.context] == [
        Role.USER, Role.ASSISTANT, Role.USER,
    ]  # fmt: skip
    assert (parts[4].call_id, parts[4].tool) == (parts[5].call_id, parts[5].tool)
    assert parts[5].error
    assert session.context[1].stop == "tool_calls"


def test_several_kinds_of_content_and_a_picture_are_parts_of_their_own(made: Made) -> None:
    made.row("user", [
        {"type": "text", "text": "what is wrong?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
        {"type": "text", "text": "[screenshot removed to save context]"},
    ])  # fmt: skip
    session = _open(made)
    assert [(part.type, part.kind) for part in session.context[0].parts] == [
        (PartType.TEXT, Kind.PROMPT),
        (PartType.TEXT, Kind.INJECTED),
        (PartType.IMAGE, Kind.PROMPT),
    ]
    assert session.info.first_prompt == "what is wrong?"


def test_an_in_place_compaction_leaves_one_history_in_which_nothing_is_doubled(
    made: Made,
) -> None:
    ids = made.turns(4)
    copies, carrier = _compact(made, head=2)
    later = made.turns(1, start=9)
    session = _open(made)
    assert sorted(_ids(session)) == sorted([*copies, carrier, *later])
    assert _history(session) == [*copies[:2], *ids[2:-4], *copies[2:], carrier, *later]
    assert session.counts.messages == len(ids) + 1 + len(later)
    assert (session.counts.prompts, session.counts.records) == (5, len(ids) + 6 + 1 + 4)
    (compaction,) = session.compactions
    assert compaction.kind is CompactionKind.PARTIAL
    assert compaction.record == carrier
    assert compaction.messages_before == len(ids)
    assert [int(id) for id in compaction.preserved] == copies  # noqa: A001


def test_carried_rows_are_known_without_their_times(made: Made) -> None:
    ids = made.turns(3)
    made.archive()
    made.row("assistant", ALONE)
    copies = made.copy(ids[-5:], timestamp=made.clock + 100)
    session = _open(made)
    assert _history(session)[: len(ids)] == [*ids[:-5], *copies]
    assert session.counts.prompts == 3


def test_a_result_that_was_cut_stays_whole_in_the_history(made: Made) -> None:
    ids = made.turns(2)
    copies, _ = _compact(made)
    made.run(
        "UPDATE messages SET content = '[read_file] read src/1.py (6 chars)' WHERE id = ?",
        copies[2],
    )
    session = _open(made)
    history = _history(session)
    assert history.index(copies[2]) == history.index(ids[6]) + 1
    cut = next(message for message in session.context if int(message.id) == copies[2])
    assert cut.parts[0].state is PartState.CLEARED
    assert session.counts.messages == len(ids) + 1


def test_originals_that_newer_versions_take_out_are_not_doubled(tmp_path: Path) -> None:
    made = Made(tmp_path / "state.db", schema=31)
    made.session()
    ids = made.turns(3)
    copies, carrier = _compact(made)
    made.run(f"UPDATE messages SET compacted = 0 WHERE id IN ({','.join(map(str, ids[-4:]))})")
    made.run("UPDATE messages SET _compressed_summary = 1 WHERE id = ?", carrier)
    session = _open(made)
    assert _history(session) == [*ids[:-4], *copies, carrier]
    assert session.side_branches == ()
    assert _ids(_open(made, before=1)) == ids


@pytest.mark.parametrize(("merge", "prompt"), [(behind, "now docs"), (in_front, "now docs")])
def test_a_summary_in_a_tail_row_leaves_the_prompt_a_prompt(
    made: Made, merge: object, prompt: str
) -> None:
    assert callable(merge)
    made.row("user", merge(prompt))
    session = _open(made)
    assert _said(session, Kind.PROMPT) == [prompt]
    (summary,) = _said(session, Kind.SUMMARY)
    assert summary.strip().startswith((SUMMARY, BELOW))
    assert session.counts.prompts == 1
    whole = "".join(session.text(part) for part in session.context[0].parts)
    assert whole == merge(prompt)
    assert session.context[0].head == prompt


def test_a_summary_merged_into_a_reply_or_a_list_is_found(made: Made) -> None:
    made.row("assistant", behind("I looked."), tool_calls=[call("read_file", "c", path="x")])
    made.result("read_file", "c", "body")
    made.row("user", [
        {"type": "text", "text": f"{PRIOR}\n"},
        {"type": "text", "text": "see the picture"},
        {"type": "image_url", "image_url": {"url": "https://x/y.png"}},
        {"type": "text", "text": f"\n\n{BELOW}\n\n{ALONE}"},
    ])  # fmt: skip
    session = _open(made)
    assert _said(session, Kind.REPLY) == ["I looked."]
    assert _said(session, Kind.PROMPT) == ["see the picture", ""]
    assert len(session.compactions) == 2


@pytest.mark.parametrize(
    "text",
    [
        ALONE,
        "[CONTEXT COMPACTION] older",
        "[CONTEXT SUMMARY]: oldest",
        "\n[CONTEXT COMPACTION — REFERENCE ONLY] no end",
    ],
)
def test_every_wording_of_a_summary_is_one(made: Made, text: str) -> None:
    made.row("user", text)
    session = _open(made)
    assert _said(session, Kind.SUMMARY) == [text]
    assert session.counts.prompts == 0


def test_the_mark_of_the_row_tells_a_summary_that_no_wording_tells(tmp_path: Path) -> None:
    made = Made(tmp_path / "state.db", schema=31)
    made.session()
    made.row("user", "Es geht um Rundung.", _compressed_summary=1)
    made.row("user", "a process ended", display_kind="notification")
    assert len(_said(_open(made), Kind.SUMMARY)) == 1
    assert _open(made).counts.prompts == 0


def test_before_gives_the_rows_as_they_were(made: Made) -> None:
    ids = made.turns(3)
    copies, carrier = _compact(made)
    later = made.turns(2, start=5)
    _compact(made)
    first, second = _open(made, before=1), _open(made, before=2)
    assert _ids(first) == ids
    assert _history(first) == ids
    assert first.compactions == ()
    assert _ids(second) == [carrier, *copies, *later]
    assert _history(second) == [*ids[:-4], *copies, carrier, *later]
    assert len(_open(made).compactions) == 2
    for before in (0, 3):
        with pytest.raises(RedlineError, match="it has 2"):
            _open(made, before=before)


def test_a_session_goes_on_over_the_sessions_that_compactions_ended(made: Made) -> None:
    ids = made.turns(2)
    made.run("UPDATE sessions SET ended_at = 1780000100, end_reason = 'compression'")
    child = made.session("child", parent_session_id=SESSION, title="Rounding #2")
    carrier = made.row("assistant", ALONE, session=child)
    copies = made.copy(ids[-4:], session=child)
    session = _open(made, child)
    assert _ids(session) == [carrier, *copies]
    assert _history(session) == [*ids[:-4], *copies, carrier]
    (compaction,) = session.compactions
    assert compaction.trigger == "compression"
    assert compaction.time is not None
    assert compaction.time.timestamp() == 1_780_000_100
    assert compaction.messages_before == len(ids)
    assert session.info.first_prompt == "prompt 0"
    assert session.info.parent is None
    assert [info.id for info in scan(made.path)] == [child]
    assert _ids(_open(made)) == ids  # the first one opens by its own id


def test_of_several_children_the_one_that_goes_on_is_the_next(made: Made) -> None:
    made.turns(1)
    made.run("UPDATE sessions SET ended_at = 9, end_reason = 'compression'")
    made.session("dead", parent_session_id=SESSION, ended_at=10.0, end_reason="ws_orphan_reap")
    made.session("alive", parent_session_id=SESSION)
    made.session("tool", parent_session_id=SESSION, source="tool")
    branched = f'{{"_branched_from": "{SESSION}"}}'
    made.session("branch", parent_session_id=SESSION, model_config=branched)
    listed = {info.id: info.parent for info in scan(made.path)}
    assert listed == {"dead": None, "alive": None, "tool": SESSION, "branch": SESSION}


def test_a_ring_of_sessions_ends(made: Made) -> None:
    made.turns(1)
    made.session("b", parent_session_id=SESSION, end_reason="compression")
    made.run(
        "UPDATE sessions SET parent_session_id = 'b', end_reason = 'compression' WHERE id = ?",
        SESSION,
    )
    assert {info.id for info in scan(made.path)} == {SESSION, "b"}
    assert len(_open(made).context) == 4


def test_subagents_hang_on_their_session_and_are_not_listed(made: Made) -> None:
    made.turns(1)
    config = f'{{"_delegate_from": "{SESSION}"}}'
    made.session("sub", parent_session_id=SESSION, source="subagent", model_config=config)
    made.row("user", "look at it", session="sub")
    session = _open(made)
    assert [(sub.id, sub.path) for sub in session.subagents] == [("sub", made.path)]
    assert [info.id for info in scan(made.path)] == [SESSION]
    assert [m.head for m in _open(made, "sub").context] == ["look at it"]


def test_rows_that_were_taken_back_are_a_branch(made: Made) -> None:
    ids = made.turns(1)
    gone = [made.row("user", "no, undo", active=0), made.row("assistant", "Done.", active=0)]
    made.row("user", "rather this")
    session = _open(made)
    assert gone[0] not in _history(session)
    (branch,) = session.side_branches
    assert (branch.leaf, branch.fork, branch.records) == (str(gone[1]), str(ids[-1]), 2)
    assert (branch.answered, branch.head) == (True, "no, undo")
    assert _ids(_open(made, leaf=branch.leaf)) == [*ids, *gone]
    other = made.row("user", "or this", id=1234, active=0)
    assert _open(made, leaf="123").leaf == str(other)
    with pytest.raises(RedlineError, match="no row 99"):
        _open(made, leaf="99")


def test_each_run_of_rows_that_were_taken_back_is_a_branch_of_its_own(made: Made) -> None:
    for text in ("first", "second"):
        made.row("user", text)
        made.row("user", f"{text}, undone", active=0)
        made.row("assistant", "Done.", active=0)
    assert [(branch.head, branch.records) for branch in _open(made).side_branches] == [
        ("first, undone", 2),
        ("second, undone", 2),
    ]


def test_the_system_prompt_is_no_message_but_counts(tmp_path: Path) -> None:
    made = Made(tmp_path / "state.db", schema=31)
    made.run("INSERT INTO system_prompts VALUES ('h', 'You are Hermes.')")
    made.session(system_prompt_hash="h")
    made.turns(1)
    session = _open(made)
    assert len(session.context) == 4
    assert session.system is not None
    assert session.text(session.system.parts[0]) == "You are Hermes."


def test_what_is_wrong_is_listed_and_costs_its_row(made: Made) -> None:
    made.row("user", "fine")
    made.row("assistant", "bad calls", tool_calls="{not json")
    made.row("alien", "who?")
    made.result("terminal", "nobody", "stray")
    made.row("session_meta", None)
    session = _open(made)
    assert len(session.context) == 4
    kinds = {finding.kind for finding in session.damage}
    assert kinds == {DamageKind.UNREADABLE, DamageKind.UNKNOWN, DamageKind.ORPHAN}


def test_a_row_that_is_gone_is_told(made: Made) -> None:
    ids = made.turns(1)
    session = _open(made)
    part = session.context[0].parts[0]
    made.run("DELETE FROM messages WHERE id = ?", ids[0])
    with pytest.raises(RedlineError, match="not there any more"):
        session.text(part)


def test_newer_schemas_are_read_as_far_as_they_are_the_same(tmp_path: Path) -> None:
    made = Made(tmp_path / "state.db", schema=99)
    made.run("ALTER TABLE messages ADD COLUMN something_new BLOB DEFAULT x'00'")
    made.run("ALTER TABLE messages DROP COLUMN reasoning_details")
    made.run("ALTER TABLE sessions DROP COLUMN rewind_count")
    made.session()
    made.turns(1)
    assert len(_open(made).context) == 4
    assert _open(made).version == "schema 99"


def test_a_session_that_grew_is_opened_again_and_what_was_there_is_the_same(made: Made) -> None:
    made.turns(2)
    session = _open(made)
    assert reopen(session) is session
    made.session("other")
    made.turns(1, session="other")
    assert reopen(session) is session  # the file changed, the session did not
    new = made.row("user", "more")
    grown = reopen(session)
    assert _ids(grown)[-1] == new
    assert all(a is b for a, b in zip(session.context, grown.context, strict=False))
    assert len(grown.context) == len(session.context) + 1
    assert grown.info.last_prompt == "more"
