"""Faults of cutting that tools of this kind had, each with its whole kind, for every strategy.

The numbers are those of the list of faults (kind b).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from redline.agents.opening import open_session
from redline.compaction.effect import plan_tokens
from redline.compaction.plan import STAYING, Action, Pins, Plan
from redline.compaction.saved import dump_plan
from redline.compaction.strategies.registry import names
from redline.errors import RedlineError
from redline.facts.extract import extract
from redline.handoff.markdown import render
from redline.handoff.offline import write as write_handoff
from redline.ledger.rule import Ledger
from redline.model import CompactionKind, PartType, PastCompaction, Session
from tests.agents.claude_code import writing as claude
from tests.agents.pi import made_up as pi
from tests.compaction.windows import propose, window_of
from tests.sessions_in_memory import (
    Draft,
    call,
    image,
    injected,
    ran,
    reply,
    result,
    session,
    summary,
    thinking,
    together,
    user,
)

NAMES = names()
each = pytest.mark.parametrize("name", NAMES)
Drafts = Sequence[Draft | tuple[Draft, ...]]


def whole(plan: Plan) -> None:
    """No call is parted from its results, no result stands alone, none is open at the end."""
    for place, places in plan.outline.results.items():
        assert len({plan.action_of(*p) in STAYING for p in (place, *places)}) == 1
    for place in plan.outline.orphans:
        assert plan.action_of(*place) not in STAYING


def of(name: str, *drafts: Draft | tuple[Draft, ...], pins: Pins | None = None) -> Plan:
    return propose(window_of(session(*drafts)), name, pins=pins, tail_tokens=1_000)


PAIRS: dict[str, Drafts] = {
    "one": (user("u"), call("Bash", {}, call_id="a"), result("r", call_id="a")),
    "parallel": (
        user("u"),
        together(call("Bash", {}, call_id="a"), call("Bash", {}, call_id="b")),
        result("r", call_id="a"),
        result("s", call_id="b"),
    ),
    "together": (
        user("u"),
        together(call("Bash", {}, call_id="a"), call("Bash", {}, call_id="b")),
        together(result("r", call_id="a"), result("s", call_id="b")),
    ),
    "interleaved": (
        user("u"),
        call("Bash", {}, call_id="a"),
        call("Bash", {}, call_id="b"),
        result("s", call_id="b"),
        result("r", call_id="a"),
    ),
    "with a picture": (
        user("u"),
        together(reply("I look"), call("Read", {}, call_id="a")),
        together(result("r", call_id="a"), image(call_id="a")),
    ),
    "with words between": (
        user("u"),
        call("Bash", {}, call_id="a"),
        injected("a reminder"),
        result("r", call_id="a"),
    ),
}


@each
@pytest.mark.parametrize("kind", PAIRS)
def test_b01_a_cut_asked_for_inside_a_pair_moves_and_says_so(name: str, kind: str) -> None:
    drafts = (user("first"), reply("ok"), *PAIRS[kind], reply("done"), user("next"), reply("yes"))
    context = session(*drafts).context
    for asked in range(len(context)):
        plan = of(name, *drafts, pins=Pins(cut=context[asked].id))
        whole(plan)
        if asked not in plan.outline.cuts:
            assert any("would part a call from its results" in w for w in plan.warnings)
        if plan.cut is not None:
            assert plan.cut.index <= asked


@each
@pytest.mark.parametrize("between", [summary("C1"), injected("x"), user("typed"), reply("words")])
def test_b04_what_stands_between_a_call_and_its_result_does_not_part_them(
    name: str, between: Draft
) -> None:
    plan = of(
        name,
        user("u"),
        reply("ok"),
        call("Bash", {}, call_id="x"),
        between,
        result("r" * 900, call_id="x"),
        user("next"),
        reply("done"),
    )
    whole(plan)
    assert not {3, 4} & set(plan.outline.cuts)


@each
def test_b04_a_compaction_written_between_call_and_result_leaves_the_pair_whole(
    name: str, tmp_path: Path
) -> None:
    path = pi.write(
        tmp_path,
        pi.header(),
        pi.chain(
            pi.user("u1", None, "go"),
            pi.reply("a1", None, pi.call("x"), stop="toolUse"),
            pi.compaction("c1", None, "u1"),
            pi.result("r1", None, "x"),
            pi.reply("a2", None, "done"),
            pi.user("u2", None, "more"),
            pi.reply("a3", None, "yes"),
            pi.compaction("c2", None, "u1"),
            pi.user("u3", None, "last"),
        ),
    )
    opened = open_session(path)
    plan = propose(window_of(opened), name, tail_tokens=20)
    whole(plan)
    assert not plan.outline.orphans
    held = {part.call_id for i in plan.staying for part in opened.context[i].parts}
    assert "x" not in held or plan.outline.index["a1"] in plan.staying


@each
def test_b05_a_result_without_its_call_never_stays(name: str) -> None:
    lone = result("r" * 50, call_id="lost")
    for drafts in (
        (summary("earlier"), lone, user("go"), reply("ok"), user("on"), reply("yes")),
        (user("go"), reply("ok"), together(user("typed"), lone), reply("yes")),
        (user("go"), reply("ok"), user("on"), reply("yes"), lone),
        (lone, lone),
        (together(lone, image(call_id="lost")), user("go"), reply("ok")),
    ):
        plan = of(name, *drafts)
        whole(plan)
        assert plan.outline.orphans
        first = plan.outline.orphans[0][0]
        if len(plan.outline.messages[first].parts) == 1:
            with pytest.raises(RedlineError, match="answers a call that is not in the context"):
                of(name, *drafts, pins=Pins(actions={f"m{first + 1}": Action.KEEP}))


@each
def test_b06_what_the_last_compaction_kept_is_kept_or_told_by_the_next_one(
    name: str, tmp_path: Path
) -> None:
    rows = [
        entry
        for n in (1, 2, 3)
        for entry in (pi.user(f"u{n}", None, f"ask {n}"), pi.reply(f"a{n}", None, f"did {n}"))
    ]
    last = [pi.user("u4", None, "ask 4"), pi.reply("a4", None, "did 4")]
    path = pi.write(tmp_path, pi.header(), pi.chain(*rows, pi.compaction("c1", None, "u2"), *last))
    opened = open_session(path)
    plan = propose(window_of(opened), name, tail_tokens=12)
    found = dict(zip((m.id for m in opened.context), plan.actions, strict=True))
    assert {"u2", "a2", "u3", "a3", "u4", "a4"} <= set(found)
    assert Action.DROP not in [found[n] for n in ("u2", "a2", "u3", "a3", "u4", "a4")]


@each
def test_b06_so_do_messages_that_claude_code_preserved(name: str, tmp_path: Path) -> None:
    records = [
        claude.user("u1", None, "ask 1"),
        claude.reply("a1", "u1", "msg_a1", claude.text("did 1")),
        claude.user("u2", "a1", "ask 2"),
        claude.reply("a2", "u2", "msg_a2", claude.text("did 2")),
        claude.boundary("b1", preservedMessages={"anchorUuid": "s1", "uuids": ["u2", "a2"]}),
        claude.summary("s1", "b1"),
        claude.user("u3", "s1", "ask 3"),
        claude.reply("a3", "u3", "msg_a3", claude.text("did 3")),
    ]
    opened = claude.opened(tmp_path, records)
    plan = propose(window_of(opened), name, tail_tokens=10)
    assert [m.id for m in opened.context] == ["s1", "u2", "a2", "u3", "a3"]
    assert Action.DROP not in plan.actions


@each
@pytest.mark.parametrize("size", [300, 900, 9_000])
def test_b15_a_turn_of_120_pairs_is_cut_between_two_of_them_or_it_says_why_not(
    name: str, size: int
) -> None:
    pairs = [ran("x", "r" * size, call_id=f"c{i}") for i in range(120)]
    opened = session(user("do it all"), *pairs)
    plan = propose(window_of(opened), name)
    whole(plan)
    tokens = plan_tokens(plan, window_of(opened))
    assert tokens.kept < tokens.before or plan.warnings
    if plan.cut is not None and plan.cut.index:
        assert plan.cut.index in plan.outline.cuts


@each
def test_b13_a_tail_larger_than_the_window_is_said_once_with_its_figures(name: str) -> None:
    opened = session(user("a"), reply("b"), user("c"), reply("d"), user("go"), reply("x" * 300_000))
    window = window_of(opened)
    plan = propose(window, name)
    if plan_tokens(plan, window).after_without_summary >= 200_000:
        again = [w for w in plan.warnings if "it would compact again at once" in w]
        assert len(again) == 1
        assert "300" in again[0]
        assert "200000" in again[0]


def twice_compacted(*later: Draft | tuple[Draft, ...]) -> tuple[Session, str]:
    task = "Please rename `Order.total` to `Order.amount` everywhere; keep the API as it is"
    drafts = [
        user(task),
        reply("ok"),
        *ran("rg total", "x" * 300, call_id="s"),
        summary("They renamed something."),
        user("and the docs"),
        reply("done"),
        summary("They went on."),
        *later,
    ]
    past = [PastCompaction(f"p{n}", CompactionKind.FULL, n, messages_before=n * 3) for n in (1, 2)]
    return session(*drafts, context_from=7, compactions=tuple(past)), task


@each
def test_b17_the_task_in_its_own_words_is_in_the_handoff_after_two_compactions(name: str) -> None:
    opened, task = twice_compacted(
        user("go on"),
        reply("on it"),
        *ran("ls", "y" * 5_000, call_id="z"),
        user("more"),
        reply("k"),
    )
    facts = extract(opened)
    plan = propose(window_of(opened), name, tail_tokens=500)
    assert task in render(write_handoff(opened, plan, facts, Ledger()))
    first = session(user(task), reply("ok"), user("more"), reply("yes"), user("last"), reply("z"))
    plan = propose(window_of(first), name, tail_tokens=10)
    told = render(write_handoff(first, plan, extract(first), Ledger()))
    assert task in told or plan.actions[0] is Action.KEEP


THOUGHTFUL: dict[str, Draft] = {
    "thought and call": together(thinking("hm" * 90), call("Bash", {}, call_id="t")),
    "thought, words, call": together(
        thinking("hm" * 90), reply("w" * 2_000), call("Bash", {}, call_id="t")
    ),
    "two thoughts": together(
        thinking("one"), call("Bash", {}, call_id="t"), thinking("two"), reply("z")
    ),
}


@each
@pytest.mark.parametrize("kind", THOUGHTFUL)
@pytest.mark.parametrize("pinned", [None, *Action])
def test_b29_thinking_is_passed_on_whole_or_left_out_whole(
    name: str, kind: str, pinned: Action | None
) -> None:
    drafts = (
        user("a"),
        reply("b"),
        user("go"),
        THOUGHTFUL[kind],
        result("r" * 4_000, call_id="t"),
    )
    for end in ((), (reply("done"),), (user("next"),)):
        pins = Pins() if pinned is None else Pins(actions={"m4": pinned})
        try:
            plan = of(name, *drafts, *end, pins=pins)
        except RedlineError:
            continue
        found = {
            plan.action_of(3, j)
            for j, part in enumerate(plan.outline.messages[3].parts)
            if part.type is PartType.THINKING
        }
        assert found <= {Action.KEEP} or not found & STAYING
        calls = [
            plan.action_of(3, j)
            for j, part in enumerate(plan.outline.messages[3].parts)
            if part.type is PartType.TOOL_CALL
        ]
        assert {a in STAYING for a in calls} == {a in STAYING for a in found}


OPEN: dict[str, Drafts] = {
    "alone": (call("Bash", {}, call_id="t9"),),
    "one of two": (
        together(call("Bash", {}, call_id="t8"), call("Bash", {}, call_id="t9")),
        result("r", call_id="t8"),
    ),
    "behind words": (together(reply("I run it"), call("Bash", {}, call_id="t9")),),
}


@each
@pytest.mark.parametrize("kind", OPEN)
def test_b31_a_call_that_was_interrupted_neither_breaks_the_plan_nor_ends_it(
    name: str, kind: str
) -> None:
    before = (user("a"), reply("b"), user("go"), *ran("ls", "x", call_id="c"))
    for end in ((), (user("continue"),), (user("continue"), reply("ok"))):
        plan = of(name, *before, *OPEN[kind], *end)
        whole(plan)
        held = [
            (i, j)
            for i, j in plan.outline.open_calls
            if plan.action_of(i, j) in STAYING and i >= len(before)
        ]
        if held:
            assert end
            assert plan.staying[-1] > held[-1][0]
    late = (*before, *OPEN[kind], user("continue"), result("made up", call_id="t9"), reply("ok"))
    whole(of(name, *late))


@each
def test_b35_a_report_that_stays_without_its_evidence_is_marked(name: str) -> None:
    opened = session(
        user("a"),
        reply("b"),
        user("test it"),
        together(reply("I ran the tests, all pass"), call("Bash", {}, call_id="t")),
        result("ok " * 900, call_id="t"),
        reply("done"),
    )
    claim = "message m4 stays without its calls: what it says is a claim"
    pins = Pins(actions={"m4": Action.KEEP}, parts={("m4", 1): Action.DROP})
    plan = propose(window_of(opened), name, pins=pins)
    assert plan.action_of(3, 0) is Action.KEEP
    assert plan.action_of(4, 0) not in STAYING
    assert claim in plan.warnings
    pins = Pins(actions={"m4": Action.KEEP, "m5": Action.CLEAR})
    plan = propose(window_of(opened), name, pins=pins)
    assert claim not in plan.warnings
    told = render(write_handoff(opened, plan, extract(opened), Ledger()))
    assert "is a claim" in told


@each
def test_b41_the_newest_prompt_stays_a_message_of_its_own(name: str) -> None:
    opened = session(
        user("old ask"), reply("r" * 900), user("old two"), reply("done"), user("new ask")
    )
    plan = propose(window_of(opened), name, tail_tokens=20)
    assert plan.actions[-1] in (Action.KEEP, Action.QUOTE)
    if plan.actions[-1] is Action.KEEP:
        assert {"message": "m5"} in dump_plan(plan, window_of(opened))["result"]
