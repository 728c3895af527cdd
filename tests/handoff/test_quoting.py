"""A long prompt by its two ends: the audit knows what the quote stands for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.handoff.quoting import LONGEST, MARK, placed, quoted, quoted_ends, tokens

LONG = " ".join(f"Step {number} moves the file src/part_{number}.py." for number in range(200))
CHINESE = "".join(f"第{number}步把文件移到新的目录。" for number in range(200))


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_prompt_up_to_the_limit_is_quoted_whole() -> None:
    assert quoted("Fix it", "m1") == "Fix it"
    assert quoted("x" * (4 * LONGEST), "m1") == "x" * (4 * LONGEST)


@pytest.mark.parametrize("text", [LONG, CHINESE, "x" * 9_000, "\ud800" * 4_000])
def test_a_long_one_is_quoted_by_its_ends_with_the_place_of_the_whole(text: str) -> None:
    quote = quoted(text, "m1")
    found = MARK.search(quote)
    assert found is not None
    assert found[2] == "m1"
    assert tokens(quote) <= LONGEST
    assert text.startswith(quote[: found.start()].rstrip())
    assert text.endswith(quote[found.end() :].lstrip())


def test_a_quote_is_quoted_as_it_is() -> None:
    quote = quoted(LONG, "m1")
    assert quoted(quote, "m9") == quote


def test_a_quote_that_went_on_to_another_handoff_names_the_file_once() -> None:
    quote = placed(quoted(LONG, "m1"), "/tmp/first.jsonl")
    assert "in message m1 of /tmp/first.jsonl ..." in quote
    assert placed(quote, "/tmp/second.jsonl") == quote


def test_the_quote_of_a_prompt_is_found_in_a_text() -> None:
    text = flat(f"Before it. {quoted(LONG, 'm1')} After it.")
    found = quoted_ends(text, flat(LONG), "m1")
    assert found is not None
    assert text[slice(*found)] == flat(quoted(LONG, "m1"))


@pytest.mark.parametrize(
    "changed",
    [
        flat(LONG).replace("part_3.py", "part_4.py", 1),
        flat(LONG).replace("part_198.py", "part_197.py"),
        f"No {flat(LONG)[5:]}",
        flat(LONG) + " And more.",
    ],
)
def test_the_quote_of_another_prompt_stands_for_nothing(changed: str) -> None:
    assert quoted_ends(flat(quoted(LONG, "m1")), changed, "m1") is None


@given(st.text(max_size=3_000), st.text(alphabet="ab \n.[]", max_size=3_000))
def test_no_text_breaks_it(text: str, other: str) -> None:
    quote = quoted(text, "m1")
    assert quoted(quote, "m1") == quote
    quoted_ends(flat(other), flat(text), "m1")


def test_the_quote_of_another_message_stands_for_nothing() -> None:
    assert quoted_ends(flat(quoted(LONG, "m1")), flat(LONG), "m2") is None
