"""A commit, its undo and the undo of that, which die at any change of a file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from redline.model import Agent, SessionInfo
from redline.places import Places, places
from redline.targets.append import append
from redline.targets.commit import commit
from redline.targets.receipt import CUT, DAMAGED, DONE
from redline.targets.receipts import Receipts
from redline.targets.recovering import recover
from redline.targets.rules_block import RulesBlock
from redline.targets.target import APPEND, DEED, Change
from tests.targets import crash_drafts, rows
from tests.targets.crash_drafts import (
    HERMES,
    hermes_beside,
    hermes_in_place,
    hermes_with_files,
    pi_append,
    several,
)
from tests.targets.disk import Disk, Power, Tree, killed, plant, tree

NOW = datetime(2026, 8, 7, 12, tzinfo=UTC)
OLD, NEW = b"old\r\n" * 400, b"new\n" * 700
Make = Callable[[Path], list[Change]]


@dataclass(frozen=True)
class World:
    """A folder with a project, sessions and redline's own files."""

    root: Path

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def home(self) -> Places:
        return places({"REDLINE_HOME": str(self.root / "home")})

    def content(self) -> Tree:
        """What lies in the project; of a database its rows."""
        rows_of = {
            path.name: (crash_drafts if path.name == HERMES else rows).content(path)
            for path in self.work.glob("*.db")
        }
        found = {**tree(self.work), **rows_of}
        return {n: data for n, data in found.items() if not crash_drafts.is_side_file(n)}


def new_file(work: Path) -> list[Change]:
    path = work / "made" / "deep" / "handoff.md"
    return [Change("handoff", "h", NEW, None, path, path, mode=0o600, folders=True)]


def replaced_file(work: Path) -> list[Change]:
    path = work / "memory.json"
    path.write_bytes(OLD)
    return [Change("memory", "m", NEW, OLD, path, path)]


def block(work: Path) -> list[Change]:
    path = work / "AGENTS.md"
    path.write_bytes(b"# Mine\r\n" + OLD)
    rules = [("r1", "Never push"), ("r2", "Use tabs")]
    return [RulesBlock(rules, to=path, redact=lambda text: (text, {})).preview()]


def line(work: Path) -> list[Change]:
    path = work / "pi.jsonl"
    path.write_bytes(b'{"type":"session"}\n' * 50)
    os.utime(path, (1_600_000_000, 1_600_000_000))
    added = b'{"type":"compaction"}\n' * 20
    deed = append(SessionInfo(Agent.PI, "p", path), added)
    return [Change("session", "pi", added, b"", path, path, kind=APPEND, deed=deed)]


def database(work: Path) -> list[Change]:
    path = work / "rows.db"
    rows.make(path)
    deed = rows.deed(SessionInfo(Agent.MESSAGES, "h", path))
    return [Change("session", "rows", b"after", b"before", path, path, kind=DEED, deed=deed)]


def native(work: Path) -> list[Change]:
    path = work / "sessions" / "new.jsonl"
    path.parent.mkdir()
    (path.parent / "old.jsonl").write_bytes(OLD)
    data = b'{"type":"' + b"x" * 80_000 + b'"}\n'
    return [Change("session", "claude", data, None, path, path, mode=0o600, folders=True)]


def everything(work: Path) -> list[Change]:
    made = [new_file, replaced_file, block, line, database, native]
    return [change for make in made for change in make(work)]


def usual(work: Path) -> list[Change]:
    """What the commit screen writes: handoff, rules, the agent's own session."""
    return [*new_file(work), *block(work), *native(work)]


DRAFTS = [pi_append, hermes_in_place, hermes_beside]
KINDS = [
    *(new_file, replaced_file, block, line, database, usual, several, everything),
    *(*DRAFTS, hermes_with_files),
]
WITH_ROWS = (database, everything, hermes_in_place, hermes_beside, hermes_with_files)
ACTS = COMMIT, UNDO, REDO = ("commit", "undo", "undo of the undo")


class Case:
    """One kind of commit, brought up to where `act` begins, as often as it is wanted."""

    def __init__(self, root: Path, make: Make, act: str) -> None:
        self.world = World(root)
        shutil.rmtree(root, ignore_errors=True)
        self.world.work.mkdir(parents=True)
        self.changes = make(self.world.work)
        self.before = self.world.content()
        self.act = act
        with Disk().below():
            begun = tree(root)
            self.first = self._commit(Disk())
            self.after = self.world.content()
            begun = begun if act == COMMIT else tree(root)
            self.last = ""
            if act == REDO:
                self.last = (
                    Receipts(self.world.home).undo(self.first, NOW, environment={}).receipt or ""
                )
                begun = tree(root)
        self._begun = begun

    @property
    def start(self) -> Tree:
        """What the project holds before `act`."""
        return self.after if self.act == UNDO else self.before

    @property
    def goal(self) -> Tree:
        """What the project holds after `act`."""
        return self.before if self.act == UNDO else self.after

    def begin(self, again: Tree | None = None) -> None:
        """Puts everything back to where `act` begins, or to `again`."""
        shutil.rmtree(self.world.root)
        self.world.root.mkdir()
        plant(self.world.root, self._begun if again is None else again)

    def points(self) -> int:
        """How many points there are to die at."""
        self.begin()
        disk = Disk()
        self.run(disk)
        return disk.points

    def killed(self, *, every: int = 1) -> Iterator[int]:
        """Each point, or one of so many, after a process that was killed there."""
        at = 1
        while self.kill(at):
            yield at
            at += every

    def kill(self, at: int) -> bool:
        """Whether the process was killed at this point; it ends before where there is none."""
        self.begin()
        child = os.fork()
        if child == 0:
            try:
                self.run(Disk(at, killed))
                os._exit(0)
            finally:
                os._exit(1)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status in (0, 9)
        return status == 9

    def cut_off(self, *, names_kept: bool) -> Iterator[int]:
        """Each point at which a power cut would leave something else, after that cut."""
        self.begin()
        power = Power(self.world.root, names_kept=names_kept)
        found: list[Tree] = []

        def seen() -> None:
            now = power.after_a_cut()
            if now not in found[-1:]:
                found.append(now)

        self.run(Disk(seen=seen, synced=power.synced))
        power.close()
        for number, left in enumerate(found):
            self.begin(left)
            yield number

    def run(self, disk: Disk) -> None:
        rows.trace[:] = [disk.step]
        try:
            with disk.below(), crash_drafts.statements(disk.step):
                if self.act == COMMIT:
                    self._commit(disk)
                else:
                    receipts = Receipts(self.world.home)
                    receipts.undo(self.named, NOW, environment={}, step=disk.step)
        finally:
            rows.trace.clear()

    def _commit(self, disk: Disk) -> str:
        home = self.world.home
        receipt = commit(
            self.changes, session="s1", places=home, now=NOW, environment={}, step=disk.step
        )
        return receipt.id

    @property
    def named(self) -> str:
        """The receipt that `act` takes back."""
        return {COMMIT: "", UNDO: self.first, REDO: self.last}[self.act]

    def check(self) -> None:
        """Old or new in every file, a journal that says which, and a way back that works, both by
        hand and after what the next command does by itself."""
        left = tree(self.world.root)
        self.check_by_hand()
        self.begin(left)
        self.check_by_itself()

    def check_by_itself(self) -> None:
        """Old or new everywhere, once the next command has begun."""
        start, goal, named = self.start, self.goal, self.named
        home = self.world.home
        receipts = Receipts(home)
        cut = receipts.cut()
        with Disk().below():
            done = recover(home, NOW, environment={})
            assert [one.cut for one in done] == list(cut)
            assert [one.why for one in done if one.why] == []
            assert recover(home, NOW, environment={}) == ()
            assert receipts.cut_short() == ()
            found = self.world.content()
            # A commit that died goes back unless all of it was written, an undo that died is done
            # to its end.
            newest = next(iter(receipts.list()), None)
            if cut and newest == replace(cut[0], state=DONE):
                assert self.act == COMMIT
                assert found == goal
                self._there_and_back(newest.id, start, goal)
            elif cut:
                assert found == (start if self.act == COMMIT else goal)
                assert newest is not None
                assert newest.undoes == (cut[0].undoes or cut[0].id)
                self._there_and_back(newest.id, goal if self.act == COMMIT else start, found)
            else:
                assert newest is None or newest.state == DONE
                there = start if newest is None or newest.id == named else goal
                left = {n: data for n, data in found.items() if not n.endswith(".tmp")}
                assert left == there

    def check_by_hand(self) -> None:
        """The same for a person who takes it back."""
        start, goal, named = self.start, self.goal, self.named
        receipts = Receipts(self.world.home)
        found = {n: data for n, data in self.world.content().items() if not n.endswith(".tmp")}
        for name in {**start, **goal, **found}:
            sides = [side.get(name, b"-") for side in (start, goal)]
            held = found.get(name, b"-")
            assert held in sides or (name.endswith(".jsonl") and _torn(held, sides)), name
        listed = receipts.list()
        assert DAMAGED not in [receipt.state for receipt in listed]
        newest = listed[0] if listed else None
        with Disk().below():
            if newest is None or newest.id == named:
                assert found == start
                if newest is not None:
                    self._there_and_back(named, goal, start)
                return
            if newest.state == DONE:
                assert found == goal
                self._there_and_back(newest.id, start, goal)
            else:
                assert newest.state == CUT
                back = (newest.id, start, goal) if self.act == COMMIT else (named, goal, start)
                self._there_and_back(*back)

    def _there_and_back(self, receipt: str, to: Tree, back: Tree) -> None:
        """An undo of `receipt`, and the undo of that; they leave nothing behind."""
        receipts = Receipts(self.world.home)
        for wanted in (to, back):
            assert receipt is not None
            result = receipts.undo(receipt, NOW, environment={})
            assert result.complete
            assert self.world.content() == wanted
            assert result.receipt
            receipt = result.receipt
        assert {r.state for r in receipts.list() if r.undone is None} <= {DONE}
        assert [
            path.name for path in self.world.home.receipts.iterdir() if path.name[0] == "."
        ] == []


def _torn(data: bytes | None, sides: list[bytes | None]) -> bool:
    """Whether it is a line that was appended in part, behind all of what was there."""
    old, new = sorted((side or b"" for side in sides), key=len)
    return data is not None and data.startswith(old) and new.startswith(data)
