"""How a prompt gets to whoever answers it, and the answer back: one small protocol under which a
model and a program look the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from redline.handoff.writers.writer import Spent, Words

POLL_SECONDS = 0.05  # how often a waiting writer looks whether it was cancelled


@dataclass(frozen=True, slots=True)
class Prompt:
    """`system` says what the reader is to be, `text` is the task with its data."""

    system: str
    text: str

    @property
    def whole(self) -> str:
        """Both, for who takes one text only."""
        return f"{self.system}\n\n{self.text}"


class Asker(Protocol):
    """Sends one prompt and streams the answer. `window` is how many tokens prompt and answer may
    have together, None where nobody knows."""

    @property
    def window(self) -> int | None: ...

    def tokens(self, text: str) -> int:
        """How many tokens `text` has for who answers; an estimate."""
        ...

    def ask(self, prompt: Prompt, cancelled: Callable[[], bool]) -> Iterator[Words | Spent]:
        """The answer as it comes; `Spent` is of this request. An answer that ends without an error
        is whole. Raises WriterFailure and Cancelled as `Writer.pieces` does."""
        ...
