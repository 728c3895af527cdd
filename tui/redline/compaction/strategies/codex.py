"""`codex`: what Codex does where it compacts by itself, with a provider that is not OpenAI.

The newest prompts stay up to 20,000 tokens (bytes of UTF-8 / 4, a prompt's texts taken as one),
without images; all else is retold in the summary. Run with Codex 0.171 on some fifty made-up
sessions (long ones, many prompts, images, within a turn, by hand, a second and a third time), it
kept the same messages, cut at the same byte. What differs from Codex, and why:

* A prompt of nothing but images leaves an empty message in Codex. Here it goes: a plan holds none.
* Instructions and environment are told as dropped: Codex writes them anew before the last prompt
  that stays (`instructions_before`), 0.171 in every phase, builds up to 2026-08 only within a turn.
* An image or a sound by a URL is replaced by a sentence before; here it counts as an image.
* Compactions up to 2025-09-22 had another form; there was no budget.
"""

from __future__ import annotations

from collections.abc import Iterator

from redline.agents.codex.retaining import LOCAL_TOKENS, newest
from redline.agents.codex.shortening import token_count
from redline.compaction.remembered import Remembered
from redline.compaction.strategies.codex_form import Form
from redline.compaction.strategies.codex_history import Block, History, Sort
from redline.compaction.strategies.codex_plan import Kept, keep_agents


def retained(history: History, budget: int) -> Kept:
    """The newest prompts within `budget`, without images and their labels; the one at the edge
    without its middle."""
    kept = Kept()
    for (i, blocks, tokens), left in newest(_spoken(history), budget):
        if left is None:
            kept.whole(i, blocks, tokens)
        else:
            kept.shorten(i, blocks, tokens, left)
    keep_agents(history, kept, budget)
    return kept


def _spoken(history: History) -> Iterator[tuple[tuple[int, list[Block], int], int]]:
    """The texts of each prompt with their tokens, the newest first."""
    for i in history.of(Sort.PROMPT):
        blocks = [block for block in history.blocks(i) if block.texts and not block.label]
        tokens = token_count("".join(text for block in blocks for text in block.texts))
        yield (i, blocks, tokens), tokens


STRATEGY = Form(
    "codex",
    "keeps your newest 20k tokens of prompts, no images; the summary stands last",
    LOCAL_TOKENS,
    sealed=False,
    retained=Remembered(retained),
)
