"""Programs that read the prompt on standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.handoff.writers.asking import Prompt
from redline.handoff.writers.command import CommandAsker, argv_of
from redline.handoff.writers.failure import Cancelled, FailureKind, WriterFailure
from redline.handoff.writers.registry import writer_of
from redline.handoff.writers.writer import Words
from redline.settings import Settings
from tests.handoff.writers.tasks import GOOD, never, shop, task_of, written

PROMPT = Prompt("be brief", "what was done?")
ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONIOENCODING": "utf-8"}


def python(code: str, *arguments: str, timeout: float = 20) -> CommandAsker:
    return CommandAsker((sys.executable, "-c", code, *arguments), ENVIRONMENT, timeout)


def answer(asker: CommandAsker, cancelled: Callable[[], bool] = never) -> str:
    return "".join(piece.text for piece in asker.ask(PROMPT, cancelled) if isinstance(piece, Words))


def failure(asker: CommandAsker) -> WriterFailure:
    with pytest.raises(WriterFailure) as caught:
        answer(asker)
    return caught.value


def kind(asker: CommandAsker) -> FailureKind:
    return failure(asker).failure.kind


@pytest.fixture
def alive(tmp_path: Path) -> Iterator[Alive]:
    """A pipe that a program and its child hold open as long as they run."""
    path = tmp_path / "alive"
    os.mkfifo(path)
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(handle, True)
    yield Alive(path, handle)
    os.close(handle)


@dataclass(frozen=True)
class Alive:
    path: Path
    handle: int

    def ended(self) -> bool:
        """Waits until nobody holds it any more."""
        return os.read(self.handle, 1) == b""


ECHO = "import sys; print(sys.stdin.read().upper())"


def test_a_program_reads_the_prompt_and_its_output_is_the_answer() -> None:
    assert answer(python(ECHO)) == "BE BRIEF\n\nWHAT WAS DONE?\n"


def test_a_program_that_reads_no_input_gets_the_prompt_as_an_argument() -> None:
    asker = python("import sys; print(sys.argv[1], repr(sys.stdin.read()))", "say: {prompt}")
    assert answer(asker) == "say: be brief\n\nwhat was done? ''\n"
    assert (asker.window or 0) < 30_000
    with pytest.raises(WriterFailure) as caught:
        list(asker.ask(Prompt("", "x" * 130_000), never))
    assert caught.value.failure.kind is FailureKind.TOO_LARGE


def test_no_shell_reads_the_command() -> None:
    assert argv_of("echo '$HOME ; rm -rf x' | cat") == (
        "echo",
        "$HOME ; rm -rf x",
        "|",
        "cat",
    )
    for wrong in ("", "  ", "claude 'open"):
        with pytest.raises(RedlineError):
            argv_of(wrong)


def test_it_runs_in_a_scratch_folder_that_is_gone_afterwards() -> None:
    folder = answer(python("import os; print(os.getcwd(), os.listdir('.'), os.environ['PWD'])"))
    name, listed, _ = folder.split()
    assert "redline-writer-" in name
    assert listed == "[]"
    assert not Path(name).exists()


def test_a_writer_that_runs_redline_starts_no_circle() -> None:
    told = answer(python("import os; print(os.environ['REDLINE_INSIDE_WRITER'])"))
    inside = CommandAsker(("true",), {**ENVIRONMENT, "REDLINE_INSIDE_WRITER": told.strip()})
    assert kind(inside) is FailureKind.PROGRAM


def test_its_output_comes_as_it_is_printed() -> None:
    code = (
        "import sys\nprint('first', flush=True)\n"
        "open(sys.argv[1]).read()\nprint('second')"  # a pipe: waits until somebody writes
    )
    pipe = Path(os.environ.get("TMPDIR", "/tmp")) / f"redline-test-{os.getpid()}"
    os.mkfifo(pipe)
    try:
        pieces = python(code, str(pipe)).ask(PROMPT, never)
        assert next(pieces) == Words("first\n")
        pipe.write_text("go on")
        assert "".join(p.text for p in pieces if isinstance(p, Words)) == "second\n"
    finally:
        pipe.unlink()


@pytest.mark.parametrize(
    ("code", "expected", "said"),
    [
        ("import sys; sys.exit('no \\x1b[31mlogin')", FailureKind.PROGRAM, "no login"),
        ("import sys; print('half'); sys.exit(3)", FailureKind.PROGRAM, "status 3"),
        ("import os; os.kill(os.getpid(), 9)", FailureKind.PROGRAM, "signal 9"),
        ("import sys; sys.stderr.write('quota\\n' * 99999)", FailureKind.EMPTY, "quota"),
        ("import sys; sys.stdin.close()", FailureKind.EMPTY, "printed nothing"),
        ("import sys; sys.exit('key sk-ant-abcdef123456789 is bad')", FailureKind.PROGRAM, "redac"),
    ],
)
def test_a_program_that_fails_is_told_with_what_it_said(
    code: str, expected: FailureKind, said: str
) -> None:
    caught = failure(python(code))
    assert caught.failure.kind is expected
    assert said in caught.message
    assert "\x1b" not in caught.message
    assert "abcdef123456789" not in caught.message
    assert len(caught.message) < 600


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    file = tmp_path / "no-program"
    file.write_text("x")
    for name, said in (("no-such-thing-1", "there is no program"), (str(file), "ermission")):
        caught = failure(CommandAsker((name,), ENVIRONMENT))
        assert caught.failure.kind is FailureKind.PROGRAM
        assert said in caught.message


def test_a_program_that_floods_is_stopped() -> None:
    assert kind(python("while True: print('x' * 60000)")) is FailureKind.TOO_LONG


def test_a_program_that_floods_its_errors_is_waited_for_in_bounded_memory() -> None:
    code = "import sys\nfor _ in range(200): sys.stderr.write('e' * 65536)\nprint('ok')"
    assert answer(python(code)) == "ok\n"


def test_silence_is_a_timeout() -> None:
    assert kind(python("import signal; signal.pause()", timeout=0.3)) is FailureKind.TIMEOUT


def test_bytes_that_are_no_text_are_replaced() -> None:
    code = "import sys; sys.stdout.buffer.write(b'a\\xff\\xe4\\xbd\\xa0b\\xe4')"
    assert answer(python(code)) == "a\ufffd你b\ufffd"


def test_a_prompt_that_nobody_reads_does_no_harm() -> None:
    asker = python("print('done')")
    assert "".join(
        piece.text
        for piece in asker.ask(Prompt("", "x" * 3_000_000), never)
        if isinstance(piece, Words)
    ) == "done\n"  # fmt: skip


FAMILY = """
import os, signal, subprocess, sys
if {deaf}: signal.signal(signal.SIGTERM, signal.SIG_IGN)
pipe = os.open(sys.argv[1], os.O_WRONLY)
wait = 'import signal; signal.pause()'
child = subprocess.Popen([sys.executable, '-c', wait], pass_fds=[pipe])
print('begun', flush=True)
signal.pause()
"""


@pytest.mark.parametrize("deaf", [False, True])
def test_the_end_by_a_person_takes_the_whole_family(alive: Alive, deaf: bool) -> None:
    seen: list[object] = []
    asker = python(FAMILY.format(deaf=deaf), str(alive.path))
    pieces = asker.ask(PROMPT, lambda: bool(seen))
    seen.append(next(pieces))
    with pytest.raises(Cancelled):
        next(pieces)
    assert alive.ended()


def test_leaving_the_answer_unread_ends_the_program_too(alive: Alive) -> None:
    pieces = python(FAMILY.format(deaf=False), str(alive.path)).ask(PROMPT, never)
    assert next(pieces) == Words("begun\n")
    pieces.close()  # type: ignore[attr-defined]  # a generator
    assert alive.ended()


def test_a_child_that_holds_the_output_open_is_not_waited_for() -> None:
    code = (
        "import subprocess, sys\nprint('done', flush=True)\n"
        "subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])"
    )
    assert answer(python(code)) == "done\n"


def test_a_command_writes_a_handoff(tmp_path: Path) -> None:
    script = tmp_path / "agent.py"
    script.write_text(
        "import sys\nassert '## Current state' in sys.stdin.read()\n"
        f"print('Working on it ...')\nprint({GOOD!r})\n"
    )
    writer = writer_of(f"command: {sys.executable} {script}", Settings(), ENVIRONMENT)
    made, _ = written(task_of(shop()), writer)
    assert made.complete
    assert made.handoff.next_plan == ("Split exports over two gigabytes.",)
    assert made.spent.output_tokens > 0
    assert not made.spent.counted
