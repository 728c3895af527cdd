"""The one family of errors that people see."""

from __future__ import annotations


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
