"""Who writes the handoff of a round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from redline.handoff.budget import Budget
from redline.handoff.writers.writer import OFFLINE, Piece, Spent, Writer
from redline.review import Review

if TYPE_CHECKING:
    from redline.handoff.writers.writing import Remark


@dataclass(frozen=True, slots=True)
class Compacted:
    """`text` is the handoff as Markdown. `remarks` say in plain words what went wrong."""

    text: str
    spent: Spent = field(default_factory=Spent)
    remarks: tuple[str, ...] = ()


class Compactor(Protocol):
    """Writes one handoff, no longer than `budget`."""

    @property
    def name(self) -> str: ...

    def compact(self, review: Review, budget: Budget | None) -> Compacted: ...


class Offline:
    """redline's own writer, without a model."""

    name = OFFLINE

    def compact(self, review: Review, budget: Budget | None) -> Compacted:
        """The handoff as `redline handoff` writes it."""
        return Compacted(review.write(budget).text)


class ByWriter:
    """A model, a program or a fork of an agent; what it fails at the offline writer completes."""

    def __init__(
        self, writer: Writer, *, told: Callable[[Piece | Remark], None] = lambda _: None
    ) -> None:
        self._writer = writer
        self._told = told

    @property
    def name(self) -> str:
        return self._writer.name

    def compact(self, review: Review, budget: Budget | None) -> Compacted:
        """The handoff as `redline handoff --writer` writes it."""
        from redline.handoff.writers.writing import write

        task = review.task(budget=budget)
        written = write(task, self._writer, cancelled=lambda: False, told=self._told)
        remarks = tuple(remark.text for remark in written.remarks)
        return Compacted(review.with_written(written).text, written.spent, remarks)
