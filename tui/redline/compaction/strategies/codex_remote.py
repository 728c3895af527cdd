"""`codex-remote`: what Codex does with OpenAI as its provider since 2026-06-11 (its second form).

The newest messages of the user's role stay up to 64,000 tokens, images with them; the summary is a
sealed item that only the provider can read, and `compact_prompt` is not used. Run with 0.171 and a
stand-in called OpenAI on some thirty made-up sessions it kept the same. What its source of 2026-08
does not say was found there: an image is 1,844 tokens of the budget (of full detail: its patches of
32 pixels), each text is counted and cut by itself, and a hook's words and the summary of a local
compaction stay like prompts. What `codex` says of instructions and of URLs holds here too.
"""

from __future__ import annotations

from redline.agents.codex.retaining import REMOTE_TOKENS, newest
from redline.compaction.remembered import Remembered
from redline.compaction.strategies.codex_form import Form
from redline.compaction.strategies.codex_history import History, Sort
from redline.compaction.strategies.codex_plan import Kept, keep_agents

_KEPT = (Sort.PROMPT, Sort.HOOK, Sort.SUMMARY)


def retained(history: History, budget: int) -> Kept:
    """The newest blocks of the user's messages within `budget`: of the text at the edge its start
    and its end, of an image nothing."""
    kept = Kept()
    bodies = (
        ((i, block), block.tokens)
        for i in history.of(*_KEPT)
        for block in reversed(history.blocks(i))
    )
    for (i, block), left in newest(bodies, budget):
        if left is None:
            kept.whole(i, [block], block.tokens)
        elif block.texts:
            kept.shorten(i, [block], block.tokens, left)
    keep_agents(history, kept, budget)
    return kept


STRATEGY = Form(
    "codex-remote",
    "keeps your newest 64k tokens of messages with images; the summary is sealed",
    REMOTE_TOKENS,
    sealed=True,
    retained=Remembered(retained),
)
