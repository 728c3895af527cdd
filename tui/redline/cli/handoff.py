"""`redline handoff`: the structured summary, written without a model or by a writer."""

from __future__ import annotations

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.cli.output import as_typed, console, note, print_json
from redline.cli.workplace import asks_for_plan, choice_of, workplace
from redline.cli.writing import report, written_with
from redline.errors import RedlineError
from redline.text import printable, safe

if TYPE_CHECKING:
    from redline.cli.workplace import Workplace
    from redline.handoff.budget import Budget
    from redline.review import Review
    from redline.targets.target import Change


def run(options: argparse.Namespace) -> int:
    from redline.targets.commit import commit
    from redline.targets.difference import difference
    from redline.targets.handoff_file import HandoffFile
    from redline.targets.streams import Clipboard, StandardOutput

    if options.json and (options.output == "-" or options.copy or options.dry_run):
        raise RedlineError(
            "--json tells which file was written", "leave out --dry-run, --copy or `-o -`"
        )
    place = workplace()
    session = place.opened(options)
    default = None if asks_for_plan(options) else "fresh"
    choice = choice_of(options, place, session, default=default)
    review = place.review(session, choice, tokens=False).with_focus(as_typed(options.focus))
    review, written = written_with(
        options.writer or place.settings.writer, place, review, _budget(options, place, review)
    )
    text = document(review, options.format or _format(options.output))
    if options.output == "-":
        output = StandardOutput(text, write=_standard_output)
        _warn(output.preview())
        output.put()
        return 0
    if options.copy:
        clipboard = Clipboard(text, environment=place.environment, write=_terminal)
        _warn(clipboard.preview())
        note(f"redline: {clipboard.put()}")
        return 0
    target = HandoffFile(
        text,
        session=session.info,
        places=place.places,
        folder=place.settings.handoffs,
        now=datetime.now(UTC),
        to=Path(options.output) if options.output else None,
        form=options.format or _format(options.output),
        replace=options.replace,
    )
    change = target.preview()
    _warn(change)
    if options.dry_run:
        console().print("\n".join(safe(line) for line in difference(change)))
        return 0
    receipt = commit((change,), session=session.info, places=place.places, now=datetime.now(UTC))
    if options.json:
        print_json({**report(written), "path": str(change.path), "receipt": receipt.id or None})
        return 0
    print(printable(str(change.path)))
    if receipt.id:  # another redline may have written just that meanwhile
        note(f"redline: take it back with `redline undo {receipt.id}`")
    return 0


def _budget(options: argparse.Namespace, place: Workplace, review: Review) -> Budget | None:
    """How long the handoff may be, None where nothing was asked."""
    from redline.handoff.budget import budget_of

    if options.budget is None:
        return None
    return budget_of(
        options.budget,
        review.session,
        place.settings,
        place.environment,
        used=review.window.used,
    )


def _warn(change: Change) -> None:
    for warning in change.warnings:
        note(f"redline: {warning}")


def document(review: Review, form: str) -> str:
    """The handoff of `review` as a file: with what the plan keeps word for word."""
    from redline.handoff.document import as_json, as_markdown

    if form == "json":
        return as_json(review.text, review.session, review.plan, review.handoff)
    return as_markdown(review.text, review.session, review.plan)


def _format(output: str | None) -> str:
    return "json" if output and output.endswith(".json") else "md"


def _standard_output(text: str) -> None:
    sys.stdout.write(text)


def _terminal(sequence: str) -> None:
    sys.stderr.write(sequence)
    sys.stderr.flush()
