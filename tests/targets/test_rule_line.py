from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from redline.targets.rule_line import alone, replacing, rule_line

MARKDOWN = MarkdownIt("commonmark").enable("table")
# How Claude Code finds imports in the text tokens of a memory file.
IMPORT = re.compile(r"(?:^|\s)@((?:[^\s\\]|\\ )+)")
BITS = "@ @a/b.md ` `` ``` ~~~ \\ < > <!-- --> --!> * _ # - + 1. | [ ] ( ) : = ! \" ' x 中 a@b.c"
HOSTILE = st.lists(
    st.sampled_from(
        [*BITS.split(" "), " ", "\n", "\r", "\t", "\x1b[1m", "\u200b", "\u2028", '<a b="']
    ),
    max_size=14,
).map("".join)


def leaves(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from leaves(token.children or [])


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Never touch src/legacy", "Never touch src/legacy"),
        ("  two\n lines\t here ", "two lines here"),
        ("see @docs/rules.md.", "see `@docs/rules.md`."),
        ("@~/.ssh/id_rsa", "`@~/.ssh/id_rsa`"),
        ("use @types/node, not @types/bun", "use `@types/node`, not `@types/bun`"),
        ("run `npm i @types/node` first", "run `npm i @types/node` first"),
        ("run `npm i` with @types/node", "run `npm i` with `@types/node`"),
        ("`a`@b", "`a` `@b`"),
        ("a ` and @b", "a ' and `@b`"),
        ("write to me@example.com", "write to me@example.com"),
        ("a@b.c@secret.md", "a`@b.c@secret.md`"),
        ("**@x** (@y)", "**`@x`** (`@y`)"),
        ("请用@types/node 吧", "请用`@types/node` 吧"),
        ("never write <!-- or -->", "never write < !-- or -- >"),
        ("# no heading", "\\# no heading"),
        ("#12 stays open", "#12 stays open"),
        ("- no list", "\\- no list"),
        ("1. no number", "1\\. no number"),
        ("> no quote", "\\> no quote"),
        ("```", "'''"),
        ("[x]: /no-definition", "\\[x]: /no-definition"),
        ("**Never** push", "**Never** push"),
        ("no \x1b[31mcolour\x1b[0m or\u200b tags\U000e0041", "no colour or tags"),
        ("\u200b \n", ""),
    ],
)
def test_a_rule_keeps_its_words_on_one_line(text: str, line: str) -> None:
    assert rule_line(text) == line


@example('<a t="@x">foo` @z')
@example("`\\`@x`")
@example('<b t="`"> @x `')
@given(HOSTILE)
def test_no_rule_becomes_an_import_or_a_comment_or_any_block(text: str) -> None:
    _is_a_line(rule_line(text))


@example('<a b="', '"> @x')
@example("a\\", "`@x`")
@given(HOSTILE, HOSTILE)
def test_no_rule_becomes_one_with_what_it_replaces(text: str, other: str) -> None:
    _is_a_line(replacing(rule_line(text), other))


def _is_a_line(line: str) -> None:
    assert "\n" not in line
    assert "<!--" not in line
    assert "-->" not in line
    tokens = MARKDOWN.parse(f"- {line}\n- next\n")
    kinds = {token.type for token in tokens}
    assert not kinds & {
        "heading_open",
        "fence",
        "code_block",
        "html_block",
        "hr",
        "blockquote_open",
    }
    assert sum(token.type == "list_item_open" for token in tokens) == 2
    for token in leaves(tokens):
        if token.type == "text":
            assert not IMPORT.search(token.content), line
    assert not IMPORT.search(re.sub(r"`[^`]*`", "x", line)), line


@pytest.mark.parametrize("other", ["Line length is 88.", "a “quoted” word", "`@x` and \\- y", ""])
def test_what_a_rule_replaces_is_told_behind_it_and_taken_off_again(other: str) -> None:
    line = replacing("Line length is 100.", other)
    assert line.startswith("Line length is 100. (replaces “")
    assert alone(line) == "Line length is 100."
    assert alone("Be brief (replaces nothing)") == "Be brief (replaces nothing)"
