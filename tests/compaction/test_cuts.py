from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redline.compaction.cuts import cut_at, legal_cut, next_cut, next_turn, turn_cuts
from redline.compaction.outline import outline
from redline.model import Session
from tests.compaction.windows import sessions, shape
from tests.sessions_in_memory import ran, reply, user


def test_a_cut_on_a_result_moves_up_to_its_call() -> None:
    found = shape(user("go"), *ran("ls", call_id="a"), reply("done"), user("more"))
    assert legal_cut(found, 2) == 1


def test_cuts_step_by_message_and_by_turn() -> None:
    found = shape(user("go"), *ran("ls", call_id="a"), reply("done"), user("more"), reply("ok"))
    assert next_cut(found, 1) == 3
    assert next_cut(found, 3, -1) == 1
    assert next_cut(found, 0, -1) is None
    assert next_turn(found, 1) == 4
    assert next_turn(found, 4) is None
    assert next_turn(found, 6, -1) == 4
    assert next_turn(found, 6, -2) == 0
    assert next_cut(found, 0, 99) == 5


def test_a_cut_splits_a_turn_unless_it_starts_one() -> None:
    found = shape(reply("hello"), user("go"), reply("done"))
    assert [cut_at(found, i).splits_turn for i in range(3)] == [False, False, True]


@given(sessions, st.integers(-3, 20), st.integers(-3, 3))
def test_steps_are_what_brute_force_finds(opened: Session, index: int, step: int) -> None:
    found = outline(opened.context)
    for places, walk in ((found.cuts, next_cut), (turn_cuts(found), next_turn)):
        after = [place for place in places if place > index]
        before = [place for place in places if place < index][::-1]
        way = after if step > 0 else before if step < 0 else []
        assert walk(found, index, step) == (way[min(abs(step), len(way)) - 1] if way else None)
