"""What the audit's title says in a narrow pane."""

from __future__ import annotations

from redline.handoff.audit import Audit, AuditClass, AuditItem, Verdict
from redline.ui.audit_items import audit_remark


def item(verdict: Verdict, *, required: bool) -> AuditItem:
    return AuditItem(AuditClass.RULE, "Never touch src/legacy.", verdict, None, required=required)


def test_what_is_missing_but_was_not_required_is_told_apart_from_what_was() -> None:
    kept = item(Verdict.VERBATIM, required=True)
    other = item(Verdict.MISSING, required=False)
    lost = item(Verdict.MISSING, required=True)
    assert audit_remark(None) == "not audited"
    assert audit_remark(Audit("handoff", (kept,))) == "ok: 1 word for word"
    assert audit_remark(Audit("handoff", (kept, other))) == "ok, 1 other missing"
    assert audit_remark(Audit("handoff", (kept, other, lost))) == "not ok: 2 missing"
    assert len(audit_remark(Audit("handoff", (kept, *[other] * 1_234)))) <= 27, (
        "it fits at 80 columns"
    )
