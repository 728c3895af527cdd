"""How soon a record that an agent writes is known, and seen, and what following costs meanwhile.

For a followed session of 1, 10 and 55 MB, median and worst of 30 records, in milliseconds from the
end of the write: until it is in the session that was opened again (the watch included), until that
session is measured, and until it is on the desk's screen. What opening the session anew costs
stands beside it, and a bare loop of orjson over the same lines. Then the CPU that following takes
while nothing is written: of `redline follow` in a process of its own, and of the desk.
Run: `python benchmarks/follow.py [MEGABYTES ...]`.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

import orjson  # noqa: E402
from benchmarks.corpus import LONG_BYTES, LONG_COMPACTIONS, long_session  # noqa: E402

from redline.agents.following import Change, Following  # noqa: E402
from redline.agents.opening import open_session, reopen  # noqa: E402
from redline.context.measure import measure  # noqa: E402
from redline.places import places  # noqa: E402
from redline.settings import Settings  # noqa: E402
from redline.ui.app import RedlineApp  # noqa: E402
from redline.ui.desk import DeskScreen  # noqa: E402
from redline.ui.surroundings import Surroundings  # noqa: E402
from redline.ui.transcript import Transcript  # noqa: E402

RECORDS = 30
IDLE = 10.0  # seconds
PAUSE = 0.15  # seconds between two records: an agent writes a few a second
TICK = os.sysconf("SC_CLK_TCK")


class Agent:
    """Writes records to the end of a session of Claude Code."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.name = path, name
        self.parent = str(orjson.loads(path.read_bytes().splitlines()[-1])["uuid"])
        self.written = 0

    def write(self) -> tuple[str, float]:
        """One more reply; gives its id and when it was written."""
        self.written += 1
        uuid = f"{self.name}-{self.written}"
        said = {"type": "text", "text": f"This is reply {self.written} of the followed session."}
        message = {"id": f"msg_{uuid}", "role": "assistant", "model": "claude-opus-4-8"}
        record = {
            "parentUuid": self.parent,
            "isSidechain": False,
            "sessionId": self.path.stem,
            "type": "assistant",
            "uuid": uuid,
            "timestamp": "2026-11-30T12:00:00.000Z",
            "message": {**message, "content": [said], "usage": None},
        }
        with self.path.open("ab") as file:
            file.write(json.dumps(record).encode() + b"\n")
        self.parent = uuid
        return uuid, time.perf_counter()


def told(name: str, seconds: list[float], target: str = "") -> None:
    print(
        f"  {name:<44} median {statistics.median(seconds) * 1000:7.1f}"
        f"   worst {max(seconds) * 1000:7.1f}   {target}".rstrip()
    )


def in_the_session(path: Path) -> None:
    begun = time.perf_counter()
    for line in path.open("rb"):
        orjson.loads(line)
    bare = time.perf_counter() - begun
    begun = time.perf_counter()
    session = open_session(path)
    opened = time.perf_counter() - begun
    window = measure(session, Settings(), {})
    print(f"  opened anew in {opened * 1000:.0f} ms, bare orjson {bare * 1000:.0f} ms")
    changes: SimpleQueue[Change] = SimpleQueue()
    following = Following(lambda _path, change: changes.put(change))
    following.follow([path])
    agent = Agent(path, "read")
    known, measured = [], []
    for _ in range(RECORDS):
        time.sleep(PAUSE)
        name, written = agent.write()
        while session.context[-1].id != name:
            changes.get(timeout=5)
            session = reopen(session)
        known.append(time.perf_counter() - written)
        window = measure(session, Settings(), {}, before=window)
        measured.append(time.perf_counter() - written)
    following.close()
    told("written, until it is in the session", known, "target 200")
    told("  and until that is measured", measured)


async def on_the_screen(path: Path, home: Path) -> None:
    environment = {"HOME": str(home), "REDLINE_HOME": str(home / "redline")}
    place = Surroundings(environment, home, places(environment), Settings())
    review = place.review(open_session(path))
    app = RedlineApp(place)
    app.garbage.take_over()
    async with app.run_test(size=(120, 40)) as pilot:
        screen = DeskScreen(review)
        await app.push_screen(screen)
        await pilot.pause()
        transcript = screen.query_one("#transcript", Transcript)
        transcript.action_last()
        await pilot.pause()
        agent = Agent(path, "seen")
        seen, longest = [], 0.0
        for _ in range(RECORDS):
            await asyncio.sleep(PAUSE)
            name, written = agent.write()
            said = f"This is reply {agent.written} of the followed session."
            while True:
                before = time.perf_counter()
                await asyncio.sleep(0.005)
                longest = max(longest, time.perf_counter() - before)
                if screen.review.session.context[-1].id == name:
                    lines = [strip.text for strip in screen._compositor.render_strips()]
                    if any(said in line for line in lines):
                        break
            seen.append(time.perf_counter() - written)
        told("written, until it is on the desk's screen", seen, "target 200")
        print(f"  {'longest the event loop stood still':<44} {longest * 1000:14.1f}   target 50")
        while any(worker.is_running for worker in app.workers):
            await asyncio.sleep(0.1)
        used, begun = time.process_time(), time.perf_counter()
        await asyncio.sleep(IDLE)
        share = (time.process_time() - used) / (time.perf_counter() - begun)
        print(f"  {'CPU of the desk while nothing is written':<44} {share:14.2%}   target 2 %")


def idle(path: Path, home: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "tui"), "HOME": str(home)}
    environment["REDLINE_HOME"] = str(home / "redline")
    command = [sys.executable, "-m", "redline", "follow", str(path)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(1)
        before = _cpu(child.pid)
        time.sleep(IDLE)
        share = (_cpu(child.pid) - before) / IDLE
        child.terminate()
    print(f"  {'CPU of `redline follow` meanwhile':<44} {share:14.2%}   target 2 %")


def _cpu(process: int) -> float:
    """Seconds of CPU that a process has used (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def main(*sizes: str) -> None:
    for megabytes in map(int, sizes or ("1", "10", "55")):
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            project = home / ".claude" / "projects" / "-home-dev-long"
            path = project / "5e550000-0000-4000-8000-000000000001.jsonl"
            size = megabytes * 1_000_000
            compactions = max(1, LONG_COMPACTIONS * size // LONG_BYTES)
            long_session(path, size, compactions)
            print(f"{megabytes} MB, {compactions} compactions")
            in_the_session(path)
            asyncio.run(on_the_screen(path, home))
            idle(path, home)


if __name__ == "__main__":
    main(*sys.argv[1:])
