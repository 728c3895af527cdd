"""What the texts of a message are: a person's words, or what Codex put in (2025-05 to 0.171).

Codex marks what it puts in by how the text begins and ends. It takes a whole message for injected
where one of its texts is, and so does redline.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from redline.model import Kind

SUMMARY_PREFIX = "Another language model started to solve this problem"
# An editor's prompt: a list of open files, then this line, then the person's words.
_REQUEST = re.compile(r"^## My request for Codex:\s*", re.M)

Spans = tuple[tuple[Kind, int, int], ...]

# (begin, end), compared without regard to case on the text without the space around it.
_HOOK = (("<hook_prompt ", "</hook_prompt>"),)
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
    *_HOOK,
    ("warning: the maximum number of unified exec processes you can keep open is", ""),
    (
        "warning: apply_patch was requested via ",
        "use the apply_patch tool instead of exec_command.",
    ),
    ("warning: your account was flagged for potentially high-risk cyber activity", ""),
)
# Put in too, by builds of 2025 or by a caller's voice; Codex now takes them for a person's words.
_FORMER = (
    ("<user_instructions>", "</user_instructions>"),
    ("<user_action>", "</user_action>"),
    ("<realtime_delegation>", "</realtime_delegation>"),
)
# Of these what tells that something happened, rather than what to know or do.
_NOTICES = ("<turn_aborted>", "<subagent_notification>", "warning: the m", "warning: your")
# What Codex puts in front of a turn under the developer's role, and takes back with the turn.
_BEFORE_A_TURN = (
    "<apps_instructions>",
    "<collaboration_mode>",
    "<context_window>",
    "<context_window_guidance>",
    "<environments_instructions>",
    "<git_attribution>",
    "<managed_developer_instructions>",
    "<model_switch>",
    "<multi_agent_mode>",
    "<multi_agent_role>",
    "<permissions instructions>",
    "<personality_spec>",
    "<plugins_instructions>",
    "<realtime_conversation>",
    "<rollout_budget>",
    "<skills_instructions>",
    "<token_budget>",
    "<tools>",
    "approved command prefix saved:",
)
_BEGINS = tuple(begin for begin, _end in (*_INJECTED, *_FORMER))
_INTERNAL = re.compile(r'<codex_internal_context source="[a-z][a-z0-9_]*">')
_EXTERNAL = re.compile(r"<external_([^>\s]+)>")
_LABEL = re.compile(r"</?(?:image|audio)(?:\s[^>]{0,1000})?>")
_LONGEST = 100


def is_injected(text: str) -> bool:
    """Whether Codex put in a text of the user's role."""
    return _is_put_in(text, (*_INJECTED, *_FORMER))


def _is_put_in(text: str, markers: Sequence[tuple[str, str]]) -> bool:
    bare = text.strip()
    if not bare.startswith(("<", "#", "w", "W")):
        return False
    begins = bare[:_LONGEST].lower()
    if begins.startswith("<codex_internal_context ") and not _INTERNAL.match(begins):
        return False
    if begins.startswith(_BEGINS):
        ends = bare[-_LONGEST:].lower()
        return any(begins.startswith(begin) and ends.endswith(end) for begin, end in markers)
    external = _EXTERNAL.match(begins)
    return external is not None and bare.lower().endswith(f"</external_{external[1]}>")


def text_kinds(role: str, texts: Sequence[str]) -> list[Spans]:
    """The kinds of the texts of one message: for each its stretches of characters, in order."""
    if role == "assistant":
        return [((Kind.REPLY, 0, len(text)),) for text in texts]
    if role != "user":
        return [((Kind.INJECTED, 0, len(text)),) for text in texts]
    if any(is_injected(text) for text in texts):
        return [((_injected_kind(text), 0, len(text)),) for text in texts]
    return [_spans(text) for text in texts]


def _injected_kind(text: str) -> Kind:
    begins = text.lstrip()[:_LONGEST].lower()
    return Kind.NOTICE if begins.startswith(_NOTICES) else Kind.INJECTED


def texts_of(message: Mapping[str, Any]) -> list[str]:
    """The texts of a message item, those of images and sounds left out."""
    content = message.get("content")
    blocks = content if isinstance(content, list) else ()
    bodies = (block.get("text") for block in blocks if isinstance(block, dict))
    return [body for body in bodies if isinstance(body, str)]


def starts_turn(item: Mapping[str, Any]) -> bool:
    """Whether a turn starts with this item, as a rollback of Codex 0.171 counts turns: with any
    message of the user's role but for what it knows as put in, and but for a summary."""
    if item.get("type") == "agent_message":
        return True
    if item.get("type") != "message" or item.get("role") != "user":
        return False
    return not any(
        text.startswith(SUMMARY_PREFIX) or _is_put_in(text, _INJECTED) for text in texts_of(item)
    )


def goes_with_turn(item: Mapping[str, Any]) -> bool:
    """Whether a rollback takes the item back with the turn that it stands just before."""
    if item.get("type") != "message":
        return False
    if item.get("role") == "developer":
        return any(t.lstrip()[:_LONGEST].lower().startswith(_BEFORE_A_TURN) for t in texts_of(item))
    return item.get("role") == "user" and any(_is_put_in(t, _INJECTED) for t in texts_of(item))


def is_hook_prompt(text: str) -> bool:
    """Whether a hook put the text in to go on with: a remote compaction keeps it."""
    return _is_put_in(text, _HOOK)


def is_label(text: str) -> bool:
    """Whether the text only marks where an image or a sound starts or ends."""
    return text.startswith("<") and _LABEL.fullmatch(text.strip()) is not None


def _spans(text: str) -> Spans:
    if (at := text.find(SUMMARY_PREFIX)) >= 0:
        # Before 2025-11 the summary's message opened with the person's earlier words, retold.
        before: Spans = ((Kind.INJECTED, 0, at),) if text[:at].strip() else ()
        return (*before, (Kind.SUMMARY, at if before else 0, len(text)))
    asked = _REQUEST.search(text) if text.lstrip().startswith("#") else None
    if asked is not None:
        typed: Spans = ((Kind.PROMPT, asked.end(), len(text)),) if asked.end() < len(text) else ()
        return ((Kind.INJECTED, 0, asked.end()), *typed)
    if is_label(text):
        return ((Kind.INJECTED, 0, len(text)),)
    return ((Kind.PROMPT, 0, len(text)),)
