"""Who wrote which characters of a user row: the person, or Hermes.

Hermes stores its own notes, notices and expansions in user rows (0.19 and 0.22): some are the whole
row, some stand before what was typed, some after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.agents.hermes.summaries import summary_spans
from redline.model import Kind

Said = tuple[Kind, int, int]

TODO = "[Your active task list was preserved across context compression]"
STRIPPED_IMAGES = (
    "[screenshot removed to save context]",
    "[Attached image — stripped after compression]",
)
_STEERED = re.compile(
    r"\s*(\[OUT-OF-BAND USER MESSAGE[^\]\n]*\]\n)(.*?)(\n?\[/OUT-OF-BAND USER MESSAGE\]\s*)\Z", re.S
)
# Rows that hold nothing of a person's.
_WHOLE = (
    "[System: ",
    "[IMPORTANT: Background process ",
    "[IMPORTANT: You are running as a scheduled cron job",
    "[IMPORTANT: MCP servers have been reloaded",
    "[Background process ",
    "[Planning state preserved",
    "[ASYNC DELEGATION",
    "Cronjob Response:",
    "Continue from the compressed conversation context above.",
    "You've reached the maximum number of tool-calling iterations allowed.",
    "Review the conversation above and update the skill library",
    "Review the conversation above and consider saving to memory",
    TODO,
)
# Notes before what was typed, each up to the end of its bracket and the blank lines after it.
_NOTE = re.compile(
    r"\s*\[(?:System note|Note|Runtime note|Replying to|Observed |Recent channel messages"
    r"|The user (?:sent|attached)|User (?:sent|attached)|Image attached)"
)
_LINES = re.compile(r"\n+|\s*\Z")
_SKILL = "[IMPORTANT: The user has invoked the "
_SKILL_SAYS = "The user has provided the following instruction alongside the skill invocation: "
_BUNDLE_SAYS = "\nUser instruction: "
# What Hermes adds behind what was typed.
_BEHIND = re.compile(
    r"\n\n(?:--- (?:Context Warnings|Attached Context) ---\n|<memory-context>\n"
    r"|\[Your active task list was preserved across context compression\]\n)"
)
_MEMORY = re.compile(r"\s*<\s*memory-context\s*>.*?</\s*memory-context\s*>\s*", re.S | re.I)


def user_spans(text: str, *, carrier: bool = False, notice: bool = False) -> list[Said]:
    """`text` of a user row as spans in order, each with its kind. `carrier` says that the row
    claims to hold a summary, `notice` that Hermes itself marked it as no message of a person."""
    if not text:
        return []
    if notice and not carrier:
        return [(Kind.INJECTED, 0, len(text))]
    found: list[Said] = []
    for kind, start, end in summary_spans(text, carrier=carrier) or [(None, 0, len(text))]:
        if kind is not None:
            found.append((kind, start, end))
        else:
            found += [(what, start + a, start + b) for what, a, b in _typed(text[start:end])]
    return found


def _typed(text: str) -> Iterator[Said]:
    if not text.strip():
        return
    if steered := _STEERED.match(text):
        yield Kind.INJECTED, 0, steered.start(2)
        if steered[2].strip():
            yield Kind.PROMPT, steered.start(2), steered.end(2)
        yield Kind.INJECTED, steered.end(2), len(text)
        return
    if text.lstrip().startswith(_WHOLE):
        yield Kind.INJECTED, 0, len(text)
        return
    if text.lstrip().startswith(_SKILL):
        yield from _skill(text)
        return
    start = _notes_end(text)
    behind = _BEHIND.search(text, start)
    end = behind.start() if behind else len(text)
    if not text[start:end].strip():
        yield Kind.INJECTED, 0, len(text)
        return
    if start:
        yield Kind.INJECTED, 0, start
    yield Kind.PROMPT, start, end
    if behind:
        yield Kind.INJECTED, end, len(text)


def _notes_end(text: str) -> int:
    """Where the notes in front of what was typed end."""
    at = 0
    while True:
        if fenced := _MEMORY.match(text, at):
            at = fenced.end()
            continue
        if not _NOTE.match(text, at):
            return at
        depth, end = 0, at
        for end in range(text.index("[", at), len(text)):
            depth += {"[": 1, "]": -1}.get(text[end], 0)
            if depth == 0:
                break
        if depth:
            return at
        after = _LINES.match(text, end + 1)
        if after is None:
            return at  # a bracket that a sentence goes on after is a person's
        at = after.end()


def _skill(text: str) -> Iterator[Said]:
    """A skill that was called by name: its body is injected, what was said with it is not."""
    if " skill bundle," in text:  # what was said stands before the skills, else behind the skill
        at, says, ends = text.find(_BUNDLE_SAYS), _BUNDLE_SAYS, "\n\n[Loaded as part of the "
    else:
        at, says, ends = text.rfind(_SKILL_SAYS), _SKILL_SAYS, "\n\n[Runtime note:"
    start = at + len(says)
    end = text.find(ends, start) if at >= 0 else -1
    end = end if end >= 0 else len(text)
    if at < 0 or not text[start:end].strip():
        yield Kind.INJECTED, 0, len(text)
        return
    yield Kind.INJECTED, 0, start
    yield Kind.PROMPT, start, end
    if end < len(text):
        yield Kind.INJECTED, end, len(text)
