"""The longest time for which the screen stands still while one works with it.

Makes a corpus with one session of 55 MB and 44 compactions and one of 10,000 messages in its
context, fills the index, and runs the screens in a pseudo terminal: ten sessions are opened in a
row from the list, in each the history is opened, moved in and left; a text of each is searched for
and opened at its message; one is followed while its file grows. Prints for each kind of step the
longest gap of the event loop (what a key would have waited) and how many were over 50 ms, the same
of what the screen's own thread computed in them (on a busy machine it waits for a core as well, and
for the threads beside it always), and the longest frame (rendered and written).
Run: `python benchmarks/stalls.py [SESSIONS] [MEGABYTES]`.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from benchmarks.corpus import Corpus, long_session, make  # noqa: E402
from textual.events import Key  # noqa: E402
from textual.keys import _character_to_key as key_of  # noqa: E402

from redline.context.counted_beside import count_beside  # noqa: E402
from redline.places import places  # noqa: E402
from redline.settings import Settings  # noqa: E402
from redline.ui.app import RedlineApp  # noqa: E402
from redline.ui.surroundings import Surroundings  # noqa: E402
from redline.ui.turns import loop_that_goes_first  # noqa: E402

LIMIT = 0.050
OPENED = 10
FOLLOWED = 20  # records
SIZE = (40, 120)
PATIENCE = 20.0
_PULSE = 0.002


class Figures:
    """Gaps and frames by the kind of step that they fell into."""

    def __init__(self) -> None:
        self.step = "start"
        self.gaps: dict[str, list[float]] = {}
        self.own: dict[str, list[float]] = {}
        self.frames: dict[str, list[float]] = {}
        self.failed = ""

    def gap(self, seconds: float, own: float) -> None:
        """One gap, and what of it the screen's own thread computed: the rest it waited."""
        self.gaps.setdefault(self.step, []).append(seconds)
        self.own.setdefault(self.step, []).append(own)

    def frame(self, seconds: float) -> None:
        self.frames.setdefault(self.step, []).append(seconds)


class Measured(RedlineApp):
    """The screens with a pulse, driven by a script."""

    CSS_PATH = str(ROOT / "tui" / "redline" / "ui" / "redline.tcss")

    def __init__(self, place: Surroundings, figures: Figures, script: list[dict[str, str]]) -> None:
        super().__init__(place)
        self.figures = figures
        self.script = script

    def _display(self, screen: Any, renderable: Any) -> None:
        began = time.perf_counter()
        super()._display(screen, renderable)
        self.figures.frame(time.perf_counter() - began)

    def on_ready(self) -> None:
        hand = Hand(self, self.figures, self.script)
        self._tasks = [asyncio.create_task(hand.pulse()), asyncio.create_task(hand.play())]


class Hand:
    """Presses keys, and feels the pulse meanwhile."""

    def __init__(self, app: Measured, figures: Figures, script: list[dict[str, str]]) -> None:
        self.app = app
        self.figures = figures
        self.script = script
        self.beating = True

    @property
    def screen(self) -> Any:
        return self.app.screen

    async def pulse(self) -> None:
        while self.beating:
            began, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(_PULSE)
            wall = time.perf_counter() - began - _PULSE
            if self.beating:
                self.figures.gap(wall, min(wall, time.thread_time() - worked))

    async def play(self) -> None:
        try:
            await self.settle()
            self.figures.step = "idle screen"
            await asyncio.sleep(2)
            for number in range(len(self.script)):
                await self.one(number)
            for planted in self.script:
                await self.search(planted["needle"])
            await self.follow()
        except Exception:  # noqa: BLE001 - it is printed with the figures
            self.figures.failed += traceback.format_exc()
        finally:
            self.beating = False  # nobody looks at a screen that is being left
            self.app.exit()

    async def press(self, *keys: str) -> None:
        for key in keys:
            letter = key if len(key) == 1 else None
            self.app.post_message(Key(key_of(key) if letter else key, letter))
            await asyncio.sleep(0.05)

    async def settle(self, until: Callable[[], bool] = lambda: True) -> None:
        """Until nothing is worked on beside the screen but what goes on for ever."""
        end = time.perf_counter() + PATIENCE
        await asyncio.sleep(0.15)
        while time.perf_counter() < end:
            busy = [w for w in self.app.workers if w.is_running and w.group in _AWAITED]
            if not busy and until():
                break
            await asyncio.sleep(0.02)
        else:
            screen = type(self.screen).__name__
            self.figures.failed += f"{self.figures.step}: still at {screen}, working on {busy}\n"
        await asyncio.sleep(0.1)

    def on_screen(self, name: str) -> Callable[[], bool]:
        return lambda: type(self.screen).__name__ == name

    async def one(self, number: int) -> None:
        figures = self.figures
        figures.step = "list: a session rested on"
        await self.press("home" if number == 0 else "down")
        await self.settle()
        await asyncio.sleep(0.4)
        figures.step = "desk opened"
        await self.press("enter")
        await self.settle(self.on_screen("DeskScreen"))
        figures.step = "desk used"
        await self.press("pageup", "pagedown", "left_curly_bracket", "k", "plus", "3", "3", "home")
        await self.settle()
        figures.step = "history opened"
        await self.press("h")
        await self.settle(lambda: self.on_screen("HistoryScreen")() and self.screen.reading.whole)
        figures.step = "history used"
        await self.press("home", "t", "c", "enter", "e", "enter", "end", "pageup", "pageup")
        await self.press("shift+tab", "pagedown", "down", "home", "end", "tab")
        await self.settle()
        figures.step = "history left"
        await self.press("escape")
        await self.settle(self.on_screen("DeskScreen"))
        figures.step = "desk left"
        await self.press("escape")
        await self.settle(self.on_screen("SessionsScreen"))

    async def search(self, needle: str) -> None:
        self.figures.step = "search opened"
        await self.press("F")
        await self.settle(self.on_screen("SearchScreen"))
        self.figures.step = "search typed"
        await self.press("end", "ctrl+u", *needle)
        await self.settle()
        await asyncio.sleep(0.3)
        self.figures.step = "hit opened"
        await self.press("enter")
        await self.settle(lambda: not self.on_screen("SearchScreen")())
        await asyncio.sleep(0.3)
        self.figures.step = "hit left"
        while not self.on_screen("SessionsScreen")():
            await self.press("escape")
            await self.settle()

    async def follow(self) -> None:
        self.figures.step = "followed desk opened"
        await self.press("home", "enter")
        await self.settle(self.on_screen("DeskScreen"))
        path = self.screen.review.session.info.path
        leaf = self.screen.review.session.leaf
        before = len(self.screen.review.session.context)
        self.figures.step = "followed"
        for number in range(FOLLOWED):
            leaf = await asyncio.to_thread(_append, path, leaf, number)
            await asyncio.sleep(0.25)
        await asyncio.sleep(1.5)
        grown = len(self.screen.review.session.context) - before
        self.figures.step = f"followed: {grown} of {FOLLOWED} came"
        self.figures.gap(0.0, 0.0)


_AWAITED = {"open", "details", "history", "body", "find", "search", "preview", "card", "read"}


def _append(path: Path, leaf: str, number: int) -> str:
    """One more prompt in a session of Claude Code; gives its id."""
    name = f"{os.getpid():08x}-0000-4000-8000-{number:012d}"
    record = {
        "parentUuid": leaf,
        "isSidechain": False,
        "type": "user",
        "uuid": name,
        "sessionId": path.stem,
        "timestamp": f"2026-11-21T12:00:{number:02d}.000Z",
        "message": {"role": "user", "content": f"And one more thing, number {number}."},
    }
    with path.open("ab") as file:
        file.write(json.dumps(record).encode() + b"\n")
    return name


def inside(home: str, out: str) -> None:
    """The screens in the terminal that this process was given; the figures go to a file."""
    environment = {"HOME": home, "REDLINE_HOME": f"{home}/redline"}
    figures = Figures()
    script = json.loads(Path(home, "needles.json").read_text())
    place = Surroundings(environment, Path(home), places(environment), Settings())
    app = Measured(place, figures, script)
    app.garbage.take_over()
    count_beside(place.settings.tokenizer, environment)
    app.run(loop=loop_that_goes_first())
    found = {
        "gaps": figures.gaps,
        "own": figures.own,
        "frames": figures.frames,
        "failed": figures.failed,
    }
    Path(out).write_text(json.dumps(found))


def run_in_terminal(home: Path, out: Path) -> str:
    """This file in a pseudo terminal that is read and never answers; gives the end of what it
    wrote, which says what went wrong where something did."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
    environment = {**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"}
    process = subprocess.Popen(
        [sys.executable, __file__, "--inside", str(home), str(out)],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=environment,
        start_new_session=True,
    )
    os.close(theirs)

    end = b""

    def read() -> None:
        nonlocal end
        while process.poll() is None or select.select([ours], [], [], 0)[0]:
            if select.select([ours], [], [], 0.2)[0]:
                try:
                    end = (end + os.read(ours, 1 << 20))[-8_000:]
                except OSError:
                    return

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    process.wait()
    reader.join(1)
    return re.sub(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]", b"", end).decode("utf-8", "replace")


def furnish(home: Path, sessions: int, megabytes: int) -> Corpus:
    """The corpus, the 10,000 messages, and a filled index."""
    from redline.catalogue.catalogue import Catalogue
    from redline.catalogue.refresh import refresh

    made = make(home, sessions=sessions, size=megabytes * 1_000_000)
    folder = home / ".claude" / "projects" / "-home-dev-long"
    name = "99999999-0000-4000-8000-000000000000"
    long_session(folder / f"{name}.jsonl", 24_000_000, 0, seed=3)
    environment = {"HOME": str(home), "REDLINE_HOME": str(home / "redline")}
    refresh(Catalogue(places(environment).cache / "catalogue.sqlite"), environment)
    needles = [{"needle": planted.needle} for planted in made.planted[:OPENED]]
    (home / "needles.json").write_text(json.dumps(needles))
    return made


def main(sessions: str = "60", megabytes: str = "120") -> None:
    with tempfile.TemporaryDirectory() as folder:
        home, out = Path(folder), Path(folder) / "figures.json"
        began = time.perf_counter()
        furnish(home, int(sessions), int(megabytes))
        print(f"corpus and index made in {time.perf_counter() - began:.1f} s")
        end = run_in_terminal(home, out)
        if not out.exists():
            raise SystemExit(end)
        found = json.loads(out.read_text())
    if found["failed"]:
        print(found["failed"])
    print(f"{'milliseconds':<28} {'gap':>8} {'over 50':>8} {'own':>8} {'over 50':>8} {'frame':>8}")
    for step, gaps in found["gaps"].items():
        own, frames = found["own"][step], found["frames"].get(step, [0.0])
        figures = [max(gaps) * 1000, sum(gap > LIMIT for gap in gaps), max(own) * 1000]
        figures += [sum(gap > LIMIT for gap in own), max(frames) * 1000]
        print(f"{step:<28} " + " ".join(f"{figure:>8.0f}" for figure in figures))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--inside"]:
        inside(*sys.argv[2:4])
    else:
        main(*sys.argv[1:])
