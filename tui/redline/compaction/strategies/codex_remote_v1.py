"""`codex-remote-v1`: what Codex did with OpenAI as its provider from 2025-11 to 2026-06.

The server chose what came back. In the one real compaction that is known (0.104) it was every
prompt, with its images, and every reply that ended a turn, none of them cut, with a sealed summary;
Codex itself then left out whatever was neither. If the server had a limit, it was not reached
there. 0.171 has this form no more. Which reply ended a turn is told by its phase, before 2026-02 by
being the turn's last, without a call.
"""

from __future__ import annotations

from redline.compaction.remembered import Remembered
from redline.compaction.strategies.codex_form import Form
from redline.compaction.strategies.codex_history import History, Sort
from redline.compaction.strategies.codex_plan import Kept


def retained(history: History, budget: int) -> Kept:
    """Prompts, a hook's words and replies that ended a turn; there is no budget."""
    del budget
    kept = Kept(tokens=None)
    for i in history.of(Sort.PROMPT, Sort.HOOK, Sort.FINAL):
        kept.parts[i] = dict.fromkeys(history.places(i))
    return kept


STRATEGY = Form(
    "codex-remote-v1",
    "keeps your prompts and the replies that ended turns; the summary is sealed",
    None,
    sealed=True,
    retained=Remembered(retained),
)
