"""What of a handoff an agent's own form of a summary has no place for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from redline.handoff.handoff import Handoff
from redline.handoff.layout import REMINDER, REMINDER_LEAD
from redline.handoff.markdown import render
from redline.handoff.reading import reminder

_ABOUT = ("version", "sources", "focus", "brief", "reasons", "extra", "notes")
_MARKS = ("id", "time")  # of an item: where it comes from, not what it says


def render_untold(handoff: Handoff, told: str) -> str:
    """What of `handoff` does not stand in the text `told`, as Markdown; "" where all of it does."""
    known = _flat(told)
    left: dict[str, Any] = {
        field.name: _left(getattr(handoff, field.name), known)
        for field in fields(Handoff)
        if field.name not in _ABOUT
    }
    unsaid = {path: why for path, why in handoff.reasons.items() if _flat(why) not in known}
    changed = tuple(
        path for path in handoff.files.changed if path in unsaid or path in left["files"].changed
    )
    left["files"] = replace(left["files"], changed=changed)
    empty = Handoff(brief=True)
    rest = replace(
        empty, **left, reasons=unsaid if changed else {}, extra=handoff.extra, notes=handoff.notes
    )
    if rest == empty:
        return ""
    return render(rest).partition("\n")[2].strip()  # without its title


def closing(handoff: Handoff) -> str:
    """The confirmed rules once more, for the end of a summary; "" where there are none."""
    rules = [reminder(rule.text) for rule in handoff.constraints if rule.confirmed]
    bullets = "\n".join(f"- {rule}" for rule in rules if rule)
    return f"## {REMINDER}\n\n{REMINDER_LEAD}\n\n{bullets}" if bullets else ""


def _left(value: Any, known: str) -> Any:
    """`value` without what `known` says."""
    if isinstance(value, str):
        return "" if _flat(value) in known else value
    if isinstance(value, tuple):
        return tuple(item for item in value if any(_flat(text) not in known for text in _in(item)))
    return replace(
        value, **{one.name: _left(getattr(value, one.name), known) for one in fields(value)}
    )


def _in(item: Any) -> Iterator[str]:
    """The texts that an item says."""
    if isinstance(item, str):
        yield item
    elif is_dataclass(item):
        for field in fields(item):
            if field.name not in _MARKS:
                yield from _in(getattr(item, field.name))


def _flat(text: str) -> str:
    return " ".join(text.split())
