"""A handoff under a budget: what goes, what stays, and that rounds of them lose nothing more."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.facts.extract import extract
from redline.handoff.budget import Budget, default_budget
from redline.handoff.handoff import Handoff
from redline.handoff.left_out import rules_left_out
from redline.handoff.markdown import parse, render
from redline.handoff.offline import write
from redline.handoff.quoting import MARK
from redline.ledger.detect import detect
from redline.ledger.rule import Ledger, RuleState
from redline.model import CompactionKind, PastCompaction, Session
from tests.sessions_in_memory import Draft, ran, reply, session, summary, user

FACTS = (
    "The staging database listens on port 5433.",
    "Priya owns the recommender service.",
    "Invoices are stored in cents, as bigint.",
    "Nightly backups land in s3://acme-cold/backups.",
    "The feature flag is called enable_split_tender.",
    "Memory of the indexer must not go over 512 MiB.",
    "Dates are written like 2026-11-30.",
    "We want to ship v3.2.0 before the fair.",
)
RULE = "Never touch src/legacy."


def work(*said: str) -> Session:
    drafts: list[Draft] = [user(f"{RULE} Fix the rounding in all order totals.")]
    for place, text in enumerate(said):
        drafts += [
            user(
                f"By the way, {text[:1].lower()}{text[1:]} Now have a look at src/part{place}.py."
            ),
            *ran(f"cat src/part{place}.py", "x = 1\n" * 40, call_id=f"c{place}"),
            reply(f"I read src/part{place}.py, `load_{place}` is the only entry into it."),
        ]
    drafts += ran("pytest -q", "FAILED tests/test_totals.py::test_rounds", 1, call_id="t")
    drafts += ran("sed -i s/a/b/ src/totals.py", call_id="e")
    return session(*drafts, reply("One test fails."))


def written(opened: Session, budget: Budget | None, *, active: bool = False) -> Handoff:
    ledger = detect(opened)
    if active:
        rules = tuple(replace(rule, state=RuleState.ACTIVE) for rule in ledger.live)
        ledger = Ledger(rules)
    return write(opened, None, extract(opened), ledger, budget=budget)


@pytest.mark.parametrize("limit", [200, 400, 700, 1_200, 2_000, 4_000, 20_000])
def test_a_budget_is_kept_and_rules_go_last(limit: int) -> None:
    handoff = written(work(*FACTS), Budget(limit), active=True)
    text = render(handoff)
    assert len(text) <= limit
    assert RULE in [rule.text for rule in handoff.constraints]
    assert parse(text).constraints[0].confirmed


RULES = tuple(
    f"Never edit src/part{n}/legacy.py, {'not even its comments, ' * (n % 3)}whatever fails."
    for n in range(8)
)


@pytest.mark.parametrize("limit", range(60, 1_000, 20))
def test_while_a_rule_has_no_room_nothing_else_has(limit: int) -> None:
    said = [part for rule in RULES for part in (user(rule), reply("ok"), user("The port is 80."))]
    opened = session(user("/mode"), *said, user("minor, this is a big change"), reply("Done."))
    ledger = detect(opened)
    rules = tuple(
        replace(rule, state=RuleState.ACTIVE if place % 2 else RuleState.PROPOSED)
        for place, rule in enumerate(ledger.live)
    )
    assert len(rules) == len(RULES)
    handoff = write(opened, None, extract(opened), Ledger(rules), budget=Budget(limit))
    text = render(handoff)
    there = [rule.text for rule in handoff.constraints]
    assert len(text) <= limit
    assert "/mode" not in text
    assert "- minor\n" not in text
    missed = rules_left_out(handoff, Ledger(rules), extract(opened))
    assert len(missed) == len(rules) - len(there)
    if missed:
        assert handoff == Handoff(
            constraints=handoff.constraints, sources=handoff.sources, brief=True
        )
    if any(rule.text in missed for rule in rules[1::2]):
        assert all(rule.confirmed for rule in handoff.constraints) or len(there) < len(rules) // 2


def test_of_the_confirmed_rules_the_newest_stay() -> None:
    opened = session(*(user(f"Never edit src/part{n}/legacy.py.") for n in range(6)), reply("Ok."))
    rules = tuple(replace(rule, state=RuleState.ACTIVE) for rule in detect(opened).live)
    handoff = write(opened, None, extract(opened), Ledger(rules), budget=Budget(140))
    there = [rule.text for rule in handoff.constraints]
    assert there == [rule.text for rule in rules][-len(there) :]
    assert 0 < len(there) < 6


def test_a_rule_that_may_be_said_again_by_what_is_none_stays_a_rule() -> None:
    rule = "Never restart the billing gateway on port 8081."
    opened = session(
        user(rule), reply("Ok."), user("they moved the billing gateway to port 9000"), reply("Ok.")
    )
    assert rule in [found.text for found in detect(opened).live]
    for limit in (200, 300, 600):
        (found,) = written(opened, Budget(limit)).constraints
        assert "restart" in found.text


def test_a_prompt_of_signs_only_is_quoted_too() -> None:
    said = [user(f"Look at src/part_{n}.py, it is {'very ' * 40}slow.") for n in range(200)]
    opened = session(*said, user("???"), reply("Sorry."))
    assert "???" in [words.text for words in written(opened, None).user_words]


def test_quoted_words_have_no_entity_for_white_space() -> None:
    opened = session(user(" is this \r\n   \r\n right? "), reply("Yes."))
    assert "&#" not in render(written(opened, None))
    assert "&#" not in render(written(opened, Budget(900)))


def test_no_bullet_is_an_older_sentence_without_its_newer_one() -> None:
    both = "each pod should get 512 MB (newer than: Each pod gets 250 m and 256 MB)"
    text = f"# Handoff (schema 1.0, brief)\n## The user's words\n- {both}\n- (newer than: x is 1)\n"
    opened = _next(text, user("Each pod should get 1024 MB now."), reply("Noted."))
    for limit in (300, 600, 1_200, 0):
        found = render(written(opened, Budget(limit) if limit else None))
        body = found.partition("## Previous summary")[0]
        assert "- (newer than" not in body.replace("> ", "")
        assert "1024" in body


def test_a_budget_smaller_than_anything_gives_what_is_left() -> None:
    assert render(written(work(*FACTS), Budget(1))).startswith("# Handoff (schema 1.0, brief)")


def test_what_was_stated_comes_before_what_was_only_looked_at() -> None:
    text = render(written(work(*FACTS), Budget(800)))
    for fact in FACTS:
        assert fact.rstrip(".")[1:] in text
    assert "have a look" not in text


def test_sentences_name_the_message_they_stand_in() -> None:
    handoff = written(work(*FACTS), Budget(800))
    places = {words.text: words.message for words in handoff.user_words}
    (said,) = [text for text in places if "5433" in text]
    (number,) = [place for place, words in enumerate(handoff.user_words) if words.text == said]
    assert places[said]
    assert handoff.sources[f"/user_words/{number}"] == (places[said],)


def test_errors_and_changed_files_stand_in_a_small_handoff_too() -> None:
    handoff = written(work(*FACTS), Budget(1_300))
    assert handoff.files.changed == ("src/totals.py",)
    assert "test_rounds" in handoff.errors[0].message


def test_a_value_that_was_replaced_is_nowhere_in_a_handoff_with_a_budget() -> None:
    opened = work(*FACTS, "The staging database listens on port 6543 now.")
    for limit in (900, 1_400, 3_000, 100_000):
        text = render(written(opened, Budget(limit)))
        assert "6543" in text
        assert "5433" not in text or limit == 100_000


def test_without_a_budget_prompts_are_whole_and_say_what_was_said_anew() -> None:
    opened = work(*FACTS, "The staging database listens on port 6543 now.")
    (older,) = [w for w in written(opened, None).user_words if "5433" in w.text]
    assert "6543" in older.superseded


def test_without_a_budget_what_may_be_said_anew_is_told_beside_both() -> None:
    older, newer = "Session tokens expire after 30 minutes", "session token lifetime to 2 hours"
    opened = work(f"{older}.", f"We raised the {newer}.")
    handoff = written(opened, None)
    (words,) = [w for w in handoff.user_words if "30 minutes" in w.text]
    assert words.superseded == ""
    assert newer in words.perhaps_superseded
    again = [w for w in parse(render(handoff)).user_words if w.perhaps_superseded]
    assert [w.perhaps_superseded for w in again] == [words.perhaps_superseded]


def test_the_default_shortens_long_prompts_by_their_ends_and_holds_6000_tokens() -> None:
    long = " ".join(f"Step {n} renames src/part_{n}.py to lib/part_{n}.py." for n in range(400))
    drafts = [user(f"{n}: {long}") for n in range(9)]
    opened = session(*drafts, reply("Done."))
    handoff = written(opened, None)
    assert len(handoff.user_words) == 9
    assert all(MARK.search(words.text) for words in handoff.user_words)
    assert default_budget(opened).holds(render(handoff))


def test_what_must_not_be_lost_outlasts_the_default_budget() -> None:
    drafts = [user(f"Prompt {n}: keep value_{n} in src/part_{n}.py as it is.") for n in range(900)]
    handoff = written(session(*drafts, reply("Done.")), None)
    assert len(handoff.user_words) == 900
    assert handoff.brief


def _next(before: str, *drafts: Draft) -> Session:
    opened = session(summary(before), *drafts)
    past = PastCompaction("c", CompactionKind.FULL, 1, "auto", summary=opened.context[0])
    return replace(opened, compactions=(past,))


@pytest.mark.parametrize("limit", [900, 1_300, 2_500])
def test_many_rounds_lose_no_more_than_the_first_and_grow_no_mark(limit: int) -> None:
    text = render(written(work(*FACTS), Budget(limit)))
    first = [fact for fact in FACTS if fact.rstrip(".")[1:] in text]
    rules = text.count("src/legacy")
    for number in range(6):
        opened = _next(text, user(f"Now read src/more{number}.py."), reply("Noted."))
        text = render(written(opened, Budget(limit)))
        assert len(text) <= limit
        assert [fact for fact in first if fact.rstrip(".")[1:] in text] == first
        assert text.count("src/legacy") <= rules
        assert text.count("# Handoff") == 1


def test_what_was_only_in_doubt_stays_with_its_newer_one_over_rounds() -> None:
    text = render(written(work("Session tokens expire after 30 minutes.", *FACTS), Budget(1_500)))
    opened = _next(text, user("we raised the session token lifetime to 2 hours"), reply("Noted."))
    for _ in range(3):
        text = render(written(opened, Budget(1_500)))
        assert text.count("session token lifetime to 2 hours (newer than: ") == 1
        assert text.count("ession tokens expire after 30 minutes") == 1
        opened = _next(text, user("Carry on."), reply("Noted."))


@given(
    st.lists(st.text(max_size=80), max_size=6),
    st.integers(min_value=60, max_value=2_000),
)
@settings(max_examples=60, deadline=None)
def test_whatever_was_said_a_budget_is_kept_and_the_handoff_reads_back(
    prompts: list[str], limit: int
) -> None:
    opened = session(*(user(text) for text in prompts), reply("Done."))
    text = render(written(opened, Budget(limit)))
    assert len(text) <= limit or len(text) <= len("# Handoff (schema 1.0, brief)\n\n") + 30
    assert render(parse(text)) == text
