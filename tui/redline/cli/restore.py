"""`redline restore`: a session as it was before its agent's own compaction, or a repaired copy."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from redline.cli.recovering import writing_place
from redline.cli.resumable import written
from redline.errors import RedlineError

if TYPE_CHECKING:
    from redline.model import Session


def run(options: argparse.Namespace) -> int:
    from redline.compaction.whole import whole
    from redline.targets.native.native import work_of

    place = writing_place(dry_run=options.dry_run)
    now = place.session(options.session)
    session = _repaired(now, options) if options.repair else _before(now, options)
    window = place.window(session)
    work = work_of(
        session,
        whole(session),
        "",
        now=datetime.now(UTC),
        environment=place.environment,
        window=window,
    )
    used = window.used if session is now else place.window(now).used
    return written(work, place, options, before=used, after=window.used)


def _repaired(session: Session, options: argparse.Namespace) -> Session:
    """The session as a process that still runs has it. Raises RedlineError with status 1 where its
    agent would find all of that by itself."""
    if options.before is not None:
        raise RedlineError(
            "--repair copies the context as it is now, --before as it was then", "leave one out"
        )
    if not session.resume_lost:
        raise RedlineError(
            f"nothing to repair: {session.info.agent.value} finds all "
            f"{len(session.context):,} messages of the context when it resumes the session",
            status=1,
        )
    return session


def _before(session: Session, options: argparse.Namespace) -> Session:
    """The session as it was before the compaction that is asked for, by default its last one."""
    from redline.agents.opening import open_session

    count = len(session.compactions)
    if not count:
        raise RedlineError(
            "nothing to restore: the agent has not compacted this session",
            "--repair copies a session whose chain is broken",
            status=1,
        )
    return open_session(session.info, before=options.before or count)
