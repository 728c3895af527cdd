"""What a plan does with the summary of an earlier compaction.

It is no conversation: the new handoff brings it up to date, so that it neither stays beside the new
one nor is retold unseen. What only the provider can read cannot be carried on, and that is said.
"""

from __future__ import annotations

from dataclasses import dataclass

from redline.compaction.drafting import Proposal
from redline.compaction.outline import Outline
from redline.compaction.plan import STAYING, Action
from redline.compaction.remembered import Remembered
from redline.context.window import Window
from redline.model import Kind, Message, Part, PartType, Session

EARLIER = "the agent's previous summary"
SEALED = "the agent's previous summary, which only the provider can read"
_BRANCH = "branchsummary"  # pi's summary of a branch that was left


@dataclass(frozen=True, slots=True)
class EarlierSummary:
    """A message with a summary of an earlier compaction: the places of the summary's parts, whether
    the message holds nothing else, whether only the provider can read it, and the number of its
    compaction, from 1 (None where none is known: a plain list of messages)."""

    index: int
    parts: tuple[int, ...]
    alone: bool
    sealed: bool
    number: int | None


def is_earlier(part: Part) -> bool:
    """Whether `part` is the summary of a compaction."""
    return part.kind is Kind.SUMMARY and part.wire.lower() != _BRANCH


def number_of(session: Session, message: Message) -> int | None:
    """The number of the compaction that `message` holds the summary of, from 1, as `before` counts
    them."""
    for number, past in enumerate(session.compactions, start=1):
        if past.summary is not None and past.summary.id == message.id:
            return number
        if past.sealed is not None and any(past.sealed == part for part in message.parts):
            return number
    return None


def _find(window: Window, outline: Outline) -> tuple[EarlierSummary, ...]:
    found = []
    for i, purpose in enumerate(outline.purpose):
        if purpose not in (Kind.SUMMARY, Kind.PROMPT):
            continue
        parts = outline.messages[i].parts
        places = tuple(j for j, part in enumerate(parts) if is_earlier(part))
        if places:
            found.append(
                EarlierSummary(
                    i,
                    places,
                    len(places) == len(parts),
                    all(parts[j].type is PartType.OPAQUE for j in places),
                    number_of(window.session, outline.messages[i]),
                )
            )
    return tuple(found)


earlier_summaries = Remembered(_find)
"""`earlier_summaries(window, outline)`: those in the context, in order."""


def bring_up_to_date(proposal: Proposal, window: Window, outline: Outline) -> None:
    """Where the proposal retells anything, an earlier summary goes into the new one, also out of
    the tail; one that nobody can read goes. `warnings` and `details` say so."""
    for earlier in earlier_summaries(window, outline):
        if not _retells(proposal):
            return
        i = earlier.index
        action = Action.DROP if earlier.sealed else Action.SUMMARISE
        if earlier.alone:
            proposal.actions[i] = action
            proposal.reasons[i] = SEALED if earlier.sealed else EARLIER
        elif proposal.actions[i] in STAYING or earlier.sealed:
            proposal.parts.update(dict.fromkeys(((i, j) for j in earlier.parts), action))
    _tell(proposal, window, outline)


def _tell(proposal: Proposal, window: Window, outline: Outline) -> None:
    """Says in `warnings` and `details` which earlier summaries the plan takes out."""
    for earlier in earlier_summaries(window, outline):
        i = earlier.index
        went = proposal.parts.get((i, earlier.parts[0]), proposal.actions[i])
        if went in STAYING:
            continue
        number = earlier.number
        name = f"of compaction {number}" if number else "of an earlier compaction"
        before = f"; `--before {number}` plans with what it stands for" if number else ""
        proposal.details["previous_summary"] = outline.messages[i].id
        if number:
            proposal.details["previous_compaction"] = number
        if earlier.sealed:
            proposal.details["previous_sealed"] = True
            proposal.warnings.append(
                f"the summary {name} (message {i + 1}) is encrypted: only its provider can read "
                f"it, so the handoff cannot carry it on{before}"
            )
        else:
            proposal.warnings.append(
                f"the summary {name} (message {i + 1}) is brought up to date in the handoff: what "
                f"it left out is not in this context{before}"
            )


def _retells(proposal: Proposal) -> bool:
    return any(action in (Action.SUMMARISE, Action.QUOTE) for action in proposal.actions)
