"""The handoff as Markdown, for people and agents.

`parse(render(handoff))` is the handoff again, but for what refers to the session (`sources`, ids of
rules and messages), which costs more tokens than it is worth to an agent and is written only when
asked for (`carry_sources` brings it back).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace

from redline.handoff.escapes import CODE_START, TEXT_START, code, encode, encode_line, guard
from redline.handoff.handoff import Constraint, Handoff, Note
from redline.handoff.layout import (
    BRIEF,
    BY_KEY,
    PREFACE,
    REMINDER,
    REMINDER_LEAD,
    SECTIONS,
    TITLE,
    UNCONFIRMED,
    UNCONFIRMED_RULES,
    Form,
    Section,
)
from redline.handoff.reading import (
    field_start,
    is_section,
    parse,
    reminder,
    unconfirmed_start,
    value_of,
)

__all__ = ["carry_sources", "parse", "render", "without_sources"]


_AGAIN = 8  # times as long as its rules once more is a brief handoff that has them


def render(handoff: Handoff, *, sources: bool = False) -> str:
    """`handoff` as Markdown, rules first and once more at the end. With `sources` it also says
    where everything comes from."""
    if not sources:
        handoff = without_sources(handoff)
    notes: dict[str, list[Note]] = {}
    for note in handoff.notes:
        notes.setdefault(note.after, []).append(note)
    version = encode_line(handoff.version)
    if handoff.brief:
        blocks = [f"{TITLE} (schema {version}, {BRIEF})"]
    else:
        blocks = [f"{TITLE} (schema {version})", "\n".join(f"> {line}" for line in PREFACE)]
    blocks += [note.text for note in notes.get("", ())]
    for section in SECTIONS:
        if section.key == "sources" and not sources:
            continue
        blocks += _section(section, handoff, notes.get(section.key, []))
    rules = [reminder(rule.text) for rule in handoff.constraints if rule.confirmed]
    closing: list[str] = []
    if rules := [rule for rule in rules if rule]:
        bullets = "\n".join(line for rule in rules for line in _bullet(encode(rule)))
        closing = [f"## {REMINDER}", *([] if handoff.brief else [REMINDER_LEAD]), bullets]
    if not handoff.brief:
        return "\n\n".join([*blocks, *closing]) + "\n"
    body, again = sum(map(len, blocks)), sum(map(len, closing))
    closing = closing if again * _AGAIN <= body else []
    return ("\n\n" if handoff.notes else "\n").join([*blocks, *closing]) + "\n"


def item_text(key: str, item: object, *, brief: bool) -> str:
    """One item of the section `key` as it stands in a handoff."""
    return "\n".join(_item(BY_KEY[key], item, Handoff(brief=brief)))


def heading_text(key: str, *, brief: bool, confirmed: bool = True) -> str:
    """What stands above the items of the section `key`."""
    section = BY_KEY[key]
    title = section.title if confirmed or not brief else UNCONFIRMED_RULES
    lead = f"\n\n{section.lead}" if section.lead and not brief else ""
    return f"## {title}{lead}" if brief else f"\n## {title}{lead}\n"


def _section(section: Section, handoff: Handoff, notes: list[Note]) -> list[str]:
    """The blocks of a section, none where it is empty."""
    inside = [note for note in notes if not is_section(note)]
    own = [note.text for note in notes if is_section(note)]
    value = value_of(handoff, section.key)
    blocks: list[str] = []
    match section.form:
        case Form.TEXT if value:
            blocks = ["\n".join(guard(line, TEXT_START) for line in encode(str(value)))]
        case Form.JSON if value:
            blocks = [f"```json\n{_json(value)}\n```"]
        case Form.LIST | Form.CODE | Form.RECORDS:
            assert isinstance(value, tuple)
            if handoff.brief and section.kind is Constraint:
                return [*_brief_rules(section, value, inside), *own]
            blocks = _items(section, value, inside, handoff)
    heading = [f"## {section.title}"] if blocks else []
    lead = [section.lead] if section.lead and value and not handoff.brief else []
    return [*heading, *lead, *blocks, *own]


def _brief_rules(section: Section, rules: tuple[object, ...], notes: list[Note]) -> list[str]:
    """Rules under two headings, without a mark and a lead."""
    brief = Handoff(brief=True)
    confirmed = tuple(r for r in rules if isinstance(r, Constraint) and r.confirmed)
    rest = tuple(r for r in rules if isinstance(r, Constraint) and not r.confirmed)
    blocks: list[str] = []
    if confirmed or (notes and not rest):
        blocks += [f"## {section.title}", *_items(section, confirmed, notes, brief)]
    if rest:
        here = [] if confirmed else notes
        blocks += [f"## {UNCONFIRMED_RULES}", *_items(section, rest, here, brief)]
    return blocks


def _items(
    section: Section, items: tuple[object, ...], notes: list[Note], handoff: Handoff
) -> list[str]:
    blocks: list[str] = []
    bullets: list[str] = []
    for place in range(len(items) + 1):
        last = place == len(items)
        here = [note for note in notes if note.at == place or (last and note.at > place)]
        if here:
            if bullets:
                blocks.append("\n".join(bullets))
            blocks += [note.text for note in here]
            bullets = []
        if not last:
            if bullets and section.key == "user_words" and not handoff.brief:
                bullets.append("")
            bullets += _item(section, items[place], handoff)
    return [*blocks, "\n".join(bullets)] if bullets else blocks


def _item(section: Section, item: object, handoff: Handoff) -> list[str]:
    if section.form is not Form.RECORDS:
        text = str(item)
        lines = _code_lines(text) if section.form is Form.CODE else encode(text)
        why = handoff.reasons.get(text) if section.key == "files.changed" else None
        if why and code(text) == lines[0]:
            lines = [f"{lines[0]}: {encode_line(' '.join(why.split()))}"]
        return _bullet(lines)
    body = str(getattr(item, section.body))
    if section.key == "user_words" and (not handoff.brief or body.lstrip().startswith(">")):
        lines = [f"> {line}" if line else ">" for line in encode(body)]
    else:
        lines = _code_lines(body) if section.key == "errors" else encode(body)
        start = field_start(section)
        lines[1:] = [guard(line, start) for line in lines[1:]]
    if isinstance(item, Constraint):
        lines[0] = guard(lines[0], unconfirmed_start)
        if not item.confirmed and not handoff.brief:
            lines[0] = f"{UNCONFIRMED} {lines[0]}" if lines[0] else UNCONFIRMED
    result = _bullet(lines)
    for name, attribute in section.fields:
        if value := str(getattr(item, attribute)):
            first, *rest = encode(value)
            result.append(f"  - {name}: {first}")
            result += [f"    {line}" if line else "" for line in rest]
    return result


def _bullet(lines: list[str]) -> list[str]:
    first = f"- {lines[0]}" if lines[0] else "-"
    return [first, *(f"  {line}" if line else "" for line in lines[1:])]


def _code_lines(text: str) -> list[str]:
    if (span := code(text)) is not None:
        return [span]
    lines = encode(text)
    return [guard(lines[0], CODE_START), *lines[1:]]


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=1, default=list)
    return re.sub(
        "[\ud800-\udfff\u2028\u2029\x7f-\x9f]", lambda c: f"\\u{ord(c.group()):04x}", text
    )


def without_sources(handoff: Handoff) -> Handoff:
    """`handoff` without anything that refers to the session."""
    return replace(
        handoff,
        constraints=tuple(replace(rule, id="", message="") for rule in handoff.constraints),
        user_words=tuple(replace(words, message="") for words in handoff.user_words),
        sources={},
    )


def carry_sources(handoff: Handoff, written: Handoff) -> Handoff:
    """`handoff` (read back from Markdown) with the sources and ids of every item that stands in
    `written` word for word; an item that a person changed or added has none."""
    bare = without_sources(written)
    rules = dict(zip(reversed(bare.constraints), reversed(written.constraints), strict=True))
    words = dict(zip(reversed(bare.user_words), reversed(written.user_words), strict=True))
    handoff = replace(
        handoff,
        constraints=tuple(rules.get(rule, rule) for rule in handoff.constraints),
        user_words=tuple(words.get(said, said) for said in handoff.user_words),
    )
    places: dict[tuple[str, object], str] = {}
    for pointer, _, item in _pointers(handoff):
        places.setdefault((pointer.rsplit("/", 1)[0], item), pointer)
    sources = dict(handoff.sources)
    for pointer, _, item in _pointers(written):
        found = places.get((pointer.rsplit("/", 1)[0], item))
        if found and pointer in written.sources:
            sources.setdefault(found, written.sources[pointer])
    return replace(handoff, sources=sources)


def _pointers(handoff: Handoff) -> list[tuple[str, Section, object]]:
    found: list[tuple[str, Section, object]] = []
    for section in SECTIONS:
        value = value_of(handoff, section.key)
        pointer = "/" + section.key.replace(".", "/")
        if isinstance(value, str):
            found.append((pointer, section, value))
        elif not isinstance(value, Mapping):
            assert isinstance(value, tuple)
            found += [(f"{pointer}/{place}", section, item) for place, item in enumerate(value)]
    return found
