from __future__ import annotations

import pytest

from redline.facts.code import CodeLog, is_source, shown_in
from redline.facts.extract import extract
from redline.facts.fact import CodeFact, CodeShown
from tests.sessions_in_memory import call, ran, reply, result, session, user


@pytest.mark.parametrize(
    "text",
    [
        "diff --git a/x b/x",
        "@@ -1,3 +1,4 @@ def x",
        "--- a/x\n+++ b/x",
        "intro\n*** Update File: src/a.py",
    ],
)
def test_a_diff_is_seen(text: str) -> None:
    assert shown_in(text) is CodeShown.DIFF


@pytest.mark.parametrize(
    "text",
    [
        "def total(order):",
        "    async def total(order) -> int:",
        "export default function total(order) {",
        "pub fn total<T>(order: T) -> u32 {",
        "func (o *Order) Total() int {",
        "class Order(Base):",
        "export interface Order {",
        "    12\u2192class Order:",
        "12\tdef total(order):",
    ],
)
def test_a_signature_is_seen(text: str) -> None:
    assert shown_in(f"import x\n{text}\n") is CodeShown.SIGNATURE


@pytest.mark.parametrize(
    "text",
    ["", "class of 2020", "I define total", "type this", "interface design matters.", "a - b + c"],
)
def test_words_are_no_code(text: str) -> None:
    assert shown_in(text) is None


def test_files_of_code_are_told_by_their_names() -> None:
    assert [is_source(path) for path in ("a.py", "b/C.TSX", "Makefile", "a.md", "x.json")] == [
        True,
        True,
        False,
        False,
        False,
    ]


def test_a_diff_counts_more_than_a_signature_in_the_same_message() -> None:
    log = CodeLog()
    for what in (CodeShown.SIGNATURE, CodeShown.DIFF, CodeShown.SIGNATURE, None):
        log.shown("m1", what)
    assert log.facts() == (CodeFact("m1", CodeShown.DIFF),)


def test_facts_name_the_messages_that_show_code() -> None:
    opened = session(
        user("see\n```\ndef total(order):\n```"),
        call("Edit", {"file_path": "a.py"}, call_id="a"),
        result("ok", call_id="a"),
        *ran("git diff", "diff --git a/a b/a", call_id="b"),
        call("Read", {"file_path": "b.py"}, call_id="c"),
        result("x", call_id="c"),
        reply("done"),
    )
    assert [(fact.message, fact.shown, fact.path) for fact in extract(opened).code] == [
        ("m1", CodeShown.SIGNATURE, ""),
        ("m2", CodeShown.DIFF, "a.py"),
        ("m5", CodeShown.DIFF, ""),
        ("m7", CodeShown.SIGNATURE, "b.py"),
    ]
