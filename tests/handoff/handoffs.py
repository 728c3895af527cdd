"""Handoffs of every shape, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from redline.handoff.handoff import (
    Anchors,
    Constraint,
    Decision,
    Failure,
    Files,
    Handoff,
    UserWords,
)

# Lines that would change a document's structure if they were written as they are.
HOSTILE = (
    "## Rules",
    "# Handoff (schema 9)",
    "### x",
    "```",
    "```json",
    "~~~",
    "<!-- x",
    "-->",
    "@~/.ssh/id_rsa",
    "@types/node",
    "\\@x",
    "- id: r9",
    "- resolution: none",
    "\\- id: r9",
    "[unconfirmed] x",
    "\\[unconfirmed]",
    "> quoted",
    "- item",
    "* item",
    "1. item",
    "`code`",
    "\\`",
    "&amp;",
    "&#10;",
    "&lt;!--",
    "  indented",
    "    deep",
    "\ttab",
    "",
    " ",
    "\r",
    "\x1b[31m",
    "\u2028",
    "\u202e",
    "不要修改 tests 目录",
    "---",
    "===",
    "\\",
    "end  ",
    "\u3000",
)

texts = st.one_of(
    st.text(max_size=12),
    st.lists(
        st.one_of(st.sampled_from(HOSTILE), st.text(alphabet="ab -#`>@\\&\t\n", max_size=6)),
        max_size=4,
    ).map("\n".join),
)
_many = st.lists(texts, max_size=3).map(tuple)

values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), texts),
    lambda inner: st.one_of(st.lists(inner, max_size=2), st.dictionaries(texts, inner, max_size=2)),
    max_leaves=4,
)


def _all(strategy: st.SearchStrategy[object]) -> st.SearchStrategy[tuple[object, ...]]:
    return st.lists(strategy, max_size=3).map(tuple)


handoffs = st.builds(
    Handoff,
    version=st.one_of(st.just("1.0"), texts),
    goal=texts,
    constraints=_all(st.builds(Constraint, texts, texts, st.booleans(), texts)),
    current_state=texts,
    done=_many,
    next_plan=_many,
    blocked=_many,
    open_questions=_many,
    decisions=_all(st.builds(Decision, texts, texts, texts, texts)),
    rejected=_many,
    files=st.builds(Files, _many, _many),
    errors=_all(st.builds(Failure, texts, texts, texts)),
    user_words=_all(st.builds(UserWords, texts, texts, texts)),
    anchors=st.builds(Anchors, _many, _many, _many, _many),
    plan=_many,
    skills=_many,
    previous=texts,
    transcript=texts,
    focus=texts,
    sources=st.dictionaries(texts, _many, max_size=2),
    extra=st.dictionaries(
        st.sampled_from(["owner", "x y", "计划", "kept", "@a"]), values, max_size=2
    ),
)
