"""A branch is named by the start of its last record's id."""

from __future__ import annotations

from pathlib import Path

import pytest

from redline.agents.leaves import whole_id
from redline.agents.opening import open_session
from redline.errors import RedlineError
from tests.agents.claude_code.writing import user, write


def test_a_whole_id_is_taken_though_another_goes_on_from_it() -> None:
    assert whole_id("12", ["123", "12"]) == "12"


def test_a_start_that_fits_one_id_names_it_however_often_it_is_there() -> None:
    assert whole_id("ab", ["abc", "b", "abc"]) == "abc"
    assert whole_id("x", ["abc"]) is None


def test_of_several_the_end_of_a_branch_is_meant() -> None:
    assert whole_id("a", ["a1", "a2", "a3"], ends=["b", "a2"]) == "a2"


def test_a_start_that_fits_several_ids_names_them() -> None:
    with pytest.raises(RedlineError, match="'a' is the start of 9 ids") as told:
        whole_id("a", [f"a{number}" for number in range(9)])
    assert "a0" in told.value.hint
    assert "and 1 more" in told.value.hint
    assert "a8" not in told.value.hint


def test_a_branch_of_claude_code_opens_by_the_start_of_its_leaf(tmp_path: Path) -> None:
    records = [
        user("root", None, "go"),
        user("aa-one", "root", "one"),
        user("aa-two", "aa-one", "two"),
        user("bb", "root", "other"),
    ]
    path = write(tmp_path, records)
    assert open_session(path, leaf="aa-o").asked_leaf == "aa-one"
    assert open_session(path, leaf="aa").asked_leaf == "aa-two"
    with pytest.raises(RedlineError, match="no record has the id zz"):
        open_session(path, leaf="zz")
