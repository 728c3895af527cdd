"""Prints how well what a text makes up is told from what its session holds, and how fast.

    python benchmarks/invented.py [FOLDER OF REAL SESSIONS]

For every session of the folder: the claims (paths, names, numbers ...) of the offline writer's
handoff that are named as invented, which is none where all is right; the same claims with one
character changed, of which all should be named but for numbers and names that stand in the session
by chance; and the claims of the agents' own summaries that stand nowhere before them. Then the time
for a handoff of a made-up session of 50 MB, most of it before its last compaction.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from benchmarks.corpus import long_session  # noqa: E402
from tests.handoff.test_invented import changed, offline  # noqa: E402

from redline.agents.opening import open_session  # noqa: E402
from redline.handoff.claims import ClaimKind, claims  # noqa: E402
from redline.handoff.invented import Known  # noqa: E402
from redline.model import Message, Session  # noqa: E402

SIZE = 50_000_000  # bytes
LENGTH = 24_000  # characters of a handoff, about 6,000 tokens
TARGET = 2.0  # seconds for them


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if folder is not None:
        print_marks([open_session(path) for path in _files(folder)])
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "long.jsonl"
        long_session(path, SIZE, compactions=3)
        print_time(open_session(path))


def print_marks(sessions: list[Session]) -> None:
    """What is named in handoffs that are right, and in the same with a character changed."""
    made, wrong = 0, 0
    found: Counter[ClaimKind] = Counter()
    tried: Counter[ClaimKind] = Counter()
    for given in sessions:
        text, known = offline(given), Known(given)
        named = [
            claim
            for claim in claims(text, project=given.info.project or "")
            if claim.kind is not ClaimKind.DATE
        ]
        made += len(named)
        wrong += len(known.invented(text))
        other = "\n\n".join(f"`{changed(claim.text)}`" for claim in named)
        places = {item.start for item in known.invented(other)}
        for claim in claims(other):
            tried[claim.kind] += 1
            found[claim.kind] += claim.start in places
    print(f"{len(sessions)} sessions: {made} claims of offline handoffs, {wrong} named as invented")
    for kind, count in tried.most_common():
        print(f"    one character changed, {kind.value:<10} {found[kind]:4} of {count:4} named")
    for given in sessions:
        for text, before in _summaries(given):
            named_there = [item.text for item in Known(before).invented(text)]
            print(
                f"    summary of {given.info.id[:8]}, {len(claims(text)):3} claims, named: "
                f"{', '.join(named_there) or 'none'}"
            )


def print_time(given: Session) -> None:
    """The first look with claims that are nowhere, and the next one."""
    text = offline(given)[:LENGTH] + "\n\nSee `made_up_name`, src/made/up.py and commit 7e57ab1.\n"
    known = Known(given)
    for what in ("the first time", "once more"):
        begin = time.perf_counter()
        found = known.invented(text)
        taken = time.perf_counter() - begin
        print(
            f"{SIZE // 1_000_000} MB, {len(claims(text))} claims, {len(found)} named, {what}: "
            f"{taken:.2f} s (at most {TARGET:g} s)"
        )


def _summaries(given: Session) -> Iterator[tuple[str, Session]]:
    """The agents' own summaries, each with the session less its summaries."""
    texts = ["\n".join(map(given.text, c.summary.parts)) for c in given.compactions if c.summary]
    for text in texts:
        yield text, replace(given, context=(), source=_Without(given, texts))


class _Without:
    """The source of a session, less the messages that hold one of `texts`."""

    def __init__(self, given: Session, texts: list[str]) -> None:
        self._given = given
        self._texts = texts
        self.text, self.value = given.source.text, given.source.value
        self.resume = given.source.resume

    def history(self) -> Iterator[Message]:
        for message in self._given.source.history():
            if "\n".join(map(self._given.text, message.parts)) not in self._texts:
                yield message


def _files(folder: Path) -> list[Path]:
    """One session a file."""
    found = sorted(folder.glob("*/*.jsonl"))
    return [path for path in found if path.name != "export_sessions.jsonl"]


if __name__ == "__main__":
    main()
