"""Attachments: records that put text beside the conversation, most of it for the model.

`rendered` (2.1.2xx) holds the text as the model saw it. Where it is missing the body is what the
record holds of it; the wrapper words are the agent's and differ from version to version.
"""

from __future__ import annotations

from typing import Any

from redline.agents.bodies import follow, texts
from redline.model import Pointer

_ROOT = "attachment"

# Where each type keeps its text, under `attachment`, the first that is there.
_BODIES: dict[str, tuple[Pointer, ...]] = {
    "file": (("content", "file", "content"), ("content", "file", "cells"), ("content",)),
    "already_read_file": (("content", "file", "content"), ("filename",)),
    "compact_file_reference": (("filename",),),
    "edited_text_file": (("snippet",),),
    "edited_image_file": (("filename",),),
    "directory": (("content",),),
    "selected_lines_in_ide": (("content",),),
    "opened_file_in_ide": (("filename",),),
    "hook_additional_context": (("content",),),
    "hook_blocking_error": (("blockingError", "blockingError"), ("blockingError",)),
    "hook_stopped_continuation": (("message",),),
    "nested_memory": (("content", "content"), ("content",)),
    "skill_listing": (("content",),),
    "agent_listing_delta": (("addedLines",),),
    "deferred_tools_delta": (("addedLines",),),
    "mcp_instructions_delta": (("addedBlocks",),),
    "invoked_skills": (("skills",),),
    "queued_command": (("prompt",),),
    "plan_file_reference": (("planContent",), ("planFilePath",)),
    "plan_mode": (("planFilePath",),),
    "plan_mode_exit": (("planFilePath",),),
    "critical_system_reminder": (("content",),),
    "output_style": (("style",),),
    "task_status": (("description",), ("deltaSummary",)),
    "mcp_resource": (("content",),),
    "relevant_memories": (("memories",),),
}
_NOT_SENT = frozenset(
    [
        "prompt_snapshot",
        "session_context",
        "hook_cancelled",
        "hook_error_during_execution",
        "hook_non_blocking_error",
        "hook_permission_decision",
        "hook_system_message",
        "already_read_file",
        "command_permissions",
        "dynamic_skill",
        "structured_output",
    ]
)
_SENT_HOOKS = ("SessionStart", "UserPromptSubmit")


def attachment_type(attachment: Any) -> str:
    """The type of an attachment, "" where it says none."""
    kind = attachment.get("type") if isinstance(attachment, dict) else None
    return kind if isinstance(kind, str) else ""


def is_sent(attachment: Any) -> bool:
    """Whether the model gets something of this attachment."""
    kind = attachment_type(attachment)
    if not kind or kind in _NOT_SENT:
        return False
    pointer = body_pointer(attachment)
    if pointer is None:
        return False
    body = follow({_ROOT: attachment}, pointer)
    return bool(texts(body)) or (isinstance(body, dict) and body.get("type") == "image")


def body_pointer(attachment: Any) -> Pointer | None:
    """Where in the record the text lies that the model saw; None where there is none."""
    kind = attachment_type(attachment)
    if attachment.get("rendered"):
        return (_ROOT, "rendered")
    if kind == "hook_success":
        event = attachment.get("hookEvent")
        sent = event in _SENT_HOOKS and bool(attachment.get("content"))
        return (_ROOT, "content") if sent else None
    for pointer in _BODIES.get(kind, (("content",), ("text",), ("message",))):
        if follow(attachment, pointer):
            return (_ROOT, *pointer)
    return None


def human_prompt(attachment: Any) -> bool:
    """Whether a person typed this while the agent was at work (a queued prompt)."""
    if attachment_type(attachment) != "queued_command":
        return False
    origin = attachment.get("origin")
    if isinstance(origin, dict) and isinstance(origin.get("kind"), str):
        return bool(origin["kind"] == "human")
    return bool(attachment.get("commandMode") == "prompt") and attachment.get("isMeta") is not True
