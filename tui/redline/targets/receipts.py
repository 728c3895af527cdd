"""What was committed so far, and the way back."""

from __future__ import annotations

import builtins
import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from redline.errors import RedlineError
from redline.files import Step, left_by_a_crash, no_step, sha256
from redline.places import Places
from redline.targets import journal
from redline.targets.carrying import Asked, remove_folders
from redline.targets.commit import Heading, held, record
from redline.targets.receipt import CUT, DAMAGED, DONE, Receipt
from redline.targets.undoing import Outcome, Standing, UndoResult, sides, standing, way_back


class Receipts:
    """The receipts in one state folder. Reads them anew each time."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def list(self) -> tuple[Receipt, ...]:
        """All receipts, newest first. One that cannot be read has the state "damaged"."""
        return tuple(_settled(map(journal.load, self._folders())))

    def get(self, start: str) -> Receipt:
        """The receipt with this id or start of an id. Raises RedlineError where none or several
        fit."""
        fitting = [receipt for receipt in self.list() if receipt.id.startswith(start)]
        exact = [receipt for receipt in fitting if receipt.id == start]
        if len(exact or fitting) == 1:
            return (exact or fitting)[0]
        if not fitting:
            raise RedlineError(f"there is no receipt {start!r}", "redline receipts lists them")
        names = ", ".join(receipt.id for receipt in fitting[:5])
        raise RedlineError(f"{len(fitting)} receipts start with {start!r}: {names}", "write more")

    def latest(self) -> Receipt:
        """What was done last of all that was not taken back: a commit, or an undo that wrote one
        again. Raises RedlineError where there is none, and where one behind it is damaged: nobody
        knows whether that was the last thing done."""
        receipt = next(self.standing_commits(), None)
        if receipt is None:
            raise RedlineError(
                "there is nothing to undo", "redline receipts lists what was written", status=1
            )
        if receipt.state == DAMAGED:
            raise self._damaged(receipt)
        return receipt

    def standing_commits(self) -> Iterator[Receipt]:
        """The commits that were not taken back, newest first; where one was written again, the undo
        that did it. Damaged ones are among them, for nobody knows what they are."""
        listed = {receipt.id: receipt for receipt in self.list()}
        for receipt in listed.values():
            if receipt.undone is None and not takes_back(receipt, listed):
                yield receipt

    def cut(self) -> tuple[Receipt, ...]:
        """The commits and undos that a crash cut short and that nothing has finished, newest
        first."""
        return tuple(r for r in self.list() if r.state == CUT and r.undone is None)

    def cut_short(self) -> tuple[str, ...]:
        """The receipts to be undone because a crash cut them, or their undo, short."""
        return tuple(dict.fromkeys(receipt.undoes or receipt.id for receipt in self.cut()))

    def wrote(self, path: Path, content: bytes) -> Receipt | None:
        """The newest receipt by which `path` got just this content."""
        wanted = sha256(content)
        for receipt in self.list():
            if any(file.path == path and file.after == wanted for file in receipt.written):
                return receipt
        return None

    def sides(self, receipt: Receipt, number: int) -> tuple[bytes | None, bytes | None]:
        """What file `number` of a receipt held before and after; None for no file. Of a deed only
        as much as tells what it changed.

        Raises RedlineError where a copy is damaged.
        """
        return sides(self._places.receipts, receipt, number)

    def standing(self, receipt: Receipt) -> tuple[Standing, ...]:
        """What each file of a receipt holds now."""
        place = self._places.receipts
        return tuple(standing(place, receipt, number) for number in range(len(receipt.written)))

    def undo(
        self,
        start: str | None = None,
        now: datetime | None = None,
        *,
        environment: Mapping[str, str] | None = None,
        step: Step = no_step,
    ) -> UndoResult:
        """Takes a commit back, without `start` the latest one that was not.

        Only what has not changed since is restored; of a changed file with a block only the block
        goes back. The undo has a receipt of its own: undoing that writes the commit again. Works
        also for a commit that a crash cut short. What was done to a session in its place is only
        taken back while no agent has it open, by `environment` (see `commit`).

        Raises RedlineError where there is no such receipt, it is damaged, or was taken back before.
        """
        now = now or datetime.now(UTC)
        chosen = self.get(start) if start is not None else self.latest()
        return self._take_back(chosen, None, Asked(environment, now, recent=False), now, step)

    def finish(
        self,
        died: Receipt,
        now: datetime,
        *,
        environment: Mapping[str, str] | None = None,
        step: Step = no_step,
    ) -> UndoResult | None:
        """Takes the commit `died` back, or does the undo `died` to its end. A commit of which all
        is written is done: None. Raises RedlineError, with nothing changed, where a file of it
        holds something else than before and after it, or cannot go back."""
        with held(died.paths, self._places):
            if self._exact(died) == {Standing.WRITTEN} and died.undoes is None:
                journal.finish(self._places.receipts / died.id)
                return None
        chosen = self.get(died.undoes or died.id)
        return self._take_back(chosen, died, Asked(environment, now, recent=False), now, step)

    def _take_back(
        self, chosen: Receipt, died: Receipt | None, asked: Asked, now: datetime, step: Step
    ) -> UndoResult:
        """Undoes `chosen`; with `died`, what a crash left of it or of its undo, only exactly."""
        place = self._places.receipts
        with held(chosen.paths, self._places):
            chosen = self._undoable(chosen.id)
            if died is not None:
                self._exact(died)
            ways = [way_back(place, chosen, n, asked) for n in range(len(chosen.written))]
            theirs = died.paths if died is not None else ()
            for file, _ in ways:
                if file.outcome is Outcome.REFUSED and file.path in theirs:
                    raise RedlineError(f"{file.path}: {file.detail}", status=1)
            step("tidy")
            cut = self._tidy(chosen)
            writes = [write for _, write in ways if write]
            result = UndoResult(chosen.id, None, tuple(file for file, _ in ways))
            if not (result.complete or cut) and all(write.done for write in writes):
                return result
            heading = Heading(
                now, chosen.session, chosen.agent, chosen.project, chosen.id, result.complete
            )
            made = record(writes, heading, self._places, asked, step=step)
            return replace(result, receipt=made.id)

    def _exact(self, died: Receipt) -> set[Standing]:
        """How the files of `died` stand. Raises RedlineError where one holds something else than
        before or after."""
        if self.get(died.id).state != CUT:
            raise RedlineError(f"receipt {died.id} was finished already", status=1)
        found = self.standing(died)
        for file, now in zip(died.written, found, strict=True):
            if now not in (Standing.WRITTEN, Standing.BEFORE, Standing.TORN):
                is_so = "" if now is Standing.UNREADABLE else "was "
                raise RedlineError(f"{file.path} {is_so}{now.value}", status=1)
        return set(found)

    def _undoable(self, name: str) -> Receipt:
        receipt = self.get(name)
        if receipt.state == DAMAGED:
            raise self._damaged(receipt)
        if receipt.undone:
            last = receipt.undoes if receipt.state == CUT else name
            again = next((r.id for r in self.list() if r.undoes == last and r.complete), None)
            raise RedlineError(
                f"receipt {name} was taken back already",
                f"redline undo {again} writes it again" if again else "",
                status=1,
            )
        return receipt

    def _damaged(self, receipt: Receipt) -> RedlineError:
        return RedlineError(
            f"receipt {receipt.id} is damaged: {receipt.detail}",
            f"the copies are in {self._places.receipts / receipt.id}; an older commit goes back by "
            "its id, `redline receipts` lists them",
        )

    def _tidy(self, chosen: Receipt) -> bool:
        """Takes away what a commit that died, and undos of it that died, left beside their files:
        temporary files, empty folders. Gives whether there was one that died."""
        cut = [
            receipt
            for receipt in self.list()
            if receipt.state == CUT and chosen.id in (receipt.id, receipt.undoes)
        ]
        for receipt in cut:
            for file in receipt.written:
                for left in left_by_a_crash(file.path.parent, receipt.id):
                    with contextlib.suppress(OSError):
                        left.unlink()
                remove_folders(file.folders)
        return bool(cut)

    def _folders(self) -> builtins.list[Path]:
        """The folders of receipts, newest first."""
        try:
            folders = [path for path in self._places.receipts.iterdir() if journal.is_receipt(path)]
        except (FileNotFoundError, NotADirectoryError):
            return []
        return sorted(folders, key=lambda folder: folder.name, reverse=True)


def takes_back(receipt: Receipt, listed: Mapping[str, Receipt]) -> bool:
    """Whether it is the undo of a commit, or of what wrote one again. The undo of an undo is none:
    by it a commit was written again. `listed` are all receipts by their id."""
    depth, of = 0, receipt.undoes
    while of is not None:
        depth, of = depth + 1, listed[of].undoes if of in listed else None
    return depth % 2 == 1


def _settled(newest_first: Iterable[Receipt]) -> Iterator[Receipt]:
    """The receipts with what tells which were taken back: a whole undo that was not itself. One
    that died is done as soon as an undo of it has taken back what could be."""
    by: dict[str, Receipt] = {}
    later: dict[str, Receipt] = {}  # every undo that came to its end
    for receipt in newest_first:
        undo = by.get(receipt.id)
        if receipt.state == CUT and receipt.id in later:
            receipt = replace(receipt, state=DONE)
        elif receipt.state == CUT and receipt.undoes in later:  # it died, and was done again
            undo = later[receipt.undoes]
        if undo is not None:
            receipt = replace(receipt, undone=undo.time)
        if receipt.undoes and receipt.state == DONE:
            later.setdefault(receipt.undoes, receipt)
            if undo is None and receipt.complete:
                by.setdefault(receipt.undoes, receipt)
        yield receipt
