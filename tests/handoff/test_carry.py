from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redline.handoff.carry import carry_over, sections

WRITTEN = "# Handoff\n\n## Goal\n\nround\n\n## Done\n\n- one\n\n## State\n\nopen\n"
AGAIN = "# Handoff\n\n## Goal\n\nround\n\n## Done\n\n- one\n- two\n\n## State\n\nclosed\n"


def test_an_untouched_handoff_is_simply_written_anew() -> None:
    assert carry_over(WRITTEN, WRITTEN, AGAIN).text == AGAIN


def test_a_section_the_person_edited_is_kept_and_the_others_are_new() -> None:
    carried = carry_over(WRITTEN, WRITTEN.replace("round", "round half up"), AGAIN)
    assert "round half up" in carried.text
    assert "- two" in carried.text
    assert carried.conflicts == ()


def test_a_section_that_both_changed_is_the_persons_and_is_named() -> None:
    carried = carry_over(WRITTEN, WRITTEN.replace("- one", "- one, by hand"), AGAIN)
    assert "- one, by hand" in carried.text
    assert "- two" not in carried.text
    assert carried.conflicts == ("Done",)


def test_a_section_the_person_added_stays_where_it_was() -> None:
    mine = WRITTEN.replace("## State", "## Note\n\ncheck by hand\n\n## State")
    carried = carry_over(WRITTEN, mine, AGAIN).text
    assert list(sections(carried)) == ["", "## Goal", "## Done", "## Note", "## State"]


def test_a_section_the_person_took_out_stays_out() -> None:
    mine = WRITTEN.replace("## State\n\nopen\n", "")
    assert "## State" not in carry_over(WRITTEN, mine, AGAIN).text


def test_an_edited_section_that_is_not_written_any_more_stays() -> None:
    gone = AGAIN.replace("## Done\n\n- one\n- two\n\n", "")
    assert "by hand" in carry_over(WRITTEN, WRITTEN.replace("one", "one, by hand"), gone).text


def test_an_edited_last_section_without_line_end_does_not_swallow_the_next_heading() -> None:
    carried = carry_over("## A\n\na", "## A\n\nmine", "## A\n\na\n\n## B\n\nb\n").text
    assert list(sections(carried)) == ["", "## A", "## B"]


TEXTS = st.lists(
    st.tuples(st.sampled_from(["## Goal", "## Done", "## Note", "## 中文"]), st.text("ab \n")),
    max_size=4,
).map(lambda pairs: "start\n" + "".join(f"{head}\n{body}\n" for head, body in pairs))


@given(TEXTS, TEXTS, TEXTS)
def test_every_section_the_person_changed_is_in_the_result(
    written: str, edited: str, again: str
) -> None:
    carried = carry_over(written, edited, again).text
    before = sections(written)
    for heading, body in sections(edited).items():
        if body != before.get(heading):
            assert body.strip() in carried


@given(TEXTS)
def test_sections_hold_the_whole_text(text: str) -> None:
    found = sections(text)
    assert sum(len(body) for body in found.values()) <= len(text)
    assert all(line in text for line in found)
