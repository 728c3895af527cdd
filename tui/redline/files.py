"""Files written whole or not at all, and the lock by which two processes write one in turn."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import os
import re
import secrets
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final, Literal

from redline.errors import RedlineError


class LockedError(RedlineError):
    """Another process holds the lock."""


class _Anything(Enum):
    ANYTHING = "anything"


ANYTHING: Final = _Anything.ANYTHING
Expected = bytes | None | Literal[_Anything.ANYTHING]
Step = Callable[[str], None]

UNCHANGED = "nothing was changed"
_UNTAGGED = re.compile(r"\.redline-new-([1-9]\d*)-[0-9a-f]{12}\.tmp", re.ASCII)
_LONGEST_WRITE = 3600.0  # seconds


def no_step(_name: str) -> None:
    """The step that does nothing."""


def sha256(data: bytes) -> str:
    """The SHA-256 of `data` in hex."""
    return hashlib.sha256(data).hexdigest()


def expanded(path: Path | str) -> Path:
    """`path` with a leading `~` or `~user` as a folder. Raises RedlineError where that is none."""
    try:
        return Path(path).expanduser()
    except RuntimeError as error:
        raise RedlineError(
            f"{path}: there is no such home folder", "write the whole path"
        ) from error


def real_path(path: Path) -> Path:
    """The file that `path` stands for, links followed; it need not be there.

    Raises RedlineError for links that go round in a circle.
    """
    try:
        return expanded(path).resolve()
    except ValueError as error:
        raise RedlineError(f"{str(path)!r} can be no file's name", "choose another name") from error
    except (RuntimeError, OSError) as error:  # RuntimeError up to Python 3.12
        if isinstance(error, OSError) and error.errno != errno.ELOOP:
            raise cannot(error, path, "read") from error
        raise RedlineError(
            f"{path} is a link that leads back to itself", "remove the link, or name another file"
        ) from error


def read_if_there(path: Path) -> bytes | None:
    """The whole content of a plain file, links followed; None where there is no file.

    Raises RedlineError for a folder, a device or a file that may not be read.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise _not_a_file(path)
        return Path(path).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise cannot(error, path, "read") from error


def mode_if_there(path: Path) -> int | None:
    """The permission bits of the file `path` leads to; None where there is none."""
    try:
        return stat.S_IMODE(os.stat(path).st_mode)
    except OSError:
        return None


def missing_folders(folder: Path) -> tuple[Path, ...]:
    """The folders that have to be made before a file can lie in `folder`, outermost first."""
    missing: list[Path] = []
    while not os.path.exists(folder) and folder != folder.parent:
        missing.append(folder)
        folder = folder.parent
    return tuple(reversed(missing))


def make_folders(folder: Path, mode: int = 0o700) -> tuple[Path, ...]:
    """Makes `folder` and what is missing above it; gives those it made, outermost first."""
    made: list[Path] = []
    try:
        for missing in missing_folders(folder):
            with contextlib.suppress(FileExistsError):  # another process was quicker
                missing.mkdir(mode=mode)
                made.append(missing)
                flush_folder(missing.parent)
        if not folder.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    except OSError as error:
        raise cannot(error, folder, "make") from error
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Laid:
    """A file written whole to the disk beside its place: a rename is all that it takes."""

    named: Path
    target: Path
    temporary: Path
    expected: Expected

    def put(self, *, step: Step = no_step) -> None:
        """Moves it to its place; see `write_atomic`. `step` gets "replace" and "done"."""
        try:
            step("replace")
            _check(self.named, self.target, self.expected)
            os.replace(self.temporary, self.target)
        except OSError as error:
            raise cannot(error, self.named, "write") from error
        flush_folder(self.target.parent)
        step("done")

    def drop(self) -> None:
        """Takes it away where it was not put to its place."""
        with contextlib.suppress(OSError):
            os.unlink(self.temporary)


def lay(
    path: Path,
    data: bytes | Iterable[bytes],
    *,
    mode: int | None = None,
    expected: Expected = ANYTHING,
    tag: str = "",
    step: Step = no_step,
) -> Laid:
    """Does all of `write_atomic` but the last step; `step` gets "open", "write" and "flush"."""
    named = Path(path)
    target = real_path(named)
    try:
        status = _status(named, target)
        step("open")
        if not tag:  # what a crash left with a tag is its commit's affair
            _sweep(target.parent)
        name = f".redline-{tag or _untagged()}-{secrets.token_hex(6)}.tmp"
        temporary = target.parent / name
        laid = Laid(named, target, temporary, expected)
        # Created with what a new file gets, so that the umask is the system's affair.
        bits = 0o666 if status is None and mode is None else 0o600
        handle = os.open(temporary, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, bits)
        try:
            try:
                step("write")
                for piece in (data,) if isinstance(data, bytes) else data:
                    _write_all(handle, piece)
                _dress(handle, target, status, mode)
                step("flush")
                os.fsync(handle)
            finally:
                os.close(handle)
        except BaseException:
            laid.drop()
            raise
    except OSError as error:
        raise cannot(error, named, "write") from error
    return laid


def write_atomic(
    path: Path,
    data: bytes | Iterable[bytes],
    *,
    mode: int | None = None,
    expected: Expected = ANYTHING,
    tag: str = "",
    step: Step = no_step,
) -> Path:
    """Writes `data` (whole or piece by piece) as the whole content of `path`, and gives the file
    that was written.

    A crash leaves the old file or the new one. A link stays a link: the file it leads to is
    written. An existing file keeps its mode (unless `mode` is given), owner and extended
    attributes; a new one gets `mode` or what the umask allows. With `expected` the file is only
    replaced while it still holds just that (None: while there is no file). `tag` goes into the
    name of the temporary file, so that one left by a crash can be found. `step` is called with
    "open", "write", "flush", "replace" and "done" before each of them.

    Raises RedlineError that says why it could not be written; then nothing was changed.
    """
    laid = lay(path, data, mode=mode, expected=expected, tag=tag, step=step)
    try:
        laid.put(step=step)
    except BaseException:
        laid.drop()
        raise
    return laid.target


def remove_file(path: Path, *, expected: Expected = ANYTHING, step: Step = no_step) -> None:
    """Removes a file, where `expected` is given only while it still holds just that."""
    target = real_path(path)
    try:
        step("remove")
        _check(path, target, expected)
        target.unlink(missing_ok=True)
    except OSError as error:
        raise cannot(error, path, "remove") from error
    flush_folder(target.parent)
    step("done")


def left_by_a_crash(folder: Path, tag: str) -> tuple[Path, ...]:
    """Temporary files with `tag` that a crash left in `folder`."""
    if not tag:
        return ()
    with contextlib.suppress(OSError):
        return tuple(sorted(folder.glob(f".redline-{tag}-*.tmp")))
    return ()


def _untagged() -> str:
    return f"new-{os.getpid()}"


def _sweep(folder: Path) -> None:
    """Takes away what processes that were killed left in `folder` while they wrote a file: theirs
    by its name, and older than any write takes."""
    for path in left_by_a_crash(folder, "new-*"):
        named = _UNTAGGED.fullmatch(path.name)
        with contextlib.suppress(OSError):
            status = os.lstat(path)
            old = time.time() - status.st_mtime > _LONGEST_WRITE
            own = stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()
            if named and old and own and not _runs(int(named[1])):
                os.unlink(path)


def _runs(process: int) -> bool:
    """Whether a process with this number runs, maybe another one by now."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


@contextlib.contextmanager
def locked(path: Path, folder: Path, *, wait: float = 10.0) -> Iterator[None]:
    """Holds the one lock of `path` among redline's processes; the lock file lies in `folder`.

    Waits at most `wait` seconds, then raises LockedError. The lock ends with its process.
    """
    make_folders(folder)
    lock = folder / f"{sha256(os.fsencode(real_path(path)))[:24]}.lock"
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise cannot(error, lock, "write") from error
    try:
        _take(handle, path, wait)
        yield
    finally:
        os.close(handle)


def _take(handle: int, path: Path, wait: float) -> None:
    until = time.monotonic() + wait
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError as error:
            if time.monotonic() >= until:
                raise LockedError(
                    f"another redline has been writing {path} for {wait:g} seconds",
                    "wait for it to end, then try again",
                ) from error
            time.sleep(0.01)
        except OSError as error:
            raise cannot(error, path, "lock") from error


def _write_all(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _status(named: Path, target: Path) -> os.stat_result | None:
    """The status of the file to be replaced. Raises RedlineError where it may not be."""
    try:
        status = os.stat(target)
    except FileNotFoundError:
        if named.is_symlink():
            raise RedlineError(
                f"{named} is a link to {target}, which is not there",
                f"create {target}, or remove the link",
            ) from None
        return None
    if not stat.S_ISREG(status.st_mode):
        raise _not_a_file(named)
    # A rename would go through for a file that nobody may write: ask as an editor would.
    if not status.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise RedlineError(
            f"{named} is read-only; {UNCHANGED}", "make it writable, or choose another file"
        )
    return status


def _dress(handle: int, target: Path, status: os.stat_result | None, mode: int | None) -> None:
    """Gives the new file what the old one had: owner, attributes (also access lists), mode."""
    if status is None:
        if mode is not None:
            os.fchmod(handle, mode)
        return
    mine = os.fstat(handle)
    if (mine.st_uid, mine.st_gid) != (status.st_uid, status.st_gid):
        try:
            os.fchown(handle, status.st_uid, status.st_gid)
        except PermissionError:
            with contextlib.suppress(PermissionError):
                os.fchown(handle, -1, status.st_gid)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(target):
                with contextlib.suppress(OSError):
                    os.setxattr(handle, name, os.getxattr(target, name))
    os.fchmod(handle, stat.S_IMODE(status.st_mode) if mode is None else mode)


def _check(named: Path, target: Path, expected: Expected) -> None:
    stays_put(named, target)
    if not isinstance(expected, _Anything) and read_if_there(target) != expected:
        raise changed_meanwhile(named)


def stays_put(named: Path, target: Path) -> None:
    """Raises RedlineError where `named` leads to another file than `target` by now."""
    real = real_path(named)
    if real != target:
        raise RedlineError(
            f"{named} leads to {real} now, for a link has come into its path since the preview; "
            f"{UNCHANGED}",
            "look at the new preview, then write again",
            status=1,
        )


def changed_meanwhile(path: Path) -> RedlineError:
    """The error for a file that is not what the preview was made from."""
    return RedlineError(
        f"{path} has changed since the preview; {UNCHANGED}",
        "look at the new preview, then write again",
        status=1,
    )


def vanished(path: Path) -> RedlineError:
    """The error for a file that was there at the preview."""
    return RedlineError(
        f"{path} has been removed since the preview; {UNCHANGED}",
        "look at the new preview, then write again",
        status=1,
    )


def flush_folder(folder: Path) -> None:
    """Brings the names in `folder` to the disk: what was made, renamed or removed there."""
    # Some file systems cannot flush a folder; the file itself is safe then.
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _not_a_file(path: Path) -> RedlineError:
    if Path(path).is_dir():
        return RedlineError(f"{path} is a folder, not a file", "name a file in it")
    return RedlineError(f"{path} is not a plain file", "name a plain file")


def cannot(error: OSError, path: Path, what: str) -> RedlineError:
    """`error` as something a person can act on; `what` is a verb: read, write, make, remove."""
    doing = f"cannot {what} {path}: "
    after = "" if what == "read" else f"; {UNCHANGED}"
    match error.errno:
        case errno.ENOSPC | errno.EDQUOT | errno.EFBIG:
            return RedlineError(
                f"{doing}the disk is full{after}", "free some space, then try again"
            )
        case errno.EROFS:
            return RedlineError(
                f"{doing}its file system is read-only{after}", "choose another place"
            )
        case errno.EACCES | errno.EPERM:
            return RedlineError(
                f"{doing}no permission{after}",
                "change the permissions of the file and its folder, or choose another place",
            )
        case errno.ENAMETOOLONG:
            return RedlineError(f"{doing}its name is too long{after}", "choose a shorter name")
        case errno.ENOENT:
            return RedlineError(
                f"{doing}there is no folder {Path(path).parent}{after}", "make the folder first"
            )
        case errno.ENOTDIR:
            return RedlineError(
                f"{doing}a part of its path is a file, not a folder{after}", "choose another place"
            )
        case errno.EISDIR:
            return RedlineError(f"{path} is a folder, not a file", "name a file in it")
        case _:
            return RedlineError(f"{doing}{error.strerror or error}{after}", "try again")
