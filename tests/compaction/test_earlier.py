"""A session that was compacted before is compacted again."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from redline.agents.hermes.reader import open_session as open_hermes
from redline.agents.opening import open_session
from redline.compaction.earlier import EARLIER, SEALED
from redline.compaction.outline import outline
from redline.compaction.plan import Action, Pins, Plan
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.facts.extract import extract
from redline.handoff.budget import Budget
from redline.handoff.markdown import render
from redline.handoff.offline import write
from redline.ledger.detect import detect
from redline.model import CompactionKind, Kind, PartType, PastCompaction, Session
from tests.compaction.windows import propose, window_of
from tests.sessions_in_memory import Draft, reply, session, summary, together, user

OURS = ("redline", "scored", "fresh", "pi")
each = pytest.mark.parametrize("name", OURS)


def compacted(*drafts: Draft, at: int = 0, sealed: bool = False) -> Session:
    """A session whose message `at` holds the summary of its second compaction, after a micro."""
    opened = session(*drafts)
    holder = opened.context[at]
    if sealed:
        parts = tuple(
            replace(part, type=PartType.OPAQUE) if part.kind is Kind.SUMMARY else part
            for part in holder.parts
        )
        holder = replace(holder, parts=parts)
        context = (*opened.context[:at], holder, *opened.context[at + 1 :])
        opened = replace(opened, context=context)
    past = PastCompaction("c2", CompactionKind.FULL, 2, "auto", summary=holder)
    if sealed:
        body = next(part for part in holder.parts if part.kind is Kind.SUMMARY)
        past = replace(past, summary=None, sealed=body)
    micro = PastCompaction("c1", CompactionKind.MICRO, 1, cleared=("x",))
    return replace(opened, compactions=(micro, past))


LATER = (user("go"), reply("w" * 300), user("on"), reply("v" * 300))


@each
def test_the_summary_of_an_earlier_compaction_is_brought_up_to_date_and_that_is_said(
    name: str,
) -> None:
    plan = propose(window_of(compacted(summary("So far."), *LATER)), name, tail_tokens=150)
    assert plan.actions[0] is Action.SUMMARISE
    assert plan.reasons[0].startswith(EARLIER)
    assert plan.details["previous_summary"] == "m1"
    assert plan.details["previous_compaction"] == 2
    said = [warning for warning in plan.warnings if "brought up to date" in warning]
    assert len(said) == 1
    assert "compaction 2 (message 1)" in said[0]
    assert "--before 2" in said[0]


@pytest.mark.parametrize("name", ["redline", "scored"])
def test_it_does_not_stay_in_the_tail_beside_the_new_one(name: str) -> None:
    """Codex puts its summary behind the user's messages."""
    opened = compacted(user("w" * 9_000), summary("So far."), *LATER, at=1)
    plan = propose(window_of(opened), name, tail_tokens=5_000)
    assert plan.cut is not None
    assert plan.actions[1] is Action.SUMMARISE
    assert plan.actions[2] is Action.KEEP


@pytest.mark.parametrize("name", ["redline", "scored"])
def test_what_it_was_merged_into_stays_without_it(name: str) -> None:
    """Hermes and Codex merge a summary into a message that stays."""
    merged = together(summary("So far."), user("go on with this"))
    opened = compacted(user("w" * 9_000), merged, *LATER, at=1)
    plan = propose(window_of(opened), name, tail_tokens=5_000)
    assert plan.actions[1] is Action.KEEP
    assert plan.action_of(1, 0) is Action.SUMMARISE
    assert plan.action_of(1, 1) is Action.KEEP


def test_a_pin_keeps_it_all_the_same_and_the_handoff_names_it_only() -> None:
    opened = compacted(summary("So far."), *LATER)
    plan = propose(window_of(opened), tail_tokens=150, pins=Pins(actions={"m1": Action.KEEP}))
    assert plan.actions[0] is Action.KEEP
    handoff = write(opened, plan, extract(opened), detect(opened))
    assert handoff.previous.endswith("its summary stays in the context as it is.")


def test_where_nothing_is_retold_it_stays() -> None:
    plan = propose(window_of(compacted(summary("So far."), *LATER)), "scored", tail_tokens=10**6)
    assert set(plan.actions[1:]) == {Action.KEEP}


@pytest.mark.parametrize("name", ["redline", "scored", "fresh"])
def test_a_sealed_summary_cannot_be_carried_on_and_that_is_said(name: str) -> None:
    opened = compacted(summary("gAAAA"), *LATER, sealed=True)
    plan = propose(window_of(opened), name, tail_tokens=150)
    assert plan.actions[0] is Action.DROP  # what is opaque is never retold
    assert plan.reasons[0].startswith(SEALED)
    assert plan.details["previous_sealed"] is True
    assert any("encrypted" in warning and "--before 2" in warning for warning in plan.warnings)


def test_pis_summary_of_a_branch_is_no_earlier_compaction() -> None:
    branch = summary("Explored b.")
    branch = replace(branch, pieces=(replace(branch.pieces[0], wire="branchSummary"),))
    plan = propose(window_of(session(branch, *LATER)), tail_tokens=150)
    assert "previous_summary" not in plan.details
    assert not any("earlier compaction" in warning for warning in plan.warnings)


# -- the real sessions of all agents ---------------------------------------------------------------

COMPACTED = (
    "claude_code/compacted_by_2.1.197_manual.jsonl",
    "claude_code/entire_25730c66_micro.jsonl",
    "claude_code/entire_38346dbf_dangling.jsonl",
    "claude_code/entire_cd95adda_3auto.jsonl",
    "claude_code/spotter_fa812bfe_auto/fa812bfe-b295-4cca-9c2f-fdf01028cb46.jsonl",
    "codex/compacted_by_0.171.0_local.jsonl",
    "codex/kvsankar_compaction_synthetic.jsonl",
    "codex/madshn_rollout-2026-02-23T12-54-34-019c8a59-e9dd-71f0-9ae3-4079fe9726a9.jsonl",
    "pi/before-compaction.v3-migrated.jsonl",
    "pi/synthetic-pi-1.6.0-all-entry-types.jsonl",
    "hermes/state.db#20260528_101500_a1b2c3",
    "hermes/state.db#20260529_103000_0a9b8c",
    "hermes/state_v31.db#20260528_101500_a1b2c3",
    "hermes/state_v31.db#20260530_080000_feed01",
)


def opened_of(folder: Path, name: str) -> Session:
    path, _, session_id = name.partition("#")
    if session_id:
        return open_hermes(folder / path, id=session_id)
    return open_session(folder / path)


def plan_of(opened: Session, name: str) -> Plan:
    return strategy(name).propose(
        window_of(opened),
        outline(opened.context),
        extract(opened),
        detect(opened),
        StrategySettings(tail_tokens=300),
        Pins(),
    )


@pytest.mark.real
@pytest.mark.parametrize("where", COMPACTED)
@each
def test_a_real_compacted_session_loses_nothing_that_came_before(
    real_sessions: Path, where: str, name: str
) -> None:
    opened = opened_of(real_sessions, where)
    plan = plan_of(opened, name)
    facts, ledger = extract(opened), detect(opened)
    handoff = write(opened, plan, facts, ledger, budget=Budget(sys.maxsize))
    text = render(handoff)
    went = [
        (message, part)
        for i, message in enumerate(opened.context)
        for j, part in enumerate(message.parts)
        if part.kind is Kind.SUMMARY and not plan.action_of(i, j).stays
    ]
    if plan.summary_at is not None or name == "fresh":
        assert went
        assert "previous_summary" in plan.details
        assert any(
            "brought up to date" in warning or "encrypted" in warning for warning in plan.warnings
        )
    for message, part in went:
        body = opened.text(part).strip()
        assert len(body) < 3_000 or body not in text
        assert opened.compactions[-1].summary in (None, message) or len(opened.compactions) > 1
    assert len(handoff.previous) < 7_000
    assert {fact.path for fact in facts.changed} <= set(handoff.files.changed)
    assert {fact.path for fact in facts.files} <= {
        *handoff.files.changed,
        *handoff.files.referenced,
    }
    assert len(handoff.constraints) >= len(ledger.live)
