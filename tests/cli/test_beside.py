from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from redline.cli.beside import Beside
from redline.errors import RedlineError


def doubled() -> Callable[[int], int]:
    return lambda number: 2 * number


def test_each_question_gets_its_own_answer_in_order() -> None:
    beside = Beside(doubled)
    answers = [beside.ask(number) for number in range(200)]
    assert [answer() for answer in answers] == [2 * number for number in range(200)]


def test_the_work_is_done_in_another_process() -> None:
    beside: Beside[None, int] = Beside(lambda: lambda _: os.getpid())
    assert beside.ask(None)() != os.getpid()


def test_what_fails_beside_is_raised_where_it_is_asked_for() -> None:
    def work(_: None) -> int:
        raise RedlineError("no database", "make one")

    with pytest.raises(RedlineError, match="no database"):
        Beside(lambda: work).ask(None)()


def test_what_cannot_be_got_ready_beside_is_got_ready_here() -> None:
    here = os.getpid()

    def prepare() -> Callable[[int], int]:
        if os.getpid() != here:
            os._exit(9)
        return doubled()

    beside = Beside(prepare)
    assert [beside.ask(number)() for number in (1, 2)] == [2, 4]


def test_questions_that_were_asked_before_a_copy_died_are_answered_here() -> None:
    here = os.getpid()

    def work(number: int) -> int:
        if os.getpid() != here and number == 2:
            os._exit(9)
        return 2 * number

    beside = Beside(lambda: work)
    answers = [beside.ask(number) for number in (1, 2, 3)]
    assert [answer() for answer in answers] == [2, 4, 6]


def test_a_large_question_and_a_large_answer_pass_whole() -> None:
    beside: Beside[str, str] = Beside(lambda: str.upper)
    assert beside.ask("a" * 3_000_000)() == "A" * 3_000_000


def test_a_second_thread_keeps_the_work_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threading.active_count", lambda: 2)
    beside: Beside[None, int] = Beside(lambda: lambda _: os.getpid())
    assert beside.ask(None)() == os.getpid()
