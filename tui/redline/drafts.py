"""What a person decided about a session, kept from one run to the next."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from redline.compaction.plan import Action, Pins
from redline.database import Database
from redline.errors import RedlineError
from redline.model import Session
from redline.review import Review
from redline.stored import SessionKey, StoredDraft, StoredPins


def key_of(session: Session) -> SessionKey:
    """What is decided about another view of a session (another leaf, or before a compaction) is
    kept apart from what is decided about the live one."""
    name = session.info.id
    if session.asked_leaf is not None:
        name += f"#leaf:{session.asked_leaf}"
    if session.before is not None:
        name += f"#before:{session.before}"
    return SessionKey(session.info.agent.value, name)


def keep(database: Database, review: Review, now: datetime) -> None:
    """Stores pins, focus and the handoff as edited. Raises RedlineError where that fails."""
    key = key_of(review.session)
    pins = StoredPins(
        review.pins.cut,
        {name: action.value for name, action in review.pins.actions.items()},
        {place: action.value for place, action in review.pins.parts.items()},
    )
    if pins != database.pins(key):
        database.save_pins(key, pins)
    last = review.session.context[-1].id if review.session.context else ""
    draft = StoredDraft(review.text, review.written, review.focus, last, now.isoformat())
    stored = database.draft(key)
    if (review.text or review.focus) and (
        stored is None or replace(stored, time="") != replace(draft, time="")
    ):
        database.save_draft(key, draft)


def recall(database: Database, review: Review) -> Review:
    """`review` with what was stored for its session; pins on messages that are gone are left out,
    and all of them where they cannot be honoured any more."""
    key = key_of(review.session)
    stored = database.pins(key)
    known = review.outline.index
    pins = Pins(
        stored.cut if stored.cut in known else None,
        {name: Action(act) for name, act in stored.actions.items() if name in known},
        {place: Action(act) for place, act in stored.parts.items() if place[0] in known},
    )
    try:
        review = review.with_pins(pins)
    except RedlineError:
        review = replace(review, past=())
    draft = database.draft(key)
    if draft is not None:
        review = review.with_draft(draft.text, draft.written, draft.focus)
    return review
