"""What a compaction of Codex lets stay in the clear: how much, and where a text is cut.

By the source of 2026-08 and by running 0.171 on made-up rollouts; see the strategies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from redline.agents.codex.shortening import BYTES_PER_TOKEN, cut_middle, token_count

LOCAL_TOKENS = 20_000  # of prompts, by a local compaction (since 2025-09-22)
REMOTE_TOKENS = 64_000  # of messages of the user's role, by the second remote form (2026-05-21)
AGENT_TOKENS = 10_000  # of one message of another agent: a longer one does not stay
IMAGE_BYTES = 7_373  # what Codex takes an image for, whatever its base64
IMAGE_TOKENS = -(-IMAGE_BYTES // BYTES_PER_TOKEN)
_PATCH = 32  # pixels of a side of what an image of the full detail is counted in
_PATCHES = 10_000

Body = TypeVar("Body")


def newest(bodies: Iterable[tuple[Body, int]], budget: int) -> Iterator[tuple[Body, int | None]]:
    """Of `bodies`, the newest first with their tokens, those that fit into `budget`: None for one
    that stays whole, the tokens that are left for the one at the edge, which is the last."""
    left = budget
    for body, tokens in bodies:
        if left <= 0:
            return
        if tokens > left:
            yield body, left
            return
        left -= tokens
        yield body, None


def fitting(bodies: Iterable[tuple[Body, int]], budget: int) -> Iterator[Body]:
    """Of `bodies`, those that fit into `budget` one after the other; others are passed over."""
    for body, tokens in bodies:
        if tokens <= min(budget, AGENT_TOKENS):
            budget -= tokens
            yield body


def text_tokens(text: str) -> int:
    """What the remote form takes a text for: one token at least."""
    return max(1, token_count(text))


def image_tokens(detail: object = None, pixels: tuple[int, int] | None = None) -> int:
    """What it takes an image for; one of `detail` "original" by its size."""
    if detail != "original" or pixels is None:
        return IMAGE_TOKENS
    width, height = (-(-side // _PATCH) for side in pixels)
    return min(_PATCHES, max(1, width * height))


def left_of(texts: Sequence[str], budget: int) -> list[int]:
    """How many characters of each of `texts` are left where their middle, as if they were one, is
    taken out; `budget` in tokens."""
    whole = "".join(texts)
    start, end, _bytes, _chars = cut_middle(whole, budget * BYTES_PER_TOKEN)
    found, at = [], 0
    for text in texts:
        until = at + len(text)
        kept = max(0, min(until, len(start)) - at)
        found.append(kept + max(0, until - max(at, len(whole) - len(end))))
        at = until
    return found
