"""Tokens counted by another core: a copy of this process loads the ranks and counts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from threading import Lock

from redline.beside import Beside, Work
from redline.context.tokenizer import ENCODINGS, lend, make

_Question = tuple[str, list[str]]  # which tokenizer, and texts
_Answer = tuple[str, list[int]]  # what it is called, and the tokens of each text

_AT_ONCE = 200_000  # characters of a question, so that the next is read while it is answered
_TURN = 8  # questions, until another thread may ask


def count_beside(usual: str, environment: Mapping[str, str]) -> None:
    """From now on `tokenizer` gives what counts on another core, which loads the ranks of `usual`
    at once. Where `redline.beside` makes no copy, all is counted here."""
    beside = Beside(lambda: _counting(usual, environment))
    turn = Lock()
    for asked in ENCODINGS:
        lend(asked, environment, _Elsewhere(asked, beside, turn))


def _counting(usual: str, environment: Mapping[str, str]) -> Work[_Question, _Answer]:
    made = {usual: make(usual, environment)}

    def counted(pieces: Iterator[_Question]) -> _Answer:
        asked, texts = next(pieces)
        if asked not in made:
            made[asked] = make(asked, environment)
        return made[asked].name, made[asked].count_all(texts)

    return counted


@dataclass(frozen=True, slots=True)
class _Elsewhere:
    """The tokenizer called `asked`. Any thread may count, in turns."""

    asked: str
    beside: Beside[_Question, _Answer]
    turn: Lock

    @property
    def name(self) -> str:
        with self.turn:
            return self._ask([])()[0]

    def count(self, text: str) -> int:
        return self.count_all([text])[0]

    def count_all(self, texts: Iterable[str]) -> list[int]:
        questions, counts = _questions(texts), list[int]()
        while some := self._some(questions):
            counts += some
        return counts

    def _some(self, questions: Iterator[list[str]]) -> list[int]:
        counts: list[int] = []
        waiting: deque[Callable[[], _Answer]] = deque()
        with self.turn:
            try:
                for question in islice(questions, _TURN):
                    waiting.append(self._ask(question))
                    if len(waiting) > 1:
                        counts += waiting.popleft()()[1]
            finally:  # where a text cannot be read too: no answer is left for the next question
                while waiting:
                    counts += waiting.popleft()()[1]
        return counts

    def _ask(self, texts: list[str]) -> Callable[[], _Answer]:
        return self.beside.ask([(self.asked, texts)])


def _questions(texts: Iterable[str]) -> Iterator[list[str]]:
    """`texts` in lists, each of at least one."""
    some, size = list[str](), 0
    for text in texts:
        some.append(text)
        size += len(text)
        if size >= _AT_ONCE:
            yield some
            some, size = [], 0
    if some:
        yield some
