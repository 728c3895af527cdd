"""What the summary before this handoff said, in short: summaries must not nest and grow."""

from __future__ import annotations

import re

from redline.compaction.plan import Action, Plan
from redline.errors import RedlineError
from redline.model import CompactionKind, Kind, PartType, PastCompaction, Session

_CHARS = 1_500
_THEN = " then (all above is newer, and may have finished what is pending here)"
# Sections of the agents' summaries that say where the work stood.
_STATE = re.compile(
    r"(?im)^[#*\d. \t]*(?:current (?:work|state)|pending tasks|next steps?|in progress|goal|"
    r"optional next step)\b[^\n:：]{0,40}[:：]?\**[ \t]*$"
)
_HEADING = re.compile(r"(?m)^(?:#{1,6} |\d{1,2}\. |\*\*)[^\n]*$")


def previous_summary(session: Session, plan: Plan | None, given: str) -> tuple[str, str]:
    """Which summary came before and what state it told, and the id of its message ("" if none).

    `given` is an earlier handoff; otherwise it is the session's own last compaction. A summary
    that the plan keeps is only named.
    """
    if given.strip():
        return f"An earlier handoff said{_THEN}:\n\n{_state(given)}", ""
    past = [c for c in session.compactions if c.kind is not CompactionKind.MICRO]
    if not past:
        return "", ""
    last = past[-1]
    name = f"Compaction {len(past)} of this session ({_how(last)})"
    if last.summary is None:
        return f"{name}; its summary cannot be read.", ""
    place = plan.outline.index.get(last.summary.id) if plan is not None else None
    if plan is not None and place is not None and plan.actions[place] is Action.KEEP:
        return f"{name}; its summary stays in the context as it is.", last.summary.id
    try:
        text = "\n".join(
            session.text(part)
            for part in last.summary.parts
            if part.kind is Kind.SUMMARY and part.type is PartType.TEXT
        )
    except RedlineError:
        text = ""
    if not text.strip():
        return f"{name}; its summary cannot be read.", last.summary.id
    return f"{name}; its summary said of the state{_THEN}:\n\n{_state(text)}", last.summary.id


def _how(compaction: PastCompaction) -> str:
    time = compaction.time.strftime(", %Y-%m-%d %H:%M UTC") if compaction.time else ""
    return f"{compaction.trigger or compaction.kind.value}{time}"


def _state(text: str) -> str:
    """The sections on the state of the work, else the start, in at most _CHARS characters."""
    pieces: list[str] = []
    for found in _STATE.finditer(text):
        following = _HEADING.search(text, found.end() + 1)
        body = text[found.end() : following.start() if following else len(text)].strip()
        if body:
            pieces.append(f"{found.group().strip(' #*:')}: {body}")
    chosen = "\n".join(pieces) or text.strip()
    return chosen if len(chosen) <= _CHARS else f"{chosen[:_CHARS].rstrip()} [...]"
