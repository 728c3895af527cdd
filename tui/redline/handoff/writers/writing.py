"""A handoff written by a writer: streamed, checked, asked once more, completed without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from redline.handoff.handoff import Handoff
from redline.handoff.offline import write as write_offline
from redline.handoff.writers.failure import Failure
from redline.handoff.writers.writer import OFFLINE, Piece, Spent, Task, Writer


@dataclass(frozen=True, slots=True)
class Remark:
    """Something a person should know of the writing, in plain words. `failure` is the fault it
    tells of. With `anew` what had come so far is void: the writer is asked again."""

    text: str
    failure: Failure | None = None
    anew: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """`handoff` is whole in any case. `complete` says that all prose the writer was asked for is
    its own; otherwise the offline writer filled in. `writer` is its name, `prompt` the version of
    the prompt it was asked with. `summary` is the same in the form of an agent, where that was
    asked for."""

    handoff: Handoff
    remarks: tuple[Remark, ...] = ()
    writer: str = OFFLINE
    spent: Spent = field(default_factory=Spent)
    complete: bool = True
    prompt: str = ""
    summary: str = ""


def write(
    task: Task,
    writer: Writer,
    *,
    cancelled: Callable[[], bool],
    told: Callable[[Piece | Remark], None],
) -> Written:
    """The handoff of `task` by `writer`. `told` gets every piece as it comes. Raises Cancelled
    where `cancelled` says so; a failure of the writer is a remark, never an error."""
    handoff = write_offline(
        task.session,
        task.plan,
        task.facts,
        task.ledger,
        focus=task.focus,
        previous=task.previous,
    )
    for piece in writer.pieces(task, cancelled):
        told(piece)
    return Written(handoff, writer=writer.name)
