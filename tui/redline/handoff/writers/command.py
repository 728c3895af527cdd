"""A program as the one who is asked: it reads the prompt on standard input and prints the answer.

It runs without a shell, in a scratch folder and a process group of its own, which is ended as a
whole. An agent's print mode (`claude -p`) may run tools; see docs/writers.md for the flags that
forbid them.
"""

from __future__ import annotations

import codecs
import os
import queue
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from redline.errors import RedlineError
from redline.handoff.writers.asking import POLL_SECONDS, Prompt
from redline.handoff.writers.failure import (
    OUTPUT_CHARS,
    Cancelled,
    Failure,
    FailureKind,
    WriterFailure,
    late,
    overlong,
)
from redline.handoff.writers.writer import Spent, Words
from redline.redaction import redact
from redline.scratch import Purpose, scratch
from redline.text import safe

INSIDE = "REDLINE_INSIDE_WRITER"  # set for a program, so that a hook of an agent starts no circle
WINDOW = 120_000  # tokens; agents run with 200,000 and more, and need some for themselves
_PROMPT = "{prompt}"  # stands in an argument for the prompt, for programs that read no input
_ARGUMENT = 120_000  # bytes; Linux takes 131,072 in one argument
_ARGUMENT_WINDOW = 28_000  # tokens that fit into that
_STDERR = 4_000  # bytes of it that are kept, the last ones
_TOLD = 400
_GRACE = 1.0  # seconds between the request to end and the end


def argv_of(command: str) -> tuple[str, ...]:
    """The words of a command line. Raises RedlineError where it has none or a quote is open."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise RedlineError(
            f"the writer's command cannot be read: {error}", "close every quote"
        ) from error
    if not words:
        raise RedlineError("the writer's command is empty", "write it as `command: claude -p`")
    return words


@dataclass(frozen=True, slots=True)
class CommandAsker:
    """Asks a program. `environment` is what it runs in, `timeout` how many seconds may pass with
    nothing new from it."""

    argv: tuple[str, ...]
    environment: Mapping[str, str]
    timeout: float = 120.0
    count: Callable[[str], int] = field(default=len)
    size: int | None = None

    @property
    def window(self) -> int | None:
        if self.size is not None:
            return self.size
        return _ARGUMENT_WINDOW if self._as_argument else WINDOW

    def tokens(self, text: str) -> int:
        return self.count(text)

    @property
    def _as_argument(self) -> bool:
        return any(_PROMPT in word for word in self.argv)

    def ask(self, prompt: Prompt, cancelled: Callable[[], bool]) -> Iterator[Words | Spent]:
        argv, data = self._given(prompt)
        with scratch(Purpose.WRITER) as folder:
            run = Run(argv, data, folder, self.environment, self.timeout)
            yield from run.printed(cancelled)

    def _given(self, prompt: Prompt) -> tuple[tuple[str, ...], bytes]:
        """What is run, and what it reads."""
        text = prompt.whole
        data = text.encode("utf-8", "replace")
        if not self._as_argument:
            return self.argv, data
        if len(data) > _ARGUMENT:
            raise WriterFailure(
                Failure(
                    FailureKind.TOO_LARGE,
                    f"the input is larger than an argument of {self.argv[0]} may be",
                    "use a command that reads standard input",
                )
            )
        return tuple(word.replace(_PROMPT, text) for word in self.argv), b""


@dataclass(frozen=True, slots=True)
class Run:
    """A program that is given `data` and works in `folder`. `timeout` is how many seconds may pass
    with nothing new from it."""

    argv: tuple[str, ...]
    data: bytes
    folder: Path
    environment: Mapping[str, str]
    timeout: float

    def printed(self, cancelled: Callable[[], bool]) -> Iterator[Words]:
        """What it prints, as it comes. The program and all it started end with the iterator.
        Raises WriterFailure where it fails, says nothing or takes too long, and Cancelled."""
        running = _Running(self._started(), self.data)
        try:
            yield from _answer(running, self.argv[0], self.timeout, cancelled)
        finally:
            _end(running)

    def _started(self) -> subprocess.Popen[bytes]:
        if INSIDE in self.environment:
            raise WriterFailure(
                Failure(
                    FailureKind.PROGRAM,
                    f"redline was started by a writer that it runs itself, so {self.argv[0]} is"
                    " not run again",
                    "use another writer there",
                )
            )
        try:
            return subprocess.Popen(
                self.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                env={**self.environment, "PWD": str(self.folder), INSIDE: "1"},
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise WriterFailure(_cannot_start(self.argv[0], error)) from error


class _Running:
    """A program with a thread for each of its three streams. `arrived` gets what it prints, None
    once it has closed its output."""

    def __init__(self, process: subprocess.Popen[bytes], data: bytes) -> None:
        self.process = process
        self.arrived: queue.Queue[bytes | None] = queue.Queue(maxsize=64)
        self.stderr = b""
        self.stop = threading.Event()
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        self.threads = [
            threading.Thread(target=work, args=arguments, daemon=True)
            for work, arguments in (
                (self._feed, (process.stdin, data)),
                (self._read, (process.stdout,)),
                (self._listen, (process.stderr,)),
            )
        ]
        for thread in self.threads:
            thread.start()

    def _feed(self, stream: IO[bytes], data: bytes) -> None:
        with suppress(OSError, ValueError), stream:  # it need not read all, or any of it
            stream.write(data)

    def _read(self, stream: IO[bytes]) -> None:
        with stream:
            while data := _some(stream):
                while not self.stop.is_set():
                    with suppress(queue.Full):
                        self.arrived.put(data, timeout=POLL_SECONDS)
                        break
                if self.stop.is_set():
                    return
        with suppress(queue.Full):
            self.arrived.put(None, timeout=_GRACE)

    def _listen(self, stream: IO[bytes]) -> None:
        with stream:
            while data := _some(stream):
                self.stderr = (self.stderr + data)[-_STDERR:]


def _some(stream: IO[bytes]) -> bytes:
    try:
        return os.read(stream.fileno(), 65_536)
    except (OSError, ValueError):
        return b""


def _answer(
    running: _Running, name: str, timeout: float, cancelled: Callable[[], bool]
) -> Iterator[Words]:
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    last = time.monotonic()
    chars, exited = 0, 0.0
    while True:
        if cancelled():
            raise Cancelled
        now = time.monotonic()
        try:
            data = running.arrived.get(timeout=POLL_SECONDS)
        except queue.Empty:
            if running.process.poll() is not None:
                # Something it started may hold its output open; that is not waited for.
                exited = exited or now
                if now - exited > _GRACE / 4:
                    break
            elif now - last > timeout:
                raise WriterFailure(late(timeout)) from None
            continue
        if data is None:
            break
        last = now
        text = decoder.decode(data)
        chars += len(text)
        if chars > OUTPUT_CHARS:
            raise WriterFailure(overlong())
        if text:
            yield Words(text)
    if rest := decoder.decode(b"", final=True):
        yield Words(rest)
    status = _status(running, last + timeout, cancelled)
    if status != 0:
        raise WriterFailure(_failed(name, status, running.stderr))
    if not chars:
        raise WriterFailure(_silent(name, running.stderr))


def _status(running: _Running, until: float, cancelled: Callable[[], bool]) -> int:
    """The exit status, waited for after the output was closed."""
    while (status := running.process.poll()) is None:
        if cancelled():
            raise Cancelled
        if time.monotonic() > until:
            raise WriterFailure(
                Failure(
                    FailureKind.TIMEOUT, "the program did not end after its answer", "try again"
                )
            )
        time.sleep(POLL_SECONDS / 5)
    running.threads[-1].join(_GRACE / 4)  # what it said last of its failure
    return status


def _end(running: _Running) -> None:
    """Ends the program and everything it started."""
    running.stop.set()
    process = running.process
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_GRACE)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for thread in running.threads:
        thread.join(_GRACE)


def _cannot_start(name: str, error: OSError | ValueError) -> Failure:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return Failure(
            FailureKind.PROGRAM,
            f"there is no program {name}",
            "install it, or name it by its whole path",
        )
    reason = error.strerror if isinstance(error, OSError) else str(error)
    return Failure(
        FailureKind.PROGRAM, f"{name} cannot be started: {reason}", "check the writer's command"
    )


def _failed(name: str, status: int, stderr: bytes) -> Failure:
    how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    return Failure(
        FailureKind.PROGRAM, f"{name} {how}{_said(stderr)}", "run it by hand to see what it needs"
    )


def _silent(name: str, stderr: bytes) -> Failure:
    return Failure(
        FailureKind.EMPTY,
        f"{name} printed nothing{_said(stderr)}",
        "run it by hand to see what it needs",
        told="it was empty",
    )


def _said(stderr: bytes) -> str:
    """The end of what it said on standard error, safe and in one line."""
    text = " ".join(safe(redact(stderr.decode("utf-8", "replace")).text).split())
    if not text:
        return ""
    return f': "{text}"' if len(text) <= _TOLD else f': "... {text[-_TOLD:]}"'
