"""The plain text of a rollout that Codex compressed (.jsonl.zst, zstd level 3, since 2026-06)."""

from __future__ import annotations

import io
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from typing_extensions import Buffer

SUFFIX = ".zst"
_FEED = 1024  # packed bytes a step: one step never gives more than some 32 MB
_BUFFER = 262_144
_KEPT = 1_000_000  # plain bytes before the place last read that can be read again at once


class _Frames:
    """Unpacks bytes as they come, frame after frame."""

    def __init__(self) -> None:
        from zstandard import ZstdDecompressor

        self._new = ZstdDecompressor().decompressobj
        self._frame = self._new()
        self._begun = False
        self.problem = ""

    def feed(self, packed: bytes) -> bytes:
        from zstandard import ZstdError

        plain = []
        while packed and not self.problem:
            try:
                plain.append(self._frame.decompress(packed))
            except ZstdError as error:
                self.problem = f"damaged: {error}"
                break
            self._begun = not self._frame.eof
            packed = b""
            if self._frame.eof:
                packed, self._frame = self._frame.unused_data, self._new()
        return b"".join(plain)

    def ended(self) -> None:
        """The file is at its end: a frame that is not is a fault."""
        if self._begun and not self.problem:
            self.problem = "cut off: the last frame is incomplete"


class Unpacked(io.RawIOBase):
    """The plain text of a packed file. To go back means to unpack it from its start again.

    `problem` says, once the end is reached, why it is not the whole text; "" where it is.
    """

    def __init__(self, file: BinaryIO) -> None:
        super().__init__()
        self._file = file
        self._restart()

    def _restart(self) -> None:
        self._frames = _Frames()
        self._plain = b""
        self._at = 0  # of the next byte in `_plain`
        self._before = 0  # bytes of the text before `_plain`

    @property
    def problem(self) -> str:
        return self._frames.problem

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._before + self._at

    def seek(self, place: int, whence: int = io.SEEK_SET, /) -> int:
        if whence != io.SEEK_SET:
            place = max(0, place + (self.tell() if whence == io.SEEK_CUR else self._length()))
        if place < self._before:
            self._file.seek(0)
            self._restart()
        while place > self._before + len(self._plain) and self._go_on():
            pass
        self._at = min(place - self._before, len(self._plain))
        return self.tell()

    def _length(self) -> int:
        while self._go_on():
            pass
        return self._before + len(self._plain)

    def _go_on(self) -> bool:
        """Unpacks the next bytes in the place of `_plain`; False at the end."""
        packed = b"" if self._frames.problem else self._file.read(_FEED)
        if not packed:
            self._frames.ended()
            return False
        self._before += len(self._plain)
        self._plain, self._at = self._frames.feed(packed), 0
        return True

    def readinto(self, buffer: Buffer, /) -> int:
        while self._at >= len(self._plain):
            if not self._go_on():
                return 0
        view = memoryview(buffer)
        count = min(len(view), len(self._plain) - self._at)
        view[:count] = self._plain[self._at : self._at + count]
        self._at += count
        return count

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()


def buffered(unpacked: Unpacked) -> BinaryIO:
    """`unpacked` with lines."""
    return io.BufferedReader(unpacked, _BUFFER)


class PackedPlaces:
    """Reads spans of the plain text of packed files; going forward costs no second unpacking.

    It keeps no file open. A span that lies well before the last one is reached from the start.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._of: tuple[Path, int, int] | None = None
        self._restart()

    def _restart(self) -> None:
        self._frames = _Frames()
        self._packed = 0  # bytes of the file that were fed
        self._plain = b""
        self._start = 0  # place of `_plain` in the plain text

    def read(self, path: Path, start: int, end: int) -> bytes:
        """Bytes [start, end) of the plain text, fewer where it ends before. Raises OSError."""
        with self._lock, path.open("rb", buffering=_BUFFER) as file:
            status = path.stat()
            of = (path, status.st_mtime_ns, status.st_size)
            if self._of != of or start < self._start:
                self._of = of
                self._restart()
            file.seek(self._packed)
            found = [self._plain]
            reached = self._start + len(self._plain)
            while reached < end and (packed := file.read(_FEED)):
                self._packed += len(packed)
                plain = self._frames.feed(packed)
                reached += len(plain)
                found.append(plain)
                if reached < start:
                    self._start, found = reached - len(plain), [plain]
            whole = b"".join(found)
            asked = whole[start - self._start : end - self._start]
            self._keep(whole, max(start, end - _KEPT))
            return asked

    def _keep(self, whole: bytes, start: int) -> None:
        """What is left of `whole` (it begins at `_start`) from `start` on."""
        dropped = min(len(whole), start - self._start)
        self._plain = whole[dropped:]
        self._start += dropped
