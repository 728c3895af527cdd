"""Searching finds what reading everything finds, and says where."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.agents.claude_code.finding import find
from redline.catalogue import chunk as chunk_module
from redline.catalogue import search as search_module
from redline.catalogue.query import Query
from redline.model import Agent, Kind
from redline.text import printable
from tests.catalogue.world import World, name_of

WORDS = (
    "fn_4242",
    "don't",
    "C++",
    "a/b",
    "错误",
    "配置错误了",
    "Straße",
    "É",
    "e\u0301",
    "x",
    "42",
    "to",
    "_4",
    "x~y",
    "x中",
)
TEXT = st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=8).map(" ".join) | st.lists(
    st.sampled_from(WORDS), max_size=5
).map("".join)
QUERY = st.sampled_from(WORDS) | TEXT | st.text(min_size=1, max_size=4)


@settings(max_examples=40)
@given(st.lists(st.lists(TEXT, max_size=6), max_size=3), st.lists(QUERY, min_size=1, max_size=8))
@pytest.mark.parametrize("few", [0, 20_000])
def test_a_search_finds_what_reading_everything_finds(
    tmp_path_factory: pytest.TempPathFactory,
    few: int,
    sessions: list[list[str]],
    queries: list[str],
) -> None:
    world = World(tmp_path_factory.mktemp("world"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chunk_module, "SIZE", 20)
        for number, texts in enumerate(sessions):
            world.write(number, texts)
        world.refresh()
        patch.setattr(search_module, "_FEW", few)
        for query in queries:
            assert world.found(query) == world.scanned(query)


def test_a_short_word_is_found_whatever_follows_it(world: World) -> None:
    for number, text in enumerate(["ab~", "ab中", "ab", "xab", "ab\U0010ffff", "ab z", "a b"]):
        world.write(number, [text])
    world.refresh()
    assert len(world.found("ab")) == 6
    assert len(world.found("b")) == 7
    assert len(world.found("中")) == 1


@pytest.mark.parametrize(
    "words",
    [
        "fn_4242",
        "FN_4242",
        "don't",
        "C++",
        "a/b",
        '"',
        "*",
        "AND",
        "NEAR(",
        "错误",
        "误",
        "x",
        "ＡＢ",
        "😀",
        "é",
        "strasse",
        '"one two"',
        "two one",
        "-x",
        "%_",
        "col:",
        "nul\0",
        "'; DROP TABLE words; --",
    ],
)
def test_what_is_typed_stands_for_itself(world: World, words: str) -> None:
    world.write(
        0, ["fn_4242 don't C++ a/b", '" * AND NEAR( ^', "配置错误 x ＡＢ 😀", "E\u0301 Straße"]
    )
    world.write(1, ["one two", "twos ones", "-x %_ col:", "nul\0 '; DROP TABLE words; --"])
    world.refresh()
    found = world.found(words)
    assert found
    assert found == world.scanned(words)


@pytest.mark.parametrize("words", ["", "  ", "\u3000", "nothing like it", "x" * 10_000, "\ud800"])
def test_what_is_nowhere_is_not_found(world: World, words: str) -> None:
    world.write(0, ["fn_4242", "错误"])
    world.refresh()
    assert world.catalogue.search(Query(words)).hits == ()


def test_a_long_text_is_found_by_all_of_it(world: World) -> None:
    long = " ".join(f"word{number}" for number in range(2_000))
    world.write(0, [long, long.replace("word1999", "other")])
    world.refresh()
    assert len(world.found(f'"{long}"')) == 1
    assert len(world.found(long)) == 1


def test_the_newest_session_comes_first_and_each_in_the_order_of_its_text(world: World) -> None:
    world.write(0, ["one", "one", "none"])
    world.write(1, ["x"] * 9 + ["one"])
    world.refresh()
    assert [(name, record) for name, record, _, _ in world.found("one")] == [
        (name_of(1), 10),
        (name_of(0), 1),
        (name_of(0), 2),
        (name_of(0), 3),
    ]


def test_a_limit_is_told_where_it_cut(world: World) -> None:
    world.write(0, ["one"] * 5)
    world.refresh()
    search = world.catalogue.search
    assert (len(search(Query("one"), limit=4).hits), search(Query("one"), limit=4).complete) == (
        4,
        False,
    )
    assert (len(search(Query("one"), limit=5).hits), search(Query("one"), limit=5).complete) == (
        5,
        True,
    )
    assert search(Query("one"), limit=0).hits == ()


def test_a_limit_that_is_none_says_nothing_of_the_index(world: World) -> None:
    world.write(0, ["one"])
    world.refresh()
    with pytest.raises(ValueError, match="limit"):
        world.catalogue.search(Query("one"), limit=-5)
    assert not world.catalogue.file.damaged
    found = world.catalogue.search(Query("one"), limit=10**19)
    assert (len(found.hits), found.complete, found.problem) == (1, True, "")


def test_a_fault_of_the_search_itself_is_not_taken_for_damage(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.write(0, ["one"])
    world.refresh()

    def faulty(*_given: object) -> None:
        raise ValueError("a fault of redline")

    monkeypatch.setattr("redline.catalogue.search._snippet", faulty)
    with pytest.raises(ValueError, match="a fault of redline"):
        world.catalogue.search(Query("one"))
    assert not world.catalogue.file.damaged


def test_a_cancelled_search_says_that_it_is_not_complete(world: World) -> None:
    world.write(0, ["one"])
    world.refresh()
    found = world.catalogue.search(Query("one"), cancelled=lambda: True)
    assert (found.hits, found.complete) == ((), False)


def test_a_search_can_be_narrowed(world: World) -> None:
    world.write(0, ["one", "one", "one", "one"], cwd=str(world.home / "shop"))
    world.write(1, ["one"], cwd=str(world.home / "shop" / "src"))
    world.write(2, ["one"], cwd=str(world.home / "shopping"))
    world.refresh()
    kinds = {
        role: [kind for _, _, _, kind in world.found("one", role=role)]
        for role in ("user", "assistant", "tool")
    }
    assert kinds["user"] == [Kind.PROMPT] * 3
    assert kinds["assistant"] == [Kind.REPLY, Kind.TOOL_CALL]
    assert kinds["tool"] == [Kind.TOOL_RESULT]
    below = {hit.info.id for hit in world.hits("one", project=world.home / "shop")}
    assert below == {name_of(0), name_of(1)}
    assert world.hits("one", agent=Agent.CODEX) == ()
    assert len(world.hits("one", agent=Agent.CLAUDE_CODE)) == 6


def test_what_was_said_before_a_moment_can_be_left_out(world: World) -> None:
    world.write(0, ["one", "one", "one"])
    world.refresh()
    since = datetime(2026, 10, 1, 0, 0, 10, tzinfo=UTC)
    assert [record for _, record, _, _ in world.found("one", since=since)] == [2, 3]


def test_a_hit_leads_to_its_part(world: World) -> None:
    from redline.agents.opening import open_session

    world.write(0, ["look here", "reply", "run it", "the needle is here"])
    world.refresh()
    (hit,) = world.hits("needle")
    session = open_session(hit.info)
    origins = [
        (part.origin.record, part.origin.start)
        for message in session.context
        for part in message.parts
        if part.kind is hit.kind
    ]
    assert origins == [(hit.record, hit.start)]
    assert list(find(world.environment)) == [hit.info.path]
    assert isinstance(hit.info.path, Path)


ODD = st.text(alphabet="aS\u0301Éßİﬁ\u1100\u1161\0 中x", max_size=80)


@settings(max_examples=60)
@given(
    ODD | st.text(max_size=300),
    st.sampled_from(["Straße", "needle", "e\u0301É", "中"]),
    st.text(max_size=300),
)
def test_a_snippet_shows_the_match(
    tmp_path_factory: pytest.TempPathFactory, before: str, needle: str, after: str
) -> None:
    from redline.catalogue.folding import fold

    text = f"{before} {needle} {after}"
    world = World(tmp_path_factory.mktemp("world"))
    world.write(0, [text])
    world.refresh()
    hit = world.hits(f'"{needle}"')[0]
    snippet, spans = hit.snippet, hit.spans
    assert snippet in printable(text)
    assert len(snippet) <= 400
    assert spans
    assert list(spans) == sorted(spans)
    for start, end in spans:
        assert 0 <= start < end <= len(snippet)
        assert fold(needle) in fold(snippet[start:end])


def test_a_match_longer_than_a_snippet_is_marked_to_its_end(world: World) -> None:
    world.write(0, ["x" * 1_000])
    world.refresh()
    (hit,) = world.hits("x" * 900)
    assert hit.spans == ((0, len(hit.snippet)),)


def test_every_word_is_marked(world: World) -> None:
    world.write(0, ["some red and green and Red"])
    world.refresh()
    (hit,) = world.hits("green red")
    assert [hit.snippet[start:end] for start, end in hit.spans] == ["red", "green", "Red"]


def test_what_a_subagent_said_is_found_but_not_listed(world: World) -> None:
    from redline.agents.opening import open_session
    from tests.agents.claude_code.writing import result, user, write

    world.write(0, ["one"])
    inside = [
        user("k1", None, "look around", isSidechain=True),
        user("k2", "k1", [result("c9", "the needle")], isSidechain=True),
    ]
    path = write(world.folder, inside, f"{name_of(0)}/subagents/agent-a1.jsonl")
    write(world.folder, inside, f"{name_of(0)}/subagents/agent-acompact-1.jsonl")
    write(world.folder, inside, "agent-0123abcd.jsonl")
    world.refresh()
    assert [info.id for info in world.catalogue.sessions()] == [name_of(0)]
    found = world.hits("needle")
    assert {(hit.info.id, hit.record) for hit in found} == {("a1", 2), ("0123abcd", 2)}
    session = open_session(next(hit.info for hit in found if hit.info.path == path))
    assert session.counts.records == 2
    assert world.refresh().read == 0
    path.unlink()
    world.refresh()
    assert len(world.hits("needle")) == 1


def test_a_subagents_rollout_of_codex_is_found_but_not_listed(world: World) -> None:
    from tests.agents.codex.files import rollout_file, write
    from tests.agents.codex.test_passages import RECORDS

    source = {"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}}
    meta = dict(RECORDS[0])
    meta["payload"] = {**RECORDS[0]["payload"], "source": source, "parent_thread_id": "p"}
    write(rollout_file(world.home / ".codex"), meta, *RECORDS[1:])
    world.refresh()
    assert world.catalogue.sessions() == ()
    (hit,) = world.hits("put in by a host")
    assert hit.info.agent is Agent.CODEX


def test_a_session_that_talks_much_does_not_hide_the_others(world: World) -> None:
    world.write(0, ["a common word"] * 30)
    world.write(1, ["a common word"] * 3)
    world.refresh()
    catalogue = world.catalogue
    found = catalogue.search(Query("common"), limit=20, each=10)
    counts = [len([hit for hit in found.hits if hit.info.id == name_of(n)]) for n in (0, 1)]
    assert counts == [10, 3]
    assert not found.complete, "there is more in the first"
    assert catalogue.search(Query("common"), limit=40, each=30).complete
