"""What people read of a failure is words: no name of a type, no number of an error."""

from __future__ import annotations

import errno
import os
from datetime import date

import pytest

from redline.errors import RedlineError, in_words, kind_in_words


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


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "nothing"),
        (True, "true or false"),
        (1, "a number"),
        (0.5, "a number"),
        ("x", "a text"),
        (b"x", "bytes"),
        ({}, "an object"),
        ([], "a list"),
        (date(2026, 11, 30), "something of another kind"),
    ],
)
def test_a_value_of_a_file_is_told_as_what_it_is_there(value: object, words: str) -> None:
    assert kind_in_words(value) == words
