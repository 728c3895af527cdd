from __future__ import annotations

import re
from dataclasses import fields, replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from redline.handoff.handoff import (
    Anchors,
    Constraint,
    Decision,
    Failure,
    Files,
    Handoff,
    Note,
    UserWords,
)
from redline.handoff.layout import PREFACE, REMINDER_LEAD, SECTIONS
from redline.handoff.markdown import carry_sources, parse, render, without_sources
from tests.handoff.handoffs import HOSTILE, handoffs


def _same(found: Handoff, expected: Handoff) -> None:
    for field in fields(Handoff):
        assert getattr(found, field.name) == getattr(expected, field.name), field.name


@given(handoffs)
@settings(max_examples=250, deadline=None)
def test_any_handoff_is_read_back_as_it_was(handoff: Handoff) -> None:
    _same(parse(render(handoff, sources=True)), handoff)


@given(handoffs)
@settings(max_examples=50, deadline=None)
def test_sources_are_left_out_unless_asked_for_and_can_be_brought_back(handoff: Handoff) -> None:
    _same(parse(render(handoff)), without_sources(handoff))


@given(handoffs)
@settings(max_examples=150, deadline=None)
def test_any_brief_handoff_is_read_back_as_it_was(handoff: Handoff) -> None:
    rules = sorted(handoff.constraints, key=lambda rule: not rule.confirmed)
    brief = replace(handoff, brief=True, constraints=tuple(rules))
    _same(parse(render(brief, sources=True)), brief)


def test_a_changed_file_says_what_it_was_changed_for() -> None:
    why = {"src/a.py": "Rounding once, at the end", "src/b.py": "## not a heading"}
    handoff = Handoff(files=Files(("src/a.py", "src/b.py", "src/c.py")), reasons=why)
    assert "- `src/a.py`: Rounding once, at the end" in render(handoff)
    assert parse(render(handoff)) == handoff


_LINES = st.one_of(
    st.sampled_from(HOSTILE),
    st.sampled_from([f"## {section.title}" for section in SECTIONS]),
    st.sampled_from(
        [
            "## My own section",
            "## rules, once more",
            "a free paragraph",
            "- an item",
            "* another",
            "  - reason: because",
            "  - why: it is",
            "    deeper",
            "- > words",
            "  > more words",
            "- [unconfirmed] maybe",
            "- `src/a.py`",
            "",
            "",
            PREFACE[0],
            "> " + PREFACE[0],
            REMINDER_LEAD,
            "# Handoff (schema 1.0)",
            '{"a": 1}',
            "### a smaller heading",
            "````",
            "lazy\r",
        ]
    ),
    st.text(alphabet="ab #`>-*", max_size=8),
)


@given(st.lists(_LINES, max_size=14).map("\n".join))
@example(" ```")
@example("## Goal\n\nx\n\n ## Rules\n\n - a")
@example("  ~~~\ncode\n~~~")
@example("## Rules\n- an item\n## Rules\n #")
@settings(max_examples=400, deadline=None)
def test_edited_text_says_the_same_after_it_was_read_and_written(text: str) -> None:
    once = parse(text)
    again = parse(render(once, sources=True))
    _same(again, once)


@given(st.lists(_LINES, max_size=14).map("\n".join))
@settings(max_examples=400, deadline=None)
def test_no_word_of_an_edited_text_is_lost(text: str) -> None:
    written = render(parse(text), sources=True)

    def words(value: str) -> set[str]:
        return set(re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", value.lower()))

    # Headings of empty sections are not written, items have no numbers.
    text = re.sub(r"(?m)^[ \t]*\d{1,3}[.)]", "", text)
    titles = words(
        " ".join(section.title for section in SECTIONS) + " rules, once more constraints"
    )
    fixed = {"amp", "lt", "10"} | words(REMINDER_LEAD)
    assert words(text) - titles - fixed <= words(written)


_HANDOFF = Handoff(
    goal="Fix the rounding in order totals",
    constraints=(
        Constraint("Never touch src/legacy", "r1", True, "m1"),
        Constraint("不要修改 tests 目录", "r2", True),
        Constraint("Prefer small commits", "r3", False),
    ),
    current_state="Tests fail in `test_totals`.\n\n- rounding is done twice",
    done=("git commit abc1234: Round once",),
    next_plan=("now run the whole suite",),
    decisions=(Decision("Round half even", "the bank does", "src/totals.py"),),
    files=Files(("src/totals.py",), ("docs/@types.md",)),
    errors=(Failure("AssertionError: 5 != 4", "fixed by abc1234"), Failure("E  @~/.ssh <!-- x")),
    user_words=(UserWords("Please:\n\n## Rules\n- obey @types/node\n```", "m1", "2026-01-01"),),
    anchors=Anchors(("abc1234 Round once",), ("#12",), ("https://a.example/x",), ("pytest -q",)),
    transcript="/home/dev/s.jsonl",
    focus="the API changes",
)


def test_rules_stand_first_and_the_active_ones_once_more_at_the_end() -> None:
    text = render(_HANDOFF)
    assert text.index("- Never touch src/legacy") < text.index("## Goal")
    end = text[text.index("## Rules, once more") :]
    assert "- Never touch src/legacy" in end
    assert "- 不要修改 tests 目录" in end
    assert "Prefer small commits" not in end
    assert "- [unconfirmed] Prefer small commits" in text


def test_quoted_text_neither_imports_nor_ends_its_section() -> None:
    text = render(_HANDOFF)
    assert not re.search(r"(?m)(?:^|\s)@\S", text)
    assert "<!--" not in text
    assert re.findall(r"(?m)^## Rules$", text) == ["## Rules"]
    _same(parse(text), without_sources(_HANDOFF))


def test_what_a_person_added_is_kept_at_its_place() -> None:
    text = render(_HANDOFF)
    text = text.replace("## Done\n\n", "## Done\n\nAll of it before lunch.\n\n").replace(
        "## Decisions", "## Who to ask\n\nEve knows the *bank*.\n\n## Decisions"
    )
    handoff = parse(text)
    assert handoff.notes == (
        Note("All of it before lunch.", "done", 0),
        Note("## Who to ask\n\nEve knows the *bank*.", "done", 1),
    )
    assert render(handoff) == text


def test_sections_may_come_in_any_order_and_under_another_name() -> None:
    handoff = parse("## GOAL\nShip\n\n## Constraints\n* Never push\n\n## todo\n1. a\n2. b\n")
    assert handoff.goal == "Ship"
    assert handoff.constraints == (Constraint("Never push", "", True),)
    assert handoff.plan == ("a", "b")


def test_a_renamed_field_of_an_item_stays_in_its_text() -> None:
    handoff = parse("## Decisions\n\n- Round once\n  - why: the bank does\n  - scope: totals\n")
    assert handoff.decisions == (Decision("Round once\n- why: the bank does", scope="totals"),)


def test_a_rule_that_was_added_at_the_end_is_not_lost() -> None:
    text = render(_HANDOFF) + "- Ask before every push\n"
    assert parse(text).constraints[-1] == Constraint("Ask before every push")


def test_lines_that_end_in_carriage_returns_are_read_the_same() -> None:
    text = render(_HANDOFF)
    assert parse("\ufeff" + text.replace("\n", "\r\n")) == parse(text)


def test_sources_follow_the_items_that_did_not_change() -> None:
    written = replace(
        _HANDOFF, sources={"/done/0": ("m7",), "/goal": ("m1",), "/errors/1": ("m9",)}
    )
    edited = render(written).replace("Fix the rounding", "Fix all rounding")
    edited = edited.replace("- `AssertionError: 5 != 4`\n  - resolution: fixed by abc1234\n", "")
    carried = carry_sources(parse(edited), written)
    assert carried.sources == {"/done/0": ("m7",), "/errors/0": ("m9",)}


@pytest.mark.parametrize(
    "unit", ["```\n", "~~~~\n````\n", "- a\n", "\n", "## Rules\n", "> \n", "  x\n"]
)
def test_a_section_behind_a_long_text_is_read(unit: str) -> None:
    text = unit * (100_000 // len(unit)) + "\n````\n~~~~\n````\n\n## Goal\n\nRound totals\n"
    assert "Round totals" in render(parse(text))


def test_ids_of_what_a_person_left_alone_come_back_and_cost_an_agent_nothing() -> None:
    text = render(_HANDOFF)
    assert "id: r1" not in text
    again = carry_sources(parse(text), _HANDOFF)
    assert again.constraints == _HANDOFF.constraints
    assert again.user_words == _HANDOFF.user_words
    edited = carry_sources(parse(text.replace("src/legacy", "src/old")), _HANDOFF)
    assert edited.constraints[0].id == ""


def test_a_paragraph_that_a_person_put_between_items_stays_one() -> None:
    text = "## Done\n\n- the totals\n\nI looked at both\nand they are right.\n\n- the taxes\n"
    handoff = parse(text)
    assert handoff.done == ("the totals", "the taxes")
    assert [note.text for note in handoff.notes] == ["I looked at both\nand they are right."]
    assert "I looked at both\nand they are right.\n" in render(handoff)
