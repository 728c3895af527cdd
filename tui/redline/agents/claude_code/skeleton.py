"""What a session file holds, record by record: the chain without bodies, and what is wrong."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redline.agents.claude_code.above import Above
from redline.agents.claude_code.attachments import human_prompt, is_sent
from redline.agents.claude_code.boundary import SUBTYPES, read_boundary
from redline.agents.claude_code.kinds import picture_kind, record_kind, spans
from redline.agents.claude_code.node import Boundary, LeafHint, Mark, Node, Type, span_of, text
from redline.agents.claude_code.usage import FIELDS, later, read_usage
from redline.agents.records import Record
from redline.agents.requests import Requests
from redline.agents.times import seconds
from redline.agents.token_count import token_count
from redline.model import Damage, DamageKind, Kind

if TYPE_CHECKING:
    from redline.agents.claude_code.folding import Folding

SYNTHETIC_MODEL = "<synthetic>"
CHAIN_TYPES = {kind.value: kind for kind in Type}

# Records that stand beside the conversation (1.0.24 to 2.1.270).
BESIDE = frozenset(
    [
        "summary",
        "file-history-snapshot",
        "file-history-delta",
        "queue-operation",
        "last-prompt",
        "ai-title",
        "custom-title",
        "agent-name",
        "agent-color",
        "agent-setting",
        "mode",
        "permission-mode",
        "pr-link",
        "bridge-session",
        "atis-latch",
        "cost-state",
        "frame-link",
        "continued-in",
        "fork-context-ref",
        "content-replacement",
        "ended-by-model",
        "tag",
        "relocated",
        "history-suppression",
        "attribution-snapshot",
        "task-summary",
        "worktree-state",
        "speculation-accept",
        "started",
        "result",
    ]
)
BESIDE_STARTS = ("artifact-", "marble-origami-")


def is_record(value: dict[str, Any]) -> bool:
    """Whether an object is a record of this agent, for lines that are torn."""
    kind = value.get("type")
    if not isinstance(kind, str):
        return False
    if kind in CHAIN_TYPES:
        return "uuid" in value or "sessionId" in value or isinstance(value.get("message"), dict)
    return kind in BESIDE or kind.startswith(BESIDE_STARTS)


@dataclass(slots=True)
class Skeleton:
    """A session file without its bodies. `nodes` are in file order, one a uuid; with `folding`
    those that are not folded away."""

    path: Path
    nodes: list[Node] = field(default_factory=list)
    by_uuid: dict[str, Node] = field(default_factory=dict)
    boundaries: dict[str, Boundary] = field(default_factory=dict)
    hints: list[LeafHint] = field(default_factory=list)
    damage: list[Damage] = field(default_factory=list)
    records: int = 0
    unknown: int = 0
    calls: dict[str, str] = field(default_factory=dict)
    reply: str | None = None  # of the last record of an agent
    results: dict[str, int] = field(default_factory=dict)
    session_id: str | None = None
    cwd: str | None = None
    version: str | None = None
    model: str | None = None
    agents: dict[str, str] = field(default_factory=dict)  # subagent: the call that started it
    titles: dict[str, str] = field(default_factory=dict)
    legacy_titles: dict[str, str] = field(default_factory=dict)
    as_subagent: bool = False
    requests: Requests = field(default_factory=Requests)
    clock: list[tuple[float, int]] | None = None  # see gaps.py
    settled: int = 0  # how often records were replaced by later ones
    above: Above | None = None  # see branch.py
    folding: Folding | None = None

    def take(self, record: Record) -> bool:
        """Takes in the next record of the file."""
        self.records += 1
        count = len(self.nodes)
        _take(self, record)
        if self.folding is None or len(self.nodes) == count:
            return True
        if self.nodes[-1].marks & Mark.BOUNDARY:
            self.folding.fold(self)
        return not self.folding.spoilt

    def settle(self) -> None:
        """Takes out the records that a later one with the same uuid replaced."""
        _settle(self)
        if self.folding is not None:
            self.folding.check(self)

    def copied(self) -> Skeleton:
        """The same, to be gone on with apart from this one."""
        return replace(
            self,
            nodes=list(self.nodes),
            by_uuid=dict(self.by_uuid),
            boundaries=dict(self.boundaries),
            hints=list(self.hints),
            damage=list(self.damage),
            calls=dict(self.calls),
            results=dict(self.results),
            agents=dict(self.agents),
            titles=dict(self.titles),
            legacy_titles=dict(self.legacy_titles),
            requests=self.requests.copied(),
            clock=None,
            folding=self.folding.copied() if self.folding is not None else None,
        )

    @property
    def folded(self) -> Folding | None:
        """What stands for the records that were let go, None where none were."""
        return self.folding if self.folding is not None and self.folding.folded else None

    @property
    def aside(self) -> bool:
        """Whether every record is one of a subagent."""
        if self.folded is not None:
            return False
        return bool(self.nodes) and all(node.marks & Mark.ASIDE for node in self.nodes)


def _settle(skeleton: Skeleton) -> None:
    skeleton.clock = None
    if len(skeleton.nodes) == len(skeleton.by_uuid):
        return
    skeleton.settled += 1
    kept = [node for node in skeleton.nodes if skeleton.by_uuid[node.uuid] is node]
    places = [node.place for node in kept]
    skeleton.hints = [
        replace(hint, place=bisect_left(places, hint.place)) for hint in skeleton.hints
    ]
    # A node may stand in another skeleton too: one with a new place is another node.
    skeleton.nodes = [
        node if node.place == place else replace(node, place=place)
        for place, node in enumerate(kept)
    ]
    skeleton.by_uuid = {node.uuid: node for node in skeleton.nodes}


def orphans(skeleton: Skeleton) -> list[Damage]:
    """Results whose call is nowhere in the file."""
    return [
        Damage(
            number,
            DamageKind.ORPHAN,
            f"the result of {call[:60]!r} has no call in this file",
        )
        for call, number in skeleton.results.items()
        if call not in skeleton.calls
    ]


def _take(skeleton: Skeleton, record: Record) -> None:
    value = record.value
    kind = value.get("type")
    chain_type = CHAIN_TYPES.get(kind) if isinstance(kind, str) else None
    if chain_type is not None:
        _take_node(skeleton, record, chain_type)
    elif isinstance(kind, str) and (kind in BESIDE or kind.startswith(BESIDE_STARTS)):
        _take_beside(skeleton, value, kind)
    else:
        skeleton.unknown += 1
        what = f"type {kind[:60]!r} is not known" if isinstance(kind, str) else "it has no type"
        skeleton.damage.append(Damage(record.number, DamageKind.UNKNOWN, what))


def _take_beside(skeleton: Skeleton, value: dict[str, Any], kind: str) -> None:
    match kind:
        case "last-prompt":
            hint = LeafHint(
                text(value.get("leafUuid")), value.get("explicit") is True, len(skeleton.nodes)
            )
            if hint.leaf or hint.explicit:
                skeleton.hints.append(hint)
        case "custom-title" | "ai-title":
            title = text(value.get("customTitle")) or text(value.get("aiTitle"))
            if title:
                skeleton.titles[kind] = title
        case "summary":
            leaf, title = text(value.get("leafUuid")), text(value.get("summary"))
            if leaf and title:
                skeleton.legacy_titles[leaf] = title


def _take_node(skeleton: Skeleton, record: Record, kind: Type) -> None:
    value, number = record.value, record.number
    marks = Mark.NONE
    if value.get("isSidechain") is True:
        marks = Mark.ASIDE if skeleton.as_subagent else Mark.ASIDE | Mark.SIDECHAIN
    if not record.leading:
        marks |= Mark.RECOVERED
    uuid = text(value.get("uuid"))
    if uuid is None:
        uuid = f"line:{number}:{record.start}" if f"line:{number}" in skeleton.by_uuid else ""
        uuid = uuid or f"line:{number}"
        marks |= Mark.NAMELESS
        skeleton.damage.append(Damage(number, DamageKind.WRONG_TYPE, "uuid: a text was expected"))
    parent = value.get("parentUuid")
    if parent is not None and not isinstance(parent, str):
        skeleton.damage.append(
            Damage(number, DamageKind.WRONG_TYPE, "parentUuid: a text or null was expected")
        )
        parent, marks = None, marks | Mark.LOOSE
    elif "parentUuid" not in value:
        marks |= Mark.LOOSE
    if parent in skeleton.by_uuid:
        parent = skeleton.by_uuid[parent].uuid  # one object for one uuid
    node = Node(
        place=len(skeleton.nodes),
        span=span_of(record),
        type=kind,
        uuid=uuid,
        parent=parent or None,
        marks=marks,
        time=seconds(value.get("timestamp")),
    )
    match kind:
        case Type.USER:
            _user(skeleton, node, value)
        case Type.ASSISTANT:
            _assistant(skeleton, node, value)
        case Type.SYSTEM:
            _system(skeleton, node, value)
        case Type.ATTACHMENT:
            if is_sent(value.get("attachment")):
                node.marks |= Mark.SENT
                node.prompts = int(human_prompt(value.get("attachment")))
        case Type.PROGRESS:
            data = value.get("data")
            agent = text(data.get("agentId")) if isinstance(data, dict) else None
            call = text(value.get("parentToolUseID"))
            if agent and call:
                skeleton.agents.setdefault(agent, call)
    if not node.sidechain:
        skeleton.session_id = text(value.get("sessionId")) or skeleton.session_id
        skeleton.cwd = skeleton.cwd or text(value.get("cwd"))
        skeleton.version = text(value.get("version")) or skeleton.version
    _place(skeleton, node)


def _place(skeleton: Skeleton, node: Node) -> None:
    """Adds `node`. Of records with one uuid the last one counts, at the last place."""
    former = skeleton.by_uuid.get(node.uuid)
    if former is not None:
        detail = f"uuid {node.uuid[:60]!r} was in record {former.number} too, the last one counts"
        skeleton.damage.append(Damage(node.number, DamageKind.DUPLICATE, detail))
    skeleton.nodes.append(node)
    skeleton.by_uuid[node.uuid] = node


def _content(skeleton: Skeleton, node: Node, value: dict[str, Any]) -> Any:
    """`message.content` where it is a text or a list, otherwise None and a damage."""
    message = value.get("message")
    if not isinstance(message, dict):
        detail = "message: an object was expected"
    else:
        content = message.get("content")
        if isinstance(content, str | list):
            return content
        detail = "message.content: a text or a list was expected"
    skeleton.damage.append(Damage(node.number, DamageKind.WRONG_TYPE, detail))
    return None


def _blocks(skeleton: Skeleton, node: Node, content: list[Any]) -> list[dict[str, Any]]:
    """The blocks of a content list; what is neither block nor text is listed."""
    found: list[dict[str, Any]] = []
    for block in content:
        if isinstance(block, dict) and isinstance(block.get("type"), str):
            found.append(block)
        elif isinstance(block, str):
            found.append({"type": "text", "text": block})
        else:
            detail = "message.content: a block was expected in the list"
            skeleton.damage.append(Damage(node.number, DamageKind.WRONG_TYPE, detail))
    return found


def _user(skeleton: Skeleton, node: Node, value: dict[str, Any]) -> None:
    if value.get("isCompactSummary") is True:
        node.marks |= Mark.SUMMARY
    if value.get("isMeta") is True:
        node.marks |= Mark.META
    content = _content(skeleton, node, value)
    if content is None or content == [] or content == "":
        return
    node.marks |= Mark.SENT
    kind = record_kind(value)
    if isinstance(content, str):
        node.prompts = sum(piece is Kind.PROMPT for piece, _, _ in spans(content, kind))
        return
    for block in _blocks(skeleton, node, content):
        match block["type"]:
            case "text" if isinstance(block.get("text"), str):
                node.prompts += sum(p is Kind.PROMPT for p, _, _ in spans(block["text"], kind))
            case "image" | "document":
                node.prompts += picture_kind(value, content) is Kind.PROMPT
            case "tool_result":
                node.marks |= Mark.RESULTS
                call = text(block.get("tool_use_id"))
                if call and not node.sidechain:
                    call = skeleton.calls.get(call, call)  # one object for both
                    skeleton.results.setdefault(call, node.number)
                    outcome = value.get("toolUseResult")
                    agent = text(outcome.get("agentId")) if isinstance(outcome, dict) else None
                    if agent:
                        skeleton.agents[agent] = call


def _assistant(skeleton: Skeleton, node: Node, value: dict[str, Any]) -> None:
    if value.get("isApiErrorMessage") is True:
        node.marks |= Mark.API_ERROR
    content = _content(skeleton, node, value)
    message = value.get("message")
    if not isinstance(message, dict):
        return
    model = text(message.get("model"))
    if model == SYNTHETIC_MODEL:
        node.marks |= Mark.SYNTHETIC
    elif model and not node.sidechain:
        skeleton.model = model
    node.api_id = text(message.get("id"))
    if node.api_id == skeleton.reply:
        node.api_id = skeleton.reply  # one object for all records of a reply
    skeleton.reply = node.api_id
    if isinstance(content, list):
        for block in _blocks(skeleton, node, content):
            if block["type"] in ("tool_use", "server_tool_use"):
                node.marks |= Mark.CALLS
                call = text(block.get("id"))
                if call and not node.sidechain:
                    skeleton.calls.setdefault(call, call)
    if content and not node.marks & Mark.API_ERROR:
        node.marks |= Mark.SENT
    _usage(skeleton, node, model, message.get("usage"))


def _usage(skeleton: Skeleton, node: Node, model: str | None, usage: Any) -> None:
    if isinstance(usage, dict):
        for name in FIELDS:
            if usage.get(name) is not None and token_count(usage[name]) is None:
                detail = f"usage.{name}: a count of tokens was expected"
                skeleton.damage.append(Damage(node.number, DamageKind.WRONG_TYPE, detail))
    elif usage is not None:
        detail = "usage: an object was expected"
        skeleton.damage.append(Damage(node.number, DamageKind.WRONG_TYPE, detail))
    if not node.marks & Mark.SYNTHETIC:
        read = read_usage(usage)
        if read is None:
            return
        node.billed = read.billed
        key = node.api_id or node.uuid
        total = later(skeleton.requests.usage(key), read) or read
        skeleton.requests.set(key, model, total, aside=bool(node.marks & Mark.ASIDE))


def _system(skeleton: Skeleton, node: Node, value: dict[str, Any]) -> None:
    subtype = value.get("subtype")
    if subtype in SUBTYPES:
        boundary = read_boundary(value, node.uuid)
        if not node.sidechain:
            skeleton.boundaries[node.uuid] = boundary
            node.marks |= Mark.MICRO if subtype == SUBTYPES[1] else Mark.BOUNDARY
    elif subtype == "local_command" and text(value.get("content")):
        node.marks |= Mark.SENT
