from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from redline.errors import RedlineError
from redline.fences import BOM, open_fence
from redline.targets.block import BlockRule, added_lines, find, put, remove, rules_of, swap

RULES = [BlockRule("r1", "Never touch src/legacy"), BlockRule("r2", "用中文回答")]
OTHER = [BlockRule("r9", "Be brief")]
BEGIN = b"<!-- redline:rules:begin id=project -->"
END = b"<!-- redline:rules:end id=project -->"

ENDS = [b"\n", b"\r\n", b"\r"]
BITS = [*b"# Mine|```|~~~|  ```py|- x| |\t|\xff|<!--|-->|@a.md".split(b"|"), "中".encode(), BOM]
PIECES = st.lists(
    st.sampled_from([*ENDS, *ENDS, *BITS, b"<!-- redline:rules:begin id=other -->"]), max_size=12
).map(b"".join)


@example(b"")
@example(BOM)
@example(b"a\r\nb\nc\r")
@given(PIECES | st.binary(max_size=60).filter(lambda data: b"\0" not in data))
def test_a_block_leaves_every_other_byte_and_goes_without_a_trace(data: bytes) -> None:
    try:
        find(data, "project")
    except RedlineError:
        return
    once = put(data, "project", RULES)
    assert once.startswith(data)
    assert put(once, "project", RULES) == once
    assert remove(once, "project") == data
    changed = put(once, "project", OTHER)
    assert put(changed, "project", RULES) == once
    assert remove(changed, "project") == data
    assert rules_of(once, "project") == tuple(RULES)
    assert swap(changed, "project", once) == once
    assert swap(changed, "project", data) == data


@given(PIECES, PIECES)
def test_an_update_keeps_what_stands_before_and_after_the_block(above: bytes, below: bytes) -> None:
    middle = b"\n" + BEGIN + b"\n- old\n" + END + b"\n"
    data = above + middle + below
    try:
        if len(find(data, "project").spans) != 1:
            return
    except RedlineError:
        return
    after = put(data, "project", RULES)
    assert after.startswith(above + b"\n")
    assert after.endswith(b"\n" + below)
    assert rules_of(after, "project") == tuple(RULES)


def test_a_new_block_follows_the_files_line_ends_and_final_newline() -> None:
    assert b"\n" not in put(b"a\r\nb\r\n", "project", RULES).replace(b"\r\n", b"")
    assert put(b"a\r\nb\r\n", "project", RULES).endswith(b"-->\r\n")
    assert put(b"a\nb", "project", RULES).endswith(b"-->\n")
    assert remove(put(b"a\nb", "project", RULES), "project") == b"a\nb"
    assert put(b"a\n", "project", RULES).startswith(b"a\n\n<!-- redline")
    assert put(b"", "project", RULES).endswith(b"-->\n")


def test_a_block_behind_a_bom_is_found_and_the_bom_kept_once() -> None:
    data = BOM + BEGIN + b"\n- old\n" + END + b"\nmine\n"
    after = put(data, "project", RULES)
    assert after.startswith(BOM + b"<!-- redline:rules:begin")
    assert after.count(BOM) == 1
    assert after.endswith(b"-->\nmine\n")
    assert remove(data, "project") == BOM + b"mine\n"


@pytest.mark.parametrize(
    "data",
    [
        END + b"\ntext\n" + BEGIN + b"\n",
        BEGIN + b"\ntext\n",
        END + b"\n",
        BEGIN + b"\n" + BEGIN + b"\n" + END + b"\n",
        BEGIN + b"\n<!-- redline:rules:begin id=b -->\n" + END + b"\n",
        BEGIN + b"\n<!-- redline:rules:end id=b -->\n" + END + b"\n",
        BEGIN + b"\n" + END + b"\n" + END + b"\n",
    ],
)
def test_markers_that_do_not_pair_up_are_refused_with_their_line(data: bytes) -> None:
    with pytest.raises(RedlineError, match=r"marker in line \d") as caught:
        put(data, "project", RULES)
    assert caught.value.hint
    with pytest.raises(RedlineError, match=r"marker in line \d"):
        remove(data, "project")


def test_a_broken_block_of_another_id_does_not_stop_ours() -> None:
    data = b"<!-- redline:rules:begin id=b -->\nmine\n"
    once = put(data, "project", RULES)
    assert put(once, "project", RULES) == once
    assert remove(once, "project") == data
    with pytest.raises(RedlineError, match="line 1"):
        put(once, "b", RULES)


def test_two_blocks_become_one_and_the_text_between_stays() -> None:
    one = BEGIN + b"\n- old\n" + END + b"\n"
    data = b"top\n\n" + one + b"\nbetween\n\n" + one + b"\nend\n"
    after = put(data, "project", RULES)
    assert len(find(after, "project").spans) == 1
    for text in (b"top\n", b"\nbetween\n", b"\nend\n"):
        assert text in after
    assert b"- old" not in after
    assert remove(data, "project") == b"top\n\nbetween\n\nend\n"


@pytest.mark.parametrize(
    "begin",
    [
        b"<!-- redline:rules:begin id=project v=1 -->",
        b"<!--redline:rules:begin id=project-->",
        b"  <!-- redline:rules:begin  v=9 id=project rules=a,b new=x -->  ",
    ],
)
def test_a_block_of_another_version_is_replaced_in_place(begin: bytes) -> None:
    data = b"top\n" + begin + b"\nold words\n" + END.replace(b" id", b" v=2 id") + b"\nend\n"
    after = put(data, "project", RULES)
    assert after.count(b"redline:rules:begin") == 1
    assert after.startswith(b"top\n<!--")
    assert after.endswith(b"-->\nend\n")
    assert b"old words" not in after


def test_an_id_that_starts_alike_is_another_block() -> None:
    data = put(put(b"mine\n", "app", RULES), "app2", OTHER)
    after = put(data, "app", OTHER)
    assert rules_of(after, "app") == tuple(OTHER)
    assert rules_of(after, "app2") == tuple(OTHER)
    assert rules_of(remove(after, "app"), "app2") == tuple(OTHER)
    assert remove(remove(after, "app"), "app2") == b"mine\n"


@pytest.mark.parametrize("fence", [b"```", b"~~~~", b"   ```markdown"])
def test_markers_in_a_code_fence_are_an_example_and_not_ours(fence: bytes) -> None:
    close = re.sub(rb"[a-z ]", b"", fence)
    data = fence + b"\n" + BEGIN + b"\n- example\n" + END + b"\n" + close + b"\n"
    after = put(data, "project", RULES)
    assert after.startswith(data)
    assert rules_of(after, "project") == tuple(RULES)
    assert remove(after, "project") == data


def test_a_fence_that_never_closes_does_not_hide_the_block_from_the_next_run() -> None:
    data = b"text\n```\ncode\n"
    assert open_fence(data) == 2
    once = put(data, "project", RULES)
    assert put(once, "project", OTHER).count(b"redline:rules:begin") == 1
    assert remove(once, "project") == data


def test_a_line_in_running_text_is_no_marker() -> None:
    data = b"see " + BEGIN + b" and\n    " + END + b"\n- " + BEGIN + b"\n"
    assert find(data, "project").spans == ()


def test_lines_that_a_person_added_to_the_block_are_read_as_rules() -> None:
    data = put(b"", "project", RULES).replace(b"- Never", b"- Mine\n- Never")
    assert [rule.line for rule in rules_of(data, "project")] == [
        "Mine",
        "Never touch src/legacy",
        "用中文回答",
    ]
    assert {rule.id for rule in rules_of(data, "project")} == {""}


@pytest.mark.parametrize("data", ["# Mine".encode("utf-16"), b"a\0b"])
def test_a_file_that_is_no_utf8_text_is_refused(data: bytes) -> None:
    with pytest.raises(RedlineError, match="not UTF-8"):
        put(data, "project", RULES)


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
def test_what_an_agent_appends_to_a_file_without_a_last_line_end_gets_a_line(
    newline: bytes,
) -> None:
    data = b"# Mine" + newline + b"last"
    once = put(data, "project", RULES)
    assert put(once, "project", RULES) == once
    noted = once + b"- agent note" + newline
    assert newline + b"- agent note" + newline in noted
    after = put(noted, "project", OTHER)
    assert after.endswith(newline + b"- agent note" + newline)
    assert rules_of(after, "project") == tuple(OTHER)
    assert remove(after, "project") == data + newline + b"- agent note" + newline
    assert remove(put(once, "project", OTHER), "project") == data
    assert swap(once, "project", None) == data
    assert swap(data, "project", once) == once
    assert swap(data + newline, "project", once).count(b"final-newline") == 0


def test_text_behind_the_end_of_a_block_is_kept_and_gets_a_line() -> None:
    old = b"mine\n\n" + BEGIN + b"\n- Be brief\n" + END + b"- agent note\n"
    assert rules_of(old, "project") == (BlockRule("", "Be brief"),)
    after = put(old, "project", OTHER)
    assert after.endswith(END + b"\n- agent note\n")
    assert remove(old, "project") == b"mine\n- agent note\n"
    assert find(b"see\n" + END + b" for the end\n", "project").spans == ()


@pytest.mark.parametrize("indent", [b" ", b"  ", b"    ", b"\t"])
def test_an_indented_end_is_no_part_of_a_rule(indent: bytes) -> None:
    data = BEGIN + b"\n- Be brief\n" + indent + END + b"\nmine\n"
    assert rules_of(data, "project") == (BlockRule("", "Be brief"),)
    assert added_lines(data, "project") == ()
    assert remove(data, "project") == b"mine\n"


def test_of_two_blocks_no_line_is_lost() -> None:
    begin = b"<!-- redline:rules:begin id=project rules=r1 -->"
    data = begin + b"\n- Be brief\n" + END + b"\n\n" + begin + b"\n- Be kind\n" + END + b"\n"
    assert rules_of(data, "project") == (BlockRule("r1", "Be brief"), BlockRule("", "Be kind"))
