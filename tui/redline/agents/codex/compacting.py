"""What a compaction of Codex makes of the history: a new window of items, kept ones and new ones.

A kept message is a copy of an earlier one: it keeps the id and, where it is word for word the same,
the place of the original, so that it is told once however often it was carried along.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import orjson

from redline.agents.codex.item import COMPACTIONS, KNOWN, MESSAGE, Item, Reply
from redline.agents.codex.kinds import SUMMARY_PREFIX, is_label, starts_turn, texts_of
from redline.agents.codex.retaining import LOCAL_TOKENS, newest
from redline.agents.codex.shortening import shorten_prompt, token_count
from redline.agents.codex.usage import Counter
from redline.agents.records import Record
from redline.model import Pointer

REBUILT = "rebuilt"  # the first step of a pointer to what no record holds
_SUMMARY = -1  # its number among the messages built
_NO_SUMMARY = "(no summary available)"
_SHORTENED = re.compile(r"…\d+ tokens truncated…")
_BESIDE = ("id", "internal_chat_message_metadata_passthrough", "metadata", "phase", "status")


@dataclass(slots=True)
class Compaction:
    """A compaction while the walk goes on; tokens as in `PastCompaction`.

    `place` stands for the record's id. `built` are messages that Codex puts together itself and
    that no record holds, by number. `written` is the reply that wrote the summary. `begins` is the
    first record, by sequence, that the compaction itself wrote.
    """

    path: Path
    number: int
    start: int
    end: int
    sequence: int
    ident: str
    told: object
    message: str
    place: str
    trigger: str | None = None
    tokens_before: int | None = None
    tokens_after: int | None = None
    reported_after: int | None = None
    messages_before: int = 0
    summary: Item | None = None
    sealed: Item | None = None
    preserved: dict[str, None] = field(default_factory=dict)
    written: Reply | None = None
    begins: int = 0
    built: dict[int, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def of(cls, path: Path, record: Record, sequence: int, message: str, place: str) -> Compaction:
        payload = record.value["payload"]
        own = payload.get("window_id")  # a plain number in builds of 2026-06
        ident = own if isinstance(own, str) and own else place
        told = record.value.get("timestamp")
        at = record.number, record.start, record.end
        return cls(path, *at, sequence, ident, told, message, place)

    def close(self, window: Sequence[Item], messages: int, counter: Counter) -> None:
        """Takes in what stood before it. A local compaction leaves the reply that wrote the summary
        just before it; that is no part of what the model had in its window."""
        self.messages_before = messages
        self.begins = self.sequence
        self.written = _writer(window, self.message)
        own = [item for item in window if item.reply is self.written] if self.written else []
        for item in own:
            item.summary = item.type == MESSAGE
            self.begins = min(self.begins, item.sequence)
        asked = self.written is not None and self.written.usage is not None
        self.tokens_before = counter.billed_before if asked else counter.billed
        counter.billed = counter.billed_before = None

    def reported(self, total: int, window: int | None) -> None:
        """Codex's first estimate after it. One beyond the window is none: it was made before."""
        fits = window is None or total < window
        if self.reported_after is None and self.tokens_after is None and fits:
            self.reported_after = total

    def item(
        self, value: Mapping[str, Any], pointer: Pointer, ident: str, body: Pointer | None = None
    ) -> Item:
        named = value.get("type")
        return Item(
            named if isinstance(named, str) else MESSAGE,
            value,
            self.path,
            self.number,
            self.start,
            self.end,
            pointer,
            ident,
            self.sequence,
            self.told,
            body=body,
        )


def _writer(window: Sequence[Item], message: str) -> Reply | None:
    """The reply at the end of `window` whose words the summary `message` is."""
    for item in reversed(window):
        if item.boundary:
            return None
        if item.type == MESSAGE and item.answered:
            said = joined(item.value).strip()
            return item.reply if said and message.rstrip().endswith(said) else None
    return None


def joined(value: Mapping[str, Any]) -> str:
    """The texts of a message as one, without the labels around its images: what Codex's own
    compaction keeps of a prompt."""
    return "".join(_spoken(value))


def _spoken(value: Mapping[str, Any]) -> list[str]:
    texts = texts_of(value)
    if value.get("role") == "user" and len(texts) > 1:
        texts = [text for text in texts if not is_label(text)]
    return texts


def retained(
    past: Compaction,
    history: Sequence[Any],
    window: Sequence[Item],
    name: Callable[[Mapping[str, Any], str], str],
) -> list[Item]:
    """The window that a `replacement_history` states, after `window`. `name` gives a new item's id,
    told its place."""
    same: dict[bytes, list[Item]] = {}
    alike: dict[tuple[str, str], list[Item]] = {}
    wanted = {_sort(value) for value in history}
    for item in window:
        if (item.type, item.role) not in wanted:
            continue
        same.setdefault(_key(item.value), []).append(item)
        if item.type == MESSAGE:
            alike.setdefault((item.role, joined(item.value)), []).append(item)
    taken: set[int] = set()
    found: list[Item] = []
    for at in range(len(history) - 1, -1, -1):  # the newest of equal messages are the kept ones
        value = history[at]
        if not isinstance(value, dict) or not _is_sent(value):
            continue
        pointer = ("payload", "replacement_history", at)
        item = past.item(value, pointer, name(value, f"{past.place}:{at}"))
        original = _untaken(same.get(_key(value), ()), taken)
        if original is not None:
            item = replace(original, summary=original.summary and not original.answered)
        elif item.type == MESSAGE:
            original = _untaken(alike.get((item.role, joined(value)), ()), taken)
            original = original or _longer(item, window, taken)
        if original is not None:
            taken.add(id(original))
            item.copied, item.spoken = True, original.spoken
            item.ident, item.reply = original.ident, original.reply
        found.append(item)
    found.reverse()
    _as_replies(found)
    _name(past, found)
    return found


def is_retained(item: Item) -> bool:
    """Whether a local compaction takes the item for a prompt."""
    return item.type == MESSAGE and starts_turn(item.value)


def rebuilt(past: Compaction, window: Sequence[Item]) -> list[Item]:
    """The window after a compaction that states none: the newest prompts of `window` up to 20 000
    tokens, the one at the edge shortened in the middle, then the summary."""
    found: list[Item] = []
    prompts = (item for item in reversed(window) if is_retained(item))
    for item, left in newest(
        ((item, token_count(joined(item.value))) for item in prompts), LOCAL_TOKENS
    ):
        if left is not None:
            pieces = shorten_prompt(joined(item.value), left)
            found.append(_built(past, item, [piece for piece in pieces if piece]))
            break
        texts = _spoken(item.value)
        whole = len(texts) == len(item.value["content"])
        found.append(replace(item, copied=True) if whole else _built(past, item, texts or [""]))
    found.reverse()
    _name(past, found)
    content = [{"type": "input_text", "text": past.message or _NO_SUMMARY}]
    value = {"type": MESSAGE, "role": "user", "content": content}
    summary = past.item(value, ("payload",), past.place, ("payload", "message"))
    if not past.message:
        past.built[_SUMMARY] = value
        summary.pointer, summary.body = (REBUILT, _SUMMARY), None
    summary.summary = True
    past.summary = summary
    return [*found, summary]


def _built(past: Compaction, original: Item, texts: Sequence[str]) -> Item:
    """What is left of a prompt in words that stand in no record."""
    number = len(past.built)
    content = [{"type": "input_text", "text": text} for text in texts]
    value = {"type": MESSAGE, "role": "user", "content": content}
    past.built[number] = value
    item = past.item(value, (REBUILT, number), original.ident)
    item.copied, item.spoken = True, original.spoken
    return item


def _is_sent(value: Mapping[str, Any]) -> bool:
    named = value.get("type")
    if not isinstance(named, str) or named not in KNOWN:
        return False
    return named != MESSAGE or isinstance(value.get("content"), list)


def _sort(value: object) -> tuple[str, str]:
    """What an item is, as its type and role tell."""
    if not isinstance(value, dict) or not _is_sent(value):
        return "", ""
    role = value.get("role")
    kind = str(value["type"])
    return kind, role if kind == MESSAGE and isinstance(role, str) else ""


def _key(value: Mapping[str, Any]) -> bytes:
    """What two copies of an item have in common."""
    bare = {name: value[name] for name in value if name not in _BESIDE}
    return orjson.dumps(bare, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)


def _untaken(items: Sequence[Item], taken: set[int]) -> Item | None:
    return next((item for item in reversed(items) if id(item) not in taken), None)


def _longer(item: Item, window: Sequence[Item], taken: set[int]) -> Item | None:
    """The message that `item` is the start and the end of."""
    text = joined(item.value)
    mark = _SHORTENED.search(text)
    if mark is None:
        return None
    start, end = text[: mark.start()], text[mark.end() :]
    for original in reversed(window):
        if original.type == MESSAGE and original.role == item.role and id(original) not in taken:
            whole = joined(original.value)
            if whole.startswith(start) and whole.endswith(end):
                return original
    return None


def _as_replies(items: Sequence[Item]) -> None:
    """Gives the model's own items of a new window their replies; what was billed for them belongs
    to the window before."""
    former: Reply | None = None
    open_reply: Reply | None = None
    for item in items:
        if not item.answered:
            open_reply = former = None
            continue
        if open_reply is None or item.reply is not former:
            former = item.reply
            ident = former.ident if former else item.ident
            open_reply = Reply(ident, None, former.model if former else None)
        item.reply = open_reply


def _name(past: Compaction, items: Sequence[Item]) -> None:
    """Finds the summary and what was kept among the items of a new window."""
    for item in items:
        if item.copied:
            past.preserved[item.reply.ident if item.reply else item.ident] = None
        if item.type in COMPACTIONS and not item.copied:
            past.sealed = item
        elif item.type == MESSAGE and item.role == "user" and not item.copied:
            text = joined(item.value)
            if text.startswith(SUMMARY_PREFIX) or (past.message and text == past.message):
                item.summary = True
                past.summary = item
