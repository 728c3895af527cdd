from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from redline.beside import Beside, Work
from redline.errors import RedlineError


def total() -> Work[int, int]:
    return sum


def pid(_: Iterator[None]) -> int:
    return os.getpid()


def test_each_question_gets_its_own_answer_in_order() -> None:
    beside = Beside(total)
    answers = [beside.ask([number, 1]) for number in range(200)]
    assert [answer() for answer in answers] == [number + 1 for number in range(200)]


def test_the_work_is_done_in_another_process() -> None:
    alone = "import os; from redline.beside import Beside; from tests.test_beside import pid\n"
    alone += "print(Beside(lambda: pid).ask([])() != os.getpid())"
    told = subprocess.run(
        [sys.executable, "-c", alone],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout == "True\n"


def test_pieces_that_an_answer_did_not_need_are_no_part_of_the_next_question() -> None:
    beside: Beside[str, str] = Beside(lambda: lambda pieces: next(pieces))
    assert [beside.ask(["a", "b", "c"])(), beside.ask(["d"])()] == ["a", "d"]


def test_what_fails_beside_is_raised_where_it_is_asked_for() -> None:
    def work(_: Iterator[None]) -> int:
        raise RedlineError("no database", "make one")

    with pytest.raises(RedlineError, match="no database"):
        Beside(lambda: work).ask([])()


def test_what_cannot_be_got_ready_beside_is_got_ready_here() -> None:
    here = os.getpid()

    def prepare() -> Work[int, int]:
        if os.getpid() != here:
            os._exit(9)
        return sum

    beside = Beside(prepare)
    assert [beside.ask([number])() for number in (1, 2)] == [1, 2]


def test_questions_that_were_asked_before_a_copy_died_are_answered_here() -> None:
    here = os.getpid()

    def work(pieces: Iterator[int]) -> int:
        number = next(pieces)
        if os.getpid() != here and number == 2:
            os._exit(9)
        return 2 * number

    beside = Beside(lambda: work)
    answers = [beside.ask([number]) for number in (1, 2, 3)]
    assert [answer() for answer in answers] == [2, 4, 6]


def test_a_large_question_and_a_large_answer_pass_whole() -> None:
    beside: Beside[str, str] = Beside(lambda: "".join)
    assert beside.ask(["a" * 3_000_000, "b" * 3_000_000])() == "a" * 3_000_000 + "b" * 3_000_000


def test_a_second_thread_keeps_the_work_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threading.active_count", lambda: 2)
    assert Beside(lambda: pid).ask([])() == os.getpid()
