"""What the offline writer keeps of real sessions, how long its handoffs are, and how long it takes.

    REDLINE_REAL_SESSIONS=... python benchmarks/handoff.py [FILE ...]

By default it takes every session file under that folder, as `redline handoff` does by itself: for a
session that starts from the file, with all rules confirmed. A file, a git commit, an error line and
a rule count where they are read back from the Markdown as they are, a prompt where it is read back
whole or, above 400 tokens, by its two ends with the place of the whole. Targets: 100 % of each; at
most 6,000 tokens (as its model counts them, `context.weighing`) or 1.5 times the agent's own last
summary; 0.5 s of work from the file to the Markdown. The best of three runs in one process, and the
first, which loads what the others find loaded.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from redline.agents.opening import open_session, scan
from redline.context.weighing import weigh
from redline.errors import RedlineError
from redline.facts.compacted import summary_of
from redline.facts.extract import extract
from redline.facts.fact import Facts
from redline.handoff.auditing import audit
from redline.handoff.markdown import parse, render
from redline.handoff.offline import write
from redline.handoff.quoting import LONGEST, quoted, tokens
from redline.ledger.detect import detect
from redline.ledger.rule import Ledger, RuleState
from redline.model import CompactionKind, Session, SessionInfo
from redline.redaction import redact
from redline.settings import Settings

RUNS = 3
SECONDS = 0.5
TOKENS, OF_OWN = 6_000, 1.5
CLASSES = ("prompts", "rules", "files", "commits", "errors")


@dataclass
class Figures:
    """Of one file: by class (found, of); tokens, how many are allowed; seconds of each run."""

    kept: dict[str, tuple[int, int]]
    tokens: int
    allowed: int
    own: int
    seconds: list[float] = field(default_factory=list)
    audited: bool = True
    lost: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        whole = all(found == of for found, of in self.kept.values())
        return whole and self.tokens <= self.allowed and min(self.seconds) < SECONDS


def main() -> int:
    head = "".join(f"{name:>9}" for name in CLASSES)
    print(f"{'file':<44}{head}  tokens (most)   own summary   s (first)  audit")
    sums = dict.fromkeys(CLASSES, (0, 0))
    good = True
    for name_shown, where in _sessions():
        try:
            figures = _measured(where)
        except RedlineError as error:
            print(f"{name_shown:<44}  {error.message}")
            continue
        good &= figures.good
        for name, (found, of) in figures.kept.items():
            sums[name] = (sums[name][0] + found, sums[name][1] + of)
        shown = "".join(f"{_share(*figures.kept[name]):>9}" for name in CLASSES)
        times = f"{min(figures.seconds):.2f} ({figures.seconds[0]:.2f})"
        size = f"{figures.tokens:>6} ({figures.allowed})"
        print(
            f"{name_shown:<44}{shown}  {size:<15}{figures.own or '-':>9}   {times:<12} "
            f"{'ok' if figures.audited else 'not ok'}{'' if figures.good else '  <--'}"
        )
        for lost in figures.lost[:5]:
            print(f"    lost: {lost[:120]!r}")
    print(f"{'all':<44}" + "".join(f"{_share(*sums[name]):>9}" for name in CLASSES))
    for name, (found, of) in sums.items():
        print(f"  {name:<8} {found} of {of}, {100 * found / max(1, of):.1f} %")
    return 0 if good else 1


def _share(found: int, of: int) -> str:
    return f"{found}/{of}" if of else "-"


def _measured(where: Path | SessionInfo) -> Figures:
    times: list[float] = []
    for _ in range(RUNS):
        start = time.perf_counter()
        session = open_session(where)
        facts = extract(session)
        ledger = detect(session)
        ledger = Ledger(tuple(replace(rule, state=RuleState.ACTIVE) for rule in ledger.live))
        text = render(write(session, None, facts, ledger))
        times.append(time.perf_counter() - start)
    own = _own_summary(session)
    kept, lost = _kept(text, facts, ledger)
    found = audit(session, None, text, ledger, facts)
    allowed = max(TOKENS, round(own * OF_OWN))
    weight = weigh(text, session, Settings(), {})
    return Figures(kept, weight, allowed, own, times, found.ok, lost)


def _own_summary(session: Session) -> int:
    past = [one for one in session.compactions if one.kind is not CompactionKind.MICRO]
    try:
        return weigh(summary_of(session, past[-1]), session, Settings(), {}) if past else 0
    except RedlineError:
        return 0


def _kept(text: str, facts: Facts, ledger: Ledger) -> tuple[dict[str, tuple[int, int]], list[str]]:
    handoff = parse(text)
    words = {_plain(item.text) for item in handoff.user_words}
    rules = {_plain(rule.text) for rule in handoff.constraints if rule.confirmed}
    errors = {_plain(item.message) for item in handoff.errors if not item.resolution}
    named = " ".join([*handoff.done, *handoff.anchors.commits])
    wanted: dict[str, list[tuple[str, Callable[[str], bool]]]] = {
        "prompts": [(form, words.__contains__) for form in _prompts(facts)],
        "rules": [(_clean(rule.text), rules.__contains__) for rule in ledger.active],
        "files": [(fact.path, handoff.files.changed.__contains__) for fact in facts.changed],
        "commits": [(fact.sha, named.split().__contains__) for fact in facts.commits],
        "errors": [(_clean(fact.line), errors.__contains__) for fact in facts.open_errors],
    }
    kept: dict[str, tuple[int, int]] = {}
    lost: list[str] = []
    for name, items in wanted.items():
        distinct = dict(items)
        gone = [item for item, there in distinct.items() if not there(item)]
        if name == "commits":  # `sha: subject` in what was done
            gone = [sha for sha in gone if f"{sha}:" not in named]
        lost += gone
        kept[name] = (len(distinct) - len(gone), len(distinct))
    return kept, lost


def _prompts(facts: Facts) -> Iterator[str]:
    for prompt in facts.prompts:
        text = redact(prompt.text).text
        yield _plain(quoted(text, prompt.message) if tokens(text) > LONGEST else text)


def _clean(text: str) -> str:
    return _plain(redact(text).text)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _sessions() -> Iterator[tuple[str, Path | SessionInfo]]:
    """Every session with the name it is shown by; a file may hold several."""
    for file in _files():
        infos = scan(file, titles=False)
        if len(infos) < 2:
            yield file.name[:43], file
        else:
            yield from ((f"{file.name}: {info.id}"[:43], info) for info in infos)


def _files() -> Iterable[Path]:
    if len(sys.argv) > 1:
        return map(Path, sys.argv[1:])
    folder = os.environ.get("REDLINE_REAL_SESSIONS")
    if not folder:
        sys.exit("name session files, or the folder of real ones in REDLINE_REAL_SESSIONS")
    found = sorted(path for kind in ("*.jsonl", "*.db") for path in Path(folder).rglob(kind))
    return (path for path in found if "subagents" not in path.parts)


if __name__ == "__main__":
    sys.exit(main())
