"""What an agent's own compaction left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from redline.facts.fact import (
    ErrorFact,
    Facts,
    FileFact,
    FileUse,
    PromptFact,
)
from redline.handoff.audit import Audit, AuditClass, Verdict
from redline.handoff.auditing import audit
from redline.handoff.handoff import Constraint, Handoff, UserWords
from redline.handoff.markdown import render
from redline.handoff.past import past_audits
from redline.handoff.quoting import quoted
from redline.ledger.rule import Ledger, RuleState
from redline.model import CompactionKind, PastCompaction, Session
from redline.targets.block import HEADING, INTRODUCTION
from tests.handoff.audits import EMPTY, only, rule
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


def _audit(opened: Session, past: PastCompaction, ledger: Ledger, facts: Facts) -> Audit:
    """What the compaction `past` left."""
    number = opened.compactions.index(past) + 1
    (found,) = past_audits(opened, ledger, facts, only=(number,))
    return found.audit


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
    found = _audit(opened, past, _PAST_LEDGER, _PAST_FACTS)
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
    found = _audit(opened, past, Ledger(), facts)
    assert only(found, AuditClass.FILE_CHANGED).verdict is Verdict.MISSING


def test_preserved_messages_count_and_an_unreadable_summary_is_unknown() -> None:
    opened, past = _compacted(None, preserved=("m3",))
    found = _audit(opened, past, _PAST_LEDGER, _PAST_FACTS)
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
    found = _audit(opened, past, Ledger(), facts)
    assert {item.text: item.verdict for item in found.items} == {
        "TypeError: first thing is open": Verdict.MISSING,
        "KeyError: second thing is open": Verdict.VERBATIM,
    }


# -- over several compactions ----------------------------------------------------------------------


def _twice() -> Session:
    said = session(
        user("Never push to main"),
        reply("I changed src/totals.py."),
        summary("Never push to main. src/totals.py was changed."),
        user("Keep the bundle under 500 kB"),
        summary("The user wants it small."),
        user("go on"),
        context_from=4,
    )
    history = tuple(said.source.history())
    past = (
        PastCompaction("c1", CompactionKind.FULL, 3, messages_before=2, summary=history[2]),
        PastCompaction("c2", CompactionKind.FULL, 5, messages_before=4, summary=history[4]),
    )
    return replace(said, compactions=past)


_TWICE_FACTS = Facts(
    files=(FileFact("src/totals.py", FileUse.CHANGED, "m2", first="m2"),),
    errors=(ErrorFact("TypeError: it is open", "m2"),),
    prompts=(
        PromptFact("Never push to main", "m1"),
        PromptFact("Keep the bundle under 500 kB", "m4"),
    ),
)


def test_what_was_lost_before_is_told_apart_from_what_is_lost_now() -> None:
    first, second = past_audits(_twice(), Ledger(), _TWICE_FACTS)
    assert [one.number for one in (first, second)] == [1, 2]
    assert {item.text for item in first.lost_here} == {"TypeError: it is open"}
    assert {item.text for item in second.lost_here} == {
        "src/totals.py",
        "Never push to main",
        "Keep the bundle under 500 kB",
    }
    assert [item.text for item in second.audit.items if item.already] == ["TypeError: it is open"]


def test_one_compaction_alone_is_judged_as_among_all() -> None:
    (_, among) = past_audits(_twice(), Ledger(), _TWICE_FACTS)
    (alone,) = past_audits(_twice(), Ledger(), _TWICE_FACTS, only=(2,))
    assert alone == among


def test_what_came_back_in_between_can_be_lost_again() -> None:
    opened = _twice()
    again = replace(
        _TWICE_FACTS,
        errors=(
            ErrorFact("TypeError: it is open", "m2"),
            ErrorFact("TypeError: it is open", "m4"),
        ),
    )
    _, second = past_audits(opened, Ledger(), again)
    assert "TypeError: it is open" in {item.text for item in second.lost_here}


def test_an_audit_that_is_cancelled_ends() -> None:
    asked = iter((False, True))
    found = list(past_audits(_twice(), Ledger(), _TWICE_FACTS, cancelled=lambda: next(asked)))
    assert [one.number for one in found] == [1]


def test_a_rule_that_was_replaced_later_was_asked_for_then() -> None:
    older = replace(rule("Never push to main", RuleState.SUPERSEDED, "m1"), id="r1", by="r2")
    newer = replace(rule("Never push to release", message="m4"), id="r2")
    first, second = past_audits(_twice(), Ledger((older, newer)), Facts())
    assert [item.text for item in first.audit.items] == ["Never push to main"]
    assert [item.text for item in second.audit.items] == ["Never push to release"]


def test_an_older_value_in_the_summary_is_a_change() -> None:
    opened, past = _compacted("Use port 8080 for staging.")
    older = replace(rule("Use port 8080 for staging", RuleState.SUPERSEDED, "m1"), id="r1", by="r2")
    newer = replace(rule("Use port 8081 for staging", message="m3"), id="r2")
    item = only(_audit(opened, past, Ledger((older, newer)), Facts()), AuditClass.RULE)
    assert (item.text, item.verdict) == ("Use port 8081 for staging", Verdict.CHANGED)
    assert item.found == "Use port 8080 for staging."
    assert item.where == "m4"


@pytest.mark.parametrize(
    "repeated",
    [
        f"{HEADING}\n\n{INTRODUCTION}\n\n- Never push to main\n",
        "<!-- redline:rules:begin id=rules v=1 -->\n- Never push to main\n"
        "<!-- redline:rules:end id=rules -->\n",
    ],
)
def test_redlines_own_block_says_nothing_of_the_agents_summary(repeated: str) -> None:
    opened, past = _compacted(f"The user wants it fixed.\n\n{repeated}\n# Done\n\nsrc/totals.py\n")
    files = replace(_PAST_FACTS, prompts=())
    found = _audit(opened, past, _PAST_LEDGER, files)
    assert only(found, AuditClass.RULE).verdict is Verdict.MISSING
    assert only(found, AuditClass.FILE_CHANGED).verdict is Verdict.VERBATIM
    opened, past = _compacted(f"- Never push to main\n\n{repeated}")
    found = _audit(opened, past, _PAST_LEDGER, Facts())
    assert only(found, AuditClass.RULE).verdict is Verdict.VERBATIM


def test_a_handoff_in_a_preserved_prompt_says_nothing_of_the_agents_summary() -> None:
    handed = render(Handoff(constraints=(Constraint("Never push to main", confirmed=True),)))
    handed = f"{handed}\n## Transcript\n\nin a file\n"
    for prompt, verdict in (
        (f"Go on with this:\n\n{handed}", Verdict.MISSING),
        ("Never push to main", Verdict.VERBATIM),
    ):
        said = session(user(prompt), summary("It goes on."), user("ok"), context_from=1)
        told = said.context[0]
        past = PastCompaction(
            "c1", CompactionKind.PARTIAL, 2, messages_before=1, summary=told, preserved=("m1",)
        )
        opened = replace(said, compactions=(past,))
        ledger = Ledger((replace(rule("Never push to main", message="m1"), edited=True),))
        found = _audit(opened, past, ledger, Facts())
        assert only(found, AuditClass.RULE).verdict is verdict


def test_a_summary_that_redline_wrote_is_known() -> None:
    opened, _ = _compacted(render(Handoff(goal="Ship")))
    (found,) = past_audits(opened, Ledger(), _PAST_FACTS)
    assert found.by_redline
    opened, _ = _compacted("# Summary\n\nShip")
    (found,) = past_audits(opened, Ledger(), _PAST_FACTS)
    assert not found.by_redline


# -- a long prompt by its ends ---------------------------------------------------------------------


def _long() -> str:
    return "Make the report. " + " ".join(f"Row {n} shows the sum of {n}." for n in range(300))


def _of_quote(text: str, quote: str) -> Verdict:
    facts = Facts(prompts=(PromptFact(text, "m1"),))
    handoff = render(Handoff(user_words=(UserWords(quote, "m1"),)))
    return only(audit(EMPTY, None, handoff, Ledger(), facts), AuditClass.USER_WORDS).verdict


def test_a_long_prompt_is_kept_by_its_two_ends_and_where_the_whole_is() -> None:
    text = _long()
    quote = quoted(text, "m1")
    assert len(quote) < len(text) / 2
    assert _of_quote(text, quote) is Verdict.VERBATIM
    for wrong in (
        quoted(text, "m2"),  # of another message
        quote.replace("Make the report", "Make a report"),
        quote.replace("Row 299", "Row 298"),
        quote.partition("[...")[0],
        quote.replace("[...", "(...").replace("...]", "...)"),
    ):
        assert wrong != quote
        assert _of_quote(text, wrong) is not Verdict.VERBATIM, wrong
