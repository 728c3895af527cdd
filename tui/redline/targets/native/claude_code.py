"""Claude Code's own form: a new session file beside the original (`claude --resume ID`)."""

from __future__ import annotations

from redline.errors import RedlineError
from redline.targets.native.draft import Draft, Work


def draft(work: Work) -> Draft:
    """See `forms.draft_of`."""
    raise RedlineError(f"{work.session.info.id} cannot be written yet")
