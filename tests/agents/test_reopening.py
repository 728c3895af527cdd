"""A session that is opened again while its file is written to, in any pieces."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.agents.claude_code.reader import open_session as open_claude_code
from redline.agents.opening import reopen
from redline.agents.pi.reader import open_session as open_pi
from redline.errors import RedlineError
from redline.model import Session
from tests.agents.claude_code import writing as cc
from tests.agents.pi import made_up as pi
from tests.agents.told import told

Open = Callable[[Path], Session]


def lines(*records: Any) -> bytes:
    return b"".join(
        record if isinstance(record, bytes) else json.dumps(record).encode() + b"\n"
        for record in records
    )


CLAUDE_CODE = lines(
    {"type": "summary", "summary": "Old title", "leafUuid": "a1"},
    cc.user("u1", None, "Fix the login", at=1),
    cc.reply("a1", "u1", "m1", cc.thinking("Hm."), usage=cc.usage(900), at=2),
    cc.reply("a2", "a1", "m1", cc.call("c1"), usage=cc.usage(900), at=3),
    cc.user("r1", "a2", [cc.result("c1")], at=4),
    cc.reply("a3", "a2", "m1", cc.call("c2", "Read"), usage=cc.usage(900, output=90), at=4),
    cc.user("r2", "a3", [cc.result("c2", [cc.text("two"), cc.image()])], at=5),
    b'{"type":"user","uu' + json.dumps(cc.user("u2", "r2", "Go on, please", at=6)).encode() + b"\n",
    cc.user("u3", "r2", "No: another way \ud83d", at=7),
    cc.reply("a4", "u3", "m2", cc.text("Done."), usage=cc.usage(1_200), at=8),
    ["no record"],
    b"\xef\xbb\xbf" + lines({"type": "custom-title", "customTitle": "Named"}),
    cc.boundary("b1", at=9, preservedMessages={"uuids": ["a4"], "anchorUuid": "s1"}),
    cc.summary("s1", "b1"),
    cc.user("u4", "a4", "Then the tests", at=11),
    cc.reply("a5", "u4", "m3", cc.text("Right."), usage=cc.usage(400), at=12),
    {"type": "last-prompt", "leafUuid": "a5"},
    cc.reply("a5", "u4", "m3", cc.text("Right!"), usage=cc.usage(401), at=12),
    cc.user("x1", None, "aside", isSidechain=True, at=13),
    cc.user("u5", "not-there", "From nowhere", at=40),
    cc.record(
        "k1",
        "u5",
        "system",
        subtype="microcompact_boundary",
        microcompactMetadata={"compactedToolIds": ["c2"], "preTokens": 5},
        at=41,
    ),
    cc.reply("a6", "k1", "m4", cc.text("So."), cc.call("c9"), usage=cc.usage(500), at=42),
    cc.user("r9", "a6", [cc.result("c9", "out", is_error=True), cc.result("c0")], at=43),
    {"type": "last-prompt", "leafUuid": "a4", "explicit": True},
    cc.user("u6", "a4", "Back up there", at=50),
)
ASIDE = lines(
    {"type": "mode", "mode": "x"},
    cc.user("x1", None, "Look for it", isSidechain=True),
    cc.reply("x2", "x1", "m1", cc.text("Found."), isSidechain=True),
    cc.user("u1", "x2", "And here is the main chain"),
)
PI = lines(
    pi.header(),
    pi.user("e1", None, "Fix the login"),
    pi.reply("e2", "e1", "Looking.", pi.call("c1")),
    pi.result("e3", "e2", "c1"),
    b'{"type":"message","id":"torn","par\n',
    pi.user("e4", "e3", "Go on"),
    pi.reply("e5", "e4", "Done."),
    pi.entry("context_edit", "e6", "e5", targetId="e3", replacement={"content": "short"}),
    pi.compaction("e7", "e6", "e4"),
    pi.user("e8", "e7", "Then the tests"),
    b'{"type":"custom","id":"g1","parentId":"e8","timestamp":"2026-10-03T10:00:09.000Z"}'
    + lines(pi.reply("e9", "e8", "Right.")),
    pi.user("s1", "e4", "A side branch"),
    pi.entry("context_edit", "e10", "e9", targetId="e8", replacement=None),
    pi.entry("session_info", "e11", "e10", name="Named"),
)
OLD_PI = lines(
    pi.header(None),
    pi.user("", None, "Fix the login"),
    pi.reply("", None, "Looking."),
    {"type": "compaction", "summary": "s", "firstKeptEntryIndex": 2, "tokensBefore": 5},
    pi.user("", None, "Go on"),
)
FILES = [
    pytest.param(open_claude_code, CLAUDE_CODE, id="claude-code"),
    pytest.param(open_claude_code, ASIDE, id="claude-code-aside"),
    pytest.param(open_pi, PI, id="pi"),
    pytest.param(open_pi, OLD_PI, id="pi-v1"),
]


NAMES = [f"n{number}" for number in range(8)]


@st.composite
def some_records(draw: st.DrawFn) -> list[Any]:
    """Records of Claude Code that hang together in any way: names twice, parents that come later
    or never, replies in pieces, compactions that kept what is there or is not."""
    name = st.sampled_from(NAMES)
    parent = st.one_of(st.none(), name, name, name)
    made: list[Any] = []
    for _ in range(draw(st.integers(1, 12))):
        uuid, above, at = draw(name), draw(parent), draw(st.integers(0, 20))
        aside = draw(st.sampled_from([False] * 9 + [True]))
        match draw(st.sampled_from("uuaarrbmps")):
            case "u":
                made.append(cc.user(uuid, above, "Never do it", at=at, isSidechain=aside))
            case "a":
                blocks = draw(st.sampled_from([[cc.text("So.")], [cc.call(draw(name))]]))
                reply = draw(st.sampled_from(["m1", "m2"]))
                tokens = cc.usage(draw(st.sampled_from([0, 100, 900])))
                made.append(cc.reply(uuid, above, reply, *blocks, usage=tokens, at=at))
            case "r":
                made.append(cc.user(uuid, above, [cc.result(draw(name))], at=at))
            case "b":
                kept = draw(st.lists(name, max_size=2))
                more = {"preservedMessages": {"uuids": kept, "anchorUuid": draw(name)}}
                made.append(cc.boundary(uuid, at=at, logical=draw(name), **(more if kept else {})))
            case "m":
                taken = {"compactedToolIds": [draw(name)]}
                fields = {"subtype": "microcompact_boundary", "microcompactMetadata": taken}
                made.append(cc.record(uuid, above, "system", at=at, **fields))
            case "p":
                made.append(cc.progress(uuid, above, at=at))
            case "s":
                explicit = draw(st.booleans())
                made.append({"type": "last-prompt", "leafUuid": draw(parent), "explicit": explicit})
    return made


@st.composite
def a_long_way(draw: st.DrawFn) -> list[Any]:
    """Records of Claude Code, most of them below the one before, with many compactions; some hang
    on what came before a compaction."""
    made: list[Any] = []
    names: list[str] = []
    for number in range(draw(st.integers(8, 20))):
        uuid = f"n{number}"
        above = names[-1] if names else None
        if names and draw(st.integers(0, 9)) == 0:
            above = draw(st.sampled_from([*names, f"n{number + 3}"]))
        reply = f"m{draw(st.sampled_from([number, number, number, number // 2, 1]))}"
        match draw(st.sampled_from("uarabuarat")):
            case "u":
                made.append(cc.user(uuid, above, f"Prompt {number}", at=number))
            case "a":
                blocks = [cc.text("So."), cc.call(f"c{number}")]
                made.append(cc.reply(uuid, above, reply, *blocks, usage=cc.usage(900 + number)))
            case "r":
                made.append(cc.user(uuid, above, [cc.result(f"c{number - 1}")], at=number))
            case "t":
                made.append(cc.attachment(uuid, above, type="file", filename="a"))
            case "b":
                kept = draw(st.sampled_from([[], [], names[-1:], ["n99"]]))
                more = {"preservedMessages": {"uuids": kept, "anchorUuid": uuid}} if kept else {}
                made.append(
                    cc.boundary(
                        uuid,
                        logical=draw(st.sampled_from([above or "", "n99", f"n{number + 2}"])),
                        at=number,
                        **more,
                    )
                )
                uuid = f"s{number}"
                made.append(cc.summary(uuid, f"n{number}"))
        names.append(uuid)
    if draw(st.integers(0, 4)) == 0:
        made.append(cc.user(draw(st.sampled_from([*names, "n99"])), names[-1], "Again"))
    return made


def opened(open_session: Open, path: Path) -> Session | None:
    try:
        return open_session(path)
    except RedlineError:
        return None  # a pi file whose header is not written whole


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / f"{cc.SESSION_ID}.jsonl"


@pytest.mark.parametrize(("open_session", "content"), FILES)
@given(cuts=st.lists(st.integers(0, 100_000), max_size=12))
def test_opening_again_after_any_appends_is_opening_anew(
    open_session: Open, content: bytes, cuts: list[int]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{cc.SESSION_ID}.jsonl"
        session = None
        for cut in [*sorted(cut % (len(content) + 1) for cut in cuts), len(content)]:
            path.write_bytes(content[:cut])
            anew = opened(open_session, path)
            try:
                session = reopen(session) if session is not None else anew
            except RedlineError:
                session = None
            assert (session is None) == (anew is None)
            if session is not None and anew is not None:
                assert told(session) == told(anew)


@given(records=st.one_of(some_records(), a_long_way()))
def test_opening_again_after_each_record_is_opening_anew(records: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{cc.SESSION_ID}.jsonl"
        path.touch()
        session = open_claude_code(path)
        for record in records:
            with path.open("ab") as file:
                file.write(lines(record))
            session = reopen(session)
            assert told(session) == told(open_claude_code(path))


@pytest.mark.parametrize(("open_session", "content"), FILES)
def test_opening_again_at_every_byte_is_opening_anew(
    open_session: Open, content: bytes, path: Path
) -> None:
    path.write_bytes(content)
    whole = open_session(path)
    ends = {0, len(content)}
    for at in range(len(content)):
        if content[at : at + 1] == b"\n":
            ends |= {at - 1, at, at + 1}
    session = None
    for end in sorted(ends):
        path.write_bytes(content[:end])
        session = opened(open_session, path) if session is None else reopen(session)
    assert session is not None
    assert told(session) == told(whole)


def test_a_session_whose_file_is_as_it_was_is_the_same_session(path: Path) -> None:
    path.write_bytes(CLAUDE_CODE)
    session = open_claude_code(path)
    assert reopen(session) is session


def test_messages_that_are_as_they_were_are_the_same_objects(path: Path) -> None:
    path.write_bytes(lines(*cc.start()))
    before = open_claude_code(path)
    with path.open("ab") as file:
        file.write(lines(cc.user("u2", "a1", "And the logout")))
    after = reopen(before)
    assert cc.ids(after) == ["u1", "a1", "u2"]
    assert all(old is new for old, new in zip(before.context, after.context, strict=False))


def test_a_session_that_was_opened_again_stays_as_it_was(path: Path) -> None:
    path.write_bytes(lines(*cc.start()))
    before = open_claude_code(path)
    first = told(before)
    with path.open("ab") as file:
        file.write(lines(cc.user("u2", "a1", "And the logout"), cc.user("a1", "u2", "Again")))
    reopen(before)
    assert told(before) == first


def test_half_a_record_is_told_of_and_comes_once_when_it_is_whole(path: Path) -> None:
    record = lines(cc.user("u2", "a1", "And the logout"))
    path.write_bytes(lines(*cc.start()) + record[:30])
    session = open_claude_code(path)
    assert cc.ids(session) == ["u1", "a1"]
    assert [found.kind.value for found in session.damage] == ["torn_tail"]
    with path.open("ab") as file:
        file.write(record[30:])
    session = reopen(reopen(session))
    assert cc.ids(session) == ["u1", "a1", "u2"]
    assert not session.damage


@pytest.mark.parametrize("change", ["truncated", "replaced", "rewritten"])
def test_a_file_that_is_another_one_is_read_anew(change: str, path: Path) -> None:
    path.write_bytes(lines(*cc.start(), cc.user("u2", "a1", "And the logout")))
    session = open_claude_code(path)
    other = lines(*cc.start())
    if change == "replaced":
        other = lines(cc.user("w1", None, "Something else"), *([cc.user("w2", "w1", "More")] * 9))
        fresh = path.with_suffix(".new")
        fresh.write_bytes(other)
        os.replace(fresh, path)
    elif change == "rewritten":
        other = lines(*cc.start(), cc.user("u9", "a1", "And the logout"), cc.user("u3", "u9", "!"))
        path.write_bytes(other)
    else:
        os.truncate(path, len(other))
    assert told(reopen(session)) == told(open_claude_code(path))


def test_a_new_file_with_the_same_content_is_the_same_file(path: Path) -> None:
    path.write_bytes(lines(*cc.start()))
    session = open_claude_code(path)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(path.read_bytes() + lines(cc.user("u2", "a1", "On")))
    os.replace(fresh, path)
    now = reopen(session)
    assert now.context[0] is session.context[0]
    assert cc.ids(now) == ["u1", "a1", "u2"]


def test_a_file_that_is_gone_is_told_and_read_when_it_is_back(path: Path) -> None:
    path.write_bytes(lines(*cc.start()))
    session = open_claude_code(path)
    path.unlink()
    with pytest.raises(RedlineError, match="cannot read"):
        reopen(session)
    assert cc.ids(session) == ["u1", "a1"]
    path.write_bytes(lines(*cc.start(), cc.user("u2", "a1", "On")))
    assert cc.ids(reopen(session)) == ["u1", "a1", "u2"]


def test_another_view_of_a_session_stays_that_view(path: Path) -> None:
    from redline.agents.opening import open_session

    path.write_bytes(CLAUDE_CODE)
    info = open_claude_code(path).info
    side, past = open_session(info, leaf="a5"), open_session(info, before=1)
    with path.open("ab") as file:
        file.write(lines(cc.user("u7", "u6", "On")))
    for session in (side, past):
        now = reopen(session)
        assert cc.ids(now) == cc.ids(session)
        assert (now.asked_leaf, now.before) == (session.asked_leaf, session.before)
        assert now.counts.records == session.counts.records + 1


def test_a_record_that_a_compaction_kept_and_that_comes_late_takes_its_place(path: Path) -> None:
    late: dict[str, Any] = {"preservedMessages": {"uuids": ["late"], "anchorUuid": "b1"}}
    path.write_bytes(
        lines(
            *cc.start(),
            cc.boundary("b1", logical="a1", **late),
            cc.summary("s1", "b1"),
            cc.boundary("b2", logical="s1"),
            cc.summary("s2", "b2"),
        )
    )
    session = reopen(open_claude_code(path))
    with path.open("ab") as file:
        file.write(lines(cc.user("late", "s2", "Here it is")))
    assert told(reopen(session)) == told(open_claude_code(path))
