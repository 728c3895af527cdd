from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.evaluate.finding import Standing, Text, has_token
from redline.evaluate.plants import Statement

PORT = Statement("the API listens on port 8080", (("API",), ("8080",)), "8080")
NEWER = Statement("API is on 9090 now", (("API",), ("9090",)), "9090")
BAN = Statement("Never touch src/legacy", (("src/legacy",),), forbids=True)
ALWAYS = Statement("Always run make lint", (("always", "every"), ("make lint",)))


def standing(statement: Statement, text: str, *newer: Statement) -> Standing:
    return Text(text).standing(statement, newer)


@pytest.mark.parametrize(
    "text",
    [
        "The API listens on port 8080.",
        "- [unconfirmed] **API**: `8080`",
        "> the api is at port 8080, as before",
        "Go on. The API listens on port 8080. Then rest.",
        "API（8080端口）",
    ],
)
def test_whole_tokens_in_one_sentence_are_found_in_any_dress(text: str) -> None:
    assert standing(PORT, text) is Standing.CURRENT


@pytest.mark.parametrize(
    "text",
    [
        "The API listens on port 18080.",
        "The API listens on port 80801.",
        "The API listens on port 8080.1.",
        "The API listens on port 80.",
        "The APIs are many. Port 8080 is open.",
        "The API listens.\nPort 8080 is open.",
        "The rest-API_8080 is here, 8080.",
        "The API has 8080%.",
        "",
    ],
)
def test_parts_of_longer_numbers_and_other_sentences_are_not_found(text: str) -> None:
    assert standing(PORT, text) is Standing.MISSING


@pytest.mark.parametrize(
    "text",
    ["Touch src/legacy.", "Never touch src/legacy/v2.", "Never touch lib/src/legacy.",
     "You may touch src/legacy, it is no longer frozen.", "Never touch it. See src/legacy."],
)  # fmt: skip
def test_a_ban_needs_its_path_and_a_word_that_forbids(text: str) -> None:
    assert standing(BAN, text) is Standing.MISSING


@pytest.mark.parametrize(
    "text",
    ["Do not touch src/legacy.", "- `src/legacy` is off-limits", "src/legacy: don’t touch",
     "Nothing may be changed in src/legacy/.", "不要改 src/legacy"],
)  # fmt: skip
def test_a_ban_in_other_words_that_forbid_is_there(text: str) -> None:
    assert standing(BAN, text) is Standing.CURRENT


def test_what_is_to_be_done_is_not_found_in_a_ban_of_it() -> None:
    assert standing(ALWAYS, "Always run make lint.") is Standing.CURRENT
    assert standing(ALWAYS, "Do not always run make lint.") is Standing.MISSING
    assert standing(ALWAYS, "不要 always run make lint") is Standing.MISSING


@pytest.mark.parametrize(
    "text",
    ["- ~~The API listens on port 8080~~", "- The API listens on port 8080 (superseded)",
     "## Superseded\n\n- The API listens on port 8080", "- API 8080 [replaced by: API 9090]",
     "- API 端口 8080（已作废）"],
)  # fmt: skip
def test_what_is_marked_as_superseded_is_not_current(text: str) -> None:
    assert standing(PORT, text) is Standing.MARKED


def test_a_mark_that_is_unsure_takes_nothing_away() -> None:
    text = "- The API listens on port 8080 (perhaps superseded by a later one)"
    assert standing(PORT, text) is Standing.CURRENT


def test_a_heading_marks_only_what_stands_below_it() -> None:
    text = "## Superseded\n\n- nothing\n\n## Facts\n\n- The API listens on port 8080"
    assert standing(PORT, text) is Standing.CURRENT


def test_a_sentence_that_names_the_newer_value_tells_of_the_change() -> None:
    text = "The API is on 9090 now (was 8080)."
    assert standing(PORT, text, NEWER) is Standing.MARKED
    assert standing(PORT, text) is Standing.CURRENT
    assert standing(NEWER, text) is Standing.CURRENT
    assert standing(PORT, text + "\nThe API listens on port 8080.", NEWER) is Standing.CURRENT


def test_without_tokens_of_its_own_the_whole_text_is_looked_for() -> None:
    whole = Statement("keep it simple", (("keep it simple",),))
    assert standing(whole, "- *Keep it  simple*") is Standing.CURRENT
    assert standing(whole, "keep it very simple") is Standing.MISSING


def test_a_statement_of_two_sentences_is_looked_for_in_two() -> None:
    two = Statement("We use Postgres. Not MySQL.", (("Postgres",), ("MySQL",)))
    assert standing(two, "First. We use Postgres. Not MySQL. Last.") is Standing.CURRENT
    assert standing(two, "We use Postgres. Really. Not MySQL.") is Standing.MISSING


def test_a_chinese_number_inside_a_longer_one_is_another() -> None:
    days = Statement("保留三天", (("三天",),))
    assert standing(days, "日志保留三天。") is Standing.CURRENT
    assert standing(days, "日志保留十三天。") is Standing.MISSING


def test_a_mark_in_a_line_is_of_its_own_sentence_only() -> None:
    for text in (
        "> The API listens on port 8080. ~~Never touch src/legacy.~~ Go on.",
        "> The API listens on port 8080. Never touch src/legacy. (superseded) Go on.",
        "> The API listens on port 8080. Never touch src/legacy (no longer valid). Go on.",
    ):
        assert standing(PORT, text) is Standing.CURRENT
        assert standing(BAN, text) is Standing.MARKED


def test_a_label_at_the_start_of_a_line_is_of_all_of_it() -> None:
    for text in (
        "- [superseded] Go on. The API listens on port 8080.",
        "- Old values: go on. The API listens on port 8080.",
        "- 已作废：继续。The API listens on port 8080.",
    ):
        assert standing(PORT, text) is Standing.MARKED


def test_a_note_below_an_item_marks_what_it_names_there_and_nothing_else() -> None:
    text = "- > The API is on port 8080.\n  > Never touch src/legacy.\n  - superseded: API 8080"
    assert standing(PORT, text) is Standing.MARKED
    assert standing(BAN, text) is Standing.CURRENT
    other = "- > The API listens on port 8080.\n- superseded: API 8080"
    assert standing(PORT, other) is Standing.CURRENT


def test_what_a_statement_says_itself_is_no_mark() -> None:
    said = Statement("the flag old_cart is obsolete", (("old_cart",), ("obsolete",)))
    assert standing(said, "- the flag old_cart is obsolete") is Standing.CURRENT
    assert standing(said, "- the flag old_cart is obsolete (superseded)") is Standing.MARKED


NUMBERS = st.integers(0, 999_999).map(str)
NAMES = st.from_regex(r"[a-z]{1,6}(?:[/_.-][a-z0-9]{1,6}){0,3}", fullmatch=True)


@given(NUMBERS | NAMES, NUMBERS | NAMES)
def test_a_token_is_found_where_it_stands_and_another_one_is_not(one: str, other: str) -> None:
    sentence = f"it is {one} now"
    assert has_token(sentence, one)
    if other not in ("it", "is", "now") and other != one:
        assert not has_token(sentence, other)


@given(st.text())
def test_any_text_can_be_looked_through(text: str) -> None:
    standing(PORT, text, NEWER)
    assert standing(PORT, f"{text}\n\n# Facts\n\nThe API is on port 8080.") is Standing.CURRENT


def test_a_ban_that_stands_word_for_word_is_there_in_whatever_words_it_forbids() -> None:
    ban = Statement(
        "keep your fingers out of infra/prod.tfvars", (("infra/prod.tfvars",),), forbids=True
    )
    assert standing(ban, "- Keep your fingers out of infra/prod.tfvars.") is Standing.CURRENT
    assert standing(ban, "- We looked at infra/prod.tfvars.") is Standing.MISSING
