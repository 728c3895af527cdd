"""Prints how long the strategies take side by side, and how much of it what stays word for word.

    python benchmarks/compare.py [SESSION ...]

Without a session, on a made-up one of 1,000 messages full of rules, errors and anchors. `plans` is
until the last row is there, `all` until everything is counted; the first time and once more.
"""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from tests.sessions_in_memory import ran, reply, session, user  # noqa: E402

from redline.agents.opening import open_session  # noqa: E402
from redline.comparison.compare import compared  # noqa: E402
from redline.context.measure import measure  # noqa: E402
from redline.facts.extract import extract  # noqa: E402
from redline.ledger.detect import detect  # noqa: E402
from redline.model import Session  # noqa: E402
from redline.review import Choice, Review  # noqa: E402
from redline.settings import Settings  # noqa: E402

MESSAGES = 1_000


def main() -> None:
    sessions = [open_session(Path(name)) for name in sys.argv[1:]] or [_made_up(MESSAGES)]
    for one in sessions:
        window, facts, rules = measure(one, Settings(), {}), extract(one), detect(one)
        review = Review.start(one, window, facts, rules, Choice("redline"))
        for turn in ("first", "again"):
            begin = planned = time.perf_counter()
            differing = 0
            for found in compared(review, datetime.now(UTC), Settings()):
                if not found.whole:
                    planned = time.perf_counter()
                differing = len(found.differing())
            whole = time.perf_counter()
            print(
                f"{one.info.path.name:<40.40} {len(one.context):>6} messages, {turn}: "
                f"plans {1000 * (planned - begin):6.0f} ms, all {1000 * (whole - begin):6.0f} ms, "
                f"{differing} differ"
            )


def _made_up(size: int) -> Session:
    turns = [
        (
            user(f"Step {i}: never touch src/x{i}."),
            ran(f"pytest tests/t{i}.py", f"{'passed ' * 300}\nE   Error: {i} in src/{i}.py",
                i % 2, call_id=str(i)),
            reply(f"Did {i} in src/a{i}.py, see #{i}."),
        )
        for i in range(size // 4)
    ]  # fmt: skip
    return session(*(piece for turn in turns for piece in turn), model="claude-opus-4-6")


if __name__ == "__main__":
    main()
