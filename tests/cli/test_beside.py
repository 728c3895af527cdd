from __future__ import annotations

import os

import pytest

from redline.cli.beside import beside
from redline.errors import RedlineError


def test_the_answer_is_that_of_the_work() -> None:
    assert beside(lambda: {"rules": ["a", "b"]})() == {"rules": ["a", "b"]}


def test_what_fails_beside_is_raised_where_it_is_asked_for() -> None:
    def work() -> int:
        raise RedlineError("no database", "make one")

    with pytest.raises(RedlineError, match="no database"):
        beside(work)()


def test_a_copy_that_dies_leaves_the_work_to_be_done_here() -> None:
    here = os.getpid()

    def work() -> str:
        if os.getpid() != here:
            os._exit(9)
        return "done"

    assert beside(work)() == "done"


def test_a_second_thread_keeps_the_work_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("threading.active_count", lambda: 2)
    assert beside(os.getpid)() == os.getpid()
