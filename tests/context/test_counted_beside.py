from __future__ import annotations

import os
from collections.abc import Iterator
from threading import Thread

import pytest

from redline.context import counted_beside, tokenizer
from redline.context.counted_beside import count_beside
from redline.context.tokenizer import DEFAULT, make
from redline.errors import RedlineError

TEXTS = ["", "never edit src/api.py", "数据库端口是 5432", "x" * 900, "\ud800 alone"]


@pytest.fixture(autouse=True)
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer, "LOADED", {})
    monkeypatch.setattr(counted_beside, "_AT_ONCE", 40)
    count_beside(DEFAULT, {})


def test_another_core_counts_what_this_one_does() -> None:
    here, there = make(DEFAULT, {}), tokenizer.tokenizer()
    assert there is not here
    many = TEXTS * 30
    assert there.count_all(many) == [here.count(text) for text in many]
    assert there.count(TEXTS[1]) == here.count(TEXTS[1])
    assert there.name == here.name
    assert there.count_all([]) == []


def test_an_encoding_that_was_not_usual_is_loaded_when_it_is_asked_for() -> None:
    there = tokenizer.tokenizer("cl100k_base")
    assert there.name == "cl100k_base"
    assert there.count_all(TEXTS) == make("cl100k_base", {}).count_all(TEXTS)


def test_texts_that_end_in_an_error_leave_no_answer_for_the_next_question() -> None:
    def texts() -> Iterator[str]:
        yield from ("word " * 20 for _ in range(3))
        raise RedlineError("the file changed")

    there = tokenizer.tokenizer()
    with pytest.raises(RedlineError, match="the file changed"):
        there.count_all(texts())
    assert there.count_all(["one", "one two"]) == [1, 2]


def test_threads_get_their_own_answers() -> None:
    here, there = make(DEFAULT, {}), tokenizer.tokenizer()
    answers: dict[int, list[int]] = {}

    def ask(number: int) -> None:
        answers[number] = there.count_all(["word " * (number + place) for place in range(50)])

    threads = [Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {
        number: [here.count("word " * (number + place)) for place in range(50)]
        for number in range(4)
    }


def test_this_core_counts_where_there_is_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _process: {0})
    count_beside(DEFAULT, {})
    assert tokenizer.tokenizer().count_all(["one two"]) == [2]
