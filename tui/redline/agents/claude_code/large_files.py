"""From which size on Claude Code calls a memory file too large (2.1.197).

In characters (its own, of UTF-16), not tokens: a share of the model's window, at so many characters
a token, but never less than `LEAST`. "Large CLAUDE.md will impact performance (45k chars > 40k)".
"""

from __future__ import annotations

import re

LEAST = 40_000  # characters
_SHARE = 0.05  # of the window's tokens
_WINDOW = 200_000  # tokens, where the model's are not known
# The models of which it takes a token for 4 characters; of all newer ones for 3.
_FOUR = re.compile(
    r"claude-(?:3-(?:opus|sonnet|haiku|5-sonnet|5-haiku|7-sonnet)|opus-4-[0156]|sonnet-4-[056]"
    r"|haiku-4-5|(?:opus|sonnet)-4)(?!-?\d{1,2}(?!\d))"
)


def too_large(model: str | None, window: int | None) -> int:
    """The characters of one file above which it warns, for a `window` of so many tokens."""
    name = (model or "").lower().replace(".", "-").replace("_", "-")
    per_token = 4 if not name or _FOUR.search(name) else 3
    return max(LEAST, round((window or _WINDOW) * _SHARE * per_token))


def characters(text: str) -> int:
    """The length of `text` as Claude Code counts it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
