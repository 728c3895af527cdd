"""The sessions and handoffs of an evaluation as files, to be looked at."""

from __future__ import annotations

import re
from pathlib import Path

from redline.evaluate.evaluation import Progress
from redline.evaluate.finding import Standing
from redline.evaluate.rounds import Round
from redline.files import make_folders, write_atomic
from redline.model import Session
from redline.redaction import redact
from redline.text import printable

_NO_NAME = re.compile(r"[^A-Za-z0-9._%-]+")


def write_round(folder: Path, step: Progress) -> None:
    """Writes the session of a round, its handoff, and what became of each thing, into a folder of
    its trial and session below `folder`. Raises RedlineError where it cannot."""
    trial = step.trial
    words = "-".join(filter(None, (trial.strategy, trial.compactor.name, trial.asked or "none")))
    place = folder / _NO_NAME.sub("_", words) / f"session-{step.session + 1}"
    make_folders(place)
    number = step.round.number
    for name, text in (
        (f"{number}-session.txt", session_text(step.round.session)),
        (f"{number}-handoff.md", step.round.start),
        (f"{number}-things.txt", _things(step.round)),
    ):
        write_atomic(place / name, printable(text).encode())


def session_text(session: Session) -> str:
    """The context as text, without secrets."""
    lines = []
    for message in session.context:
        for part in message.parts:
            lines += [f"--- {message.role.value}, {part.kind.value}", session.text(part), ""]
    return redact("\n".join(lines)).text


def _things(one: Round) -> str:
    lines = []
    for verdict in one.verdicts:
        thing = verdict.thing
        standing = "there" if verdict.standing is Standing.CURRENT else verdict.standing.value
        lines.append(f"{standing:<22} {thing.kind.value:<11} {thing.current(one.number).text}")
        lines += [f"{'':<22} before      {older.text}" for older in thing.superseded(one.number)]
        if verdict.stale:
            lines.append(f"{'':<22} {verdict.stale} of these given as current")
    return "\n".join(lines) + "\n"
