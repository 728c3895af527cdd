"""The labelled sentences are enough, balanced and apart; the detection is measured on them."""

from __future__ import annotations

from collections import Counter

import pytest

from redline.ledger.rule import RuleFamily
from tests.ledger.labelled_sets import HALVES, LANGUAGES, labelled, score


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_two_hundred_sentences_and_a_half_at_least_a_hundred(language: str) -> None:
    halves = [labelled(language, half) for half in HALVES]
    assert all(len(items) >= 110 for items in halves)
    assert abs(len(halves[0]) - len(halves[1])) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("half", HALVES)
def test_a_good_part_of_a_half_is_rules_and_most_of_it_is_not(language: str, half: str) -> None:
    items = labelled(language, half)
    share = sum(item.family is not None for item in items) / len(items)
    assert 0.4 <= share <= 0.5


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_family_is_as_often_in_one_half_as_in_the_other(language: str) -> None:
    tuning, held_out = (Counter(item.family for item in labelled(language, h)) for h in HALVES)
    for family in (*RuleFamily, None):
        assert min(tuning[family], held_out[family]) >= 5
        assert abs(tuning[family] - held_out[family]) <= 1


def test_no_sentence_stands_twice_nor_in_both_halves() -> None:
    texts = Counter(
        " ".join(item.text.lower().split())
        for language in LANGUAGES
        for half in HALVES
        for item in labelled(language, half)
    )
    assert max(texts.values()) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_sentences_nobody_tuned_on_three_rules_of_four_are_found_and_few_others(
    language: str,
) -> None:
    held_out = score(labelled(language, "held_out"))
    assert held_out.recall >= 0.75
    assert held_out.specificity >= 0.9
