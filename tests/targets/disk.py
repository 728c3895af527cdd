"""A disk that fails: every change of the file system is a numbered point at which it can."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

# Python's own ways to change files all come down to these.
CALLS = (
    *("open", "write", "fsync", "ftruncate", "mkdir", "rmdir", "unlink", "rename", "replace"),
    *("fchmod", "fchown", "setxattr", "utime"),
)
CHANGES = frozenset(CALLS) | {"write, half", "fsync, nothing new", "fsync folder", "step"}
NEEDS_ROOM = frozenset({"open", "write", "write, half", "fsync", "mkdir"})
Fault = Callable[[], None]
Tree = dict[str, bytes | None]  # by name under a folder; None is a folder


@dataclass
class Disk:
    """Counts changes and calls `fault` at point `at`, from 1: right before the change, or after the
    first half of a write. `counted` are the changes that are points. With `lasting` all later ones
    fail too. `seen` is called before every change.
    """

    at: int = 0
    fault: Fault = lambda: None
    counted: frozenset[str] = CHANGES
    lasting: bool = False
    seen: Fault = lambda: None
    synced: Callable[[int], None] = lambda _: None
    points: int = 0
    _new: set[int] = field(default_factory=set)  # handles with something written and not synced

    def step(self, _name: str = "") -> None:
        """A step of the program, as one more point."""
        self._reach("step")

    @contextlib.contextmanager
    def below(self) -> Iterator[Disk]:
        """Python's functions with this disk below them. Nothing waits for a real disk."""
        with pytest.MonkeyPatch.context() as patch:
            for name in CALLS:
                patch.setattr(os, name, self._call(name, getattr(os, name)))
            yield self

    def _reach(self, name: str) -> None:
        if name not in self.counted:
            return
        self.points += 1
        self.seen()
        if self.at and (self.points == self.at or (self.lasting and self.points > self.at)):
            self.fault()

    def _call(self, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            match name:
                case "open":
                    if args[1] & os.O_CREAT:
                        self._reach(name)
                case "fsync":
                    folder = stat.S_ISDIR(os.fstat(args[0]).st_mode)
                    new = name if args[0] in self._new else "fsync, nothing new"
                    self._reach("fsync folder" if folder else new)
                    self._new.discard(args[0])
                    return self.synced(args[0])
                case "write":
                    return self._write(real, *args)
                case _:
                    self._reach(name)
            return real(*args, **options)

        return call

    def _write(self, real: Callable[..., int], handle: int, data: bytes) -> int:
        """A write may break off in its middle, as it does in a power cut or on a full disk."""
        self._reach("write")
        self._new.add(handle)
        half = len(data) // 2
        if half and self.at == self.points + 1:
            real(handle, data[:half])
        self._reach("write, half")
        return real(handle, data)


def no_room() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def broken() -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


def killed() -> None:
    os._exit(9)


def tree(folder: Path) -> Tree:
    """All that lies under a folder."""
    found: Tree = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        found[name] = None if path.is_dir() else path.read_bytes()
    return found


def plant(folder: Path, wanted: Tree) -> None:
    """Makes an empty folder hold a tree."""
    for name, data in wanted.items():
        path = folder / name
        if data is None:
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


class Power:
    """What of the files below `root` would be there after a power cut: only what was synced.

    `names_kept`: the names in a folder are there also where it was not synced, and of a file that
    was not synced a part; so both orders in which a system may write are met.
    """

    def __init__(self, root: Path, *, names_kept: bool) -> None:
        self.root = root
        self.names_kept = names_kept
        self._data: dict[int, bytes] = {}
        self._names: dict[int, dict[str, int]] = {}
        self._held: dict[int, int] = {}  # kept open, so that no number is given to another file
        self._remember(root)

    def _remember(self, path: Path) -> None:
        if path.is_dir():
            for inner in path.iterdir():
                self._remember(inner)
        self._sync(path)

    def _sync(self, path: Path) -> None:
        number = self._number(path)
        if path.is_dir():
            self._names[number] = {inner.name: self._number(inner) for inner in path.iterdir()}
        else:
            self._data[number] = path.read_bytes()

    def _number(self, path: Path) -> int:
        number = path.stat().st_ino
        if number not in self._held:
            self._held[number] = os.open(path, os.O_RDONLY)
        return number

    def synced(self, handle: int) -> None:
        path = Path(f"/proc/self/fd/{handle}").resolve()
        if path.is_relative_to(self.root):
            self._sync(path)

    def after_a_cut(self) -> Tree:
        """The tree that a machine would start with if the power were cut now."""
        found: Tree = {}
        if self.names_kept:
            for path in sorted(self.root.rglob("*")):
                name = str(path.relative_to(self.root))
                found[name] = None if path.is_dir() else self._partly(path)
            return found
        self._walk(self.root.stat().st_ino, "", found)
        return found

    def _partly(self, path: Path) -> bytes:
        now, safe = path.read_bytes(), self._data.get(self._number(path), b"")
        return safe if len(now) <= len(safe) else now[: (len(safe) + len(now)) // 2]

    def _walk(self, folder: int, above: str, found: Tree) -> None:
        for name, number in self._names.get(folder, {}).items():
            if stat.S_ISDIR(os.fstat(self._held[number]).st_mode):
                found[above + name] = None
                self._walk(number, f"{above}{name}/", found)
            else:
                found[above + name] = self._data.get(number, b"")

    def close(self) -> None:
        for handle in self._held.values():
            os.close(handle)
