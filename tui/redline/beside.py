"""Work that another core does while this process goes on."""

from __future__ import annotations

import fcntl
import os
import pickle
import signal
import sys
import threading
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import BinaryIO, Generic, TypeVar

Q = TypeVar("Q")
A = TypeVar("A")
Work = Callable[[Iterator[Q]], A]

_HELD = 1 << 20  # bytes of questions that wait in the pipe while the copy works


class Beside(Generic[Q, A]):
    """A copy of this process that gets itself ready and then answers questions, one by one.

    `prepare` is called in the copy and gives what answers, without a lasting effect. A question has
    pieces, which are worked on as they come; pieces and answers are plain data. Where there is no
    second core, no way to copy a process, or a second thread that a copy would not have, and also
    where the copy ends without an answer, the work is done here once the answer is wanted; what it
    raises is raised there. The copy ends with this object.
    """

    def __init__(self, prepare: Callable[[], Work[Q, A]]) -> None:
        self._prepare = prepare
        self._here: Work[Q, A] | None = None
        self._pipes: tuple[BinaryIO, BinaryIO] | None = None
        if _may_copy():
            copy, *pipes = _copied(prepare)
            self._pipes = pipes[0], pipes[1]
            weakref.finalize(self, _end, copy, *self._pipes)

    def ask(self, question: Iterable[Q]) -> Callable[[], A]:
        """Begins the work on `question`, and gives what waits for its answer. Answers are fetched
        in the order in which was asked. `question` may have to be gone through a second time."""
        if self._pipes is not None:
            try:
                for piece in question:
                    pickle.dump((piece,), self._pipes[0])
                pickle.dump(None, self._pipes[0])
                self._pipes[0].flush()
            except OSError:
                self._pipes = None

        def answer() -> A:
            if self._pipes is not None:
                try:
                    found: A = pickle.load(self._pipes[1])
                except (OSError, EOFError, pickle.UnpicklingError):
                    self._pipes = None
                else:
                    return found
            if self._here is None:
                self._here = self._prepare()
            return self._here(iter(question))

        return answer


def _may_copy() -> bool:
    alone = threading.active_count() == 1
    return sys.platform == "linux" and alone and len(os.sched_getaffinity(0)) > 1


def _copied(prepare: Callable[[], Work[Q, A]]) -> tuple[int, BinaryIO, BinaryIO]:
    """A copy of this process, what it is asked through, and what it answers through."""
    asked, asking = os.pipe()
    told, telling = os.pipe()
    with suppress(OSError):  # the system allows less
        fcntl.fcntl(asking, fcntl.F_SETPIPE_SZ, _HELD)
    copy = os.fork()
    if copy == 0:
        try:
            os.close(asking)
            os.close(told)
            with os.fdopen(asked, "rb") as questions, os.fdopen(telling, "wb") as answers:
                work = prepare()
                while True:
                    pieces: Iterator[Q] = _pieces(questions)
                    pickle.dump(work(pieces), answers)
                    answers.flush()
                    for _ in pieces:  # what the answer did not need
                        pass
        finally:
            os._exit(0)  # nothing of the copied process is flushed or tidied up twice
    os.close(asked)
    os.close(telling)
    return copy, os.fdopen(asking, "wb"), os.fdopen(told, "rb")


def _pieces(questions: BinaryIO) -> Iterator[Q]:
    while (piece := pickle.load(questions)) is not None:
        yield piece[0]


def _end(copy: int, asking: BinaryIO, told: BinaryIO) -> None:
    with suppress(OSError):
        os.kill(copy, signal.SIGTERM)
        os.waitpid(copy, 0)
    for pipe in (asking, told):
        with suppress(OSError):
            pipe.close()
