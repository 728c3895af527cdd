"""The texts of sessions put into the index: one thread reads and packs, another one writes.

What is written is committed every few seconds of work, so that a search finds it meanwhile and
an interruption loses nothing: the next refresh goes on where this one ended.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from queue import Empty, Full, Queue

import apsw

from redline.agents.discover import FoundFile
from redline.agents.finder import Finder
from redline.catalogue.chunk import Packed, Packer
from redline.catalogue.listing import KnownFile, Row, forget_texts
from redline.catalogue.stored_info import stored
from redline.errors import in_words
from redline.model import SessionInfo

_BATCH = 4_000_000  # characters between two commits
_AHEAD = 12  # chunks that are packed before they are written
_WAIT = 0.1  # seconds
_AND = " and "
_HEAD = 1_024  # bytes (or rows) that tell whether a file was replaced while it was read


@dataclass(frozen=True, slots=True)
class Task:
    """A session whose texts are not known to be in the index as they are now.

    `read` is what `Row.read` is when they are: the stamp of its file, and where that holds others
    too, what tells whether this one is as it was; `same` says that it is.
    """

    finder: Finder
    info: SessionInfo
    row: Row
    stamp: str
    read: str
    same: bool = False


@dataclass(frozen=True, slots=True)
class _Begin:
    """Texts of a session follow: all of them, or those from `Row.last` on, or none at all."""

    task: Task
    goes_on: bool
    head: str


@dataclass(frozen=True, slots=True)
class _End:
    """All texts of a session were read; `problem` says what was wrong with them."""

    problem: str = ""


_Step = _Begin | Packed | _End


def tasks_of(file: FoundFile, known: KnownFile) -> Iterator[Task]:
    """The sessions of a file whose texts have to be read."""
    held = (*file.held.infos, *file.held.asides)
    for info in held:
        row = known.rows.get(info.id)
        if row is None or not file.stamp:
            continue
        stamp, _, contents = row.read.partition(_AND)
        if stamp == file.stamp:
            continue
        if len(held) == 1:
            yield Task(file.finder, info, row, file.stamp, file.stamp)
            continue
        now = _contents(file.finder, info)
        told = f"{file.stamp}{_AND}{now}"
        yield Task(file.finder, info, row, file.stamp, told, same=contents == now)


def _contents(finder: Finder, info: SessionInfo) -> str:
    """What tells whether a session of a file that holds several is as it was."""
    told = f"{stored(info)} {finder.mark(info, sys.maxsize)}"
    return blake2b(told.encode(), digest_size=12).hexdigest()


def write_texts(
    connection: apsw.Connection,
    tasks: Sequence[Task],
    told: Callable[[int, int], object],
    cancelled: Callable[[], bool],
) -> tuple[int, list[str]]:
    """Brings the texts of `tasks` into the index, in their order; gives how many are done, and what
    was wrong with any.

    `told` is called with the number of sessions that are done, and how far (see `Packed.first`)
    the one after them is. Ends early where `cancelled` says so: what was written until then stays.
    """
    problems: list[str] = []
    done = characters = 0
    writer = _Writer(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in _read_beside(tasks, cancelled):
            match step:
                case _Begin():
                    writer.begin(step)
                case Packed():
                    writer.add(step)
                    characters += step.characters
                case _End():
                    if step.problem:
                        problems.append(f"{tasks[done].info.path}: {step.problem}")
                    writer.end(step)
                    done += 1
                    told(done, 0)
            if characters >= _BATCH:
                characters = 0
                writer.note()
                connection.execute("COMMIT")
                connection.execute("BEGIN IMMEDIATE")
                told(done, max(writer.last, 0))
        writer.note()
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")
    return done, problems


class _Writer:
    """Writes the chunks of one session after the other."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self.begun: _Begin | None = None
        self.last = -1

    def begin(self, step: _Begin) -> None:
        row = step.task.row
        self.begun, self.last = step, row.last if step.goes_on else -1
        if not step.task.same:
            forget_texts(self.connection, row.id, row.last if step.goes_on else None)
            self._set("read = '', mark = ''")

    def add(self, chunk: Packed) -> None:
        if self.begun is None:
            return
        connection, row = self.connection, self.begun.task.row
        connection.execute(
            "INSERT INTO chunks (session, first, kinds, latest) VALUES (?, ?, ?, ?)",
            (row.id, chunk.first, chunk.kinds, chunk.latest),
        )
        number = connection.last_insert_rowid()
        connection.execute(
            "INSERT INTO bodies VALUES (?, ?, ?, ?)",
            (number, chunk.text, chunk.places, chunk.simple),
        )
        connection.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (number, chunk.words))
        self.last = chunk.first

    def note(self) -> None:
        """Notes how far the session is read, so that the next refresh goes on from there."""
        if self.begun is not None and self.last >= 0 and not self.begun.task.same:
            self._set("last = ?, mark = ?", self.last, self._mark())

    def end(self, step: _End) -> None:
        if self.begun is not None:
            self.note()
            self._set("read = ?, problem = ?", self.begun.task.read, step.problem)
        self.begun, self.last = None, -1

    def _mark(self) -> str:
        """The mark of what is read of the session; "" where its file was replaced meanwhile."""
        if self.begun is None:
            return ""
        task = self.begun.task
        mark = task.finder.mark(task.info, self.last)
        if task.finder.stamp(task.info.path) == task.stamp:
            return mark
        same = self.begun.head and self.begun.head == task.finder.mark(task.info, _HEAD)
        return mark if same else ""

    def _set(self, what: str, *values: str | int) -> None:
        if self.begun is not None:
            query = f"UPDATE sessions SET {what} WHERE id = ?"
            self.connection.execute(query, (*values, self.begun.task.row.id))


class _Stopped(Exception):
    """Nobody wants what is read any more."""


def _read_beside(tasks: Sequence[Task], cancelled: Callable[[], bool]) -> Iterator[_Step]:
    """The steps of `tasks`, read and packed in another thread."""
    ready: Queue[_Step | BaseException | None] = Queue(_AHEAD)
    stop = threading.Event()

    def put(step: _Step | BaseException | None) -> None:
        while not stop.is_set():
            try:
                return ready.put(step, timeout=_WAIT)
            except Full:
                continue
        raise _Stopped

    def read() -> None:
        packer = Packer()
        try:
            for task in tasks:
                for step in _steps(task, packer):
                    put(step)
            put(None)
        except _Stopped:
            return
        except BaseException as error:  # noqa: BLE001 - raised again by whoever reads the steps
            put(error)

    reader = threading.Thread(target=read, name="redline-reads-texts", daemon=True)
    reader.start()
    try:
        while not cancelled():
            try:
                step = ready.get(timeout=_WAIT)
            except Empty:
                continue
            if step is None:
                return
            if isinstance(step, BaseException):
                raise step
            yield step
    finally:
        stop.set()
        reader.join()


def _steps(task: Task, packer: Packer) -> Iterator[_Step]:
    finder, info, row = task.finder, task.info, task.row
    if task.same:
        yield _Begin(task, True, "")
        yield _End()
        return
    head = finder.mark(info, _HEAD)
    goes_on = bool(row.mark) and finder.mark(info, row.last) == row.mark
    yield _Begin(task, goes_on, head)
    problem = ""
    try:
        yield from packer.packed(finder.passages(info, row.last if goes_on else 0))
    except Exception as error:  # noqa: BLE001 - one session that no reader understands costs itself
        problem = f"its texts could not be read: {in_words(error)}"
    yield _End(problem)
