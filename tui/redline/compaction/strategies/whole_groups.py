"""What a call ties to the part before a cut goes with it, whatever the agent's own cut says."""

from __future__ import annotations

from redline.compaction.drafting import Proposal
from redline.compaction.outline import Outline
from redline.compaction.plan import Action

_REASON = "its call is before the cut"


def keep_groups_whole(outline: Outline, proposal: Proposal, agent: str) -> None:
    """Summarises what stands after the cut of `proposal` but belongs to a call before it, and says
    so: `agent` cuts there, and the provider would refuse the result."""
    first = proposal.first_kept
    if first is None or first in outline.cuts:
        return
    moved = 0
    for i in range(first, len(proposal.actions)):
        if outline.group[i] < first:
            proposal.actions[i], proposal.reasons[i] = Action.SUMMARISE, _REASON
            moved += 1
    if moved:
        proposal.warnings.append(
            f"{agent} cuts between a call and its results here: {moved} messages after the cut "
            "are summarised with their call"
        )
