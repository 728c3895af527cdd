"""What the texts of a message are: a person's words, or what Codex put in (2025-05 to 0.171).

Codex marks what it puts in by how the text begins and ends. It takes a whole message for injected
where one of its texts is, and so does redline.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from redline.model import Kind

SUMMARY_PREFIX = "Another language model started to solve this problem"
REQUEST = "## My request for Codex:"  # an editor's prompt: the person's words come after it

Spans = tuple[tuple[Kind, int, int], ...]

# (begin, end), compared without regard to case on the text without the space around it.
_INJECTED = (
    ("# agents.md instructions", "</instructions>"),
    ("<environment_context>", "</environment_context>"),
    ("<skill>", "</skill>"),
    ("<user_shell_command>", "</user_shell_command>"),
    ("<turn_aborted>", "</turn_aborted>"),
    ("<subagent_notification>", "</subagent_notification>"),
    ("<codex_internal_context ", "</codex_internal_context>"),
    ("<goal_context>", "</goal_context>"),
    ("<recommended_plugins>", "</recommended_plugins>"),
    ("<hook_prompt ", "</hook_prompt>"),
    ("<user_instructions>", "</user_instructions>"),
    ("<user_action>", "</user_action>"),
    ("<realtime_delegation>", "</realtime_delegation>"),
    ("warning: the maximum number of unified exec processes you can keep open is", ""),
    (
        "warning: apply_patch was requested via ",
        "use the apply_patch tool instead of exec_command.",
    ),
    ("warning: your account was flagged for potentially high-risk cyber activity", ""),
)
_BEGINS = tuple(begin for begin, _end in _INJECTED)
_EXTERNAL = re.compile(r"<external_([^>\s]+)>")
_LABEL = re.compile(r"</?(?:image|audio)(?:\s[^>]{0,1000})?>")
_LONGEST = 100


def is_injected(text: str) -> bool:
    """Whether Codex put in a text of the user's role."""
    bare = text.strip()
    if not bare.startswith(("<", "#", "w", "W")):
        return False
    begins = bare[:_LONGEST].lower()
    if begins.startswith(_BEGINS):
        ends = bare[-_LONGEST:].lower()
        return any(begins.startswith(begin) and ends.endswith(end) for begin, end in _INJECTED)
    external = _EXTERNAL.match(begins)
    return external is not None and bare.lower().endswith(f"</external_{external[1]}>")


def text_kinds(role: str, texts: Sequence[str]) -> list[Spans]:
    """The kinds of the texts of one message: for each its stretches of characters, in order."""
    if role == "assistant":
        return [((Kind.REPLY, 0, len(text)),) for text in texts]
    if role != "user" or any(is_injected(text) for text in texts):
        return [((Kind.INJECTED, 0, len(text)),) for text in texts]
    return [_spans(text) for text in texts]


def _spans(text: str) -> Spans:
    if (at := text.find(SUMMARY_PREFIX)) >= 0:
        # Before 2025-11 the summary's message opened with the person's earlier words, retold.
        before: Spans = ((Kind.INJECTED, 0, at),) if text[:at].strip() else ()
        return (*before, (Kind.SUMMARY, at if before else 0, len(text)))
    if (at := text.find(REQUEST)) >= 0:
        at += len(REQUEST)
        return ((Kind.INJECTED, 0, at), (Kind.PROMPT, at, len(text)))
    if text.startswith("<") and _LABEL.fullmatch(text.strip()):
        return ((Kind.INJECTED, 0, len(text)),)
    return ((Kind.PROMPT, 0, len(text)),)
