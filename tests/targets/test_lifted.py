"""A rule that a file only tells of is not said by it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redline.targets.lifted import without_lifted
from redline.targets.said_already import said_already

RULE = "Always use uv, never pip."


def says(text: str) -> bool:
    found = said_already(text.encode(), "project", [("r1", RULE)])
    return "r1" in found and found["r1"].same


@pytest.mark.parametrize(
    "text",
    [
        f"- It used to be: {RULE} No longer.\n",
        f"- {RULE} That no longer holds.\n",
        f"- {RULE}\n  Not any more, since we left it.\n",
        f"- {RULE}\n  - withdrawn on Friday\n",
        f"## Old rules (no longer valid)\n\n- {RULE}\n\n### More of them\n\n- {RULE}\n",
        f"# Formerly\n\nText.\n\n{RULE}\n",
        f"- ~~{RULE}~~\n",
        f'Bob wrote "{RULE}" into the wiki.\n',
        f"- “{RULE}”\n",
        f"- The deprecated policy said: {RULE}\n",
        f"- 以前：{RULE}\n",
        f"## 已作废\n\n- {RULE}\n",
    ],
)
def test_what_is_quoted_or_holds_no_more_is_not_said(text: str) -> None:
    assert not says(text)


@pytest.mark.parametrize(
    "text",
    [
        f"## Old rules\n\n- Be brief.\n\n## Rules\n\n- {RULE}\n",
        f"- npm is no longer used.\n- {RULE}\n",
        f"We used to be slow.\n\n{RULE}\n",
        f'- Answer "yes" where it is so.\n- {RULE}\n',
    ],
)
def test_what_stands_beside_it_is_said(text: str) -> None:
    assert says(text)


def test_a_line_that_only_tells_of_a_rule_does_not_contradict_it() -> None:
    data = b"## Old rules\n\n- Always use pip, never uv.\n"
    assert said_already(data, "project", [("r1", RULE)]) == {}


@given(st.text(alphabet='# -*1.\n"~ ab\u4e0d\u518d', max_size=80))
def test_lines_keep_their_numbers(text: str) -> None:
    found = without_lifted(text).split("\n")
    assert len(found) == len(text.split("\n"))
    assert all(one in ("", line) for one, line in zip(found, text.split("\n"), strict=True))
