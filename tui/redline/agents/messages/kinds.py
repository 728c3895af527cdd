"""Which text under the role user is a human's own words.

A body does not say which agent made it; each text is told by the words its agent begins it with.
"""

from __future__ import annotations

import re

from redline.agents.claude_code.kinds import spans
from redline.agents.codex.kinds import SUMMARY_PREFIX, text_kinds
from redline.agents.pi.prompts import split
from redline.model import Kind

_SUMMARIES = (
    "This session is being continued from a previous conversation",  # Claude Code
    "The conversation history before this point was compacted into the following summary:",  # pi
    "The following is a summary of a branch that this conversation came back from:",  # pi
    SUMMARY_PREFIX,
    "[CONTEXT COMPACTION",  # Hermes
    "[CONTEXT SUMMARY]:",
)
# A command that a user of pi ran beside the agent (1.6.0).
_RAN = re.compile(r"Ran `[^\n]*`\n(?:```\n|\(no output\))")

Pieces = list[tuple[Kind, int, int]]


def pieces(text: str) -> Pieces:
    """The pieces of a user's text with their kinds, as [from, to) characters."""
    whole = len(text)
    if text.lstrip().startswith(_SUMMARIES):
        return [(Kind.SUMMARY, 0, whole)]
    if _RAN.match(text):
        return [(Kind.INJECTED, 0, whole)]
    if SUMMARY_PREFIX not in text:
        found = [*text_kinds("user", [text])[0]]
        if found != [(Kind.PROMPT, 0, whole)]:
            return found
    put_in, typed = split(text)
    if put_in is None:
        return spans(text, Kind.PROMPT)
    before: Pieces = [(Kind.INJECTED, *put_in)]
    return [*before, (Kind.PROMPT, *typed)] if typed else before
