"""How long from the start of the process until the list of sessions is on the screen.

Makes a home folder with SESSIONS copies of the sample sessions, fills the index once, and then
starts `redline` in a pseudo terminal again and again. Prints, in milliseconds, median and slowest
of: the first row of the list painted, the same for a Textual app that shows one line and does
nothing else, and the bare start of Python. Run: `python benchmarks/start.py [SESSIONS]`.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "sample_sessions" / "claude" / "projects"
TITLE = b"The newest of all"
STARTS = 15
LONGEST = 120.0
SIZE = (40, 120)

BARE = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("The newest of all")

Bare().run()
"""


def furnish(home: Path, sessions: int) -> None:
    """`sessions` copies of the samples below `home`, the newest with a title to wait for."""
    samples = sorted(SAMPLES.glob("*/*.jsonl"), key=lambda path: path.stat().st_size)
    source = samples[0].read_text("utf-8")
    old = samples[0].stem
    for number in range(sessions):
        name = f"00000000-0000-4000-8000-{number:012d}"
        folder = home / "claude" / "projects" / f"-home-dev-project-{number % 20}"
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.jsonl"
        path.write_text(source.replace(old, name), "utf-8")
    now = datetime.now(UTC).isoformat().replace("+00:00", "Z")
    path.write_text(
        f'{{"type":"user","uuid":"a","parentUuid":null,"sessionId":"{name}","timestamp":"{now}",'
        f'"cwd":"/home/dev/newest","message":{{"role":"user","content":"{TITLE.decode()}"}}}}\n',
        "utf-8",
    )


def environment(home: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("REDLINE_")}
    return {
        **kept,
        "HOME": str(home),
        "REDLINE_HOME": str(home / "redline"),
        "CLAUDE_CONFIG_DIR": str(home / "claude"),
        "PYTHONPATH": str(ROOT / "tui"),
        "TERM": "xterm-256color",
    }


def until_shown(words: Sequence[str], variables: Mapping[str, str], rest: float = 0.0) -> float:
    """Seconds from the start of `words` in a terminal until TITLE is painted; then, after `rest`
    seconds more, it is ended."""
    process, terminal = pty.fork()
    if process == 0:
        os.execve(words[0], list(words), dict(variables))
    started = time.perf_counter()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    seen = b""
    shown = 0.0
    try:
        while not shown or time.perf_counter() < started + shown + rest:
            now = time.perf_counter() - started
            if now > LONGEST:
                raise SystemExit(f"nothing was shown in {LONGEST:.0f} s; the last of it:\n{seen!r}")
            if not select.select([terminal], [], [], 0.05)[0]:
                continue
            seen = (seen + os.read(terminal, 65_536))[-200_000:]
            if not shown and TITLE in seen:
                shown = time.perf_counter() - started
    except OSError as error:  # the other end was closed
        raise SystemExit(f"it ended before anything was shown:\n{seen!r}") from error
    finally:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)
    return shown


def told(name: str, seconds: Sequence[float], target: str = "") -> None:
    times = sorted(one * 1000 for one in seconds)
    middle, slowest = statistics.median(times), times[-1]
    print(f"{name:<46} median {middle:6.0f}   slowest {slowest:6.0f}   {target}")


def main() -> None:
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else 480
    with tempfile.TemporaryDirectory(prefix="redline-start-") as scratch:
        home = Path(scratch).resolve()
        furnish(home, sessions)
        variables = environment(home)
        redline = [sys.executable, "-m", "redline"]
        first = until_shown(redline, variables, rest=5.0)
        print(f"{sessions} sessions; without an index the list came after {first * 1000:.0f} ms")
        warm, bare, python = [], [], []
        for _ in range(STARTS):
            warm.append(until_shown(redline, variables))
            bare.append(until_shown([sys.executable, "-c", BARE], variables))
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", "pass"], check=True)
            python.append(time.perf_counter() - start)
        told("list on the screen, warm index", warm, "(at most 500)")
        told("one line of a Textual app on the screen", bare)
        told("Python that does nothing", python)


if __name__ == "__main__":
    main()
