"""What an agent's own compaction left."""

from __future__ import annotations

from dataclasses import replace

from redline.facts.fact import (
    ErrorFact,
    Facts,
    FileFact,
    FileUse,
    PromptFact,
)
from redline.handoff.audit import AuditClass, Verdict
from redline.handoff.past import audit_compaction
from redline.ledger.rule import Ledger
from redline.model import CompactionKind, PastCompaction, Session
from tests.handoff.audits import only, rule
from tests.sessions_in_memory import (
    call,
    reply,
    result,
    session,
    summary,
    together,
    user,
)


def _compacted(
    text: str | None, *, preserved: tuple[str, ...] = ()
) -> tuple[Session, PastCompaction]:
    said = session(
        user("Fix the rounding in totals"),
        reply("I changed src/totals.py."),
        user("Never push to main"),
        summary(text or ""),
        user("and after that?"),
        context_from=3,
    )
    told = said.context[0] if text is not None else None
    past = PastCompaction(
        "c1", CompactionKind.FULL, 4, messages_before=3, summary=told, preserved=preserved
    )
    return replace(said, compactions=(past,)), past


_PAST_FACTS = Facts(
    files=(FileFact("src/totals.py", FileUse.CHANGED, "m2"),),
    prompts=(
        PromptFact("Fix the rounding in totals", "m1"),
        PromptFact("Never push to main", "m3"),
        PromptFact("and after that?", "m5"),
    ),
)
_PAST_LEDGER = Ledger((rule("Never push to main", message="m3"), rule("Later rule", message="m5")))


def test_a_past_compaction_is_asked_only_for_what_came_before_it() -> None:
    opened, past = _compacted("The user wants rounding fixed. src/totals.py was changed.")
    found = audit_compaction(opened, past, _PAST_LEDGER, _PAST_FACTS)
    assert found.subject == "c1"
    assert {(item.cls, item.text): item.verdict for item in found.items} == {
        (AuditClass.RULE, "Never push to main"): Verdict.MISSING,
        (AuditClass.USER_WORDS, "Never push to main"): Verdict.MISSING,
        (AuditClass.USER_WORDS, "Fix the rounding in totals"): Verdict.MISSING,
        (AuditClass.FILE_CHANGED, "src/totals.py"): Verdict.VERBATIM,
    }


def test_a_file_changed_before_and_after_a_compaction_is_asked_for() -> None:
    opened, past = _compacted("Nothing was done.")
    facts = Facts(files=(FileFact("src/totals.py", FileUse.CHANGED, "m5", 2, first="m2"),))
    found = audit_compaction(opened, past, Ledger(), facts)
    assert only(found, AuditClass.FILE_CHANGED).verdict is Verdict.MISSING


def test_preserved_messages_count_and_an_unreadable_summary_is_unknown() -> None:
    opened, past = _compacted(None, preserved=("m3",))
    found = audit_compaction(opened, past, _PAST_LEDGER, _PAST_FACTS)
    assert only(found, AuditClass.RULE).verdict is Verdict.VERBATIM
    assert only(found, AuditClass.FILE_CHANGED).verdict is Verdict.UNKNOWN


def test_a_micro_compaction_loses_only_the_results_it_cleared() -> None:
    opened = session(
        user("go"),
        together(
            call("Bash", {"command": "ls"}, call_id="a"),
            call("Bash", {"command": "pwd"}, call_id="b"),
        ),
        result("TypeError: first thing is open", call_id="a"),
        result("KeyError: second thing is open", call_id="b"),
    )
    past = PastCompaction("c1", CompactionKind.MICRO, 5, messages_before=4, cleared=("a",))
    opened = replace(opened, compactions=(past,))
    facts = Facts(
        errors=(
            ErrorFact("TypeError: first thing is open", "m3"),
            ErrorFact("KeyError: second thing is open", "m4"),
        )
    )
    found = audit_compaction(opened, past, Ledger(), facts)
    assert {item.text: item.verdict for item in found.items} == {
        "TypeError: first thing is open": Verdict.MISSING,
        "KeyError: second thing is open": Verdict.VERBATIM,
    }
