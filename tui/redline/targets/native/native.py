"""The agent's own session as a target: compacted by a plan, so that the agent can resume it."""

from __future__ import annotations

import shlex
import uuid
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from redline.agents.live_words import live_reason
from redline.agents.liveness import mark_live
from redline.agents.opening import reopen
from redline.compaction.plan import Action, Plan
from redline.context.window import Window
from redline.errors import RedlineError
from redline.model import Session
from redline.targets.native.checking import check
from redline.targets.native.draft import Draft, Work
from redline.targets.native.forms import draft_of, summary_of
from redline.targets.native.heavy import heavy
from redline.targets.target import FILE, Change
from redline.text import counted

NATIVE = "session"


def _random_id() -> str:
    return str(uuid.uuid4())


def work_of(
    session: Session,
    plan: Plan,
    text: str,
    *,
    now: datetime,
    environment: Mapping[str, str],
    in_place: bool = False,
    keep_time: bool = False,
    window: Window | None = None,
    new_id: Callable[[], str] = _random_id,
) -> Work:
    """The work of writing `session` by `plan`, with the handoff `text` (Markdown, as edited) as its
    summary where the plan puts one into the context. With the `window` of `session` a size at which
    its agent would compact it again is warned of."""
    told = plan.summary_at is not None
    summary = summary_of(session.info.agent, text) if told else ""
    return Work(session, plan, summary, now, environment, new_id, in_place, keep_time, window)


class NativeSession:
    """Writes the session of `work` in its agent's own form. `draft` is what `preview` last made."""

    def __init__(self, work: Work) -> None:
        self.name = NATIVE
        self.work = work
        self.draft: Draft | None = None

    def preview(self) -> Change:
        """The new session, read back and found to be what the plan says.

        Raises RedlineError where the agent has no such form, the plan does not fit into it, or what
        was made is not what the plan says.
        """
        if not self.work.plan.staying and not self.work.summary:
            raise RedlineError(
                f"the plan by {self.work.plan.strategy!r} leaves nothing in the context",
                "write a handoff file, and start a new session with it",
            )
        draft = draft_of(self.work)
        check(draft, self.work)
        self.draft = draft
        warnings = (*draft.warnings, *_untold(self.work), *_heavy(self.work), *later(self.work))
        if draft.change is not None:
            return replace(draft.change, warnings=(*draft.change.warnings, *warnings))
        return Change(
            target=self.name,
            label=f"{draft.agent.value} session {draft.id}",
            after=draft.data,
            path=draft.path,
            named=draft.path,
            mode=0o600,
            warnings=warnings,
            kind=FILE,
            folders=True,
        )


def command(draft: Draft) -> str:
    """The command line that resumes the draft once it is written."""
    words = shlex.join(draft.argv)
    return words if draft.folder is None else f"cd {shlex.quote(str(draft.folder))} && {words}"


def later(work: Work) -> tuple[str, ...]:
    """Warnings of a session that goes on: at which message it was taken, and how many messages have
    come since."""
    session = work.session
    if session.asked_leaf is not None or session.before is not None:
        return ()
    (info,) = mark_live([session.info], work.environment, work.now)
    since = _since(session)
    if not info.live and not since:
        return ()
    said = f"taken at message {work.taken_at}"
    if since:
        said += f"; {counted(since, 'message')} came after it and will not be in it"
    if info.live:
        open_ = live_reason(info.live_by)
        said += f"; the session is open ({open_}): what it says from now on is not in it"
    return (said,)


def _untold(work: Work) -> tuple[str, ...]:
    """A warning of what is retold nowhere, because there is no summary in the context."""
    if work.summary:
        return ()
    actions = work.plan.actions
    told = actions.count(Action.SUMMARISE) + actions.count(Action.QUOTE)
    if not told:
        return ()
    why = f"the plan by {work.plan.strategy!r} puts no summary into the context"
    if work.plan.summary_at is not None:
        why = "the summary is empty"
    return (f"{counted(told, 'message')} to be retold or quoted would be gone: {why}",)


def _heavy(work: Work) -> tuple[str, ...]:
    if work.window is None:
        return ()
    return heavy(work.plan, work.window, work.summary, work.environment)


def _since(session: Session) -> int:
    """How many messages its file holds by now that the session does not."""
    try:
        now = reopen(session)
    except RedlineError:
        return 0
    if now is session:
        return 0
    known = {message.id for message in session.context}
    return sum(message.id not in known for message in now.context)
