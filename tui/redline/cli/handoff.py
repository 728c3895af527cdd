"""`redline handoff`: the structured summary, written without a model or by a writer."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.cli.handoff_fitting import document, fitted
from redline.cli.output import SCHEMA, as_typed, console, note, print_json
from redline.cli.recovering import writing_place
from redline.cli.workplace import asks_for_plan, choice_of
from redline.cli.writing import report, written_with
from redline.errors import RedlineError
from redline.secrets.known_forms import get_ready
from redline.text import printable, safe

if TYPE_CHECKING:
    from redline.cli.workplace import Workplace
    from redline.handoff.budget import Budget, Size
    from redline.handoff.writers.writing import Written
    from redline.review import Review
    from redline.targets.handoff_frame import Framing
    from redline.targets.target import Change

_LARGE = 300_000  # bytes of a session that most likely holds a text to be searched for secrets


def run(options: argparse.Namespace) -> int:
    if options.json and (options.output == "-" or options.copy or options.dry_run):
        raise RedlineError(
            "--json tells which file was written", "leave out --dry-run, --copy or `-o -`"
        )
    if options.fit is not None and options.budget is not None:
        raise RedlineError("--fit is of the whole file, --budget of the summary", "leave one out")
    if not options.latest and _size(options.session) > _LARGE:
        get_ready()
    place = writing_place(dry_run=options.dry_run)
    if options.latest:
        return _latest(options, place)
    session = place.opened(options)
    if session.info.size > _LARGE:
        get_ready()
    default = None if asks_for_plan(options) else "fresh"
    choice = choice_of(options, place, session, default=default)
    counted = options.fit is not None or _of_the_context(options.budget)
    review = place.review(session, choice, tokens=counted).with_focus(as_typed(options.focus))
    form = options.format or _format(options.output)
    from redline.targets.handoff_frame import Framing

    maker = _Maker(options, place, review, form, Framing.of(session.info, place.environment))
    if options.output == "-":
        from redline.targets.streams import StandardOutput

        output = StandardOutput(maker.text(None), write=_standard_output)
        _warn(output.preview())
        output.put()
        return 0
    if options.copy:
        from redline.targets.streams import Clipboard

        clipboard = Clipboard(maker.text(None), environment=place.environment, write=_terminal)
        _warn(clipboard.preview())
        note(f"redline: {clipboard.put()}")
        return 0
    from redline.targets.handoff_file import HandoffFile

    target = HandoffFile(
        maker.text,
        session=session.info,
        places=place.places,
        folder=place.settings.handoffs,
        now=datetime.now(UTC),
        to=Path(options.output) if options.output else None,
        form=form,
        replace=options.replace,
        environment=place.environment,
    )
    maker.make(target.place())
    return _written(target.previews(), maker, options, place)


def _latest(options: argparse.Namespace, place: Workplace) -> int:
    """Tells the newest handoff that was written for the session's project."""
    from redline.targets.handoff_file import latest_handoff
    from redline.targets.starting import command_line, starts

    info = place.named(options.session)
    path = latest_handoff(place.settings.handoffs or place.places.handoffs, info.project)
    if path is None:
        raise RedlineError(
            f"there is no handoff of {info.project or 'a session without a project'} yet",
            f"write one: redline handoff {options.session}",
            status=1,
        )
    if options.json:
        print_json({"schema": SCHEMA, "path": str(path), "start": list(starts(path))})
        return 0
    print(printable(str(path)))
    note(f"redline: go on with it: {command_line(info, path)}")
    return 0


def _written(
    changes: tuple[Change, ...], maker: _Maker, options: argparse.Namespace, place: Workplace
) -> int:
    """Writes the file, and what keeps it out of git, or shows them."""
    from redline.targets.commit import commit
    from redline.targets.difference import difference
    from redline.targets.starting import command_line, starts

    for change in changes:
        _warn(change)
    if options.dry_run:
        for change in changes:
            console().print("\n".join(safe(line) for line in difference(change)))
        return 0
    info, path = maker.review.session.info, changes[0].path
    assert path is not None
    receipt = commit(changes, session=info, places=place.places, now=datetime.now(UTC))
    if options.json:
        made = {"path": str(path), "receipt": receipt.id or None, "start": list(starts(path))}
        print_json({**report(maker.written), **made, "fit": maker.fit})
        return 0
    print(printable(str(path)))
    if receipt.id:  # another redline may have written just that meanwhile
        note(f"redline: take it back with `redline undo {receipt.id}`")
    note(f"redline: go on with it: {command_line(info, path)}")
    return 0


class _Maker:
    """Makes the file's text, once the summary is written, for the path it will have."""

    def __init__(
        self,
        options: argparse.Namespace,
        place: Workplace,
        review: Review,
        form: str,
        framing: Framing,
    ) -> None:
        self.review = review
        self.written: Written | None = None
        self.fit: dict[str, object] | None = None
        self._options = options
        self._place = place
        self._form = form
        self._framing = framing
        self._text: Callable[[Path | None], str] | None = None

    def make(self, path: Path | None) -> None:
        """Has the summary written; `path` is where the file is expected to lie."""
        options, place = self._options, self._place
        writer = options.writer or place.settings.writer
        if options.fit is not None:
            found = fitted(options.fit, writer, self._form, place, self.review, self._framing, path)
            self.review, self.written, self._text = found.review, found.written, found.text
            self.fit = found.told(options.fit, place.weight(found.text(path), self.review.session))
            _tell_left_out(self.review)
            return
        budget = _budget(options, place, self.review)
        self.review, self.written = written_with(writer, place, self.review, budget)
        if budget is not None:
            _tell_left_out(self.review)

        def whole(at: Path | None) -> str:
            return document(self.review, self._form, self._framing.frames(at)[0])

        self._text = whole

    def text(self, path: Path | None) -> str:
        """The whole text of the file at `path`; None for one that is in no file."""
        if self._text is None:
            self.make(path)
        assert self._text is not None
        return self._text(path)


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


def _of_the_context(size: Size | None) -> bool:
    """Whether the summary may be as long as a share of the context."""
    if size is None:
        return False
    from redline.handoff.budget import Unit

    return size.unit is Unit.SHARE


def _tell_left_out(review: Review) -> None:
    """Says on standard error how many rules the handoff has no room for."""
    from redline.handoff.left_out import rules_left_out, warning

    assert review.handoff is not None
    if missed := rules_left_out(review.handoff, review.ledger, review.facts):
        note(f"redline: {warning(len(missed))}")


def _warn(change: Change) -> None:
    for warning in change.warnings:
        note(f"redline: {warning}")


def _size(name: str) -> int:
    """Bytes of the file `name`; 0 where it is none."""
    try:
        return os.stat(name).st_size
    except (OSError, ValueError):
        return 0


def _format(output: str | None) -> str:
    return "json" if output and output.endswith(".json") else "md"


def _standard_output(text: str) -> None:
    sys.stdout.write(text)


def _terminal(sequence: str) -> None:
    sys.stderr.write(sequence)
    sys.stderr.flush()
