"""`redline remember`: what a session came to, merged into its project's `.agent/memory.json`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.cli.output import SCHEMA, console, note, print_json
from redline.cli.recovering import writing_place
from redline.cli.writing import written_with
from redline.files import expanded
from redline.text import printable, safe

if TYPE_CHECKING:
    from redline.handoff.handoff import Handoff
    from redline.review import Review
    from redline.targets.target import Change


def run(options: argparse.Namespace) -> int:
    from redline.review import Choice
    from redline.targets.commit import commit
    from redline.targets.memory_json import MemoryJson, memory_file

    place = writing_place(dry_run=options.dry_run)
    session = place.session(options.session)
    to = place.cwd / expanded(options.to) if options.to else memory_file(session.info)
    review = place.review(session, Choice("fresh"), tokens=False)
    if options.handoff:
        handoff = _handoff(Path(options.handoff))
    else:
        review, _ = written_with(options.writer or place.settings.writer, place, review, None)
        handoff = _with_ids(review)
    target = MemoryJson(
        handoff,
        to=to,
        facts=review.facts,
        ended=review.ledger.ended,
        keep_original=options.keep_original,
        inside=None if options.to else Path(session.info.project or "/"),
    )
    changes = target.previews()
    if not options.json:
        for change in changes:
            for warning in change.warnings:
                note(f"redline: {warning}")
    path = changes[0].path
    assert path is not None
    empty = all(change.empty for change in changes)
    if options.dry_run or empty:
        if options.json:
            print_json(_report(changes, None))
        elif empty:
            note(f"redline: {path} already says so, nothing to write")
        else:
            console().print("\n".join(map(safe, _differences(changes))))
        return 0
    receipt = commit(changes, session=session.info, places=place.places, now=datetime.now(UTC))
    if options.json:
        print_json(_report(changes, receipt.id or None))
        return 0
    print(printable(str(path)))
    if receipt.id:  # another redline may have written just that meanwhile
        note(f"redline: `redline undo {receipt.id}` takes it back")
    return 0


def _differences(changes: Sequence[Change]) -> list[str]:
    from redline.targets.difference import difference

    return [line for change in changes for line in difference(change)]


def _report(changes: Sequence[Change], receipt: str | None) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "path": str(changes[0].path),
        "changed": not all(change.empty for change in changes),
        "receipt": receipt,
        "warnings": [warning for change in changes for warning in change.warnings],
        "difference": _differences(changes),
    }


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
