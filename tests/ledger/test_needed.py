"""Which patterns a sentence can match, told by its letters."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.ledger.english_cues import CUES
from redline.ledger.needed import Needed, alternatives, bits, lowered, needed_words

PATTERNS = [cue for _, _, cue in CUES]
NEEDED = Needed(PATTERNS)


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (r"\bnever (?:ever )?touch\b", {"never "}),
        (r"do(?:n'?t| not)", {"do"}),
        (r"(?:keep|leave) it", {"keep", "leave"}),
        (r"colou?r", {"colo"}),
        (r"(?:a lot )*more", {"more"}),
        (r"only(?! one)", {"only"}),
        (r"(?<!the )must", {"must"}),
        (r"[Nn]ever|always", {"ever", "always"}),
        (r"at \d{1,3} lines\.", {" lines."}),
        (r"x{2}yes", {"yes"}),
    ],
)
def test_the_words_of_a_pattern_are_those_no_match_can_do_without(
    pattern: str, words: set[str]
) -> None:
    assert set(needed_words(pattern) or ()) == words


@pytest.mark.parametrize("pattern", [r"\w+", r"(?:never)?", r"never|.*", r"a*", ""])
def test_a_pattern_that_needs_no_words_may_match_everything(pattern: str) -> None:
    assert needed_words(pattern) is None
    assert Needed([pattern]).of("") == 1


@pytest.mark.parametrize("number", range(len(CUES)))
@settings(max_examples=8)
@given(data=st.data())
def test_no_sentence_that_a_cue_matches_is_passed_over(number: int, data: st.DataObject) -> None:
    sentence = data.draw(st.from_regex(re.compile(PATTERNS[number], re.I)))
    assert number in bits(NEEDED.of(sentence))


@pytest.mark.parametrize(
    "sentence",
    ["NEVER TOUCH IT", "do\u0131 not", "a\u017f I \u017faid: mu\u017ft", "\u212aeep it as is"],
)
def test_letters_that_case_makes_equal_are_the_same(sentence: str) -> None:
    matched = {at for at, cue in enumerate(PATTERNS) if re.search(cue, sentence, re.I)}
    assert matched <= set(bits(NEEDED.of(sentence)))


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        (r"run (?:by|past) me", "I run it and the bypass"),  # none of the other words
        (r"for the (?:rest|day)", "forth the rest"),  # the word goes on
        (r"stop that|never mind", "stop when it is never done"),  # of each alternative a half
    ],
)
def test_a_pattern_is_passed_over_where_one_of_its_words_is_missing(
    pattern: str, sentence: str
) -> None:
    assert Needed([pattern]).of(sentence) == 0


def test_most_sentences_can_match_few_cues() -> None:
    sentence = "The rounding of the totals runs twice when a coupon is applied."
    assert len(list(bits(NEEDED.of(sentence)))) < len(CUES) // 4


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("a|b", ["a", "b"]),
        (r"(?:a|b)c|[|]d|\|e", ["(?:a|b)c", "[|]d", r"\|e"]),
        (r"one(?! (?:more|less))", [r"one(?! (?:more|less))"]),
    ],
)
def test_a_pattern_is_taken_apart_at_its_outermost_bars(pattern: str, found: list[str]) -> None:
    assert alternatives(pattern) == found


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_alternatives_of_a_cue_are_the_cue(pattern: str) -> None:
    assert "|".join(alternatives(pattern)) == pattern


@pytest.mark.parametrize("pattern", PATTERNS)
def test_cues_are_written_in_lower_case(pattern: str) -> None:
    assert re.sub(r"\\[A-Z]", "", pattern) == re.sub(r"\\[A-Z]", "", pattern).lower()


@given(text=st.text())
def test_lower_case_keeps_each_character_in_its_place(text: str) -> None:
    assert len(lowered(text)) == len(text)
