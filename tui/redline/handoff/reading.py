"""A handoff read back from Markdown, as a person may have edited it.

Nothing is refused and nothing is lost: sections may come in any order, under another title's case,
twice or not at all; what fits no field is kept as a note where it stood.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from redline.handoff.escapes import (
    CODE_START,
    TEXT_START,
    decode,
    decode_line,
    uncode,
    unguard,
)
from redline.handoff.framing import is_framing
from redline.handoff.handoff import Anchors, Constraint, Files, Handoff, Note
from redline.handoff.layout import (
    BRIEF,
    BY_TITLE,
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

_TITLE = re.compile(rf"{TITLE}(?: \(schema (.*)\))?")
_HEADING = re.compile(r"##[ \t]+(?=[^ \t#])(.*?)[ \t]*#*[ \t]*")
_BULLET = re.compile(r"(?:[-*+]|\d{1,3}[.)])(?:[ \t]+|$)")
_ANY_HEADING = re.compile(r"#{1,6}(?: |$)")
_FENCE = re.compile(r"(`{3,}|~{3,})(.*)")
_WITH_REASON = re.compile(r"`([^`]+)`: (\S.*?)[ \t]*")
_BLANK = " \t"

unconfirmed_start = re.compile(r"(\\*+)" + re.escape(UNCONFIRMED))


@cache
def field_start(section: Section) -> re.Pattern[str]:
    """What a line of an item must not begin with, because it would be read as a field of it."""
    names = "|".join(name for name, _ in section.fields)
    return re.compile(rf"(\\*+)- (?:{names}):")


def reminder(rule: str) -> str:
    """A rule as it stands at the end: on one line."""
    return " ".join(rule.split())


def value_of(handoff: Handoff, key: str) -> object:
    """The field that a section holds."""
    value: object = handoff
    for name in key.split("."):
        value = getattr(value, name)
    return value


def parse(text: str) -> Handoff:
    """The handoff that `text` says. Never fails; `""` is an empty handoff."""
    lines = [line.rstrip("\r") for line in text.removeprefix("\ufeff").split("\n")]
    return _Reader(lines).read()


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines, self.fenced = _fences(lines)
        self.texts: dict[str, list[str]] = {}
        self.items: dict[str, list[object]] = {}
        self.maps: dict[str, dict[str, object]] = {}
        self.notes: list[Note] = []
        self.reminders: list[str] = []
        self.version = Handoff().version
        self.brief = False
        self.reasons: dict[str, str] = {}

    def read(self) -> Handoff:
        starts = [
            place
            for place, line in enumerate(self.lines)
            if not self.fenced[place] and _HEADING.fullmatch(line)
        ]
        self._start(0, starts[0] if starts else len(self.lines))
        last = ""
        for place, stop in zip(starts, [*starts[1:], len(self.lines)], strict=False):
            last = self._section(place, stop, last)
        return self._handoff()

    def _handoff(self) -> Handoff:
        rules = [item for item in self.items.get("constraints", []) if isinstance(item, Constraint)]
        known = {reminder(rule.text) for rule in rules}
        for line in self.reminders:
            if reminder(line) not in known:
                known.add(reminder(line))
                rules.append(Constraint(line))
        values: dict[str, object] = {"version": self.version, "brief": self.brief}
        values["notes"] = self._placed(len(rules))
        nested: dict[str, dict[str, object]] = {"files": {}, "anchors": {}}
        for section in SECTIONS:
            name, _, inner = section.key.partition(".")
            value: object
            match section.form:
                case Form.TEXT:
                    value = "\n\n".join(self.texts.get(section.key, []))
                case Form.JSON:
                    value = self.maps.get(section.key, {})
                case _:
                    value = tuple(self.items.get(section.key, []))
            if inner:
                nested[name][inner] = value
            else:
                values[name] = value
        values["constraints"] = tuple(rules)
        values["reasons"] = self.reasons
        values["files"] = Files(**nested["files"])  # type: ignore[arg-type]
        values["anchors"] = Anchors(**nested["anchors"])  # type: ignore[arg-type]
        return Handoff(**values)  # type: ignore[arg-type]

    def _placed(self, rules: int) -> tuple[Note, ...]:
        """The notes in the order they will be written in. One that followed a section which is
        empty, and so is not written, goes to the last one before it."""
        inside = {note.after for note in self.notes if not is_section(note)}
        counts = {key: len(items) for key, items in self.items.items()} | {"constraints": rules}
        counts = {key: count for key, count in counts.items() if count}
        written = {*counts, *inside, *self.texts, *(key for key, kept in self.maps.items() if kept)}
        order = ["", *(section.key for section in SECTIONS)]
        placed: list[Note] = []
        for note in self.notes:
            after = note.after
            while after and after not in written:
                after = order[order.index(after) - 1]
            at = counts.get(after, 0) if is_section(note) else note.at
            placed.append(Note(note.text, after, at))
        return tuple(sorted(placed, key=lambda n: (order.index(n.after), is_section(n), n.at)))

    # -- parts of the document -----------------------------------------------------------------

    def _start(self, place: int, stop: int) -> None:
        """What stands before the first section: title, preface, and what a person put there."""
        while place < stop and self._blank(place):
            place += 1
        if place < stop and (found := _TITLE.fullmatch(self.lines[place])):
            if found[1] is not None:
                version, mark, _ = found[1].rpartition(f", {BRIEF}")
                self.brief = bool(mark) and found[1].endswith(mark)
                self.version = decode_line(version if self.brief else found[1])
            place += 1
        own = {f"> {line}" for line in PREFACE}
        kept = [i for i in range(place, stop) if self.lines[i] not in own or self.fenced[i]]
        self._note([self.lines[i] for i in kept], "", 0)

    def _section(self, place: int, stop: int, last: str) -> str:
        """Reads lines from the heading at `place` on; gives the key of the section."""
        found = _HEADING.fullmatch(self.lines[place])
        title = found[1].casefold() if found else ""
        section = BY_TITLE.get(title)
        if found and is_framing(found[1], self.lines[place + 1 : stop]):
            return last
        if section is None and title == REMINDER.casefold():
            found_before = len(self.notes)
            self._items(place + 1, stop, REMINDER_LEAD, self._remember, last, 0)
            self.notes[found_before:] = [
                Note(f"## {REMINDER}\n\n{note.text}", last) for note in self.notes[found_before:]
            ]
            return last
        if section is None:
            self._note(self.lines[place:stop], last, self._count(last))
            return last
        match section.form:
            case Form.TEXT:
                body = _trimmed(
                    [unguard(line, TEXT_START) for line in self.lines[place + 1 : stop]]
                )
                if body:
                    self.texts.setdefault(section.key, []).append(decode(body))
            case Form.JSON:
                self._map(section, place, stop, last)
                return last
            case _:
                key = section.key
                unconfirmed = title == UNCONFIRMED_RULES.casefold()

                def add(lines: list[str]) -> None:
                    lines = self._reason(key, lines)
                    found = _item(section, lines)
                    if unconfirmed and isinstance(found, Constraint):
                        found = replace(found, confirmed=False)
                    self.items.setdefault(key, []).append(found)

                self._items(place + 1, stop, section.lead, add, key, self._count(key))
        return section.key

    def _reason(self, key: str, lines: list[str]) -> list[str]:
        """An item of the changed files without what it was changed for, which is kept apart."""
        found = _WITH_REASON.fullmatch(lines[0]) if len(lines) == 1 else None
        if found is None or key != "files.changed":
            return lines
        self.reasons.setdefault(found[1], decode_line(found[2]))
        return [f"`{found[1]}`"]

    def _count(self, key: str) -> int:
        return len(self.items.get(key, []))

    def _remember(self, lines: list[str]) -> None:
        self.reminders.append(decode(_trimmed(lines)))

    def _map(self, section: Section, place: int, stop: int, last: str) -> None:
        body = "\n".join(_trimmed(self.lines[place + 1 : stop]))
        value: object = None
        if found := re.fullmatch(r"```json\n(.*)\n```", body, re.DOTALL):
            try:
                value = json.loads(found[1])
            except (ValueError, RecursionError):
                value = None
        if isinstance(value, dict):
            if section.key == "sources":
                value = {k: tuple(map(str, v)) for k, v in value.items() if isinstance(v, list)}
            self.maps.setdefault(section.key, {}).update(value)
        else:
            self._note(self.lines[place:stop], last, self._count(last))

    # -- items ---------------------------------------------------------------------------------

    def _items(
        self,
        place: int,
        stop: int,
        lead: str,
        add: Callable[[list[str]], None],
        key: str,
        count: int,
    ) -> None:
        """Bullets with the lines that belong to each go to `add`, the rest to notes."""
        item: list[str] | None = None
        blanks = 0
        while place < stop:
            line = self.lines[place] if item is not None else self.lines[place].lstrip(_BLANK)
            place += 1
            if self.fenced[place - 1]:
                end = place
                while end < stop and self.fenced[end] and not self.fenced[end] < 0:
                    end += 1
                end = min(end + 1, stop)
                if item is not None:
                    add(item)
                    count += 1
                    item = None
                self._note(self.lines[place - 1 : end], key, count)
                place, blanks = end, 0
            elif not line.strip(_BLANK):
                blanks += 1
            elif found := _BULLET.match(line):
                if item is not None:
                    add(item)
                    count += 1
                item, blanks = [line[found.end() :].rstrip("\r")], 0
            elif (
                item is not None
                and (line[0] in _BLANK or not blanks)
                and not _ANY_HEADING.match(line)
            ):
                item += [""] * blanks + [_indented(line)]
                blanks = 0
            else:
                if item is not None:
                    add(item)
                    count += 1
                    item = None
                end = place
                while end < stop and self._goes_on(end):
                    end += 1
                self._note(self.lines[place - 1 : end], key, count, lead)
                place, blanks = end, 0
        if item is not None:
            add(item)

    def _goes_on(self, place: int) -> bool:
        """Whether the line at `place` belongs to the paragraph above it."""
        return not (self._blank(place) or self.fenced[place] or _BULLET.match(self.lines[place]))

    def _blank(self, place: int) -> bool:
        return not self.lines[place].strip(_BLANK)

    def _note(self, lines: list[str], after: str, at: int, lead: str = "") -> None:
        body = _trimmed(lines)
        if body and body[0] == lead:
            body = _trimmed(body[1:])
        if (
            body
            and TEXT_START.match(body[0])
            and body[0].rstrip(_BLANK) not in (line.rstrip(_BLANK) for line in lines)
        ):
            # Without its indent it would be a heading or a fence, with it a part of the item above.
            body[0] = "\\" + body[0]
        if body:
            self.notes.append(Note("\n".join(body), after, at))


def is_section(note: Note) -> bool:
    """Whether a note is a section of its own, with its heading."""
    return _HEADING.fullmatch(note.text.partition("\n")[0]) is not None


def _indented(line: str) -> str:
    """`line` without the indent of an item, but with what is indented further."""
    if line.startswith("  "):
        return line[2:]
    return line.lstrip(_BLANK)


def _fences(lines: list[str]) -> tuple[list[str], list[int]]:
    """The lines, and for each how it is fenced: 0 not, 1 in a fence, -1 its last line. A fence
    that nothing closes gets a backslash, so that it cannot swallow what stands below."""
    lines = list(lines)
    fenced = [0] * len(lines)
    closing: dict[str, list[int]] = {"`": [], "~": []}
    for place, line in enumerate(lines):
        if (found := _FENCE.fullmatch(line)) and not found[2].strip(_BLANK):
            closing[line[0]].append(place)
    place = 0
    while place < len(lines):
        if found := _FENCE.fullmatch(lines[place]):
            ends = closing[lines[place][0]]
            later = range(bisect_right(ends, place), min(bisect_right(ends, place) + 50, len(ends)))
            end = next((ends[i] for i in later if _length(lines[ends[i]]) >= len(found[1])), None)
            if end is None:
                lines[place] = "\\" + lines[place]
            else:
                fenced[place:end] = [1] * (end - place)
                fenced[end] = -1
                place = end
        place += 1
    return lines, fenced


def _length(line: str) -> int:
    return len(line.rstrip(_BLANK))


def _trimmed(lines: list[str]) -> list[str]:
    """`lines` without blank ones around them and white space at the edges."""
    start, stop = 0, len(lines)
    while start < stop and not lines[start].strip(_BLANK):
        start += 1
    while stop > start and not lines[stop - 1].strip(_BLANK):
        stop -= 1
    result = lines[start:stop]
    if result:
        result[0] = result[0].lstrip(_BLANK)
        result[-1] = result[-1].rstrip(_BLANK)
    return result


def _item(section: Section, lines: list[str]) -> object:
    if section.form is not Form.RECORDS:
        return _body(section, lines)
    fields: dict[str, list[str]] = {}
    body: list[str] = lines[:1]
    into = body
    start = field_start(section)
    for line in lines[1:]:
        found = start.match(line)
        if found and not found[1]:
            name, _, value = line[2:].partition(":")
            into = fields.setdefault(name, [])
            into.append(value)
        elif into is body:
            body.append(unguard(line, start))
        elif not line:
            into.append("")
        elif line.startswith("  "):
            into.append(line[2:])
        else:
            into = body
            body.append(unguard(line, start))
    values: dict[str, object] = {
        attribute: decode(_trimmed(fields[name]))
        for name, attribute in section.fields
        if name in fields
    }
    if section.kind is Constraint:
        first = body[0]
        values["confirmed"] = not first.startswith(UNCONFIRMED)
        if first.startswith(UNCONFIRMED):
            first = first[len(UNCONFIRMED) :].lstrip(_BLANK)
        body = [unguard(first, unconfirmed_start), *body[1:]]
    assert section.kind is not None
    return section.kind(**{section.body: _body(section, body)}, **values)


def _body(section: Section, lines: list[str]) -> str:
    lines = _trimmed(lines)
    if section.key == "user_words" and lines and all(line.startswith(">") for line in lines):
        return decode([line[1:].removeprefix(" ") for line in lines])
    if (section.form is Form.CODE or section.key == "errors") and lines:
        if len(lines) == 1 and (span := uncode(lines[0])) is not None:
            return span
        lines[0] = unguard(lines[0], CODE_START)
    return decode(lines)
