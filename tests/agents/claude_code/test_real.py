"""Real files: what the agent itself answers, and a plain reading of the same file."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from redline.agents.claude_code.reader import open_session
from redline.model import CompactionKind

pytestmark = pytest.mark.real

Joined = tuple[str, str | None, str]


def session_files(folder: Path) -> list[Path]:
    found = folder.joinpath("claude_code").rglob("*.jsonl")
    return sorted(path for path in found if "subagents" not in path.parts)


def digest(text: str) -> str:
    return hashlib.sha1(text.rstrip().encode("utf-8", "replace")).hexdigest()


def key(kind: str, ident: str | None, sha1: str) -> Joined:
    """Images and redacted blocks are compared by type only."""
    return (kind, ident, "" if kind in ("image", "redacted_thinking") else sha1)


def test_the_resume_view_is_what_the_agent_sends(real_sessions: Path) -> None:
    files = {path.name: path for path in session_files(real_sessions)}
    goldens = sorted(real_sessions.joinpath("claude_code").glob("golden-resume-*.json"))
    assert goldens
    for golden in goldens:
        answer = json.loads(golden.read_text())
        blocks = [(key(b["type"], b["id"], b["sha1"]), b["added"]) for b in answer["blocks"]]
        held = [block for block, added in blocks if not added]
        made_up = {block for block, added in blocks if added} - set(held)
        session = open_session(files[answer["file"]])
        ours = [key(b.type, b.id, digest(b.text)) for b in session.source.resume()]
        assert [block for block in ours if block not in made_up] == held, golden.name


def plain(path: Path) -> Iterator[dict[str, Any]]:
    """Every object of a file, read in the plainest way."""
    decoder = json.JSONDecoder()
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        rest = line.strip()
        while rest:
            value, end = decoder.raw_decode(rest)
            yield value
            rest = rest[end:].strip()


def blocks_of(records: Iterable[dict[str, Any]], kind: str) -> Iterator[dict[str, Any]]:
    for one in records:
        content = one.get("message", {}).get("content")
        for block in content if isinstance(content, list) else ():
            if block.get("type") == kind:
                yield block


def test_figures_are_those_of_a_plain_reading(real_sessions: Path) -> None:
    for path in session_files(real_sessions):
        records = [one for one in plain(path) if one.get("isSidechain") is not True]
        session = open_session(path)
        boundaries = [one for one in records if one.get("subtype") == "compact_boundary"]
        after = records[records.index(boundaries[-1]) :] if boundaries else records
        billed = None
        for one in after:
            usage = one.get("message", {}).get("usage")
            if one["type"] == "assistant" and usage and one["message"]["model"] != "<synthetic>":
                billed = sum(
                    usage[name]
                    for name in (
                        "input_tokens",
                        "cache_read_input_tokens",
                        "cache_creation_input_tokens",
                    )
                )
        assert session.info.billed == billed, path.name
        called = {block["id"] for block in blocks_of(records, "tool_use")}
        answered = {block["tool_use_id"] for block in blocks_of(records, "tool_result")}
        assert session.counts.tool_pairs == len(called & answered), path.name
        assert session.counts.records == len(list(plain(path))), path.name
        full = [past for past in session.compactions if past.kind is not CompactionKind.MICRO]
        assert [(past.trigger, past.tokens_before) for past in full] == [
            (one["compactMetadata"]["trigger"], one["compactMetadata"]["preTokens"])
            for one in boundaries
        ], path.name


def test_history_context_and_counts_agree(real_sessions: Path) -> None:
    for path in session_files(real_sessions):
        session = open_session(path)
        history = list(session.source.history())
        assert len(history) == session.counts.messages, path.name
        assert sum(len(m.prompts) for m in history) == session.counts.prompts, path.name
        assert sum(1 for m in history if m.prompts) == session.counts.turns, path.name
        assert {m.id for m in session.context} <= {m.id for m in history}, path.name
        for message in session.context:
            for part in message.parts:
                if part.type not in ("image", "opaque"):
                    assert len(session.text(part)) == part.chars, (path.name, message.id)


def test_a_broken_chain_says_what_the_agent_would_lose(real_sessions: Path) -> None:
    folder = real_sessions / "claude_code"
    session = open_session(folder / "entire_38346dbf_dangling.jsonl")
    assert session.resume_lost > 100
    assert sum(message.seam for message in session.context) == 1
    assert open_session(folder / "entire_6860e231_cjk.jsonl").resume_lost == 0
