from __future__ import annotations

from hypothesis import given

from redline.compaction.outline import answers, outline
from redline.model import Message, PartType, Session
from tests.compaction.windows import sessions, shape
from tests.sessions_in_memory import call, image, reply, result, together, user


def test_a_call_and_its_result_are_one_group() -> None:
    found = shape(user("go"), call("Bash", {}, call_id="a"), result("ok", call_id="a"))
    assert found.group == (0, 1, 1)
    assert found.members[1] == (1, 2)
    assert found.cuts == (0, 1)


def test_parallel_calls_with_results_in_several_messages_are_one_group() -> None:
    found = shape(
        together(call("Read", {}, call_id="a"), call("Read", {}, call_id="b")),
        result("1", call_id="b"),
        result("2", call_id="a"),
        reply("done"),
    )
    assert found.group == (0, 0, 0, 3)
    assert found.results == {(0, 0): ((2, 0),), (0, 1): ((1, 0),)}
    assert found.cuts == (0, 3)


def test_interleaved_pairs_are_two_groups_without_a_cut_inside() -> None:
    found = shape(
        call("Bash", {}, call_id="a"),
        call("Bash", {}, call_id="b"),
        result("1", call_id="a"),
        result("2", call_id="b"),
        user("next"),
    )
    assert found.group == (0, 1, 0, 1, 4)
    assert found.cuts == (0, 4)


def test_a_call_without_a_result_is_open_and_a_result_without_a_call_an_orphan() -> None:
    found = shape(result("?", call_id="z"), call("Bash", {}, call_id="a"), user("continue"))
    assert found.orphans == ((0, 0),)
    assert found.open_calls == ((1, 0),)
    assert found.cuts == (1, 2)


def test_a_result_before_its_call_answers_nothing() -> None:
    found = shape(result("early", call_id="a"), call("Bash", {}, call_id="a"))
    assert found.orphans == ((0, 0),)
    assert found.open_calls == ((1, 0),)


def test_calls_with_one_id_are_answered_in_their_order() -> None:
    found = shape(
        call("Bash", {}, call_id="a"),
        call("Bash", {}, call_id="a"),
        result("1", call_id="a"),
        result("2", call_id="a"),
    )
    assert found.results == {(0, 0): ((2, 0),), (1, 0): ((3, 0),)}


def test_an_image_in_a_result_belongs_to_the_call() -> None:
    found = shape(
        call("Read", {}, call_id="a"), together(result("", call_id="a"), image(call_id="a"))
    )
    assert found.results == {(0, 0): ((1, 0), (1, 1))}
    assert not found.orphans


def test_a_prompt_beside_a_result_starts_a_turn() -> None:
    found = shape(call("Bash", {}, call_id="a"), together(result("1", call_id="a"), user("stop")))
    assert found.turn_starts == (1,)


@given(sessions)
def test_the_outline_is_what_brute_force_finds(opened: Session) -> None:
    found = outline(opened.context)
    for call_place, places in found.results.items():
        part = opened.context[call_place[0]].parts[call_place[1]]
        assert part.type is PartType.TOOL_CALL
        for place in places:
            answer = opened.context[place[0]].parts[place[1]]
            assert answers(answer)
            assert answer.call_id == part.call_id
            assert place > call_place
    counted = [place for places in found.results.values() for place in places]
    every = [
        (i, j)
        for i, message in enumerate(opened.context)
        for j, part in enumerate(message.parts)
        if answers(part)
    ]
    assert sorted([*counted, *found.orphans]) == every
    assert found.group == _groups(opened.context, found.results)
    assert found.cuts == tuple(
        cut
        for cut in range(len(opened.context))
        if not any(members[0] < cut <= members[-1] for members in found.members.values())
        and not all((cut, j) in found.orphans for j in range(len(opened.context[cut].parts)))
    )


def _groups(messages: tuple[Message, ...], results: object) -> tuple[int, ...]:
    """Groups by spreading the smallest index until nothing changes."""
    assert isinstance(results, dict)
    group = list(range(len(messages)))
    while True:
        before = list(group)
        for call_place, places in results.items():
            tied = {call_place[0], *(place[0] for place in places)}
            least = min(group[i] for i in tied)
            for i in tied:
                group[i] = least
        if group == before:
            return tuple(group)
