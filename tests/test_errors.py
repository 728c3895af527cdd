"""What people read of a failure is words: no name of a type, no number of an error."""

from __future__ import annotations

import errno
import os

import pytest

from redline.errors import RedlineError, in_words


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (RedlineError("it is no session", "give a session"), "it is no session"),
        (KeyError("model"), "'model' is not where it was looked for"),
        (KeyError(), "something is not where it was looked for"),
        (MemoryError(), "the memory is full"),
        (PermissionError(errno.EACCES, os.strerror(errno.EACCES), "/a"), "/a: Permission denied"),
        (OSError("the pipe is closed"), "the pipe is closed"),
        (ZeroDivisionError("division by zero"), "division by zero"),
        (ValueError("two\n lines"), "two lines"),
        (AssertionError(), "it does not say why"),
    ],
)
def test_a_failure_is_told_in_its_own_words(error: Exception, words: str) -> None:
    assert in_words(error) == words
