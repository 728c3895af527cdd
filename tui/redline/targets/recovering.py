"""Commits and undos that a crash cut short, finished by the next command: no file stays between.

Two files are renamed one behind the other, so a process that dies between leaves one new and one
old. What was left of a commit goes back to before it (unless all of it was written), what was left
of an undo is done to its end; but only where every file of it holds just what was there before, or
just what was written.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from redline.errors import RedlineError
from redline.files import Step, no_step
from redline.places import Places
from redline.targets import journal
from redline.text import counted

if TYPE_CHECKING:
    from redline.targets.receipt import Receipt
    from redline.targets.undoing import UndoResult


@dataclass(frozen=True, slots=True)
class Recovered:
    """`cut` is what died. `result` is the undo that finished it; None where all of it was written,
    so that it is done, or where all was left as it is: then `why` says for what."""

    cut: Receipt
    result: UndoResult | None
    why: str = ""

    @property
    def told(self) -> str:
        """It in one notice."""
        what = f"undo of {self.cut.undoes}" if self.cut.undoes else f"commit {self.cut.id}"
        files = counted(len(self.cut.written), "file")
        died = f"a crash had cut the {what} short ({files})"
        if self.why:
            named = self.cut.undoes or self.cut.id
            return (
                f"{died}, and {self.why}: all is left as it is; `redline receipts show {named}` "
                f"tells what each file holds, `redline undo {named}` takes back what it can"
            )
        if self.cut.undoes:
            return f"{died}: it is done to its end now"
        if self.result is None:
            return f"{died}: all of it was written; `redline undo {self.cut.id}` takes it back"
        again = f"`redline undo {self.result.receipt}` writes it after all"
        return f"{died}: all is as before it again; {again}"


def recover(
    places: Places,
    now: datetime | None = None,
    *,
    environment: Mapping[str, str] | None = None,
    step: Step = no_step,
) -> tuple[Recovered, ...]:
    """Finishes what crashes have cut short, newest first, and gives what was done.

    Everything stays where a file of it was changed since, a copy is damaged, or an agent has a
    session of it open (by `environment`, see `commit`). Raises no RedlineError for any of that.
    """
    if not journal.unfinished(places.receipts):
        return ()
    from redline.targets.receipts import Receipts

    receipts, now = Receipts(places), now or datetime.now(UTC)
    found: list[Recovered] = []
    for cut in receipts.cut():
        try:
            result = receipts.finish(cut, now, environment=environment, step=step)
        except RedlineError as error:
            if cut.id in {left.id for left in receipts.cut()}:  # else another process was quicker
                found.append(Recovered(cut, None, error.message))
        else:
            found.append(Recovered(cut, result))
    return tuple(found)
