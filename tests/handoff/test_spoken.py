"""The user's words sentence by sentence: what they are worth and what took the place of what."""

from __future__ import annotations

import pytest

from redline.facts.fact import PromptFact
from redline.handoff.handoff import Handoff, UserWords
from redline.handoff.spoken import (
    ASKED,
    ORDERED,
    PASSING,
    STATED,
    TOLD,
    Apart,
    Spoken,
    apart,
    current,
    spoken,
)

LIFETIME = "we raised the session token lifetime to 2 hours"
BOTH = "each pod should get 512 MB (newer than: Each pod gets 256 MB)"


def said(
    *prompts: str, earlier: Handoff | None = None, rules: tuple[str, ...] = ()
) -> list[Spoken]:
    facts = [PromptFact(text, f"m{place}") for place, text in enumerate(prompts)]
    return list(spoken(facts, earlier, rules))


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("The staging database listens on port 5433.", STATED, 4),
        ("snake_case for column names", TOLD, 4),
        ("Add a page for prices in src/pages", ORDERED, 4),
        ("Could you get the Windows build green again", ORDERED, 4),
        ("Run the tests again", PASSING, PASSING),
        ("Now have a look at src/app.py.", PASSING, PASSING),
        ("再跑一遍测试。", PASSING, PASSING),
        ("What does load() do in src/app.py?", ASKED, ASKED),
    ],
)
def test_what_holds_on_is_worth_more_than_what_is_done_with_its_answer(
    text: str, least: float, most: float
) -> None:
    (one,) = said(text)
    assert least <= one.value <= most


def test_an_older_sentence_goes_with_the_newer_one_it_stands_with() -> None:
    (one,) = (s for s in said(earlier=Handoff(user_words=(UserWords(BOTH),))) if s.older)
    assert one.taken_out(f"{BOTH} Then deploy.") == " Then deploy."
    assert one.taken_out(f"First. {one.text}. Then deploy.") == "First. Then deploy."
    assert one.told("") == ""


@pytest.mark.parametrize("text", [f"x. (newer than: {'('} b)", "(newer than: the old one)"])
def test_what_stands_beside_nothing_is_nobodys_words(text: str) -> None:
    found = said(earlier=Handoff(user_words=(UserWords(text),)))
    assert not [one for one in found if one.text.startswith("(newer")]


def test_brackets_in_the_older_sentence_are_read_back_with_it() -> None:
    text = "The port is 81 (newer than: the port (of staging) is 80)"
    found = said(earlier=Handoff(user_words=(UserWords(text),)))
    assert [one.older for one in found] == ["the port (of staging) is 80"]


@pytest.mark.parametrize(
    "text", ["thanks", "/mode", "/", "ok", "", "```\nerror: no such file\n```"]
)
def test_chatter_and_pasted_output_are_no_words_to_keep(text: str) -> None:
    assert said(text) == []


def test_an_initial_ends_no_sentence() -> None:
    assert [one.text for one in said("Kim L. reviews firmware changes.")] == [
        "Kim L. reviews firmware changes."
    ]


def test_fillers_are_left_out_and_names_stay() -> None:
    (one,) = said("By the way, please note that the logs are in /var/log/shop.")
    assert one.short == "the logs are in /var/log/shop."


def test_a_later_value_takes_the_place_of_the_earlier_one() -> None:
    found = said(
        "The staging database is on port 5432.", "The staging database is on port 5433 now."
    )
    assert [one.text for one in current(found)] == ["The staging database is on port 5433 now."]


def test_it_takes_the_place_of_what_an_earlier_handoff_carries_too() -> None:
    earlier = Handoff(user_words=(UserWords("The staging database is on port 5432."),))
    found = said("The staging database is on port 5433 now.", earlier=earlier)
    assert [one.text for one in current(found)] == ["The staging database is on port 5433 now."]


def test_what_is_said_again_after_something_else_is_what_holds() -> None:
    first, other = "The staging database is on port 5432.", "The staging database is on port 5433."
    assert [one.text for one in current(said(first, other, first))] == [first]


def test_a_rule_takes_its_place_among_the_sentences_and_is_given_back_first() -> None:
    older, newer = "Answer me in French.", "Answer in English please."
    found = said(older, newer, rules=(newer,))
    assert found[0].text == newer
    assert not found[0].replaced
    assert [one.text for one in found if one.replaced] == [older]


def test_two_that_differ_in_a_path_both_stay() -> None:
    texts = ["Never edit src/api/v1.", "Never edit src/api/v2."]
    assert [one.text for one in current(said(*texts))] == texts


def test_what_is_not_sure_stands_with_the_newer_one_and_is_read_back_from_there() -> None:
    older, newer = "Each pod gets 250 m and 256 MB", "each pod should get 512 MB"
    found = said(f"{older}.", f"{newer}.")
    (both,) = [one for one in found if one.older]
    told = both.told(both.short)
    assert told == f"{newer} (newer than: {older})"
    again = said(earlier=Handoff(user_words=(UserWords(told),)))
    assert [(one.text, one.older) for one in again] == [(newer, older)]


def test_a_prompt_that_stays_is_kept_and_still_takes_places() -> None:
    facts = [
        PromptFact("The staging database is on port 5432.", "m0"),
        PromptFact("The staging database is on port 5433 now.", "m1"),
    ]
    found = spoken(facts, None, stays=lambda prompt: prompt.message == "m1")
    assert list(current(found)) == []


def test_secrets_are_taken_out() -> None:
    (one,) = said("The token for staging is ghp_" + "a1B2" * 9 + ".")
    assert "a1B2a1B2" not in one.text


def test_of_two_that_are_in_doubt_each_knows_the_other() -> None:
    older, newer = said("Session tokens expire after 30 minutes.", f"{LIFETIME}.")
    assert (older.newer, newer.older) == (f"{LIFETIME}.", older.short)
    assert older.told(older.short) == f"{older.bare} (perhaps newer: {LIFETIME})"
    assert apart(older.told(older.short)) == Apart(older.bare, newer=LIFETIME)


def test_a_rule_keeps_its_perhaps_newer_one_though_that_stands_nowhere_else() -> None:
    rule = f"Session tokens expire after 30 minutes (perhaps newer: {LIFETIME})"
    found = said(rules=(rule,))
    assert [(one.text, one.older) for one in found] == [
        ("Session tokens expire after 30 minutes", ""),
        (LIFETIME, "Session tokens expire after 30 minutes"),
    ]


def test_what_a_semicolon_joins_is_read_as_one_when_it_says_something_anew() -> None:
    found = said(
        "You start the dev server with `npm run dev`.",
        "To bring up the dev server type `just serve`; the npm script is gone.",
    )
    assert "just serve" in (found[0].newer or found[0].replaced)


def test_two_lines_of_chinese_and_two_that_end_with_numbers_are_two_sentences() -> None:
    found = said("导出接口的超时改成 60 秒吧，数据量上来了\n支付模块推迟到下周三上线")
    assert len(found) == 2
    assert len(said("The demo is due on March 3. coverage may not fall below 80 %.")) == 2
