"""The resume view against what pi 1.6.0 itself sent."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.pi.reader import open_session
from redline.model import Block

pytestmark = pytest.mark.real

NAMES = [
    "before-compaction.v3-migrated",
    "edge-abandoned-compaction",
    "edge-malformed-line",
    "edge-no-trailing-newline",
    "edge-unknown-firstkept",
    "large-session",
    "large-session.v3-migrated",
    "synthetic-pi-1.6.0-all-entry-types",
]


def _key(block: Block) -> tuple[str, str, str | None, str]:
    text = block.text.rstrip().encode("utf-8", "replace")
    return block.role, block.type, block.id, hashlib.sha1(text).hexdigest()


@pytest.mark.parametrize("name", NAMES)
def test_the_resume_view_is_what_pi_sends(real_sessions: Path, name: str) -> None:
    folder = real_sessions / "pi"
    golden: list[dict[str, Any]] = json.loads(
        (folder / f"golden-resume-{name}.json").read_text("utf-8")
    )["blocks"]
    session = open_session(folder / f"{name}.jsonl")
    ours = [_key(block) for block in session.source.resume()]
    theirs = [(b["role"], b["type"], b["id"], b["sha1"]) for b in golden]
    # what pi makes up for a call without its result stands in no file
    made_up = hashlib.sha1(b"No result provided").hexdigest()
    assert ours == [block for block in theirs if block[3] != made_up]
    assert session.resume_lost == 0
