"""`redline compact`: the session in its agent's own form, compacted by the plan, to be resumed."""

from __future__ import annotations

import argparse
from collections import Counter
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.cli.handoff_text import handoff_text
from redline.cli.output import as_typed, note
from redline.cli.recovering import writing_place
from redline.cli.resumable import written
from redline.cli.workplace import choice_of
from redline.cli.writing import written_with
from redline.errors import RedlineError

if TYPE_CHECKING:
    from redline.cli.workplace import Workplace
    from redline.review import Review

_WAY = "`redline handoff SESSION -o FILE` writes one to edit"


def run(options: argparse.Namespace) -> int:
    from redline.targets.native.heavy import frees_nothing
    from redline.targets.native.native import work_of

    place = writing_place(dry_run=options.dry_run)
    session = place.opened(options)
    review = place.review(session, choice_of(options, place, session))
    if not review.plan.changes:
        raise RedlineError(
            f"nothing to compact: the plan by {review.plan.strategy!r} keeps everything",
            "choose another --strategy or --tail, or name messages with --clear or --summarise",
            status=1,
        )
    review, told = _with_handoff(review, place, options)
    work = work_of(
        session,
        review.plan,
        review.text,
        now=datetime.now(UTC),
        environment=place.environment,
        in_place=options.in_place,
        keep_time=options.keep_time,
        window=review.window,
    )
    weight = place.weight(work.summary, session) if work.summary else 0
    after = review.tokens().after_without_summary + weight
    warnings = list(told.warnings)
    if said := frees_nothing(after, review.window.used):
        if options.in_place and not options.force:
            raise RedlineError(
                said,
                "choose another --strategy or a smaller --tail; --force compacts it in place all "
                "the same",
                status=1,
            )
        warnings.append(f"{said}; another --strategy or a smaller --tail may")
    return written(
        work,
        place,
        options,
        before=review.window.used,
        after=after,
        warnings=warnings,
        rules=told.rules,
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """What is to be said of the summary. `rules` are the confirmed ones that it did not have, None
    where it was not looked for any."""

    warnings: tuple[str, ...] = ()
    rules: tuple[str, ...] | None = None


def _with_handoff(
    review: Review, place: Workplace, options: argparse.Namespace
) -> tuple[Review, _Told]:
    """`review` with the handoff that the command line names, or else one by the writer, and what is
    to be said of it; as it is where the plan puts none into the context."""
    if review.plan.summary_at is None:
        if options.handoff or options.writer:
            note("redline: the plan puts no summary into the context: no handoff is written")
        return review, _Told()
    review = review.with_focus(as_typed(options.focus))
    if not options.handoff:
        return written_with(options.writer or place.settings.writer, place, review, None)[
            0
        ], _Told()
    return _handed_in(review, options)


def _handed_in(review: Review, options: argparse.Namespace) -> tuple[Review, _Told]:
    """`review` with the handoff of `--handoff`, with the confirmed rules that it lacks unless the
    person wants it without, and audited. Raises RedlineError where it is none."""
    from redline.handoff.handed_rules import is_handoff, with_rules

    text = handoff_text(Path(options.handoff))
    if not text.strip():
        raise RedlineError(f"the handoff {options.handoff} is empty: it would retell nothing", _WAY)
    warnings = []
    if not is_handoff(text):
        said = f"{options.handoff} is no handoff: it has none of its sections"
        if not options.force:
            raise RedlineError(said, f"{_WAY}; --force takes the file as it is")
        warnings.append(said)
    found = with_rules(text, review.ledger, review.facts)
    how = "is left out" if options.without_rules else "was put in"
    warnings += [f"a confirmed rule that the handoff lacks {how}: {r}" for r in found.missing]
    review = review.with_text(text if options.without_rules else found.text).audited()
    return review, _Told((*warnings, *_lost(review)), found.missing)


def _lost(review: Review) -> tuple[str, ...]:
    """A warning of what is lost that should not be, besides rules."""
    from redline.handoff.audit import AuditClass, Verdict

    assert review.audit is not None
    lost = Counter(
        item.cls.value.replace("_", " ")
        for item in review.audit.items
        if item.required and item.verdict is not Verdict.VERBATIM and item.cls != AuditClass.RULE
    )
    if not lost:
        return ()
    named = ", ".join(f"{number} {what}" for what, number in lost.items())
    return (
        f"neither the handoff nor what stays holds all word for word that it should ({named}): "
        "`redline audit SESSION --handoff FILE` lists it",
    )
