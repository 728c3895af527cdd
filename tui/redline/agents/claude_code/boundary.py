"""Reads compaction boundaries: full, partial (preserved messages) and micro."""

from __future__ import annotations

from typing import Any

from redline.agents.claude_code.node import Boundary, names, text
from redline.agents.token_count import token_count
from redline.model import CompactionKind

SUBTYPES = ("compact_boundary", "microcompact_boundary")


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def read_boundary(record: dict[str, Any], uuid: str) -> Boundary:
    """The boundary that a `system` record with a subtype of `SUBTYPES` describes."""
    logical = text(record.get("logicalParentUuid"))
    if record.get("subtype") == "microcompact_boundary":
        meta = _dict(record.get("microcompactMetadata"))
        return Boundary(
            uuid=uuid,
            kind=CompactionKind.MICRO,
            logical_parent=logical,
            trigger=text(meta.get("trigger")),
            tokens_before=token_count(meta.get("preTokens")),
            cleared=names(meta.get("compactedToolIds")),
        )
    meta = _dict(record.get("compactMetadata")) or _dict(record.get("compact_metadata"))
    messages, segment = _dict(meta.get("preservedMessages")), _dict(meta.get("preservedSegment"))
    before = meta.get("preTokens", meta.get("pre_tokens"))
    preserved = names(messages.get("uuids"))
    ends = (text(segment.get("headUuid")), text(segment.get("tailUuid")))
    partial = bool(preserved) or all(ends)
    return Boundary(
        uuid=uuid,
        kind=CompactionKind.PARTIAL if partial else CompactionKind.FULL,
        logical_parent=logical,
        trigger=text(meta.get("trigger")),
        tokens_before=token_count(before),
        tokens_after=token_count(meta.get("postTokens", meta.get("post_tokens"))),
        anchor=text(messages.get("anchorUuid")) or text(segment.get("anchorUuid")),
        preserved=preserved,
        head=ends[0],
        tail=ends[1],
    )
