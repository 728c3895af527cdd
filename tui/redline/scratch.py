"""Scratch folders in the temporary folder: private, named with their process, swept once it ends.

A process that is killed leaves its folders behind, with what a session says in them. Each is locked
as long as its process lives, and named `redline-WHAT-PROCESS-CHANCE`; the next that is made takes
away those that nobody holds any more.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from redline.files import cannot


class Purpose(StrEnum):
    """What a scratch folder is for."""

    DRAFT = "draft"  # a session that is read back before it is published
    HERMES = "hermes"  # rows of a database on which a change is tried out
    WRITER = "writer"  # where a program that writes handoffs runs
    FORK = "fork"  # a fork of the session that writes one
    DEMO = "demo"  # the sample sessions
    EDIT = "edit"  # a text in the person's own editor


_KEPT = frozenset({Purpose.EDIT})  # what a person wrote is not thrown away
_NAME = re.compile(rf"redline-({'|'.join(Purpose)})-(\d+)-[a-z0-9_]{{8}}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Left:
    """A scratch folder whose process is gone. `kept`: it is not swept, but for its person to look
    at and remove."""

    path: Path
    purpose: Purpose

    @property
    def kept(self) -> bool:
        return self.purpose in _KEPT


@contextlib.contextmanager
def scratch(purpose: Purpose) -> Iterator[Path]:
    """A new empty folder, mode 0700, that goes with all that is in it at the end; what others that
    died have left goes first. Raises RedlineError where none can be made."""
    sweep()
    folder, handle = _made(purpose)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(handle)


def left_behind() -> tuple[Left, ...]:
    """The scratch folders of this user whose process is gone. Nothing is changed."""
    found = []
    for path, purpose in _named():
        with _free(path) as free:
            if free:
                found.append(Left(path, purpose))
    return tuple(found)


def sweep() -> None:
    """Takes away what processes that are gone have left, but for what a person wrote."""
    for path, purpose in _named():
        if purpose not in _KEPT:
            with _free(path) as free:
                if free:
                    shutil.rmtree(path, ignore_errors=True)


def _made(purpose: Purpose) -> tuple[Path, int]:
    """A new folder, and the handle whose lock ends with this process."""
    while True:
        try:
            name = tempfile.mkdtemp(prefix=f"redline-{purpose}-{os.getpid()}-")
        except OSError as error:
            raise cannot(error, Path(tempfile.gettempdir()), "make a scratch folder in") from error
        folder = Path(name).resolve()
        with contextlib.suppress(FileNotFoundError):
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            if _lock(handle) is not False and folder.exists():
                return folder, handle
            os.close(handle)  # another process took it for one that was left


def _named() -> Iterator[tuple[Path, Purpose]]:
    """The entries of the temporary folder that are called like ours."""
    folder = Path(tempfile.gettempdir()).resolve()
    with contextlib.suppress(OSError):
        for name in os.listdir(folder):
            if match := _NAME.fullmatch(name):
                yield folder / name, Purpose(match[1])


@contextlib.contextmanager
def _free(path: Path) -> Iterator[bool]:
    """Whether `path` is certainly a folder of ours that no process holds: no link, of this user,
    open to nobody else. It stays locked meanwhile."""
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        handle = os.open(path, flags)
    except OSError:
        yield False
        return
    try:
        status = os.fstat(handle)
        private = status.st_uid == os.geteuid() and stat.S_IMODE(status.st_mode) == 0o700
        yield private and _lock(handle) is True
    finally:
        os.close(handle)


def _lock(handle: int) -> bool | None:
    """Whether the lock was free and is held now; None where the file system has none."""
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
