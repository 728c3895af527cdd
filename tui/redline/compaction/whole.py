"""A plan that takes nothing out, for a session that is written anew as it is."""

from __future__ import annotations

from redline.compaction.drafting import Proposal, finish
from redline.compaction.outline import outline
from redline.compaction.plan import Action, Pins, Plan
from redline.model import Session

WHOLE = "whole"


def whole(session: Session) -> Plan:
    """Everything of the context of `session` kept word for word, no summary; only results without a
    call and an open call at the end go, which no agent could go on with."""
    count = len(session.context)
    proposal = Proposal(
        actions=[Action.KEEP] * count,
        reasons=["as it was"] * count,
        estimates=(0,) * count,
        summary=False,
    )
    shape = outline(session.context)
    return finish(proposal, strategy=WHOLE, settings={}, outline=shape, pins=Pins())
