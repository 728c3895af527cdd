"""A line at the end of a session's file, and the way back: it is cut off while it is the end."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from redline.errors import RedlineError
from redline.files import Step, cannot, changed_meanwhile
from redline.model import SessionInfo
from redline.targets.deed import Ask, Side, State

_CHUNK = 1 << 20
_SHOWN = 1 << 20  # bytes of what came since that are shown


@dataclass(frozen=True, slots=True)
class Append:
    """`line`, with its new line, behind the `length` bytes whose SHA-256 is `digest`.

    `changed` is the modification time of the file then (nanoseconds), which an undo brings back;
    with `keep_time` the file keeps it.
    """

    kind: ClassVar[str] = "append"
    info: SessionInfo
    line: bytes
    length: int
    digest: str
    changed: int
    keep_time: bool = False

    def dump(self) -> dict[str, Any]:
        return {
            "line": self.line.decode(errors="surrogateescape"),
            "length": self.length,
            "digest": self.digest,
            "changed": self.changed,
            "keep_time": self.keep_time,
        }

    def state(self) -> State:
        try:
            with self._open(os.O_RDONLY) as handle:
                return self._state(handle)
        except FileNotFoundError:
            return State.OTHER
        except OSError as error:
            raise cannot(error, self.info.path, "read") from error

    def original(self, scratch: Path) -> Path:  # noqa: ARG002
        return self.info.path

    def do(self, ask: Ask, step: Step) -> None:
        try:
            with self._open(os.O_RDWR | os.O_APPEND) as handle:
                found = self._state(handle)
                if found is State.TORN:
                    step("cut")
                    self._cut(handle)
                elif found is not State.BEFORE:
                    raise changed_meanwhile(self.info.path)
                ask()
                self._still(handle, self.length)
                self._write(handle, step)
        except OSError as error:
            raise cannot(error, self.info.path, "write") from error
        step("done")

    def undo(self, ask: Ask, step: Step) -> None:
        try:
            with self._open(os.O_RDWR) as handle:
                if self._state(handle) not in (State.AFTER, State.TORN):
                    raise changed_meanwhile(self.info.path)
                size = os.fstat(handle).st_size
                ask()
                self._still(handle, size)
                step("cut")
                self._cut(handle)
        except OSError as error:
            raise cannot(error, self.info.path, "write") from error
        step("done")

    def shown(self, side: Side) -> bytes | None:
        match side:
            case "before":
                return b""
            case "after":
                return self.line
            case "now":
                return self._since()

    def _since(self) -> bytes | None:
        """What the file holds by now behind what it held before."""
        try:
            with self._open(os.O_RDONLY) as handle:
                size = os.fstat(handle).st_size
                if size < self.length or self._digest(handle) != self.digest:
                    return b"(what was there before is not there any more)\n"
                os.lseek(handle, self.length, os.SEEK_SET)
                data = os.read(handle, _SHOWN)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise cannot(error, self.info.path, "read") from error
        more = size - self.length - len(data)
        return data + f"\n({more} bytes more)\n".encode() if more else data

    @contextlib.contextmanager
    def _open(self, flags: int) -> Iterator[int]:
        path = self.info.path
        handle = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW)
        try:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise RedlineError(f"{path} is not a plain file", "name a plain file")
            yield handle
        finally:
            os.close(handle)

    def _state(self, handle: int) -> State:
        size = os.fstat(handle).st_size
        over = size - self.length
        if not 0 <= over <= len(self.line) or self._digest(handle) != self.digest:
            return State.OTHER
        if over == 0:
            return State.BEFORE
        if os.pread(handle, over, self.length) != self.line[:over]:
            return State.OTHER
        return State.AFTER if over == len(self.line) else State.TORN

    def _digest(self, handle: int) -> str:
        """The SHA-256 of the first `length` bytes."""
        digest, at = hashlib.sha256(), 0
        while at < self.length and (chunk := os.pread(handle, min(_CHUNK, self.length - at), at)):
            digest.update(chunk)
            at += len(chunk)
        return digest.hexdigest()

    def _still(self, handle: int, size: int) -> None:
        """Raises RedlineError where the file has grown, or another one is in its place, since its
        state was looked at."""
        path = self.info.path
        here, there = os.fstat(handle), os.stat(path, follow_symlinks=False)
        if here.st_size != size or (here.st_dev, here.st_ino) != (there.st_dev, there.st_ino):
            raise changed_meanwhile(path)

    def _write(self, handle: int, step: Step) -> None:
        try:
            step("append")
            # One write: what another process appends comes before it or behind it, never inside.
            if os.write(handle, self.line) != len(self.line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            if self.keep_time:
                self._set_time(handle)
            step("flush")
            os.fsync(handle)
        except OSError:
            if self._state(handle) in (State.AFTER, State.TORN):
                self._cut(handle)
            raise

    def _cut(self, handle: int) -> None:
        os.ftruncate(handle, self.length)
        self._set_time(handle)
        os.fsync(handle)

    def _set_time(self, handle: int) -> None:
        os.utime(handle, ns=(os.fstat(handle).st_atime_ns, self.changed))


def append(info: SessionInfo, line: bytes, *, keep_time: bool = False) -> Append:
    """The deed of putting `line` at the end of the session's file as it is now.

    `line` ends with a new line; where the file's last line does not, `line` has to begin with one.
    Raises RedlineError where the file cannot be read.
    """
    digest, length = hashlib.sha256(), 0
    try:
        with info.path.open("rb") as file:
            changed = os.fstat(file.fileno()).st_mtime_ns
            while chunk := file.read(_CHUNK):
                digest.update(chunk)
                length += len(chunk)
    except OSError as error:
        raise cannot(error, info.path, "read") from error
    return Append(info, line, length, digest.hexdigest(), changed, keep_time)


def load(info: SessionInfo, data: Mapping[str, Any]) -> Append:
    """The deed that `dump` gave `data` for."""
    return Append(
        info=info,
        line=data["line"].encode(errors="surrogateescape"),
        length=data["length"],
        digest=data["digest"],
        changed=data["changed"],
        keep_time=data.get("keep_time", False),
    )
