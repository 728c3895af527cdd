"""`redline remember`: what a session came to, merged into its project's `.agent/memory.json`."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.cli.output import SCHEMA, console, note, print_json
from redline.cli.workplace import workplace
from redline.cli.writing import written_with
from redline.errors import RedlineError
from redline.files import expanded
from redline.text import printable, safe

if TYPE_CHECKING:
    from redline.handoff.handoff import Handoff
    from redline.review import Review


def run(options: argparse.Namespace) -> int:
    from redline.review import Choice
    from redline.targets.commit import commit
    from redline.targets.difference import difference
    from redline.targets.memory_json import MemoryJson, memory_file

    if options.json and options.dry_run:
        raise RedlineError("--json tells which file was written", "leave out --dry-run")
    place = workplace()
    session = place.session(options.session)
    to = place.cwd / expanded(options.to) if options.to else memory_file(session.info)
    review = place.review(session, Choice("fresh"), tokens=False)
    if options.handoff:
        handoff = _handoff(Path(options.handoff))
    else:
        review, _ = written_with(options.writer or place.settings.writer, place, review, None)
        handoff = _with_ids(review)
    ledger = review.ledger
    target = MemoryJson(
        handoff,
        to=to,
        facts=review.facts,
        retired=[
            name
            for rule in ledger.rules
            if rule not in ledger.live
            for name in (rule.id, rule.text)
        ],
        keep_original=options.keep_original,
        inside=None if options.to else Path(session.info.project or "/"),
    )
    changes = target.previews()
    for change in changes:
        for warning in change.warnings:
            note(f"redline: {warning}")
    path = changes[0].path
    assert path is not None
    if options.dry_run:
        for change in changes:
            console().print("\n".join(safe(line) for line in difference(change)))
        return 0
    receipt = commit(changes, session=session.info, places=place.places, now=datetime.now(UTC))
    if options.json:
        warnings = [warning for change in changes for warning in change.warnings]
        made = {"path": str(path), "receipt": receipt.id or None, "warnings": warnings}
        print_json({"schema": SCHEMA, **made})
        return 0
    if not receipt.id:
        note(f"redline: {path} already says so, nothing to write")
        return 0
    print(printable(str(path)))
    note(f"redline: take it back with `redline undo {receipt.id}`")
    return 0


def _handoff(path: Path) -> Handoff:
    """The handoff in a file. Raises RedlineError where there is none."""
    from redline.cli.handoff_text import handoff_text
    from redline.handoff.markdown import parse

    return parse(handoff_text(path))


def _with_ids(review: Review) -> Handoff:
    """The handoff as it was written, with the ids of its rules."""
    from redline.handoff.markdown import carry_sources, parse

    handoff = parse(review.text)
    return carry_sources(handoff, review.handoff) if review.handoff else handoff
