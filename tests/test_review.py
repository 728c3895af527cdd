"""One supervised compaction: what each step changes, and what it leaves alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.strategies.strategy import Trigger
from redline.context.measure import measure
from redline.context.weighing import weigh
from redline.database import Database
from redline.drafts import keep, recall
from redline.errors import RedlineError
from redline.facts.extract import extract
from redline.handoff.writers.writing import Written
from redline.ledger.detect import detect
from redline.ledger.rule import Ledger, RuleState
from redline.model import Kind, PartType, Session
from redline.review import Choice, Review
from redline.settings import Settings
from tests.sessions_in_memory import ran, reply, session, user

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def opened() -> Session:
    return session(
        user("Never touch src/legacy. Fix the totals."),
        *ran("pytest -q", "1 failed", 1, call_id="a"),
        reply("I see."),
        user("And the taxes."),
        reply("Done."),
        model="claude-opus-4-6",
    )


def started(made: Session) -> Review:
    window = measure(made, Settings(), {})
    return Review.start(made, window, extract(made), detect(made), Choice("redline"))


def test_a_changed_plan_or_rule_makes_handoff_and_audit_stale_and_writing_mends_it() -> None:
    review = started(opened()).write().audited()
    assert review.stale == frozenset()
    moved = review.pin([review.outline.messages[0].id], Action.KEEP)
    assert moved.stale == {"handoff", "audit"}
    rules = Ledger(tuple(replace(r, state=RuleState.ACTIVE) for r in review.ledger.rules))
    assert review.with_ledger(rules).stale == {"handoff", "audit"}
    assert moved.write().audited().stale == frozenset()


def test_a_new_focus_makes_the_handoff_stale_and_edits_only_the_audit() -> None:
    review = started(opened()).write().audited()
    assert review.with_focus("taxes").stale == {"handoff"}
    assert review.with_text("other").stale == {"audit"}


def test_what_a_writer_gives_keeps_edits_and_the_text_before_can_be_brought_back() -> None:
    review = started(opened()).with_focus("taxes").write()
    assert review.task().focus == "taxes"
    assert review.task().plan == review.plan
    edited = review.with_text(review.text.replace("## Goal\n\n", "## Goal\n\nMine: "))
    assert review.handoff is not None
    handoff = replace(review.handoff, goal="Theirs", current_state="Green.")
    after = edited.with_written(Written(handoff, writer="m"))
    assert (after.writer, after.handoff, after.before) == ("m", handoff, edited.text)
    assert "Green." in after.text
    assert "Mine: " in after.text
    assert after.conflicts == ("Goal",)
    back = after.brought_back()
    assert back.text == edited.text
    assert back.brought_back().text == after.text
    assert started(opened()).brought_back().text == ""


def test_what_a_writer_made_up_has_its_place_in_the_text_and_what_a_person_typed_is_theirs() -> (
    None
):
    review = started(opened()).write()
    handoff = review.handoff
    assert handoff is not None
    made_up = replace(handoff, done=("wrote src/made_up.py",), next_plan=("`pytest -q` passes",))
    review = review.with_written(Written(made_up, writer="model"))
    known = review.known(NOW.date())
    review = review.with_text("See docs/typed.md.\n\n" + review.text)
    (found,) = review.invented(known)
    assert review.text[found.start : found.end] == found.text == "src/made_up.py"
    assert review.invented(known, lambda: True) == (found,)  # it remembers
    assert review.invented(review.known(NOW.date()), lambda: True) == ()


def test_a_next_step_of_the_text_that_is_finished_is_named() -> None:
    review = started(opened()).with_text("## Done\n\n- the totals are fixed\n")
    assert review.finished() == ()
    more = review.with_text(review.text + "\n## Next steps\n\n1. The totals are fixed\n2. Taxes\n")
    assert [item.step for item in more.finished()] == ["The totals are fixed"]


def test_undo_and_redo_go_over_every_choice() -> None:
    review = started(opened())
    first = review.outline.messages[0].id
    chosen = review.pin([first], Action.KEEP).use_strategy("fresh").use_tail(5_000)
    back = chosen.undo().undo().undo()
    assert back.choice == review.choice
    assert back.redo().redo().redo().choice == chosen.choice
    assert review.undo() is review


def test_a_part_is_decided_apart_from_its_message_and_that_is_undone_too() -> None:
    review = started(opened())
    (result,) = (
        place
        for place, message in enumerate(review.outline.messages)
        if any(part.type is PartType.TOOL_RESULT for part in message.parts)
    )
    name = review.outline.messages[result].id
    chosen = review.pin_part(name, 0, Action.CLEAR)
    assert chosen.pins.parts == {(name, 0): Action.CLEAR}
    assert chosen.undo().pins.parts == {}
    both = chosen.pin([review.outline.messages[0].id], Action.KEEP)
    assert both.unpin([name]).pins == Pins(actions=both.pins.actions)
    assert both.unpin([name, "gone"]).unpin([review.outline.messages[0].id]).pins == review.pins


def test_the_cut_goes_turn_by_turn_from_where_it_stands() -> None:
    review = started(opened())
    first, second = (
        place
        for place, message in enumerate(review.outline.messages)
        if any(part.kind is Kind.PROMPT for part in message.parts)
    )
    at_end = review.move_cut(review.outline.messages[second].id)
    assert at_end.plan.cut is not None
    assert at_end.plan.cut.index == second
    assert at_end.cut_by_turn(-1).pins.cut == review.outline.messages[first].id
    assert at_end.cut_by_turn(1) is at_end


def test_the_handoff_will_weigh_at_least_the_words_that_are_quoted() -> None:
    review = started(opened())
    first = review.outline.messages[0].id
    quoted = review.pin([first], Action.QUOTE)
    kept = review.pin([first], Action.KEEP)
    weight = review.window.tokens[0]
    assert weight > 0
    assert quoted.plan.actions[0] is Action.QUOTE
    assert quoted.summary_tokens() >= kept.summary_tokens() + weight
    assert quoted.summary_tokens(7) == 7


def test_a_grown_session_keeps_choices_and_text_and_lets_go_of_what_is_gone() -> None:
    review = started(opened()).write()
    first, last = review.outline.messages[0].id, review.outline.messages[-1].id
    review = review.pin([first], Action.KEEP).pin([last], Action.KEEP).with_text("mine")
    shorter = replace(review.session, context=review.session.context[:-1])
    again = review.rebase(shorter, measure(shorter, Settings(), {}), review.facts, review.ledger)
    assert again.text == "mine"
    assert set(again.pins.actions) == {first}


def test_pins_focus_and_draft_are_there_again_in_the_next_run(tmp_path: Path) -> None:
    database = Database(tmp_path / "state.sqlite")
    review = started(opened())
    first = review.outline.messages[0].id
    left = review.pin([first], Action.KEEP).with_focus("taxes").write().with_text("my words")
    keep(database, left, NOW)
    again = recall(database, started(opened()))
    assert again.pins == left.pins
    assert (again.focus, again.text, again.written) == ("taxes", "my words", left.written)
    assert "handoff" in again.stale


@pytest.mark.parametrize(("model", "factor"), [("gpt-5", 1.0), ("claude-opus-4-8", 1.58)])
def test_a_text_weighs_by_the_family_of_the_model(model: str, factor: float) -> None:
    text = "The totals are rounded once and never twice. " * 50
    plain = weigh(text, session(user("hi"), model="gpt-5"), Settings(), {})
    assert weigh(text, session(user("hi"), model=model), Settings(), {}) == pytest.approx(
        plain * factor, rel=0.01
    )
    assert weigh("", session(user("hi")), Settings(), {}) == 0


class Broken:
    name = "broken"
    about = "raises"

    def triggers(self, window: object, settings: object) -> tuple[Trigger, ...]:
        raise KeyError("t")

    def propose(self, *given: object) -> Plan:
        raise ZeroDivisionError("x")


class Empty(Broken):
    def propose(self, *given: object) -> Plan:
        return None  # type: ignore[return-value]


@pytest.mark.parametrize(("made", "why"), [(Broken(), "it fails: x"), (Empty(), "it gives None")])
def test_a_strategy_of_another_package_that_makes_no_plan_is_an_error_with_its_name(
    monkeypatch: pytest.MonkeyPatch, made: Broken, why: str
) -> None:
    monkeypatch.setattr("redline.review.strategy", lambda name: made)
    found = opened()
    window = measure(found, Settings(), {})
    with pytest.raises(RedlineError, match=f"'broken' makes no plan: {why}$"):
        Review.start(found, window, extract(found), detect(found), Choice("broken"))
