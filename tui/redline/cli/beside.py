"""Work that another core does while this process goes on."""

from __future__ import annotations

import os
import pickle
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def beside(work: Callable[[], T]) -> Callable[[], T]:
    """Begins `work` in a copy of this process, and gives what waits for its answer.

    `work` must be pure, and what it gives plain data. Where there is no second core, no way to copy
    a process, or a second thread that a copy would not have, and also where the copy ends without
    an answer, the work is done here once it is asked for; what it raises is raised there.
    """
    if sys.platform != "linux" or threading.active_count() > 1 or len(os.sched_getaffinity(0)) < 2:
        return work
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reading)
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(pickle.dumps(work()))
        finally:
            os._exit(0)  # nothing of the copied process is flushed or tidied up twice
    os.close(writing)

    def answer() -> T:
        with os.fdopen(reading, "rb") as pipe:
            told = pipe.read()
        os.waitpid(child, 0)
        try:
            found: T = pickle.loads(told)
        except (EOFError, pickle.UnpicklingError):
            return work()
        return found

    return answer
