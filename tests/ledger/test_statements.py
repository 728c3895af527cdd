"""What a person states is found in prompts only, with its kind, short form and what it restates."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.ledger.brevity import brief
from redline.ledger.detect import detect
from redline.ledger.masking import mask
from redline.ledger.sentences import sentences
from redline.ledger.statements import Statement, StatementKind, kind_of, statements
from tests.sessions_in_memory import injected, reply, session, summary, user


def stated(*prompts: str) -> tuple[Statement, ...]:
    return statements(session(*map(user, prompts)))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Never edit src/legacy.", StatementKind.RULE),
        ("Keep answers under 100 words.", StatementKind.CONSTRAINT),
        ("I prefer tabs.", StatementKind.PREFERENCE),
        ("would be nice if the output had colours", StatementKind.PREFERENCE),
        ("We decided on SQLite for the cache.", StatementKind.DECISION),
        ("We want to ship the importer by March.", StatementKind.GOAL),
        ("The staging DB is on port 5433.", StatementKind.FACT),
        ("nightly backups land in s3://acme-cold/backups", StatementKind.FACT),
        ("Fix the rounding in cart.py", StatementKind.REQUEST),
        ("could you get the Windows build green again?", StatementKind.REQUEST),
        ("测试库的端口是 5433", StatementKind.FACT),
        ("不要改 src/legacy", StatementKind.RULE),
        ("我们的目标是三月上线", StatementKind.GOAL),
    ],
)
def test_each_statement_has_its_kind(text: str, kind: StatementKind) -> None:
    assert [found.kind for found in stated(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "ok", "thanks, looks good", "continue", "What does this error"
            " mean?", "好的，继续", "这是什么意思？",
        "why is the build red?", "is it possible to skip that?", "yes please", "hm",
        "```\nport = 5433\n```", "> The port is 5433 says the ticket",
        'Traceback (most recent call last):\n  File "a.py", line 3, in f\nValueError: port is 5433',
        "2026-01-01 10:00:00 INFO the service listens on 5433",
    ],
)  # fmt: skip
def test_questions_chatter_and_what_was_pasted_state_nothing(text: str) -> None:
    assert stated(text) == ()


def test_only_prompts_state_something() -> None:
    found = statements(
        session(
            user("The port is 5433."),
            reply("The port is 1111 and you must never change it."),
            injected("Always use port 2222."),
            summary("The port is 3333."),
        )
    )
    assert [each.text for each in found] == ["The port is 5433."]


def test_statements_come_in_order_with_their_message() -> None:
    found = stated("Alice owns billing. Bob owns search.", "Use pnpm.")
    assert [(each.text, each.message) for each in found] == [
        ("Alice owns billing.", "m1"),
        ("Bob owns search.", "m1"),
        ("Use pnpm.", "m2"),
    ]


def test_a_statement_that_is_a_rule_has_the_id_of_the_rule() -> None:
    given_session = session(user("Never edit src/legacy."))
    (rule,) = detect(given_session).rules
    (found,) = statements(given_session)
    assert found.id == rule.id


def test_a_restatement_takes_the_place_of_the_older_one_and_tells_both_values() -> None:
    old, new = stated("The staging DB is on port 5433.", "Actually the staging db moved to 5434.")
    assert old.superseded_by == new.id
    assert not old.current
    assert new.current
    assert new.restates == old.id
    assert (new.was, new.value) == ("5433", "5434")


def test_of_three_values_the_last_is_current() -> None:
    found = stated("The port is 1111.", "The port is 2222 now.", "No wait, the port is 3333.")
    assert [each.current for each in found] == [False, False, True]


def test_where_it_is_not_sure_both_stay_and_the_newer_is_marked() -> None:
    old, other, new = stated(
        "The timeout of billing is 30s.", "The timeout of login is 20s.", "Bump the timeout to 45s."
    )
    assert old.current
    assert other.current
    assert new.current
    assert new.may_restate in (old.id, other.id)
    assert new.restates is None


def test_near_duplicates_of_different_things_all_stay() -> None:
    found = stated(
        "service-a listens on 5432. service-b listens on 5433. service-c listens on 5434.",
        "src/a.py must stay under 300 lines. src/b.py must stay under 300 lines.",
    )
    assert len(found) == 5
    assert all(each.current for each in found)


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("btw, the staging DB is on port 5433.", "the staging DB is on port 5433."),
        ("Please note that Alice owns billing", "Alice owns billing"),
        ("so, I think we should use pnpm", "we should use pnpm"),
        ("ok please never push to main, thanks!", "never push to main"),
        ("顺便说一下，测试库端口是 5433", "测试库端口是 5433"),
        ("not now", "not now"),
        ("ok. right encoder has 2048 counts", "right encoder has 2048 counts"),
        ("first replica lags by 2s", "first replica lags by 2s"),
        ("well depth is 40 m", "well depth is 40 m"),
        ("ok, first: the replica lags by 2s", "the replica lags by 2s"),
    ],
)
def test_fillers_are_dropped_from_the_short_form(text: str, short: str) -> None:
    assert brief(text) == short


_PIECES = """
    btw so please note that ok i think we should not never don't no 5433 1.2.3 src/a.py api_v2 Alice
    `code` without thanks the port is for also and remember heads-up 不要 别 端口
    顺便 请 另外 注意 , . ! ： ，
"""
_PIECE = st.sampled_from(_PIECES.split())


@given(st.lists(_PIECE, max_size=14).map(" ".join))
def test_the_short_form_keeps_every_name_number_and_negation(text: str) -> None:
    telling = re.compile(
        r"\b(?:not|never|don't|no|without)\b|不要|别|[\d.]*\d|src/a\.py|api_v2|Alice|`code`"
    )
    assert telling.findall(brief(text)) == telling.findall(text)


@given(st.text(max_size=120))
def test_the_short_form_is_a_part_of_the_sentence(text: str) -> None:
    assert brief(text) in text


@given(st.text(max_size=300))
def test_any_text_can_be_read_for_statements(text: str) -> None:
    for sentence in sentences(text, mask(text)):
        kind_of(sentence)


def test_in_a_session_of_a_subagent_nobody_states_anything() -> None:
    own = session(user("The staging DB is on port 5433."))
    assert statements(own)
    assert statements(replace(own, delegated=True)) == ()
