"""How Codex shortens a text in the middle: a token is 4 bytes, a cut leaves whole characters."""

from __future__ import annotations

BYTES_PER_TOKEN = 4
# What a resumed result may hold: 10 000 bytes and a fifth more, the policy of a model that Codex
# 0.171 does not list (the listed ones have 10 000 tokens). Which model resumes is in no file.
RESULT_BYTES = 12_000


def token_count(text: str) -> int:
    """Codex's own estimate of a text, in tokens."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def cut_middle(text: str, budget: int) -> tuple[str, str, int, int]:
    """The start and the end of `text` that fit into `budget` bytes together, and how many bytes
    (over the budget) and characters were taken out."""
    raw = text.encode("utf-8", "surrogatepass")
    left = budget // 2
    start = raw[:left].decode("utf-8", "ignore")
    cut = max(0, len(raw) - (budget - left))
    while cut < len(raw) and raw[cut] & 0xC0 == 0x80:
        cut += 1
    end = raw[cut:].decode("utf-8", "ignore")
    return start, end, len(raw) - budget, len(text) - len(start) - len(end)


def shorten_result(text: str, budget: int = RESULT_BYTES) -> str:
    """A tool's result as Codex sends it again."""
    if len(text) * 4 <= budget or len(text.encode("utf-8", "surrogatepass")) <= budget:
        return text
    start, end, _bytes, chars = cut_middle(text, budget)
    return f"{start}…{chars} chars truncated…{end}"


def shorten_prompt(text: str, budget: int) -> tuple[str, str, str]:
    """The start, the mark and the end that a compaction leaves of a prompt; `budget` in tokens."""
    start, end, taken, _chars = cut_middle(text, budget * BYTES_PER_TOKEN)
    return start, f"…{-(-taken // BYTES_PER_TOKEN)} tokens truncated…", end
