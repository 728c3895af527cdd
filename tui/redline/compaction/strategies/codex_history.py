"""What Codex's compaction works over: its items of the window, and whose words they are.

Of a session of another agent its messages, taken likewise: every person's words are a message of
the user's role, what was put in beside them is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from redline.agents.codex.compacting import is_retained
from redline.agents.codex.gauge import estimate, sealed_tokens
from redline.agents.codex.item import INTER_AGENT, Item
from redline.agents.codex.kinds import SUMMARY_PREFIX, is_hook_prompt, is_label, texts_of
from redline.agents.codex.retaining import IMAGE_TOKENS, image_tokens, text_tokens
from redline.agents.codex.shortening import BYTES_PER_TOKEN
from redline.agents.codex.source import RolloutSource
from redline.agents.codex.view import grouped
from redline.compaction.outline import answers
from redline.compaction.remembered import Remembered
from redline.model import Kind, Message, Part, PartType, Role, Session

_AGENT_MESSAGE = "agent_message"
_FINAL = "final_answer"


class Sort(StrEnum):
    """What Codex takes a message for. `FINAL` is the reply that ends a turn."""

    PROMPT = "prompt"
    HOOK = "hook"
    SUMMARY = "summary"
    AGENT = "agent"
    FINAL = "final"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a message of the user's role: the places of its parts and their texts, of an
    image none. `tokens` is what the remote form takes it for; a `label` only marks an image."""

    places: tuple[int, ...]
    texts: tuple[str, ...]
    tokens: int
    label: bool = False


@dataclass(frozen=True, slots=True)
class History:
    """Columns aligned with the messages of the context; `estimates` are Codex's own, in tokens.
    `places(i)` are the parts of message i that are somebody's words, with their images; `blocks(i)`
    holds what a message of the user's role says, read when it is wanted."""

    sorts: tuple[Sort, ...]
    estimates: tuple[int, ...]
    places: Callable[[int], Sequence[int]]
    blocks: Callable[[int], Sequence[Block]]

    def agent_tokens(self, i: int) -> int:
        """What Codex takes message `i` of another agent for."""
        return sum(block.tokens for block in self.blocks(i))

    def of(self, *sorts: Sort) -> list[int]:
        """The indexes of the messages of these sorts, the newest first."""
        return [i for i in range(len(self.sorts) - 1, -1, -1) if self.sorts[i] in sorts]


def _history(session: Session) -> History:
    if isinstance(session.source, RolloutSource):
        groups = grouped(session.source.window())
        if len(groups) == len(session.context):
            return _own(session, groups)
    return _foreign(session)


history_of = Remembered(_history)


def _own(session: Session, groups: Sequence[Sequence[Item]]) -> History:
    context = session.context
    sorts = [_sort(items[0]) for items in groups]
    told = {i for i, items in enumerate(groups) if any(_phase(item) == _FINAL for item in items)}
    if not any(_phase(item) for items in groups for item in items):
        told = _last_replies(context, sorts)
    for i in told:
        sorts[i] = Sort.FINAL

    def places(i: int) -> Sequence[int]:
        if sorts[i] is not Sort.FINAL:
            return range(len(context[i].parts))
        ends = [item for item in groups[i] if _phase(item) in (None, _FINAL)]
        return [j for j in _said(context[i]) if _is_of(context[i].parts[j], ends)]

    def blocks(i: int) -> Sequence[Block]:
        return list(_item_blocks(context[i], groups[i][0]))

    estimates = tuple(sum(map(estimate, items)) for items in groups)
    return History(tuple(sorts), estimates, places, blocks)


def _phase(item: Item) -> object:
    return item.value.get("phase") if item.role == "assistant" else None


def _sort(item: Item) -> Sort:
    if item.type in (_AGENT_MESSAGE, INTER_AGENT):
        return Sort.AGENT
    if item.role != "user":
        return Sort.OTHER
    if is_retained(item):
        return Sort.PROMPT
    texts = texts_of(item.value)
    if any(text.startswith(SUMMARY_PREFIX) for text in texts):
        return Sort.SUMMARY
    return Sort.HOOK if any(map(is_hook_prompt, texts)) else Sort.OTHER


def _is_of(part: Part, items: Iterable[Item]) -> bool:
    """Whether one of `items` holds the part."""
    origin = part.origin
    return any(
        origin.record == item.number and origin.pointer[: len(item.pointer)] == item.pointer
        for item in items
    )


def _said(message: Message) -> list[int]:
    """The places of the words of a reply."""
    return [
        j
        for j, part in enumerate(message.parts)
        if part.type is PartType.TEXT and part.kind is Kind.REPLY
    ]


def _item_blocks(message: Message, item: Item) -> Iterable[Block]:
    """The blocks of an item as it stands in the history; one text may be several parts."""
    content = item.value.get("content")
    content = content if isinstance(content, list) else []
    parts: dict[int, list[Part]] = {}
    for part in message.parts:
        named = part.origin.pointer[len(item.pointer) + 1 :] if item.body is None else (0,)
        at = named[0] if named else None
        if isinstance(at, int) and 0 <= at < len(content):
            parts.setdefault(at, []).append(part)
    labelled = len(texts_of(item.value)) > 1
    for at, found in parts.items():
        block: Mapping[str, Any] = content[at]
        places = tuple(part.index for part in found)
        if found[0].type is PartType.IMAGE:
            yield Block(places, (), image_tokens(block.get("detail"), found[0].pixels))
            continue
        text = block.get("text")
        if not isinstance(text, str):
            sealed = found[0].wire == _AGENT_MESSAGE
            yield Block(places, (), sealed_tokens(found[0].chars) if sealed else 0)
            continue
        spans = (slice(*part.origin.span) if part.origin.span else slice(None) for part in found)
        texts = tuple(text[span] for span in spans)
        yield Block(places, texts, text_tokens(text), labelled and is_label(text))


def _foreign(session: Session) -> History:
    context = session.context
    sorts = [_foreign_sort(message) for message in context]
    for i in _last_replies(context, sorts):
        sorts[i] = Sort.FINAL

    def places(i: int) -> Sequence[int]:
        if sorts[i] is Sort.FINAL:
            return _said(context[i])
        wanted = Kind.SUMMARY if sorts[i] is Sort.SUMMARY else Kind.PROMPT
        parts = enumerate(context[i].parts)
        return [j for j, part in parts if part.kind is wanted and not answers(part)]

    def blocks(i: int) -> Sequence[Block]:
        return [_block(session, j, context[i].parts[j]) for j in places(i)]

    return History(tuple(sorts), tuple(map(_guess, context)), places, blocks)


def _block(session: Session, place: int, part: Part) -> Block:
    if part.type is PartType.IMAGE:
        return Block((place,), (), IMAGE_TOKENS)
    text = session.text(part)
    return Block((place,), (text,), text_tokens(text))


def _foreign_sort(message: Message) -> Sort:
    if message.role is not Role.USER:
        return Sort.OTHER
    kinds = {part.kind for part in message.parts if not answers(part)}
    if Kind.PROMPT in kinds:
        return Sort.PROMPT
    return Sort.SUMMARY if Kind.SUMMARY in kinds else Sort.OTHER


def _guess(message: Message) -> int:
    """Codex's estimate of a message of another agent, by the characters that its reader counted."""
    tokens = 0
    for part in message.parts:
        if part.type is PartType.IMAGE:
            tokens += IMAGE_TOKENS
        elif part.type is PartType.OPAQUE:
            tokens += sealed_tokens(part.chars)
        else:
            tokens += -(-part.chars // BYTES_PER_TOKEN)
    return tokens


def _last_replies(context: Sequence[Message], sorts: Sequence[Sort]) -> set[int]:
    """The replies that end a turn: words without a call, and nothing of the model after them."""
    found: set[int] = set()
    ended = True
    for i in range(len(context) - 1, -1, -1):
        if sorts[i] in (Sort.PROMPT, Sort.AGENT):
            ended = True
        elif context[i].role is Role.ASSISTANT:
            kinds = {part.kind for part in context[i].parts}
            if ended and _said(context[i]) and Kind.TOOL_CALL not in kinds:
                found.add(i)
            ended = False
    return found
