"""What plans keep word for word: the audit, asked of one plan after the other, says the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.agents.opening import open_session
from redline.compaction.plan import Action, Plan
from redline.compaction.strategies.registry import names
from redline.comparison.staying import Stays, Thing, staying
from redline.context.measure import measure
from redline.facts.extract import extract
from redline.facts.fact import Facts
from redline.handoff.audit import AuditClass, Verdict
from redline.handoff.auditing import audit
from redline.ledger.detect import detect
from redline.ledger.rule import Ledger
from redline.model import Part, Session
from redline.review import Choice, Review
from redline.settings import Settings
from tests.sessions_in_memory import ran, reply, session, user

_CLASSES = {
    AuditClass.RULE: Thing.RULES,
    AuditClass.USER_WORDS: Thing.WORDS,
    AuditClass.FILE_CHANGED: Thing.FILES,
    AuditClass.ERROR: Thing.ERRORS,
    AuditClass.GIT_COMMIT: Thing.ANCHORS,
    AuditClass.ISSUE: Thing.ANCHORS,
    AuditClass.URL: Thing.ANCHORS,
    AuditClass.COMMAND: Thing.ANCHORS,
}


def review_of(one: Session) -> Review:
    facts, rules = extract(one), detect(one)
    return Review.start(one, measure(one, Settings(), {}), facts, rules, Choice("redline"))


def of_context(plan: Plan, ledger: Ledger, facts: Facts) -> dict[AuditClass, set[str]]:
    """What comes from a message of the context, also where it came up before."""
    there = plan.outline.index
    return {
        AuditClass.RULE: {one.text for one in ledger.live if one.message in there},
        AuditClass.USER_WORDS: {one.text for one in facts.prompts if one.message in there},
        AuditClass.FILE_CHANGED: {one.path for one in facts.changed if one.message in there},
        AuditClass.ERROR: {one.line for one in facts.open_errors if one.message in there},
        AuditClass.GIT_COMMIT: {one.sha for one in facts.commits if one.message in there},
        AuditClass.ISSUE: {one.text for one in facts.references if one.message in there},
        AuditClass.URL: {one.text for one in facts.urls if one.message in there},
        AuditClass.COMMAND: {one.command for one in facts.commands if one.message in there},
    }


def audited(one: Session, plan: Plan, ledger: Ledger, facts: Facts) -> dict[Thing, int]:
    """How many things of the context the audit finds word for word without a handoff."""
    counted = of_context(plan, ledger, facts)
    found = dict.fromkeys(Thing, 0)
    for item in audit(one, plan, "", ledger, facts).items:
        if item.verdict is Verdict.VERBATIM and item.text in counted.get(item.cls, ()):
            found[_CLASSES[item.cls]] += 1
    return found


def plans_of(review: Review) -> list[Plan]:
    return [review.use_strategy(name).plan for name in names()]


def same_as_audit(one: Session) -> None:
    review = review_of(one)
    plans = plans_of(review)
    counts = staying(one, plans, review.ledger, review.facts)
    assert counts is not None
    for plan, found in zip(plans, counts, strict=True):
        asked = audited(one, plan, review.ledger, review.facts)
        assert {thing: stays.kept for thing, stays in found.items()} == asked, plan.strategy


SAID = (
    "Never touch src/legacy.",
    "Go on.",
    "不要修改 tests 目录。",
    "Use tabs, see #12 and https://example.org/a?b=1",
    "> - ",
    "Go on, then.",
)
RUNS = (
    ("pytest -q", "E   AssertionError: 1.0 != 1.01", 1),
    ("git commit -m x", "[main 1a2b3c4] Exact totals", 0),
    ("sed -i s/a/b/ src/totals.py", "", 0),
    ("cat notes.md", "see #12, src/totals.py, 1A2B3C4 and Never touch src/legacy.", 0),
    ("make", "error: no rule\nE   AssertionError: 1.0 != 1.01", 2),
)


@st.composite
def talks(draw: st.DrawFn) -> Session:
    pieces: list[object] = []
    for number in range(draw(st.integers(1, 12))):
        match draw(st.integers(0, 2)):
            case 0:
                pieces.append(user(draw(st.sampled_from(SAID))))
            case 1:
                command, output, status = draw(st.sampled_from(RUNS))
                pieces.append(ran(command, output, status, call_id=str(number)))
            case _:
                pieces.append(reply(draw(st.sampled_from((*SAID, "Edited src/totals.py.")))))
    return session(*pieces)  # type: ignore[arg-type]


@given(talks())
@settings(max_examples=60, deadline=None)
def test_the_count_is_what_the_audit_finds_without_a_handoff(one: Session) -> None:
    same_as_audit(one)


def test_what_is_quoted_is_told_apart_from_what_is_kept() -> None:
    one = session(user("Never touch src/legacy. Fix it."), reply("Done."), user("Thanks."))
    review = review_of(one).pin(["m1"], Action.QUOTE).pin(["m3"], Action.KEEP)
    (found,) = staying(one, [review.plan], review.ledger, review.facts) or ()
    assert found[Thing.WORDS] == Stays(kept=1, quoted=1, of=2)
    assert found[Thing.RULES] == Stays(kept=0, quoted=1, of=1)


def test_every_body_is_read_at_most_once_however_many_plans_keep_it() -> None:
    pieces = [(user(f"Look at {n}."), ran("ls", f"a{n}.py", call_id=str(n))) for n in range(9)]
    one = session(*(piece for pair in pieces for piece in pair))
    review = review_of(one)
    plans, read = plans_of(review), Counter[tuple[str, int]]()
    source = one.source

    class Counting:
        def __getattr__(self, name: str) -> object:
            return getattr(source, name)

        def text(self, part: Part) -> str:
            read[str(part.origin), part.index] += 1
            return source.text(part)

    counting: Any = Counting()
    staying(replace(one, source=counting), plans, review.ledger, review.facts)
    assert read
    assert set(read.values()) == {1}


def test_a_cancelled_count_gives_nothing() -> None:
    review = review_of(session(user("Never touch src."), reply("I see.")))
    plans = plans_of(review)
    assert staying(review.session, plans, review.ledger, review.facts, lambda: True) is None


@pytest.mark.real
@pytest.mark.parametrize(
    "name",
    [
        "claude_code/entire_38346dbf_dangling.jsonl",
        "claude_code/entire_6860e231_cjk.jsonl",
        "claude_code/entire_cd95adda_3auto.jsonl",
        "pi/large-session.jsonl",
    ],
)
def test_on_real_sessions_too(real_sessions: Path, name: str) -> None:
    same_as_audit(open_session(real_sessions / name))
