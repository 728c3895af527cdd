"""What counts as a message, a list of them, or a request that carries one.

Known are the bodies of OpenAI's chat completions (`messages`) and Responses (`input`) and of
Anthropic's Messages (`system`, `messages`), as documented by both in 2026. Everything is told by
its keys: a file that merely holds `role` or `text` somewhere is no conversation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})
_SAID = ("content", "tool_calls", "function_call", "refusal", "reasoning_content", "reasoning")

# The Responses items that are no message, each with a key that it cannot be without.
ITEMS: Mapping[str, str] = {
    "function_call": "name",
    "function_call_output": "output",
    "custom_tool_call": "name",
    "custom_tool_call_output": "output",
    "local_shell_call": "action",
    "local_shell_call_output": "output",
    "shell_call": "action",
    "shell_call_output": "output",
    "apply_patch_call": "operation",
    "apply_patch_call_output": "call_id",
    "computer_call": "call_id",
    "computer_call_output": "output",
    "reasoning": "summary",
    "compaction": "encrypted_content",
    "web_search_call": "status",
    "file_search_call": "queries",
    "code_interpreter_call": "code",
    "image_generation_call": "result",
    "mcp_call": "name",
    "mcp_list_tools": "tools",
    "mcp_approval_request": "name",
    "mcp_approval_response": "approve",
    "item_reference": "id",
}
_OTHER_INPUTS = ("voice", "encoding_format", "dimensions")  # of speech and embeddings
_OTHER_TYPES = frozenset(
    {
        "session",
        "session_meta",
        "response_item",
        "event_msg",
        "turn_context",
        "compacted",
        "file-history-snapshot",
        "queue-operation",
    }
)
_LOOKED_AT = 20


def is_message(value: object) -> bool:
    """Whether `value` is one message of any of the three dialects."""
    if not isinstance(value, dict) or value.get("type", "message") != "message":
        return False
    role = value.get("role")
    return isinstance(role, str) and role in ROLES and any(key in value for key in _SAID)


def is_item(value: object) -> bool:
    """Whether `value` can stand in a list of messages: a message or an item of a Responses body."""
    if is_message(value):
        return True
    kind = value.get("type") if isinstance(value, dict) else None
    key = ITEMS.get(kind) if isinstance(kind, str) else None
    return isinstance(value, dict) and key is not None and key in value


def is_conversation(values: Sequence[object]) -> bool:
    """Whether most of the first of `values` are messages: a broken one costs only itself."""
    first = values[:_LOOKED_AT]
    fitting = sum(map(is_item, first))
    return 2 * fitting > len(first) and any(map(is_message, first))


def is_request(value: object) -> bool:
    """Whether `value` is the body of a request to a model."""
    return isinstance(value, dict) and not is_of_an_agent(value) and list_key(value) is not None


def list_key(body: Mapping[str, Any]) -> str | None:
    """Where the messages of a body lie: `messages` or `input`; None where it has none."""
    model = body.get("model")
    for key in ("messages", "input"):
        found = body.get(key)
        if isinstance(found, list):
            if is_conversation(found) or (not found and isinstance(model, str)):
                return key
        elif key == "input" and isinstance(found, str) and isinstance(model, str):
            other = any(name in body for name in _OTHER_INPUTS) or "embed" in model
            return None if other else key
    return None


def is_of_an_agent(value: Mapping[str, Any]) -> bool:
    """Whether `value` is a record of Claude Code, Codex, pi or Hermes, which have their readers."""
    if "parentUuid" in value or ("parentId" in value and "type" in value):
        return True
    kind = value.get("type")
    if isinstance(kind, str) and kind in _OTHER_TYPES:
        return True
    if "record_type" in value or value.get("role") == "session_meta" or "conversations" in value:
        return True
    if "messages" in value:  # Hermes' snapshot of a session, its export
        return "message_count" in value or "session_start" in value
    return "instructions" in value and "timestamp" in value and "input" not in value
