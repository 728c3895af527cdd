"""What stands beside the live branch: abandoned branches and subagents, by reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import orjson

from redline.agents.bodies import texts
from redline.agents.claude_code.branch import Branch
from redline.agents.claude_code.chain import TALK
from redline.agents.claude_code.finding import COMPACTION_AGENT
from redline.agents.claude_code.node import Mark, Node, Type, text
from redline.agents.claude_code.skeleton import Skeleton
from redline.agents.heads import head_line
from redline.errors import RedlineError
from redline.model import SideBranch, Subagent

_AGENT_FILE = re.compile(r"agent-(?P<id>.+)\.jsonl")
_FIRST_LINE_BYTES = 1_000_000

RecordOf = Callable[[Node], dict[str, Any]]
HeadOf = Callable[[Node], str]


def side_branches(skeleton: Skeleton, branch: Branch, head_of: HeadOf) -> tuple[SideBranch, ...]:
    """Branches that leave the live one and say something, in the order of the file."""
    live = branch.uuids()
    first_of_reply: dict[str, str] = {}
    for node in branch.history():
        if node.type is Type.ASSISTANT and node.api_id:
            first_of_reply.setdefault(node.api_id, node.uuid)
    off = [node for node in skeleton.nodes if node.uuid not in live and not node.sidechain]
    parents = {node.parent for node in off if node.parent}
    trunks = [_trunk(skeleton, leaf, live) for leaf in off if leaf.uuid not in parents]
    found: dict[int, SideBranch] = {}
    told: set[str] = set()
    for trunk, fork in sorted(trunks, key=lambda found: len(found[0]), reverse=True):
        talk = [node for node in trunk if node.type in TALK and node.marks & Mark.SENT]
        new = [node for node in talk if node.uuid not in told]
        # A result of parallel calls hangs on its own call, beside the branch that goes on.
        beside = len(new) < len(talk) and all(node.marks & Mark.RESULTS for node in new)
        if not new or beside:
            continue
        told.update(node.uuid for node in trunk)
        leaf = trunk[-1]
        found[leaf.place] = SideBranch(
            leaf=leaf.uuid,
            fork=_message_of(skeleton, fork, first_of_reply),
            records=len(trunk),
            answered=any(node.type is Type.ASSISTANT for node in talk),
            head=head_of(talk[0]),
        )
    return tuple(found[place] for place in sorted(found))


def _trunk(skeleton: Skeleton, leaf: Node, live: set[str]) -> tuple[list[Node], Node | None]:
    """The records of a side branch, first one first, and the live record that it hangs on."""
    trunk: list[Node] = []
    seen: set[str] = set()
    at: Node | None = leaf
    while at is not None and at.uuid not in live and at.uuid not in seen:
        seen.add(at.uuid)
        trunk.append(at)
        at = skeleton.by_uuid.get(at.parent) if at.parent else None
    trunk.reverse()
    return trunk, at if at is not None and at.uuid in live else None


def _message_of(skeleton: Skeleton, node: Node | None, firsts: dict[str, str]) -> str | None:
    """The id of the message that the record `node` belongs to or comes after."""
    seen: set[str] = set()
    while node is not None and node.uuid not in seen:
        seen.add(node.uuid)
        if node.marks & Mark.SENT:
            return firsts.get(node.api_id, node.uuid) if node.api_id else node.uuid
        node = skeleton.by_uuid.get(node.parent) if node.parent else None
    return None


def record_head(node: Node, record_of: RecordOf) -> str:
    """The first line of the message of a record, "" where it cannot be read."""
    try:
        message = record_of(node).get("message")
    except RedlineError:
        return ""
    return head_line(texts(message.get("content"))) if isinstance(message, dict) else ""


def subagents(skeleton: Skeleton, head_of: HeadOf) -> tuple[Subagent, ...]:
    """The subagents of a session: in its folder, beside it (up to 2.0.x), or inside it (1.0.x).

    The compaction agent's own transcript is none.
    """
    if skeleton.as_subagent:
        return ()
    found = []
    for path in _files(skeleton):
        match = _AGENT_FILE.fullmatch(path.name)
        if match is None or match["id"].startswith(COMPACTION_AGENT):
            continue
        meta = _meta(path.with_suffix(".meta.json"))
        found.append(
            Subagent(
                id=match["id"],
                path=path,
                kind=text(meta.get("agentType")),
                description=text(meta.get("description")),
                call_id=skeleton.agents.get(match["id"]),
            )
        )
    return (*found, *_inline(skeleton, head_of))


def _files(skeleton: Skeleton) -> Iterator[Path]:
    path = skeleton.path
    try:
        yield from sorted((path.with_suffix("") / "subagents").rglob("agent-*.jsonl"))
        beside = sorted(path.parent.glob("agent-*.jsonl"))
    except OSError:
        return
    for other in beside:
        if skeleton.session_id and _session_of(other) == skeleton.session_id:
            yield other


def _session_of(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            value = orjson.loads(file.readline(_FIRST_LINE_BYTES))
    except (OSError, ValueError):
        return None
    return text(value.get("sessionId")) if isinstance(value, dict) else None


def _meta(path: Path) -> dict[str, Any]:
    try:
        value = orjson.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _inline(skeleton: Skeleton, head_of: HeadOf) -> Iterator[Subagent]:
    """Subagents whose records lie in the main file; opened with `leaf` set to their id."""
    aside = [node for node in skeleton.nodes if node.sidechain]
    parents = {node.parent for node in aside if node.parent}
    roots: set[str] = set()
    for leaf in reversed(aside):
        if leaf.uuid in parents or leaf.type not in TALK:
            continue
        root, seen = leaf, {leaf.uuid}
        while root.parent in skeleton.by_uuid and root.parent not in seen:
            above = skeleton.by_uuid[root.parent]
            if not above.sidechain:
                break
            seen.add(above.uuid)
            root = above
        if root.uuid not in roots:
            roots.add(root.uuid)
            yield Subagent(leaf.uuid, skeleton.path, kind="inline", description=head_of(root))
