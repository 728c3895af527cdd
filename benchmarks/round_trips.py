"""Prints how sessions come back that redline wrote in their agents' own form.

    REDLINE_REAL_SESSIONS=FOLDER python benchmarks/round_trips.py

Every session file of that folder, of the samples, and each session of Hermes' databases there is
compacted by each strategy, as it is now (beside it, and in its place where its agent allows that)
and as it was before each compaction of its agent, and written anew whole. What was written is
opened again, and what the plan keeps is compared: `parts` are those that stay, `tokens` theirs and
the summary's (o200k), `word for word` how many tokens of them stay as they were, `lost` and `added`
the tokens that are in one of the two only. A plan for which an agent has no form is `refused`, with
the reason below the table. Exit status 1 where anything differs.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tui"), str(ROOT)]

from tests.targets.native.making import review_of, whole_work, work  # noqa: E402

from redline.agents.opening import open_session, recognise, scan  # noqa: E402
from redline.context.tokenizer import tokenizer  # noqa: E402
from redline.errors import RedlineError  # noqa: E402
from redline.model import Agent, Kind, PartType, Session, SessionInfo  # noqa: E402
from redline.shipped import shipped  # noqa: E402
from redline.targets.native.draft import Draft, Work  # noqa: E402
from redline.targets.native.forms import draft_of  # noqa: E402

STRATEGIES = ("redline", "claude-code", "codex", "pi", "hermes", "clear", "scored")
AGENTS = (Agent.CLAUDE_CODE, Agent.CODEX, Agent.PI, Agent.HERMES)
Said = tuple[str, str, str]  # role, kind of part and call, text


@dataclass(slots=True)
class Tally:
    """What came of the plans of one file."""

    sessions: int = 0
    plans: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    parts: int = 0
    tokens: int = 0
    whole: int = 0
    lost: int = 0
    added: int = 0

    def __iadd__(self, other: Tally) -> Tally:
        for name in ("sessions", "plans", "parts", "tokens", "whole", "lost", "added"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.refused += other.refused
        return self

    def row(self, agent: str, name: str) -> str:
        refused = sum(self.refused.values())
        return (
            f"{agent:<12} {name[:40]:<40} {self.sessions:>4} {self.plans:>5} {refused:>7} "
            f"{self.parts:>7,} {self.tokens:>10,} {self.whole:>13,} {self.lost:>5} {self.added:>5}"
        )


def main() -> None:
    real = os.environ.get("REDLINE_REAL_SESSIONS", "")
    if not real:
        sys.exit("REDLINE_REAL_SESSIONS names no folder of session files")
    print(
        f"{'agent':<12} {'file':<40} {'have':>4} {'plans':>5} {'refused':>7} {'parts':>7} "
        f"{'tokens':>10} {'word for word':>13} {'lost':>5} {'added':>5}"
    )
    total: dict[Agent, Tally] = {}
    with tempfile.TemporaryDirectory() as scratch:
        for agent, path in files(Path(real), Path(scratch)):
            tally = of_file(path)
            total.setdefault(agent, Tally()).__iadd__(tally)
            print(tally.row(agent.value, path.stem), flush=True)
    whole = Tally()
    for agent, tally in total.items():
        whole += tally
        print(tally.row(agent.value, "all of them"))
    print(whole.row("all", ""))
    for reason, count in whole.refused.most_common():
        print(f"refused {count:>4}  {reason}")
    sys.exit(1 if whole.lost or whole.added else 0)


def files(real: Path, scratch: Path) -> Iterator[tuple[Agent, Path]]:
    """Every file with a session in it, by agent; databases as copies, which may be opened."""
    found: list[tuple[Agent, Path]] = []
    for base in (real, shipped("sample_sessions")):
        for path in sorted([*base.rglob("*.jsonl"), *base.rglob("*.db")]):
            own = path
            if path.suffix == ".db":
                own = scratch / path.name
                shutil.copyfile(path, own)
            infos = scan(own, titles=False)
            if infos and infos[0].agent in AGENTS:
                found.append((infos[0].agent, own))
    yield from sorted(found, key=lambda one: AGENTS.index(one[0]))


def of_file(path: Path) -> Tally:
    tally = Tally()
    for info in scan(path, titles=False):
        session = open_session(info)
        if not session.context:
            continue
        tally.sessions += 1
        for before in (None, *range(1, len(session.compactions) + 1)):
            try:
                view = open_session(info, before=before)
            except RedlineError as error:
                tally.refused[reason(error, info)] += 1
                continue
            for task in tasks(view, info, before):
                try:
                    tally += compared(task)
                except RedlineError as error:
                    tally.refused[reason(error, info)] += 1
    return tally


def reason(error: RedlineError, info: SessionInfo) -> str:
    text = error.message.replace(str(info.path), "the file").replace(info.id, "ID")
    return re.sub(r"\d+", "N", text)[:150]


def tasks(view: Session, info: SessionInfo, before: int | None) -> Iterator[Work]:
    """The work for every plan that changes something, and for the whole."""
    environment = {"HOME": "/nowhere"}
    yield whole_work(view, environment)
    for strategy in STRATEGIES:
        review = review_of(info, strategy, before=before)
        if review.plan.changes and (review.plan.staying or review.plan.summary_at is not None):
            yield work(review, environment)
            if before is None and info.agent in (Agent.PI, Agent.HERMES):
                yield work(review, environment, in_place=True)


def compared(task: Work) -> Tally:
    """What was written against what the plan says."""
    draft = draft_of(task)
    with tempfile.TemporaryDirectory() as folder:
        made = open_session(recognise(draft.put(Path(folder)), draft.id))
        there = joined(found(made, draft, task))
    wanted = joined(planned(draft, task))
    tally = Tally(plans=1, parts=sum(1 for _ in planned(draft, task)))
    tally.tokens = sum(count(text) for _, _, text in wanted)
    tally.whole = sum(
        count(task.session.text(left.part))
        for stays in draft.stays
        for left in stays.parts
        if left.body is None
    )
    for tag, i, j, k, m in SequenceMatcher(None, wanted, there, autojunk=False).get_opcodes():
        if tag != "equal":
            tally.lost += sum(max(1, count(text)) for _, _, text in wanted[i:j])
            tally.added += sum(max(1, count(text)) for _, _, text in there[k:m])
    return tally


def planned(draft: Draft, task: Work) -> Iterator[Said]:
    """What stays, and the summary at its place."""
    at = task.plan.summary_at if draft.summary_at is None else draft.summary_at
    for number, stays in enumerate(draft.stays):
        if task.summary and number == at:
            yield ("", Kind.SUMMARY, task.summary)
        for left in stays.parts:
            if left.body == "" or (stays.index, left.part.index) in draft.left_out:
                continue
            type_ = PartType.TEXT if left.body and left.part.type is PartType.IMAGE else None
            body = task.session.text(left.part) if left.body is None else left.body
            named = f"{type_ or left.part.type} {left.part.call_id or ''}"
            yield (stays.message.role, named, body)
    if task.summary and at is not None and at >= len(draft.stays):
        yield ("", Kind.SUMMARY, task.summary)


def found(made: Session, draft: Draft, task: Work) -> Iterator[Said]:
    """What the session that was written says."""
    added, summary = list(draft.added), task.summary
    for message in made.context:
        for part in message.parts:
            text = made.text(part)
            if summary and part.kind is Kind.SUMMARY and summary in text:
                yield ("", Kind.SUMMARY, summary)
                summary = ""
            elif part.type is PartType.TEXT and text and text in added:
                added.remove(text)
            else:
                yield (message.role, f"{part.type} {part.call_id or ''}", text)


def joined(said: Iterator[Said]) -> list[Said]:
    """Texts of one role behind each other as one: readers may take them for several."""
    whole: list[Said] = []
    for role, named, text in said:
        if whole and named.startswith(PartType.TEXT) and whole[-1][:2] == (role, named):
            whole[-1] = (role, named, whole[-1][2] + text)
        else:
            whole.append((role, named, text))
    return whole


_counted: dict[str, int] = {}


def count(text: str) -> int:
    if text not in _counted:
        _counted[text] = tokenizer().count(text)
    return _counted[text]


if __name__ == "__main__":
    main()
