"""How a writer can fail: what is said of it, and whether asking once more can help."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from redline.errors import RedlineError
from redline.handoff.writers.writer import Spent


class FailureKind(StrEnum):
    """What went wrong. The first seven are faults of an answer, the rest of the way to it."""

    EMPTY = "empty"
    CUT_OFF = "cut off"
    REFUSED = "refused"
    ANSWERED = "answered the conversation"
    UNREADABLE = "not in the form asked for"
    MISSING = "sections missing"
    TOO_LONG = "too long"
    TIMEOUT = "no answer in time"
    RATE_LIMIT = "rate limit"
    OVERLOADED = "overloaded"
    NO_KEY = "no key"
    KEY_REFUSED = "key refused"
    NO_MODEL = "no such model"
    NO_CONNECTION = "no connection"
    INTERRUPTED = "connection broke"
    TOO_LARGE = "input too large"
    SERVER = "server error"
    REQUEST = "request refused"
    PROGRAM = "program failed"
    RESTING = "not tried"

    @property
    def correctable(self) -> bool:
        """Whether telling the writer what was wrong can bring a better answer."""
        return self in _CORRECTABLE

    @property
    def repeatable(self) -> bool:
        """Whether the same request can go well a moment later."""
        return self in _REPEATABLE


_CORRECTABLE = frozenset(
    (
        FailureKind.EMPTY,
        FailureKind.CUT_OFF,
        FailureKind.REFUSED,
        FailureKind.ANSWERED,
        FailureKind.UNREADABLE,
        FailureKind.MISSING,
        FailureKind.TOO_LONG,
    )
)
_REPEATABLE = frozenset((FailureKind.INTERRUPTED, FailureKind.SERVER))


OUTPUT_CHARS = 400_000  # of one answer; a summary of a million tokens has 60,000


@dataclass(frozen=True, slots=True)
class Failure:
    """`message` says what happened, `hint` what a person can do. `retry_after` is how many seconds
    the provider asked to wait. `told` is what the writer is told where it is asked once more;
    `asked_again` says that this was done already. Of an input that was too large, `most` is how
    many tokens it may have and `counted` how many it had, where the provider says so."""

    kind: FailureKind
    message: str
    hint: str = ""
    retry_after: float | None = None
    told: str = ""
    asked_again: bool = False
    most: int | None = None
    counted: int | None = None

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class WriterFailure(RedlineError):
    """A writer gave no whole answer. What it may have said so far is no handoff."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message, failure.hint)
        self.failure = failure


class Cancelled(RedlineError):
    """A person ended the writing. `text` is what had come so far."""

    def __init__(self, text: str = "", spent: Spent | None = None) -> None:
        super().__init__("cancelled", status=130)
        self.text = text
        self.spent = spent or Spent()


def late(seconds: float) -> Failure:
    """What is said where nothing came for `seconds`."""
    return Failure(
        FailureKind.TIMEOUT,
        f"nothing new came for {seconds:g} seconds",
        "try again, or set writer_timeout higher",
    )


def overlong() -> Failure:
    """What is said of an answer that does not end."""
    return Failure(
        FailureKind.TOO_LONG,
        f"the answer went past {OUTPUT_CHARS:,} characters and was stopped",
        "try another model",
        told="it did not end; it must be a short summary",
    )
