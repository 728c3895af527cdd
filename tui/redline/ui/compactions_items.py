"""The past compactions as lists: one entry each, and what the chosen one lost."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from redline.amounts import short
from redline.facts.aftermath import Aftermath
from redline.facts.compacted import unread
from redline.handoff.audit import AuditClass, AuditItem, Verdict
from redline.handoff.past import PastAudit
from redline.model import CompactionKind, PastCompaction
from redline.text import counted, one_line
from redline.ui.audit_items import audit_items
from redline.ui.items import Item
from redline.ui.marks import CHECK, CROSS

_CLASSES = (
    (AuditClass.RULE, "rules"),
    (AuditClass.USER_WORDS, "words"),
    (AuditClass.FILE_CHANGED, "files"),
    (AuditClass.GIT_COMMIT, "commits"),
    (AuditClass.ERROR, "errors"),
)
_BAR = 20  # cells
_NAMES = 4  # of files and commands
_BEFORE = 100  # of what was lost before


def compaction_items(
    compactions: Sequence[PastCompaction],
    found: Sequence[PastAudit],
    afters: dict[int, Aftermath],
) -> list[Item]:
    """An entry for each compaction: when, tokens before and after, how much it lost; beneath it who
    made it and what the agent did again. Those that are not audited yet are faint."""
    known = {one.number: one for one in found}
    items: list[Item] = []
    for number, past in enumerate(compactions, start=1):
        one = known.get(number)
        lost, style, mark = _lost(past, one)
        moment = f"{past.time.astimezone():%m-%d %H:%M}" if past.time else ""
        name = "  ".join(filter(None, (moment, _made(past, one)))) or "time unknown"
        items.append(Item(name, mark=mark, word=f"#{number}", right=lost, style=style, key=number))
        beneath = ", ".join(filter(None, (_tokens(past), _again(afters.get(number)))))
        items.append(
            Item(beneath, mark=" ", word=" ", style="faint", whole=True, inert=True, lines=1)
        )
    return items


def _lost(past: PastCompaction, one: PastAudit | None) -> tuple[str, str, str]:
    """What stands at the right of a compaction, its style and its mark."""
    if one is None:
        return "...", "faint", " "
    if not one.readable:
        return ("sealed" if past.sealed is not None else "no summary"), "faint", "?"
    count = len(one.lost_here)
    if one.audit.ok:
        return (f"{count} lost" if count else "all kept"), "good", CHECK
    return f"{count} lost", "bad", CROSS


def _made(past: PastCompaction, one: PastAudit | None) -> str:
    """Who made it, and in which way."""
    if one is not None and one.by_redline:
        return "by redline"
    kind = "cleared" if past.kind is CompactionKind.MICRO else ""
    return " ".join(filter(None, (past.trigger, kind)))


def _tokens(past: PastCompaction) -> str:
    """Tokens before and after, as far as they are known."""
    known = (n for n in (past.tokens_before, past.tokens_after) if n is not None)
    return " > ".join(map(short, known)) or "tokens unknown"


def _again(after: Aftermath | None) -> str:
    """How much the agent read again after it."""
    return f"{len(after.read_again)} read again" if after and after.read_again else ""


def lost_items(
    one: PastAudit,
    after: Aftermath | None,
    project: str | None,
    taken: Collection[tuple[AuditClass, str]],
) -> list[Item]:
    """What the compaction left and lost: how much of each class, what the agent did again, then the
    items, worst first; what an earlier compaction had lost stands last."""
    items = [Item("still there of all that came before", heading=True)]
    items += [_share(one, cls, name) for cls, name in _CLASSES if one.asked(cls)]
    if why := unread(one.past):
        items.append(Item(why, style="faint", whole=True, inert=True, lines=3))
    if after is not None and after.messages:
        items += _afterwards(after)
    here = replace(one.audit, items=tuple(i for i in one.audit.items if not i.already))
    summary = one.past.summary.id if one.past.summary is not None else None
    items += [_marked(item, taken, summary) for item in audit_items(here, project)]
    before = [item for item in one.audit.items if item.already]
    if before:
        items.append(Item(f"lost before, and not brought back ({len(before)})", heading=True))
        shown = replace(one.audit, items=tuple(before[:_BEFORE]))
        entries = (item for item in audit_items(shown, project) if not item.heading)
        items += [_marked(replace(item, style="faint"), taken, summary) for item in entries]
        if len(before) > _BEFORE:
            items.append(Item(f"{len(before) - _BEFORE} more", style="faint", inert=True))
    return items


def lost_remark(one: PastAudit) -> str:
    """What the compaction lost in a few words."""
    if not one.readable:
        return "nobody can tell"
    before = sum(item.already for item in one.audit.items)
    return f"{len(one.lost_here)} lost" + (f", {before} before it" if before else "")


def _share(one: PastAudit, cls: AuditClass, name: str) -> Item:
    """How much of a class is left, as a bar."""
    kept, asked = one.kept(cls), one.asked(cls)
    if not one.readable:
        return Item("?" * _BAR, mark=" ", word=name, style="faint", whole=True, inert=True)
    cells = round(_BAR * kept / asked)
    if kept and kept < asked:  # neither nothing nor all
        cells = min(max(cells, 1), _BAR - 1)
    style = "good" if kept == asked else "warn" if kept else "bad"
    bar = "=" * cells + "." * (_BAR - cells)
    text = f"{bar} {kept} of {asked}"
    return Item(text, mark=" ", word=name, style=style, whole=True, inert=True)


def _afterwards(after: Aftermath) -> list[Item]:
    """What the agent did after it that it had done before."""
    items = [Item("afterwards", heading=True)]
    told: list[tuple[str, str]] = []
    if after.read_again:
        names = ", ".join(path.rpartition("/")[2] for path in after.read_again[:_NAMES])
        more = ", ..." if len(after.read_again) > _NAMES else ""
        of = f"{len(after.read_again)} of {after.known} known files again: "
        told.append(("read", f"{of}{names}{more}"))
    if after.ran_again:
        count = counted(len(after.ran_again), "command")
        told.append(("ran", f"{count} again: {one_line(after.ran_again[0], 80)}"))
    if after.calls_to_edit is not None:
        minutes = after.minutes_to_edit
        later = "" if minutes is None else f", {minutes:.0f} min"
        told.append(
            ("edited", f"for the first time after {counted(after.calls_to_edit, 'call')}{later}")
        )
    if not told:
        told.append(("", f"{counted(after.calls, 'call')}, none of them a file known before"))
    return items + [
        Item(text, mark=" ", word=word, style="faint", inert=True, lines=2) for word, text in told
    ]


def _marked(item: Item, taken: Collection[tuple[AuditClass, str]], summary: str | None) -> Item:
    """`item` with the mark of what is taken over; in a message that was preserved, it says so."""
    key = item.key
    if not isinstance(key, AuditItem):
        return item
    if (key.cls, key.text) in taken:
        return replace(item, mark="+", right="taken over", style="strong")
    preserved = key.verdict is Verdict.VERBATIM and key.where != summary
    return replace(item, right="preserved" if preserved else "")


def said_and_now(item: AuditItem) -> list[str]:
    """Both wordings of what was altered, as lines of a difference; none of what is missing."""
    if item.found is None or item.verdict is Verdict.VERBATIM:
        return []
    said = [f"-said  {line}" for line in item.text.strip().split("\n")]
    now = [f"+now   {line}" for line in item.found.split("\n")]
    return [f" {item.verdict.value}", *said, *now, " "]
