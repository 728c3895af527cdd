from __future__ import annotations

from dataclasses import replace

import pytest

from redline.agents.locating import Located, holds, locate
from redline.errors import RedlineError
from redline.model import Session, SideBranch
from tests.sessions_in_memory import reply, session, user


def none(_leaf: str) -> Session:
    raise RedlineError("there is no branch")


def test_a_message_of_the_context_is_found_by_its_record_and_start() -> None:
    made = session(user("one"), reply("two"))
    assert locate(made, (2, 200), none) == Located(made, "m2", True)
    assert locate(made, (2, 201), none) is None
    assert locate(made, (3, 200), none) is None


def test_a_message_before_the_context_is_told_to_be_out_of_it() -> None:
    made = session(user("one"), reply("two"), user("three"), context_from=2)
    assert locate(made, (1, 100), none) == Located(made, "m1", False)


def test_a_row_of_a_database_is_found_by_its_id() -> None:
    made = session(user("one"))
    part = made.context[0].parts[0]
    row = replace(part, origin=replace(part.origin, record=77, start=0, end=0))
    message = replace(made.context[0], parts=(row,))
    assert holds(message, (77, 77))
    assert not holds(message, (78, 78))


def test_a_message_of_a_side_branch_is_found_there() -> None:
    side = session(user("a"), reply("b"), user("c"))
    branches = (SideBranch("dead", None, 1, True), SideBranch("leaf", None, 1, True))
    made = replace(session(user("a")), side_branches=(*branches, branches[0]))

    def opened(leaf: str) -> Session:
        return side if leaf == "leaf" else none(leaf)

    assert locate(made, (3, 300), opened) == Located(side, "m3", True)


@pytest.mark.parametrize("at", [(0, 0), (-1, 5), (10**9, 10**12)])
def test_what_is_nowhere_is_not_found(at: tuple[int, int]) -> None:
    assert locate(session(user("one")), at, none) is None
