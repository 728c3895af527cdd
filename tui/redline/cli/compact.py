"""`redline compact`: the session in its agent's own form, compacted by the plan, to be resumed."""

from __future__ import annotations

import argparse
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


def run(options: argparse.Namespace) -> int:
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
    review = _with_handoff(review, place, options)
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
    if after >= review.window.used:
        note(
            f"redline: it frees nothing: about {after:,} tokens then, {review.window.used:,} now; "
            "another --strategy or a smaller --tail may"
        )
    return written(work, place, options, before=review.window.used, after=after)


def _with_handoff(review: Review, place: Workplace, options: argparse.Namespace) -> Review:
    """`review` with the handoff that the command line names, or else one by the writer; as it is
    where the plan puts none into the context."""
    if review.plan.summary_at is None:
        if options.handoff or options.writer:
            note("redline: the plan puts no summary into the context: no handoff is written")
        return review
    review = review.with_focus(as_typed(options.focus))
    if options.handoff:
        return review.with_text(handoff_text(Path(options.handoff)))
    return written_with(options.writer or place.settings.writer, place, review, None)[0]
