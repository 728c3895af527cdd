"""`redline inspect` of a long session as a whole command: seconds and peak memory.

A session of 55 MB with 44 compactions and one of 500 MB with 400, of Claude Code and of Codex;
median of five runs of the command in a process of its own, beside `python -c pass`, a process that
loads the tokenizer, and a bare loop of orjson over the lines.
Run: `python benchmarks/inspection.py [MEGABYTES ...]`.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from benchmarks.corpus import LONG_BYTES, LONG_COMPACTIONS, long_session  # noqa: E402

RUNS = 5
SESSION = "5e550000-0000-4000-8000-000000000001"
NAMES = {
    "Claude Code": f"{SESSION}.jsonl",
    "Codex": f"rollout-2026-11-20T12-00-00-{SESSION}.jsonl",
}
BARE = "import orjson, sys\nfor line in open(sys.argv[1], 'rb'): orjson.loads(line)"
TOKENIZER = "from redline.context.tokenizer import tokenizer; tokenizer().count('word')"


def measured(home: Path, *words: str) -> tuple[float, float, float]:
    """Seconds by the clock and of CPU, and peak memory in MB, of `python WORDS`."""
    environment = {**os.environ, "HOME": str(home), "REDLINE_HOME": str(home / "redline")}
    environment["PYTHONPATH"] = str(ROOT / "tui")
    walls, cpus, peaks = [], [], []
    for _ in range(RUNS):
        begun = time.perf_counter()
        child = subprocess.Popen(
            [sys.executable, *words], env=environment, stdout=subprocess.DEVNULL
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        walls.append(time.perf_counter() - begun)
        cpus.append(used.ru_utime + used.ru_stime)
        peaks.append(used.ru_maxrss / 1024)
        if child.returncode:
            raise SystemExit(f"{words} ended with {child.returncode}")
    return statistics.median(walls), statistics.median(cpus), max(peaks)


def told(name: str, home: Path, *words: str, target: str = "") -> None:
    wall, cpu, peak = measured(home, *words)
    print(
        f"  {name:<34} {wall:6.2f} s   CPU {cpu:6.2f} s   peak {peak:6.0f} MB   {target}".rstrip()
    )


def main(*sizes: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        told("python -c pass", home, "-c", "pass")
        told("the tokenizer alone", home, "-c", TOKENIZER)
        for megabytes in map(int, sizes or ("55", "500")):
            size = megabytes * 1_000_000
            compactions = max(1, LONG_COMPACTIONS * size // LONG_BYTES)
            for agent, name in NAMES.items():
                path = home / f"{megabytes}" / name
                long_session(path, size, compactions, codex=agent == "Codex")
                print(f"{megabytes} MB, {compactions} compactions, {agent}")
                told("bare orjson over the lines", home, "-c", BARE, str(path))
                target = "target 1 s, 200 MB" if size == LONG_BYTES else ""
                inspect = ("-m", "redline", "inspect")
                told("redline inspect", home, *inspect, str(path), target=target)
                told("redline inspect --json", home, *inspect, "--json", str(path))
                path.unlink()


if __name__ == "__main__":
    main(*sys.argv[1:])
