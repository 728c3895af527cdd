"""How long whole commands take on real sessions, from the start of the process to its end.

    REDLINE_REAL_SESSIONS=... python benchmarks/commands.py [COMMAND ...]

Takes every session file of that folder, each command RUNS times in a process of its own with a home
folder of its own, and keeps the best. Prints least, median and most over the files: seconds by the
clock, and of processor time, which other programs disturb less. Beside it in the same run: Python
that does nothing, and Python that only reads the file with orjson, line by line. Target: `handoff`
under 0.5 s for the median session.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
RUNS = 3
LARGE = 200_000  # bytes; smaller ones are told apart, as they weigh little
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "handoff": ("handoff", "FILE", "-o", "-"),
    "inspect": ("inspect", "FILE", "--json"),
    "plan": ("plan", "FILE", "--json"),
    "rules": ("rules", "FILE", "--json"),
    "audit": ("audit", "FILE", "--json"),
}
NOTHING = (sys.executable, "-c", "pass")
READING = (
    sys.executable,
    "-c",
    "import sys, orjson\n"
    "for line in open(sys.argv[1], 'rb'):\n"
    "    try: orjson.loads(line)\n"
    "    except ValueError: pass",
    "FILE",
)


def main() -> None:
    names = sys.argv[1:] or [*COMMANDS]
    files = _files()
    print(f"{len(files)} files, best of {RUNS}; seconds: least, median, most")
    print(f"{'':<34}{'by the clock':>24}{'of processors':>28}")
    with tempfile.TemporaryDirectory(prefix="redline-commands-") as scratch:
        variables = _environment(Path(scratch))
        _tell("Python that does nothing", [_best(NOTHING, files[0], variables)])
        for label, some in (("", files), (f" over {LARGE // 1000} kB", _large(files))):
            _tell(f"orjson alone{label}", [_best(READING, file, variables) for file in some])
        for name in names:
            words = (sys.executable, "-m", "redline", *COMMANDS[name])
            taken = {file: _best(words, file, variables) for file in files}
            _tell(name, [*taken.values()])
            _tell(f"{name} over {LARGE // 1000} kB", [taken[file] for file in _large(files)])


def _best(words: Sequence[str], file: Path, variables: Mapping[str, str]) -> tuple[float, float]:
    """Seconds by the clock and of processors, each the least of some runs."""
    command = [str(file) if word == "FILE" else word for word in words]
    runs = [_once(command, variables) for _ in range(RUNS)]
    return min(clock for clock, _ in runs), min(processors for _, processors in runs)


def _once(command: Sequence[str], variables: Mapping[str, str]) -> tuple[float, float]:
    before, start = _processors(), time.perf_counter()
    subprocess.run(command, env=variables, capture_output=True, check=False)
    return time.perf_counter() - start, _processors() - before


def _processors() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _tell(name: str, taken: Sequence[tuple[float, float]]) -> None:
    told = f"{name:<34}"
    for seconds in zip(*taken, strict=True):
        least, middle, most = min(seconds), statistics.median(seconds), max(seconds)
        told += f"{least:>10.3f}{middle:>7.3f}{most:>7.3f}    "
    print(told.rstrip(), flush=True)


def _environment(home: Path) -> dict[str, str]:
    """That of a person who uses redline: compiled modules are kept, no setting is theirs."""
    left_out = ("REDLINE_", "PYTHONDONTWRITEBYTECODE")
    kept = {key: value for key, value in os.environ.items() if not key.startswith(left_out)}
    return {**kept, "REDLINE_HOME": str(home), "PYTHONPATH": str(ROOT / "tui")}


def _large(files: Sequence[Path]) -> list[Path]:
    return [file for file in files if file.stat().st_size > LARGE]


def _files() -> list[Path]:
    folder = os.environ.get("REDLINE_REAL_SESSIONS")
    if not folder:
        sys.exit("name the folder of real sessions in REDLINE_REAL_SESSIONS")
    found = sorted(Path(folder).rglob("*.jsonl"))
    return [path for path in found if "subagents" not in path.parts]


if __name__ == "__main__":
    main()
