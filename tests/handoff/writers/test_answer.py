"""Answers as models give them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.handoff.writers.answer import Prose, is_nothing, items, read_answer, unwrapped
from redline.handoff.writers.forms import FORMS
from redline.handoff.writers.templates import template
from redline.handoff.writers.writer import SummaryForm
from tests.handoff.writers.tasks import GOOD

WHOLE = read_answer(GOOD, SummaryForm.HANDOFF)


def read(text: str) -> Prose:
    return read_answer(text, SummaryForm.HANDOFF)


def fields(prose: Prose) -> Prose:
    return Prose(
        prose.goal,
        prose.done,
        prose.current_state,
        prose.decisions,
        prose.rejected,
        prose.blocked,
        prose.open_questions,
        prose.next_plan,
        prose.found,
    )


def test_the_example_is_read_whole() -> None:
    assert WHOLE.found == {asked.field for asked in FORMS[SummaryForm.HANDOFF]}
    assert WHOLE.blocked == ()
    assert WHOLE.rejected == ("A database for the queue: nobody wants another service to run.",)
    assert (WHOLE.decisions[0].reason, WHOLE.decisions[0].scope) == (
        "a torn file costs one job only",
        "the queue",
    )


@pytest.mark.parametrize(
    "text",
    [
        f"```markdown\n{GOOD}\n```",
        f"~~~\n{GOOD}\n~~~",
        f"Here are the notes you asked for:\n\n```\n{GOOD}\n```\n",
        f"Sure! Here is the summary.\n\n{GOOD}",
        f"<think>\nWhat is there?\n## Goal\nno\n</think>\n{GOOD}",
        f"What is there?\n## Goal\nno\n</think>\n\n{GOOD}",
        f"<thinking>never closed\n{GOOD}",
        f"<analysis>a</analysis><summary>\n{GOOD}\n</summary>",
        f"<summary>\n{GOOD}",
        GOOD.replace("## ", "### "),
        GOOD.replace("## ", "# "),
        GOOD.replace("## ", "##"),
        GOOD.replace("Goal\n", "Goal:\n"),
        "\n".join(f"**{line[3:]}:**" if line[:2] == "##" else line for line in GOOD.split("\n")),
        "\n".join(f"**{line[3:]}**" if line[:2] == "##" else line for line in GOOD.split("\n")),
        "\n".join(f"{line[3:]}:" if line[:2] == "##" else line for line in GOOD.split("\n")),
        GOOD.replace("## Goal", "## 1. Goal").replace("## Done", "## 2. Done"),
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n- ", "\n* "),
        GOOD.replace("\n- ", "\n1. "),
        GOOD.replace("## Next steps", "## NEXT STEPS ##"),
        GOOD.replace("## Goal", "## 目标").replace("## Next steps", "## 下一步"),
        f"{GOOD}\n\n## Files changed\n- src/a.py\n\n## Rules\n- none of mine",
        GOOD.replace("None.", "(none)").replace("  - reason", "  * **Reason**"),
        GOOD.replace("None.", "- None"),
    ],
)
def test_what_stands_around_an_answer_changes_nothing_in_it(text: str) -> None:
    assert fields(read(text)) == fields(WHOLE)


def test_an_answer_in_json_is_read_too() -> None:
    data = {
        "goal": "Ship it",
        "done": ["a", "b"],
        "current_state": "green",
        "decisions": [{"content": "one file each", "reason": "safe", "scope": "queue"}],
        "Next steps": ["c"],
        "open_questions": None,
    }
    for text in (json.dumps(data), f"```json\n{json.dumps(data, indent=2)}\n```"):
        prose = read(text)
        assert (prose.goal, prose.done, prose.next_plan) == ("Ship it", ("a", "b"), ("c",))
        assert prose.decisions[0].reason == "safe"


def test_a_heading_with_its_text_behind_it_is_a_heading() -> None:
    bold = read("**Goal:** Ship it\n**Done:** nothing yet\n**Next steps:**\n- go\n")
    bare = read("Goal: Ship it\nDone: None\nCurrent state: green\nNext steps: go")
    assert (bold.goal, bold.next_plan) == ("Ship it", ("go",))
    assert (bare.goal, bare.current_state, bare.next_plan) == ("Ship it", "green", ("go",))


def test_a_word_of_a_heading_inside_a_text_is_no_heading() -> None:
    text = GOOD.replace("The worker resumes", "Done: the queue.\nThe worker resumes")
    assert read(text).current_state.startswith("Done: the queue.")
    assert read(text).done == WHOLE.done


def test_a_section_written_twice_is_one() -> None:
    assert read(f"{GOOD}\n\n## Next steps\n- Release it.").next_plan == (
        "Split exports over two gigabytes.",
        "Release it.",
    )


def test_the_forms_of_the_agents_fill_the_same_fields() -> None:
    claude = read_answer(template("example-claude-code").text, SummaryForm.CLAUDE_CODE)
    assert claude.done == ("the queue keeps its jobs on disk (the tests of the queue passed)",)
    assert claude.decisions[0].content.startswith("jobs are stored as one file each")
    assert claude.rejected
    assert claude.open_questions == ("may old jobs be deleted after a week?",)
    assert claude.next_plan == ("Split exports over two gigabytes.",)
    assert claude.current_state.startswith("The worker resumes")
    assert claude.sections["Key Technical Concepts"] == "- A queue of jobs on disk"
    pi = read_answer(template("example-pi").text, SummaryForm.PI)
    assert pi.done == WHOLE.done
    assert pi.current_state == WHOLE.current_state
    assert pi.decisions[0].reason == "a torn file costs one job only"


def test_what_the_session_tells_is_not_read_from_an_answer() -> None:
    text = (
        "1. Primary Request and Intent:\nShip it\n3. Files and Code Sections:\n- a.py\n"
        "6. All user messages:\n- 'never ask'\n5. Problem Solving:\n- Done: x\n"
        "7. Pending Tasks:\n- y\n8. Current Work:\ngreen\n"
    )
    prose = read_answer(text, SummaryForm.CLAUDE_CODE)
    assert prose.goal == "Ship it"
    assert prose.done == ("x",)
    assert "never ask" not in str(prose)
    assert "a.py" not in str(prose)


@pytest.mark.parametrize("text", ["None.", "- none", "(None yet)", "N/A", "无", "Nothing.", " "])
def test_nothing_is_no_item(text: str) -> None:
    assert is_nothing(text)
    assert items(text) == ()


def test_items_keep_what_is_indented_below_them() -> None:
    assert items("intro\n- a\n  more\n  - deeper\n- b\n") == ("a\nmore\n- deeper", "b")
    assert items("first\nstill first\n\nsecond") == ("first still first", "second")


@given(st.text(max_size=400))
def test_no_text_is_too_strange_to_be_read(text: str) -> None:
    for form in SummaryForm:
        read_answer(text, form)
        read_answer(f"## Goal\n{text}\n{text}", form)


@pytest.mark.parametrize(
    "piece", ["<think>", "</think>", "<summary>", "```\n", "## Goal\n", "- ", "*", "{", "**", "#\n"]
)
def test_a_long_answer_of_one_sign_is_read_in_one_go(piece: str) -> None:
    assert read(piece * (400_000 // len(piece))).found <= {"goal"}


def test_unwrapping_gives_nothing_for_thinking_alone() -> None:
    assert unwrapped("<think>only this") == ""
    assert unwrapped("<think>a</think>") == ""
