"""Watches files of sessions and tells what became of them, from a thread of its own.

The folders of the files are watched, so that a rename and a new file in the place of the old one
are seen, and with a link also the folder that the file really lies in. What happened is told by the
file itself: a change that the system told twice, late or not at all is told once, in time.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable, Iterable, Iterator
from enum import StrEnum
from pathlib import Path

from redline.agents.reached import mark_before

_STEP = 20  # milliseconds of quiet after which changes are told; a record shows within 200
_LONGEST = 100  # milliseconds that changes without a pause are gathered
_PULSE = 2_000  # milliseconds after which the files are looked at although nothing was told
_POLL = 0.5  # seconds between two looks where the system tells nothing
_HEAD = 1024  # bytes
_DATABASE = b"SQLite format 3\x00"
_LOG = "-wal"  # what is committed to a database stands here first


class Change(StrEnum):
    """What became of a file since it was looked at last.

    GROWN also stands for a database that was written to, and for a folder whose entries changed.
    """

    GROWN = "grown"
    TRUNCATED = "truncated"
    REPLACED = "replaced"
    GONE = "gone"
    BACK = "back"


Tell = Callable[[Path, Change], None]
Notices = Callable[[Iterable[Path], threading.Event], Iterator[frozenset[str]]]


class Look:
    """What is known of one file (or folder) that is watched."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._stamp = ""
        self._size = 0
        self._head = b""
        self._mark = ""
        self._note()

    def again(self) -> Change | None:
        """What became of it since the last look, None where nothing did."""
        before, size, head, mark = self._stamp, self._size, self._head, self._mark
        stamp = _stamp(self.path)
        if stamp == before:
            return None
        if not stamp:
            self._stamp = ""
            return Change.GONE
        same = self._starts_with(size, mark)
        self._note()
        if not before:
            return Change.BACK
        if not mark:
            return Change.GROWN  # a database or a folder
        if same:
            return Change.GROWN if self._size > size else None
        shorter = self._size < size and head.startswith(self._head)
        return Change.TRUNCATED if shorter else Change.REPLACED

    def folders(self) -> set[Path]:
        """Where something happens when something happens to it; those that exist."""
        real = Path(os.path.realpath(self.path))
        found = {self.path.parent, real.parent}
        if real.is_dir():
            found.add(self.path)
        return {folder for folder in found if folder.is_dir()}

    def concerns(self, touched: frozenset[str]) -> bool:
        """Whether one of the files that were touched may be this one; without any, it may."""
        own = {self.path.name, os.path.basename(os.path.realpath(self.path))}
        names = {os.path.basename(path) for path in touched}
        names |= {name.removesuffix(_LOG) for name in names}
        above = {os.path.basename(os.path.dirname(path)) for path in touched}
        return not touched or not own.isdisjoint(names | above)

    def _note(self) -> None:
        self._stamp = _stamp(self.path)
        self._size, self._head, self._mark = 0, b"", ""
        try:
            with self.path.open("rb") as file:
                self._size = os.fstat(file.fileno()).st_size
                self._head = file.read(min(_HEAD, self._size))
                if not self._head.startswith(_DATABASE):
                    self._mark = mark_before(file, self._size)
        except OSError:
            return  # gone again, or a folder

    def _starts_with(self, size: int, mark: str) -> bool:
        try:
            with self.path.open("rb") as file:
                return bool(mark) and mark_before(file, size) == mark
        except OSError:
            return False


def _stamp(path: Path) -> str:
    """Changes with every change of a file, "" where it is not there."""
    try:
        found = path.stat()
    except OSError:
        return ""
    stamp = f"{found.st_dev}:{found.st_ino}:{found.st_mtime_ns}"
    if stat.S_ISDIR(found.st_mode):
        return stamp
    try:
        log = path.with_name(path.name + _LOG).stat()
    except OSError:
        return f"{stamp}:{found.st_size}"
    return f"{stamp}:{found.st_size}:{log.st_mtime_ns}:{log.st_size}"


class Following:
    """Watches files until it is closed; `tell` is called from its thread, once a change."""

    def __init__(self, tell: Tell, *, notices: Notices | None = None) -> None:
        self._tell = tell
        self._notices = notices or system_notices
        self._looks: dict[Path, Look] = {}
        self._lock = threading.Lock()
        self._other = threading.Event()  # other files are to be watched, or none any more
        self._closed = False
        self._thread: threading.Thread | None = None

    def follow(self, paths: Iterable[Path]) -> None:
        """These files are watched from now on, and no others. They need not exist yet."""
        wanted = dict.fromkeys(paths)
        with self._lock:
            if self._closed or wanted.keys() == self._looks.keys():
                return
            self._looks = {path: self._looks.get(path) or Look(path) for path in wanted}
            self._other.set()
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="following", daemon=True)
                self._thread.start()

    def close(self) -> None:
        """Nothing is told any more."""
        with self._lock:
            self._closed = True
            self._looks = {}
            self._other.set()
            thread = self._thread
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=1)

    def _run(self) -> None:
        while True:
            with self._lock:
                if self._closed:
                    return
                self._other.clear()
                looks = list(self._looks.values())
            if not looks:
                self._other.wait()
                continue
            folders = _identities(folder for look in looks for folder in look.folders())
            for touched in self._told(folders):
                for look in looks:
                    if look.concerns(touched) and not self._other.is_set():
                        self._look(look)
                gone = any(not look.folders() <= folders.keys() for look in looks)
                if self._other.is_set() or gone or _identities(folders) != folders:
                    break

    def _look(self, look: Look) -> None:
        change = look.again()
        if change is not None and not self._closed:
            self._tell(look.path, change)

    def _told(self, folders: dict[Path, tuple[int, int]]) -> Iterator[frozenset[str]]:
        """What is touched, as the system tells it; where it cannot, a look at all of it, often."""
        if folders:
            try:
                yield from self._notices(folders, self._other)
                return
            except (ImportError, OSError, RuntimeError):  # no more watches, no such file system
                pass
        yield frozenset()
        while not self._other.wait(_POLL):
            yield frozenset()


def _identities(folders: Iterable[Path]) -> dict[Path, tuple[int, int]]:
    """Each folder with what tells it from another one of that name."""
    found = {}
    for folder in folders:
        try:
            known = folder.stat()
        except OSError:
            found[folder] = (0, 0)
        else:
            found[folder] = (known.st_dev, known.st_ino)
    return found


def system_notices(folders: Iterable[Path], stop: threading.Event) -> Iterator[frozenset[str]]:
    """The paths that the system says were touched; none once at the start and every two seconds.

    Raises OSError or RuntimeError where the system cannot tell.
    """
    from watchfiles._rust_notify import RustNotify  # its own loop does not tell when it is ready

    with RustNotify([str(folder) for folder in folders], False, False, 300, False, True) as notify:
        yield frozenset()
        while not stop.is_set():
            told = notify.watch(_LONGEST, _STEP, _PULSE, stop)
            if told == "timeout":
                yield frozenset()
            elif isinstance(told, set):
                yield frozenset(path for _, path in told)
            else:
                return
