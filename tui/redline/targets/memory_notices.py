"""What a person should know of what becomes of the rules and decisions of a memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from redline.ledger.opposite import opposite
from redline.targets.badly_written_json import Value
from redline.targets.memory_merging import SUPERSEDES, text_of
from redline.text import one_line

_KEYS = ("decisions", "constraints")
_SHOWN = 60  # characters of an item in a message
_MOST = 200  # items of one kind that are compared


def notices(before: Mapping[str, Value], after: Mapping[str, Value]) -> Iterator[str]:
    """Which items go, which take another one's place, and which are the opposite of one that is
    there; both stay then."""
    for key in _KEYS:
        was, now = _texts(before, key), _texts(after, key)
        replaced = dict(_replaced(after, key))
        for text in was:
            if text in replaced and text not in now:
                yield f"“{_short(replaced[text])}” takes the place of “{_short(text)}” in {key}"
            elif text not in now:
                yield f"“{_short(text)}” goes from {key}: it was taken back"
        for text in [text for text in now if text not in was][:_MOST]:
            for other in was[-_MOST:]:
                if other in now and opposite(other, text):
                    yield f"“{_short(text)}” contradicts “{_short(other)}” in {key}: both stay"


def _texts(memory: Mapping[str, Value], key: str) -> list[str]:
    items = memory.get(key)
    return list(dict.fromkeys(text_of(item) for item in items)) if isinstance(items, list) else []


def _replaced(memory: Mapping[str, Value], key: str) -> Iterator[tuple[str, str]]:
    items = memory.get(key)
    for item in items if isinstance(items, list) else ():
        older = item.get(SUPERSEDES) if isinstance(item, dict) else None
        if isinstance(older, str):
            yield older, text_of(item)


def _short(text: str) -> str:
    return one_line(text, _SHOWN)
