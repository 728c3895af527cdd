"""Which records of a rollout say nothing about the history that is sent."""

from __future__ import annotations

# Records that hold nothing the model is sent.
SILENT = frozenset(
    {
        "world_state",
        "inter_agent_communication_metadata",
        "security_risk_score",
        "token_usage_record",
        "retained_context",
        "realtime_item",
    }
)
# The events that tell of turns, counts and rollbacks; all others repeat what items say.
_TELLING_EVENTS = frozenset(
    {
        "token_count",
        "task_started",
        "turn_started",
        "task_complete",
        "turn_complete",
        "turn_aborted",
        "thread_rolled_back",
        "user_message",
        "item_completed",
    }
)


def is_unwanted(kind: str, inner: str) -> bool:
    """Whether a record says nothing about the history; `inner` is its payload's type, "" where it
    is not seen."""
    return kind in SILENT or (kind == "event_msg" and inner != "" and inner not in _TELLING_EVENTS)
