"""A long file that is opened in the memory of its end is told as one of which all is kept."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from redline.agents.billing import Bills
from redline.agents.claude_code.reader import open_session
from redline.agents.claude_code.reading import Reading
from redline.agents.claude_code.scan import scan
from redline.agents.opening import reopen
from redline.model import Session
from tests.agents.claude_code import writing as cc
from tests.agents.test_reopening import CLAUDE_CODE, a_long_way, lines, some_records
from tests.agents.told import told

NEVER = 1 << 60  # bytes


def turn(number: int, above: str) -> list[Any]:
    """A prompt, a reply with two calls at once, their results and an answer."""
    n = str(number)
    used = cc.usage(900 + number, output=number)
    return [
        cc.user(f"u{n}", above, f"Never touch file {n}", at=number),
        cc.reply(f"a{n}", f"u{n}", f"m{n}", cc.call(f"c{n}"), usage=used, at=number),
        cc.reply(f"b{n}", f"a{n}", f"m{n}", cc.call(f"d{n}"), usage=used, at=number),
        cc.user(f"r{n}", f"a{n}", [cc.result(f"c{n}")], at=number),
        cc.user(f"s{n}", f"b{n}", [cc.result(f"d{n}")], at=number),
        cc.reply(f"e{n}", f"s{n}", f"n{n}", cc.text("Done."), usage=used, at=number),
    ]


def compacted(number: int, logical: str) -> list[Any]:
    return [
        cc.boundary(f"k{number}", logical=logical, at=number),
        cc.summary(f"y{number}", f"k{number}"),
    ]


def plain(compactions: int) -> list[Any]:
    """A session with that many compactions, two turns between each."""
    made: list[Any] = []
    above: str | None = None
    for number in range(compactions + 1):
        for at in (2 * number, 2 * number + 1):
            made += turn(at, above or "")
            if above is None:
                made[0]["parentUuid"] = None
            above = f"e{at}"
        if number < compactions:
            made += compacted(number, above or "")
            above = f"y{number}"
    return made


def everything(session: Session) -> dict[str, object]:
    said = told(session)
    said["prompts"] = list(session.prompts())
    assert isinstance(session.source, Bills)
    said["billed"] = [(each.model, each.usage, each.aside) for each in session.source.billed()]
    return said


def left_of(path: Path) -> int:
    """How many records are kept of the file, opened so that it may be folded."""
    skeleton, _ = Reading(path, folds=True).now()
    return len(skeleton.nodes)


def test_of_a_plain_file_only_the_last_compactions_are_kept(tmp_path: Path) -> None:
    few, many = left_of(cc.write(tmp_path, plain(4))), left_of(cc.write(tmp_path, plain(40)))
    assert few == many < len(plain(3))


@pytest.mark.parametrize("compactions", [0, 1, 2, 3, 9])
def test_it_is_told_as_the_whole_file_is(tmp_path: Path, compactions: int) -> None:
    path = cc.write(tmp_path, plain(compactions))
    assert everything(open_session(path, folded_from=0)) == everything(open_session(path))


def reaching_above() -> list[Any]:
    """What comes below many compactions and reaches above them."""
    used = cc.usage(7)
    return [
        cc.user("z", "e1", "Back there"),
        cc.user("z", None, "Anew"),
        cc.user("z", "gone", "From nowhere"),
        cc.user("u1", "e13", "The name of an old record"),
        cc.reply("z", "e13", "m1", cc.text("Of an old reply"), usage=used),
        cc.user("z", "e13", [cc.result("c1", "again")]),
        cc.user("z", "e13", [cc.result("c99")]),
        cc.reply("z", "e13", "m99", cc.call("c1"), usage=used),
        {"type": "last-prompt", "leafUuid": "e1", "explicit": True},
        {"type": "last-prompt", "leafUuid": "e1"},
        {"type": "summary", "summary": "A title", "leafUuid": "e13"},
        cc.boundary("z", logical="e1"),
        cc.boundary("z", logical="e13", preservedMessages={"uuids": ["e1"], "anchorUuid": "z"}),
        cc.user("z", "e13", "Aside", isSidechain=True),
        cc.record("z", "e13", "system", subtype="microcompact_boundary", microcompactMetadata={}),
    ]


@pytest.mark.parametrize("number", range(len(reaching_above())))
@pytest.mark.parametrize("at", [None, 20, 45])
def test_what_reaches_above_a_compaction_is_told_too(
    tmp_path: Path, number: int, at: int | None
) -> None:
    records = plain(6)
    records.insert(len(records) if at is None else at, reaching_above()[number])
    path = cc.write(tmp_path, records)
    assert everything(open_session(path, folded_from=0)) == everything(open_session(path))


@st.composite
def nearly_plain(draw: st.DrawFn) -> list[Any]:
    """A plain session with a few records that reach above compactions, or are gone."""
    records = plain(draw(st.integers(1, 7)))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(records)))
        if draw(st.booleans()):
            records.insert(at, dict(draw(st.sampled_from([*reaching_above(), *records]))))
        else:
            del records[at : at + 1]
    return records


@settings(max_examples=60)
@given(records=nearly_plain())
def test_nearly_plain_records_are_told_as_without_folding(records: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = cc.write(Path(folder), records)
        whole = everything(open_session(path, folded_from=NEVER))
        assert everything(open_session(path, folded_from=0)) == whole


@settings(max_examples=60)
@example(records=plain(3))
@given(records=st.one_of(some_records(), a_long_way()))
def test_any_records_are_told_as_without_folding(records: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{cc.SESSION_ID}.jsonl"
        path.touch()
        session = open_session(path, folded_from=0)
        for at, record in enumerate(records):
            with path.open("ab") as file:
                file.write(lines(record))
            if at % 3 == 0 or at == len(records) - 1:
                session = reopen(session)
                whole = everything(open_session(path, folded_from=NEVER))
                assert everything(session) == whole
                assert everything(open_session(path, folded_from=0)) == whole


@pytest.mark.parametrize("content", [CLAUDE_CODE, lines(*plain(4))])
def test_a_file_that_grows_is_told_as_one_that_is_opened_anew(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / f"{cc.SESSION_ID}.jsonl"
    path.touch()
    session = open_session(path, folded_from=0)
    for end in range(0, len(content) + 400, 400):
        path.write_bytes(content[:end])
        session = reopen(session)
        assert everything(session) == everything(open_session(path))


@pytest.mark.real
def test_every_real_session_is_told_as_without_folding(real_sessions: Path) -> None:
    seen = 0
    for path in sorted(real_sessions.rglob("*.jsonl")):
        if scan(path) is not None:
            seen += 1
            assert everything(open_session(path, folded_from=0)) == everything(open_session(path))
    assert seen
