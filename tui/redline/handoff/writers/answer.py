"""Reads a writer's answer: tolerant of what stands around it, exact about what is in it.

Taken away: thinking, code fences around the whole, what is said before the first heading. Sections
are found by heading in any of the ways models write one; an answer in JSON is read too. Linear in
the length of the answer, whatever is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import orjson

from redline.handoff.handoff import Decision
from redline.handoff.writers.disarming import disarmed
from redline.handoff.writers.forms import FORMS, FROM_THE_SESSION, Asked, by_title
from redline.handoff.writers.writer import SummaryForm

_THINKING = ("think", "thinking", "thought", "analysis", "reasoning", "scratchpad", "reflection")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)[\w-]*[ \t]*$")
_HEADING = re.compile(
    r"[ \t]{0,3}(?P<mark>#{1,6}[ \t]*)?(?P<number>\d{1,2}[.)][ \t]*)?(?P<bold>\*\*|__)?"
    r"(?P<title>[^\n:：*#]{1,40})(?P<tail>[:：*_ \t#]*)"
)
_BULLET = re.compile(r"^([ \t]*)(?:[-*+•–]|\d{1,3}[.)])[ \t]+(?:\[[ xX>]\][ \t]+)?(.*)$")
_NOTHING = re.compile(
    r"\W*(?:none|n/?a|nothing|no|not applicable|empty|无|没有|暂无|keine?|aucune?|ninguno?)"
    r"(?:\W+(?:so far|yet|at this time|currently|known|identified))?\W*",
    re.IGNORECASE,
)
_DETAIL = re.compile(
    r"(?i)^\W*(reason|because|why|rationale|scope|where|理由|原因|范围)\**\s*[:：]\s*"
)
_INLINE = re.compile(r"(?i)[;,(|—–-]\s*(reason|because|scope|理由|原因|范围)\s*[:：]\s*")
_SCOPE = ("scope", "where", "范围")
_ITEMS, _ITEM_CHARS = 60, 2_000


@dataclass(frozen=True, slots=True)
class Prose:
    """What a writer wrote, by the field of the handoff it belongs to. `found` are the fields whose
    heading was there, `sections` their text under the heading that was asked for."""

    goal: str = ""
    done: tuple[str, ...] = ()
    current_state: str = ""
    decisions: tuple[Decision, ...] = ()
    rejected: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    next_plan: tuple[str, ...] = ()
    found: frozenset[str] = frozenset()
    sections: Mapping[str, str] = field(default_factory=dict)

    def brief(self) -> Prose:
        """What matters most of it."""
        return replace(
            self,
            done=self.done[:5],
            current_state=self.current_state[:600],
            decisions=self.decisions[:5],
            rejected=self.rejected[:3],
            next_plan=self.next_plan[:5],
        )

    def without(self, name: str) -> Prose:
        """The same, less the field `name`; what it was filled from is forgotten."""
        emptied = {name: type(getattr(self, name))()} if hasattr(self, name) else {}
        last = list(self.sections)[-1:] if name in self.found else []
        sections = {title: text for title, text in self.sections.items() if title not in last}
        return replace(self, found=self.found - {name}, sections=sections, **emptied)


def read_answer(text: str, form: SummaryForm) -> Prose:
    """What `text` says; an empty Prose where no section is found. What would act on a
    terminal or on an agent is taken out, of what JSON spells with escapes too."""
    cleaned = unwrapped(disarmed(text))
    sections = _json_sections(cleaned, form) or _sections(cleaned, form)
    fields: dict[str, str] = {}
    for asked, raw in sections:
        body, before = disarmed(raw), fields.get(asked.field, "")
        fields[asked.field] = f"{before}\n{body}" if before and body else before or body
    return _prose(fields, form)


def unwrapped(text: str) -> str:
    """`text` without thinking, without tags or a fence around the whole."""
    text = _without_thinking(text)
    opening = text.find("<summary>")
    if opening >= 0:
        closing = text.rfind("</summary>")
        text = text[opening + len("<summary>") : closing if closing > opening else len(text)]
    lines = text.strip().split("\n")
    fences = [place for place, line in enumerate(lines) if _FENCE.match(line)]
    if len(fences) == 1 or (len(fences) > 1 and fences[0] <= 3 and fences[-1] == len(lines) - 1):
        outer = {fences[0], fences[-1]}
        lines = [line for place, line in enumerate(lines) if place not in outer]
    return "\n".join(lines).strip()


def _without_thinking(text: str) -> str:
    """Blocks of thinking go. One that is never closed goes up to the first Markdown heading; of one
    whose opening was swallowed, everything before its end goes."""
    for name in _THINKING:
        start, end = f"<{name}>", f"</{name}>"
        pieces, at = [], 0
        while (opening := text.find(start, at)) >= 0:
            pieces.append(text[at:opening])
            closing = text.find(end, opening)
            if closing < 0:
                heading = text.find("\n#", opening)
                at = heading if heading >= 0 else len(text)
                break
            at = closing + len(end)
        rest = text[at:]
        swallowed = rest.rfind(end)
        if swallowed >= 0:
            pieces, rest = [], rest[swallowed + len(end) :]
        text = "".join(pieces) + rest
    return text


def _sections(text: str, form: SummaryForm) -> list[tuple[Asked, str]]:
    lines = text.split("\n")
    return _by_heading(lines, form, lenient=False) or _by_heading(lines, form, lenient=True)


def _by_heading(lines: list[str], form: SummaryForm, *, lenient: bool) -> list[tuple[Asked, str]]:
    """The sections asked for. `lenient` takes `Goal: a text` for a heading, and one that has no
    mark at all."""
    titles = by_title(form)
    found: list[tuple[Asked, list[str]]] = []
    ignoring = True
    for line in lines:
        heading = _HEADING.match(line[:200])
        title = heading["title"].strip().casefold() if heading else ""
        asked = titles.get(title)
        if heading is None or not (asked or heading["mark"] or title in FROM_THE_SESSION):
            if not ignoring:
                found[-1][1].append(line)
            continue
        rest = line[heading.end() :].strip()
        colon = ":" in heading["tail"] or "：" in heading["tail"]
        marked = bool(heading["mark"] or heading["bold"])
        is_heading = (marked and (colon or not rest)) or (colon and not rest) or lenient
        if asked is not None and is_heading and (colon or not rest):
            found.append((asked, [rest] if rest else []))
            ignoring = False
        elif is_heading and (title in FROM_THE_SESSION or len(heading["mark"] or "####") <= 3):
            ignoring = True
        elif not ignoring:
            found[-1][1].append(line)
    return [(asked, "\n".join(body).strip("\n").rstrip()) for asked, body in found]


def _json_sections(text: str, form: SummaryForm) -> list[tuple[Asked, str]]:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start or text[:start].count("\n") > 3:
        return []
    try:
        value = orjson.loads(text[start : end + 1])
    except orjson.JSONDecodeError:
        return []
    if not isinstance(value, dict):
        return []
    titles = {**by_title(form), **{asked.field: asked for asked in FORMS[form]}}
    return [
        (asked, _as_text(inner))
        for name, inner in value.items()
        if (asked := titles.get(name.casefold().replace("_", " ").strip()) or titles.get(name))
    ]


def _as_text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "\n".join(_as_item(item) for item in value)
    return "" if value is None else _as_item(value)


def _as_item(value: object) -> str:
    if isinstance(value, dict):
        main, *more = [(name, str(inner)) for name, inner in value.items() if inner] or [("", "")]
        return "\n".join([f"- {main[1]}", *(f"  - {name}: {inner}" for name, inner in more)])
    return f"- {value}"


def _prose(fields: Mapping[str, str], form: SummaryForm) -> Prose:
    solved = _solved(items(fields.get("solving", "")))
    steps = (*items(fields.get("next_step", "")), *items(fields.get("next_plan", "")))
    return Prose(
        goal=_text(fields.get("goal", "")),
        done=(*items(fields.get("done", "")), *solved.get("done", ())),
        current_state=_text(fields.get("current_state", "")),
        decisions=(
            *_decisions(fields.get("decisions", "")),
            *(Decision(text) for text in solved.get("decided", ())),
        ),
        rejected=(*items(fields.get("rejected", "")), *solved.get("rejected", ())),
        blocked=(*items(fields.get("blocked", "")), *solved.get("blocked", ())),
        open_questions=(*items(fields.get("open_questions", "")), *solved.get("open", ())),
        next_plan=tuple(dict.fromkeys(steps)),
        found=frozenset(fields),
        sections={
            asked.title: fields[asked.field] for asked in FORMS[form] if asked.field in fields
        },
    )


_SOLVED = re.compile(r"(?i)^\W*(done|decided|rejected|blocked|open)\**\s*[:：]\**\s*(.+)$", re.S)


def _solved(found: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """The items of Problem Solving by the word they begin with; one without is done."""
    by_word: dict[str, tuple[str, ...]] = {}
    for item in found:
        match = _SOLVED.match(item)
        word, text = (match[1].lower(), match[2].strip()) if match else ("done", item)
        by_word[word] = (*by_word.get(word, ()), text)
    return by_word


def is_nothing(text: str) -> bool:
    """Whether `text` only says that there is nothing."""
    return not text.strip() or (len(text) < 60 and _NOTHING.fullmatch(text.strip()) is not None)


def _text(body: str) -> str:
    return "" if is_nothing(body) else body.strip()


def items(body: str) -> tuple[str, ...]:
    """The outermost bullets of a section, with what is indented below them; its paragraphs where
    it has none."""
    if is_nothing(body):
        return ()
    lines = body.split("\n")
    bullets = [match for line in lines if (match := _BULLET.match(line))]
    if not bullets:
        paragraphs = re.split(r"\n[ \t]*\n", body.strip())
        return _kept(" ".join(paragraph.split()) for paragraph in paragraphs)
    least = min(len(match[1].expandtabs(4)) for match in bullets)
    found: list[list[str]] = []
    for line in lines:
        match = _BULLET.match(line)
        if match and len(match[1].expandtabs(4)) <= least + 1:
            found.append([match[2]])
        elif found and line.strip():
            found[-1].append(line.strip() if not match else f"- {match[2]}")
    return _kept("\n".join(lines) for lines in found)


def _kept(found: Iterable[str]) -> tuple[str, ...]:
    cleaned = (item.strip()[:_ITEM_CHARS] for item in found)
    return tuple(dict.fromkeys(item for item in cleaned if not is_nothing(item)))[:_ITEMS]


def _decisions(body: str) -> tuple[Decision, ...]:
    return tuple(_decision(item) for item in items(body))


def _decision(item: str) -> Decision:
    """A decision with the reason and scope that stand below or behind it."""
    content: list[str] = []
    details = {"reason": "", "scope": ""}
    for line in item.split("\n"):
        if content and (match := _DETAIL.match(line)):
            name = "scope" if match[1].lower() in _SCOPE else "reason"
            details[name] = line[match.end() :].strip()
        else:
            content.append(line)
    text = "\n".join(content).strip()
    pieces = list(_INLINE.finditer(text))
    for place, match in enumerate(pieces):
        end = pieces[place + 1].start() if place + 1 < len(pieces) else len(text)
        name = "scope" if match[1].lower() in _SCOPE else "reason"
        details[name] = details[name] or text[match.end() : end].strip().rstrip(");")
    if pieces:
        text = text[: pieces[0].start()].rstrip(" (;,|—–-")
    return Decision(text, details["reason"], details["scope"])
