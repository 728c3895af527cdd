"""Whole sessions: compactions, what stands beside the conversation, and damaged files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.claude_code.reader import open_session
from redline.errors import RedlineError
from redline.model import CompactionKind, DamageKind, PartState
from tests.agents.claude_code.writing import (
    SESSION_ID,
    attachment,
    boundary,
    call,
    ids,
    opened,
    record,
    reply,
    result,
    resumed,
    start,
    summary,
    text,
    usage,
    user,
    write,
)


def before_it() -> list[dict[str, Any]]:
    return [
        *start(),
        user("u2", "a1", "Now the logout"),
        reply("a2", "u2", "m2", text("Done too."), usage=usage(160_000)),
    ]


def after_it(parent: str = "s1") -> list[dict[str, Any]]:
    return [
        user("u3", parent, "Go on"),
        reply("a3", "u3", "m3", text("Going on"), usage=usage(40_000)),
    ]


def kept(*uuids: str) -> dict[str, Any]:
    return {"preservedMessages": {"anchorUuid": "s1", "uuids": list(uuids)}, "postTokens": 900}


class TestCompactions:
    def test_a_full_one_starts_the_context_with_its_summary(self, tmp_path: Path) -> None:
        records = [*before_it(), boundary("b1"), summary("s1", "b1"), *after_it()]
        session = opened(tmp_path, records)
        assert ids(session) == ["s1", "u3", "a3"]
        (past,) = session.compactions
        assert (past.kind, past.trigger) == (CompactionKind.FULL, "auto")
        assert (past.tokens_before, past.tokens_after, past.reported_after) == (
            167_000,
            40_001,
            None,
        )
        assert past.messages_before == 4
        assert past.summary is not None
        assert past.summary.id == "s1"
        assert [m.id for m in session.source.history()] == [
            "u1",
            "a1",
            "u2",
            "a2",
            "s1",
            "u3",
            "a3",
        ]

    def test_preserved_messages_come_behind_the_summary_with_no_usage(self, tmp_path: Path) -> None:
        records = [*before_it(), boundary("b1", **kept("u2", "a2")), summary("s1", "b1")]
        session = opened(tmp_path, [*records, *after_it()])
        assert ids(session) == ["s1", "u2", "a2", "u3", "a3"]
        assert [m.usage is None for m in session.context] == [True, True, True, True, False]
        (past,) = session.compactions
        assert past.kind is CompactionKind.PARTIAL
        assert past.preserved == ("u2", "a2")
        assert past.reported_after == 900
        assert past.tokens_after == 40_001

    def test_in_the_history_a_preserved_message_keeps_place_and_usage(self, tmp_path: Path) -> None:
        records = [*before_it(), boundary("b1", **kept("u2", "a2")), summary("s1", "b1")]
        history = list(opened(tmp_path, [*records, *after_it()]).source.history())
        assert [m.id for m in history] == ["u1", "a1", "u2", "a2", "s1", "u3", "a3"]
        assert history[3].usage is not None
        records += after_it()
        assert ids(opened(tmp_path, records, before=1)) == ["u1", "a1", "u2", "a2"]

    def test_nothing_may_be_above_one(self, tmp_path: Path) -> None:
        session = opened(tmp_path, [boundary("b1"), summary("s1", "b1"), *after_it()])
        assert ids(session) == ["s1", "u3", "a3"]
        assert session.compactions[0].messages_before == 0
        assert ids(opened(tmp_path, [boundary("b1"), summary("s1", "b1")], before=1)) == []

    def test_a_preserved_segment_is_walked_from_its_tail(self, tmp_path: Path) -> None:
        segment = {"headUuid": "u2", "anchorUuid": "s1", "tailUuid": "a2"}
        marker = boundary("b1", preservedSegment=segment)
        records = [*before_it(), marker, summary("s1", "b1"), *after_it()]
        assert ids(opened(tmp_path, records)) == ["s1", "u2", "a2", "u3", "a3"]

    @pytest.mark.parametrize("parent", ["u1", "a1"])
    def test_what_hangs_above_the_compaction_is_loaded_behind_what_was_preserved(
        self, tmp_path: Path, parent: str
    ) -> None:
        marker = boundary("b1", **kept("u2", "a2"))
        records = [*before_it(), marker, summary("s1", "b1"), user("u3", parent, "Back there")]
        said = resumed(opened(tmp_path, records))
        assert said[1:] == ["Now the logout", "Done too.", "Back there"]

    @pytest.mark.parametrize(("noted", "ends"), [("u3", "a4"), ("a3", "a3"), ("x3", "a4")])
    def test_behind_preserved_messages_a_noted_leaf_counts_if_it_was_said_last(
        self, tmp_path: Path, noted: str, ends: str
    ) -> None:
        records = [*before_it(), boundary("b1", **kept("u2", "a2")), summary("s1", "b1")]
        records += [*after_it(), attachment("x3", "a3"), user("u4", "s1", "Another way")]
        records += [reply("a4", "u4", "m4", text("Another answer"))]
        hint = {"type": "last-prompt", "lastPrompt": "x", "leafUuid": noted}
        assert opened(tmp_path, [*records, hint]).leaf == ends

    def test_the_loader_keeps_none_where_one_preserved_message_is_missing(
        self, tmp_path: Path
    ) -> None:
        marker = boundary("b1", **kept("u2", "not-on-disk", "a2"))
        session = opened(tmp_path, [*before_it(), marker, summary("s1", "b1"), *after_it()])
        assert ids(session) == ["s1", "u2", "a2", "u3", "a3"]
        assert resumed(session)[1:] == ["Go on", "Going on"]
        assert (session.resume_messages, session.resume_lost) == (3, 2)

    def test_without_a_request_after_it_nothing_is_billed(self, tmp_path: Path) -> None:
        records = [*before_it(), boundary("b1", **kept("u2", "a2")), summary("s1", "b1")]
        session = opened(tmp_path, records)
        assert session.info.billed is None
        assert session.compactions[0].tokens_after is None

    def test_one_that_is_appended_again_counts_once(self, tmp_path: Path) -> None:
        again = [*before_it(), boundary("b1"), summary("s1", "b1")]
        session = opened(tmp_path, [*again, *again, *after_it()])
        assert len(session.compactions) == 1
        assert ids(session) == ["s1", "u3", "a3"]

    def test_each_of_several_has_its_messages_before(self, tmp_path: Path) -> None:
        records = [
            *before_it(),
            boundary("b1"),
            summary("s1", "b1"),
            *after_it(),
            boundary("b2", trigger="manual", preTokens=50_000),
            summary("s2", "b2"),
        ]
        session = opened(tmp_path, records)
        assert [(c.trigger, c.messages_before) for c in session.compactions] == [
            ("auto", 4),
            ("manual", 7),
        ]
        assert session.counts.messages == 8

    def test_one_that_was_taken_back_is_not_on_the_branch(self, tmp_path: Path) -> None:
        records = [*before_it(), boundary("b1"), summary("s1", "b1"), user("u9", "a1", "No, this")]
        session = opened(tmp_path, records)
        assert session.compactions == ()
        assert ids(session) == ["u1", "a1", "u9"]

    def micro(self) -> list[dict[str, Any]]:
        meta = {"trigger": "auto", "preTokens": 50_000, "compactedToolIds": ["t1"]}
        return [
            *start(),
            reply("a2", "a1", "m2", call("t1"), call("t2")),
            user("r1", "a2", [result("t1", "long"), result("t2", "short")]),
            record(
                "b1", "r1", "system", subtype="microcompact_boundary", microcompactMetadata=meta
            ),
            user("u3", "b1", "Go on"),
        ]

    def test_a_micro_one_clears_results_and_starts_no_context(self, tmp_path: Path) -> None:
        session = opened(tmp_path, self.micro())
        assert ids(session) == ["u1", "a1", "a2", "r1", "u3"]
        states = [part.state for part in session.context[3].parts]
        assert states == [PartState.CLEARED, PartState.LIVE]
        (past,) = session.compactions
        assert (past.kind, past.cleared) == (CompactionKind.MICRO, ("t1",))

    def test_the_context_just_before_one_can_be_opened(self, tmp_path: Path) -> None:
        records = [*before_it(), boundary("b1"), summary("s1", "b1"), *after_it()]
        session = opened(tmp_path, records, before=1)
        assert ids(session) == ["u1", "a1", "u2", "a2"]
        assert session.context[-1].usage is not None
        assert [message.id for message in session.source.history()] == ids(session)
        assert session.counts.messages == len(session.context), "what came later is not yet said"
        assert session.compactions == ()
        assert session.resume_lost == 0
        assert resumed(session)[-1] == "Done too."

    def test_before_a_micro_one_its_results_are_whole(self, tmp_path: Path) -> None:
        session = opened(tmp_path, self.micro(), before=1)
        assert ids(session) == ["u1", "a1", "a2", "r1"]
        assert {part.state for part in session.context[3].parts} == {PartState.LIVE}

    @pytest.mark.parametrize("before", [0, 2, -1])
    def test_a_number_that_names_none_is_refused(self, tmp_path: Path, before: int) -> None:
        with pytest.raises(RedlineError, match="no compaction"):
            opened(tmp_path, self.micro(), before=before)


class TestSubagents:
    def lines(self) -> list[dict[str, Any]]:
        return [
            user("k1", None, "Look it up", isSidechain=True, agentId="abc"),
            reply("k2", "k1", "mk", text("Found"), isSidechain=True, agentId="abc"),
        ]

    def test_those_in_the_session_s_folder_are_listed_with_their_call(self, tmp_path: Path) -> None:
        folder = f"{SESSION_ID}/subagents"
        path = write(tmp_path, self.lines(), f"{folder}/agent-abc.jsonl")
        write(tmp_path, self.lines(), f"{folder}/agent-acompact-1.jsonl")
        meta = {"agentType": "Explore", "description": "Look"}
        path.with_suffix(".meta.json").write_text(json.dumps(meta))
        records = [
            *start(),
            reply("a2", "a1", "m2", call("t1", "Agent")),
            user("r1", "a2", [result("t1")], toolUseResult={"agentId": "abc"}),
        ]
        (agent,) = opened(tmp_path, records).subagents
        assert (agent.id, agent.path, agent.kind, agent.description, agent.call_id) == (
            "abc",
            path,
            "Explore",
            "Look",
            "t1",
        )

    def test_those_beside_the_file_are_told_by_their_session(self, tmp_path: Path) -> None:
        write(tmp_path, self.lines(), "agent-abc.jsonl")
        other = [{**line, "sessionId": "another"} for line in self.lines()]
        write(tmp_path, other, "agent-def.jsonl")
        assert [agent.id for agent in opened(tmp_path, start()).subagents] == ["abc"]

    def test_a_subagent_s_file_opens_as_a_session(self, tmp_path: Path) -> None:
        session = open_session(write(tmp_path, self.lines(), "agent-abc.jsonl"))
        assert ids(session) == ["k1", "k2"]
        assert session.info.id == "abc"


class TestDamage:
    def kinds(self, folder: Path, records: list[Any]) -> list[tuple[int, DamageKind]]:
        return [(d.record, d.kind) for d in opened(folder, records).damage]

    def test_a_missing_file_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(RedlineError, match="cannot read"):
            open_session(tmp_path / "none.jsonl")

    def test_a_leaf_that_is_not_there_is_an_error(self, tmp_path: Path) -> None:
        with pytest.raises(RedlineError, match="no record"):
            opened(tmp_path, start(), leaf="nowhere")

    @pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe\n" * 50, b"{" * 5000, b"[1,2,3]\n"])
    def test_a_file_without_messages_opens_empty(self, tmp_path: Path, content: bytes) -> None:
        path = tmp_path / "x.jsonl"
        path.write_bytes(content)
        session = open_session(path)
        assert session.context == ()
        assert session.damage
        assert list(session.source.history()) == []

    def test_a_half_line_costs_itself(self, tmp_path: Path) -> None:
        records = [*start(), b'{"type":"attachment","at', user("u2", "a1", "Go on")]
        assert ids(opened(tmp_path, records)) == ["u1", "a1", "u2"]
        assert self.kinds(tmp_path, records) == [(3, DamageKind.UNREADABLE)]

    def test_unknown_types_are_counted_and_cost_nothing(self, tmp_path: Path) -> None:
        session = opened(tmp_path, [*start(), {"type": "novelty", "x": 1}, {}])
        assert session.counts.unknown == 2
        assert [d.kind for d in session.damage] == [DamageKind.UNKNOWN] * 2
        assert len(session.context) == 2

    def test_known_bookkeeping_is_no_damage(self, tmp_path: Path) -> None:
        beside = [
            {"type": "atis-latch", "atis": ""},
            {"type": "mode", "mode": "normal"},
            {"type": "artifact-x"},
        ]
        assert self.kinds(tmp_path, [*start(), *beside]) == []

    def test_a_result_without_a_call_is_an_orphan(self, tmp_path: Path) -> None:
        records = [*start(), user("r1", "a1", [result("t9")])]
        assert self.kinds(tmp_path, records) == [(3, DamageKind.ORPHAN)]

    def test_a_long_line_is_read(self, tmp_path: Path) -> None:
        records = [
            *start(),
            reply("a2", "a1", "m2", call("t1")),
            user("r1", "a2", [result("t1", "x" * 25_000_000)]),
            user("u2", "r1", "Go on"),
        ]
        path = write(tmp_path, records)
        session = open_session(path)
        assert session.context[3].parts[0].chars == 25_000_000
        assert ids(session)[-1] == "u2"

    def test_a_file_that_changed_is_told(self, tmp_path: Path) -> None:
        path = write(tmp_path, start())
        session = open_session(path)
        path.write_bytes(b"x" * 10)
        with pytest.raises(RedlineError, match="changed"):
            session.text(session.context[0].parts[0])
        with pytest.raises(RedlineError, match="changed"):
            list(session.source.history())

    @pytest.mark.parametrize(
        "becomes",
        [
            {"a": 1},
            {"type": "user", "uuid": "u1"},
            {"type": "user", "uuid": "u1", "message": None},
            {"type": "user", "uuid": "u1", "message": {"content": 5}},
            {"type": "user", "uuid": "other", "message": {"content": "not what was opened"}},
            [1],
            "x",
        ],
    )
    def test_another_record_in_the_place_of_one_is_told(self, tmp_path: Path, becomes: Any) -> None:
        path = write(tmp_path, start())
        session = open_session(path)
        lines = path.read_bytes().splitlines()
        lines[0] = json.dumps(becomes).encode().ljust(len(lines[0]))
        path.write_bytes(b"\n".join(lines) + b"\n")
        with pytest.raises(RedlineError, match="changed"):
            list(session.source.history())
        with pytest.raises(RedlineError, match="changed"):
            list(session.source.resume())

    def test_an_id_of_bytes_that_are_no_text_names_its_record_all_the_same(
        self, tmp_path: Path
    ) -> None:
        path = write(tmp_path, [user("u1 \u4e00", None, "hi"), user("u2", "u1", "there")])
        path.write_bytes(path.read_bytes().replace(rb"\u4e00", "\u4e00".encode()[:2]))
        session = open_session(path)
        assert [m.head for m in session.source.history()][-1] == "there"

    def test_ten_thousand_gaps_are_healed(self, tmp_path: Path) -> None:
        records = [user(f"u{n}", f"gone{n}", "again", at=n * 6) for n in range(10_000)]
        session = opened(tmp_path, records)
        assert len(session.context) == 10_000
