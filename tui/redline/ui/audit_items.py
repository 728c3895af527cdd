"""What the audit says, worst first."""

from __future__ import annotations

from redline.handoff.audit import Audit, AuditClass, AuditItem, Verdict
from redline.text import counted
from redline.ui.desk_items import inside
from redline.ui.items import Item
from redline.ui.marks import CLASS_WORD, VERDICT_MARK

_STYLE = {
    Verdict.MISSING: "bad",
    Verdict.CHANGED: "bad",
    Verdict.WEAKENED: "warn",
    Verdict.REWORDED: "warn",
    Verdict.UNKNOWN: "faint",
    Verdict.VERBATIM: "good",
}
_SHOWN = 500  # of one verdict


def audit_items(audit: Audit | None, project: str | None) -> list[Item]:
    """The items by verdict, the worst verdict first and in it what is required first."""
    if audit is None:
        return []
    items: list[Item] = []
    for verdict in Verdict:
        found = [item for item in audit.items if item.verdict is verdict]
        if not found:
            continue
        required = [item for item in found if item.required]
        others = [item for item in found if not item.required]
        if verdict is Verdict.VERBATIM:
            _section(items, verdict.value, required + others, project)
        else:
            _section(items, f"required and {verdict.value}", required, project)
            _section(items, verdict.value, others, project)
    return items


def _section(items: list[Item], name: str, found: list[AuditItem], project: str | None) -> None:
    if not found:
        return
    items.append(Item(f"{name} ({len(found)})", heading=True))
    for item in found[:_SHOWN]:
        items.append(_entry(item, project))
        if item.verdict in (Verdict.CHANGED, Verdict.WEAKENED, Verdict.REWORDED) and item.found:
            items.append(
                Item(
                    item.found,
                    mark=" ",
                    word="now",
                    style="faint",
                    whole=True,
                    inert=True,
                    lines=2,
                )
            )
    if len(found) > _SHOWN:
        items.append(Item(f"{len(found) - _SHOWN} more", style="faint", inert=True))


def _entry(item: AuditItem, project: str | None) -> Item:
    lost = item.verdict is not Verdict.VERBATIM
    where = "" if item.where is None else "kept" if item.where != "handoff" else ""
    is_file = item.cls in (AuditClass.FILE_CHANGED, AuditClass.FILE_REFERENCED)
    return Item(
        inside(item.text, project) if is_file else item.text,
        mark=VERDICT_MARK[item.verdict],
        word=CLASS_WORD[item.cls],
        right=where,
        style=_STYLE[item.verdict],
        lines=3 if lost and not is_file else 1,
        ending=is_file,
        message=item.message,
        key=item,
    )


def audit_remark(audit: Audit | None) -> str:
    """The audit in a few words."""
    if audit is None:
        return "not audited"
    lost = sum(item.verdict is Verdict.MISSING for item in audit.items)
    whole = sum(item.verdict is Verdict.VERBATIM for item in audit.items)
    if audit.ok:  # what is missing then was not required
        return f"ok, {counted(lost, 'other')} missing" if lost else f"ok: {whole} word for word"
    altered = len(audit.items) - lost - whole
    return f"not ok: {lost} missing" if lost else f"not ok: {altered} altered"
