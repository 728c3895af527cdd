"""What the agent's own compactions lost, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from redline.cli.figures import compaction_json
from redline.cli.output import SCHEMA, console
from redline.handoff.audit import AuditClass
from redline.text import counted, one_line

if TYPE_CHECKING:
    from redline.facts.aftermath import Aftermath
    from redline.handoff.past import PastAudit

COLUMNS = (
    (AuditClass.RULE, "rules"),
    (AuditClass.USER_WORDS, "words"),
    (AuditClass.FILE_CHANGED, "files"),
    (AuditClass.GIT_COMMIT, "commits"),
    (AuditClass.ERROR, "errors"),
)
LEGEND = (
    "of all that came before: word for word, files and commits also by the end of their name; "
    "lost: missing,\nand still there until then; re-read: known files; edit after: calls, minutes"
)
_SHOWN = 3  # names of what was read or run again


def past_json(found: PastAudit, after: Aftermath | None) -> dict[str, Any]:
    """What is told of one compaction beside its items."""
    past = found.past
    return {
        "number": found.number,
        **compaction_json(past),
        "readable": found.readable,
        "by_redline": found.by_redline,
        "after": None
        if after is None
        else {
            "files_known": after.known,
            "files_read_again": list(after.read_again),
            "commands_run_again": list(after.ran_again),
            "calls": after.calls,
            "calls_to_first_edit": after.calls_to_edit,
            "minutes_to_first_edit": after.minutes_to_edit,
            "messages": after.messages,
        },
    }


def table_json(found: list[PastAudit], afters: dict[int, Aftermath], totals: Any) -> dict[str, Any]:
    """All compactions of a session: totals of each, and what each lost that was still there."""
    return {
        "schema": SCHEMA,
        "subject": "compactions",
        "ok": bool(found) and all(one.audit.ok for one in found),
        "compactions": [
            {
                **past_json(one, afters.get(one.number)),
                "ok": one.audit.ok,
                "totals": totals(one.audit),
                "lost_here": len(one.lost_here),
            }
            for one in found
        ],
    }


def print_table(found: list[PastAudit], afters: dict[int, Aftermath]) -> None:
    """A row a compaction: per class how many of how many are still there."""
    classes = [(cls, name) for cls, name in COLUMNS if any(one.asked(cls) for one in found)]
    names = ["", "when", "by", "tokens", *(name for _, name in classes)]
    rows = [[*names, "lost", "re-read", "edit after"]]
    rows += [_row(one, afters.get(one.number), [cls for cls, _ in classes]) for one in found]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    out = console()
    for number, row in enumerate(rows):
        cells = (
            cell.ljust(width) if column in (1, 2) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        out.print("  ".join(cells).rstrip(), style="" if number else "bold", soft_wrap=True)
    out.print(f"\n{LEGEND}", style="dim")


def _row(one: PastAudit, after: Aftermath | None, classes: list[AuditClass]) -> list[str]:
    past = one.past
    return [
        str(one.number),
        past.time.astimezone().strftime("%m-%d %H:%M") if past.time else "",
        "redline" if one.by_redline else " ".join(filter(None, (past.trigger, _kind(one)))),
        span_of(one),
        *(_share(one, cls) for cls in classes),
        f"{len(one.lost_here):,}" if one.readable else "sealed" if past.sealed else "unknown",
        "" if after is None else str(len(after.read_again)),
        "" if after is None else _edit(after),
    ]


def _kind(one: PastAudit) -> str:
    return "micro" if one.past.kind.value == "micro" else ""


def _share(one: PastAudit, cls: AuditClass) -> str:
    asked = one.asked(cls)
    return f"{one.kept(cls)}/{asked}" if asked else "-"


def _edit(after: Aftermath) -> str:
    if after.calls_to_edit is None:
        return "none"
    minutes = after.minutes_to_edit
    return f"{after.calls_to_edit}" + ("" if minutes is None else f", {minutes:.0f}m")


def span_of(one: PastAudit) -> str:
    """Tokens before and after, as far as they are known."""
    from redline.amounts import short

    before, after = one.past.tokens_before, one.past.tokens_after
    if before is None and after is None:
        return ""
    return ">".join("?" if n is None else short(n) for n in (before, after))


def print_after(found: PastAudit, after: Aftermath | None) -> None:
    """The compaction in a line, and what the agent did after it."""
    out = console()
    past = found.past
    words = [f"compaction {found.number}", past.trigger or "", _kind(found), span_of(found)]
    out.print(", ".join(filter(None, words)), style="bold")
    if found.by_redline:
        out.print("its summary was written by redline", style="dim")
    if after is None:
        return
    for name, items in (
        (f"of {counted(after.known, 'known file')} read again", after.read_again),
        ("commands run again", after.ran_again),
    ):
        if items:
            more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
            shown = ", ".join(one_line(item, 60) for item in items[:_SHOWN])
            out.print(f"afterwards {len(items)} {name}: {shown}{more}")
    if after.calls_to_edit is not None:
        minutes = after.minutes_to_edit
        later = "" if minutes is None else f", {counted(round(minutes), 'minute')}"
        calls = counted(after.calls_to_edit, "call")
        out.print(f"first edit after it: {calls}{later}")
