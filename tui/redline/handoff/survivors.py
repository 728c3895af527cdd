"""What survives a compaction: the handoff's text and the messages that stay, as they stay."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from redline.handoff.survival import Index, Piece
from redline.handoff.verdicts import Candidates
from redline.model import Kind, Message, Part, PartState, PartType, Session

HANDOFF = "handoff"
# A list of what was lost does not keep it; a rejected or revoked rule is none.
_LOST = re.compile(r"missing|\blost\b|audit|not (?:kept|carried)|left out|缺失|丢失", re.IGNORECASE)
_ENDED = (
    r"reject|revoked|superseded|dismissed|no longer|not in force|obsolete|outdated|dropped|lifted|"
    r"withdrawn|cancell?ed|expired|inactive|deprecated|(?:old|removed) rules|rules removed|"
    r"作废|取消|废弃|废除|不再|撤销|撤回|失效|过期|替代|旧规则"
)
_NOT_IN_FORCE = re.compile(_ENDED + "|previous", re.IGNORECASE)
# A line that heads a list as a heading would: "Revoked:", "**Revoked rules**"; no rule itself.
_LABEL = re.compile(
    rf"(\s*)([-*+]\s+)?(?:\*\*|__)?(?=.{{0,80}}(?:{_ENDED}))"
    r"(?!.*(?:\b(?:never|do not|don't|must|always|only|use)\b|不要|必须|禁止)).{1,100}?"
    r"(?:[:：](?:\*\*|__)?|\*\*|__)\s*",
    re.IGNORECASE,
)
_ITEM = re.compile(r"(\s*)(?:[-*+>]|\d{1,3}[.)])\s")
_HEADING = re.compile(r"(#{1,6})\s+(.*)")
_COPIES = "kept word for word"  # the section of `document.py`
_COPY = re.compile(r"(~{3,})text")  # what opens a copied body there; as many tildes close it


@dataclass
class Survivors:
    """What is left. `authority` holds rules and prompts, `said` what can hold the user's words,
    `words` the copied output of tools as well, `rest` the bodies of everything that stays, read
    when something is not found in the first. `kept` are (message, part) of prompts that stay as
    they are."""

    subject: str
    authority: list[Piece]
    said: list[Piece]
    words: list[Piece]
    rest: Callable[[], Iterable[Piece]]
    kept: frozenset[tuple[str, int]] = frozenset()
    readable: bool = True

    @cached_property
    def rules(self) -> Index:
        return Index.of(self.authority)

    @cached_property
    def near_rules(self) -> Candidates:
        return Candidates.of(self.rules)

    @cached_property
    def spoken(self) -> Index:
        return self.text if self.said == self.words else Index.of(self.said)

    @cached_property
    def near_spoken(self) -> Candidates:
        return self.near_text if self.said == self.words else Candidates.of(self.spoken)

    @cached_property
    def text(self) -> Index:
        return Index.of(self.words)

    @cached_property
    def near_text(self) -> Candidates:
        return Candidates.of(self.text)

    @cached_property
    def bodies(self) -> Index:
        return Index.of(self.rest())


def survivors(
    session: Session,
    subject: str,
    text: str,
    kept: list[tuple[int, Message]],
    stays: Callable[[int, Part], bool],
) -> Survivors:
    """Of the handoff `text` and of the parts of the (index, message) in `kept` for which `stays`
    says so. Thinking, images and opaque parts say nothing that can be looked up."""
    prompts: list[Piece] = []
    places: set[tuple[str, int]] = set()
    others: list[tuple[Message, Part]] = []
    for index, message in kept:
        for part in message.parts:
            if not stays(index, part) or part.state is PartState.CLEARED:
                continue
            if part.type in (PartType.IMAGE, PartType.OPAQUE, PartType.THINKING):
                continue
            if part.kind is Kind.PROMPT:
                places.add((message.id, part.index))
                prompts.append(Piece(message.id, session.text(part)))
            else:
                others.append((message, part))
    in_force, own, everything = _sections(text)
    return Survivors(
        subject,
        authority=[Piece(HANDOFF, in_force, markdown=True), *prompts],
        said=[Piece(HANDOFF, own, markdown=True), *prompts],
        words=[Piece(HANDOFF, everything, markdown=True), *prompts],
        rest=lambda: (Piece(message.id, _body(session, part)) for message, part in others),
        kept=frozenset(places),
    )


def _body(session: Session, part: Part) -> str:
    """The body of a part; of a call the texts of its input, without the escapes of JSON."""
    if part.type is not PartType.TOOL_CALL:
        return session.text(part)
    value = session.source.value(part)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return str(value)
    return "\n".join(_texts(value))


def _texts(value: object) -> Iterator[str]:
    waiting = [value]
    while waiting:
        match waiting.pop():
            case str(text):
                yield text
            case dict() as fields:
                waiting += reversed(list(fields.values()))
            case list() as items:
                waiting += reversed(items)
            case other:
                yield str(other)


def _sections(text: str) -> tuple[str, str, str]:
    """The lines of a handoff that can state a rule, those that can hold the user's words, and
    those that can keep anything: without what stands under a heading that says it was lost, for
    the first two without copied tool output, and for rules without what is not in force any
    more."""
    in_force: list[str] = []
    own: list[str] = []
    everything: list[str] = []
    lost_level = past_level = 0
    copies = copied = False
    labelled: int | None = None  # the indent that what stands under a label has at least
    fence = ""
    for line in text.split("\n"):
        heading = None if fence else _HEADING.match(line)
        if fence:
            fence = "" if line == fence else fence
        elif copies and (opened := _COPY.fullmatch(line)):
            fence = opened[1]
        labelled = None if heading else _under_label(line, labelled)
        if heading and not (copies and len(heading[1]) > 3):
            level, title = len(heading[1]), heading[2].strip().casefold()
            if level <= 2:
                copies = title == _COPIES
                copied = False
            if copies and level == 3:
                copied = title != "user"
            else:
                if not lost_level or level <= lost_level:
                    lost_level = level if _LOST.search(title) else 0
                if not past_level or level <= past_level:
                    past_level = level if _NOT_IN_FORCE.search(title) else 0
        if not lost_level:
            everything.append(line)
            past = past_level or copied or labelled is not None
            in_force.append("" if past else line)
            own.append("" if copied else line)
    return "\n".join(in_force), "\n".join(own), "\n".join(everything)


def _under_label(line: str, labelled: int | None) -> int | None:
    """The indent from which on lines after `line` stand under a label that says its list is not
    in force, None where they do not. `labelled` is that of `line` itself."""
    if label := _LABEL.fullmatch(line):
        return len(label[1]) + (1 if label[2] else 0)
    if labelled is None or not line.strip():
        return labelled
    indent = len(line) - len(line.lstrip())
    stays = indent >= labelled and (indent > 0 or _ITEM.match(line) is not None)
    return labelled if stays else None
