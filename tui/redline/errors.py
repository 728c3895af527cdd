"""The one family of errors that people see."""

from __future__ import annotations

import os


class RedlineError(Exception):
    """Something a person can act on: `message` says what is wrong, `hint` what to do about it.

    Raised where the fact is known and shown in one place per face; commands end with `status`
    (1: the answer is no, 2: wrong use or unreadable input).
    """

    def __init__(self, message: str, hint: str = "", *, status: int = 2) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.status = status


def in_words(error: BaseException) -> str:
    """What a failure says of itself on one line, for people: never the name of its type."""
    match error:
        case RedlineError():
            return error.message
        case OSError(strerror=str(said)):
            return said if error.filename is None else f"{os.fsdecode(error.filename)}: {said}"
        case KeyError():
            return f"{str(error) or 'something'} is not where it was looked for"
        case MemoryError():
            return "the memory is full"
        case _:
            return " ".join(str(error).split()) or "it does not say why"


def kind_in_words(value: object) -> str:
    """What a value of a file is, for people: a list, a number; never the name of its type."""
    match value:
        case None:
            return "nothing"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case bytes():
            return "bytes"
        case dict():
            return "an object"
        case list():
            return "a list"
        case _:
            return "something of another kind"
