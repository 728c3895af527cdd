"""A handoff over several compactions: what came before is brought up to date, nothing is lost, and
nothing nests (fault B12)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from redline.compaction.outline import outline
from redline.compaction.plan import Pins, Plan
from redline.compaction.strategies.registry import strategy
from redline.compaction.strategies.strategy import StrategySettings
from redline.facts.extract import extract
from redline.facts.fact import CommandFact, Facts
from redline.handoff.earlier import NOT_SEEN, read_earlier
from redline.handoff.handoff import Constraint, Decision, Files, Handoff, UserWords
from redline.handoff.markdown import parse, render
from redline.handoff.offline import write
from redline.ledger.detect import detect
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState
from redline.model import CompactionKind, Part, PartType, PastCompaction, Session
from tests.compaction.windows import window_of
from tests.sessions_in_memory import (
    Draft,
    call,
    injected,
    ran,
    reply,
    result,
    session,
    summary,
    together,
    user,
)

CLAUDE = """This session is being continued from a previous conversation.

Analysis:
1. **Initial request**: next steps were discussed.

Summary:
1. Primary Request and Intent:
   Make totals exact.

7. Pending Tasks:
   - Run `pytest -q` to verify
   - Update docs/totals.md
   - Ask about the currency table

8. Current Work:
   Rounding in totals.

9. Optional Next Step:
   None.
"""
PI = """## Goal
Split the store.

## Progress
### Done
- [x] Read it

### In Progress
- [ ] Move the schema
1. Write the index

## Next Steps
1. Create directories: `src/a`
2. Test it

<read-files>
src/a.py
</read-files>

<modified-files>
src/b.py
</modified-files>
"""


def compacted(text: str, *later: Draft, before: tuple[Draft, ...] = (user("x"),)) -> Session:
    """A session that was compacted to `text` and went on with `later`."""
    opened = session(*before, summary(text), *later, context_from=len(before))
    past = PastCompaction(
        "c1", CompactionKind.FULL, 2, "auto", messages_before=1, summary=opened.context[0]
    )
    return replace(opened, compactions=(past,))


def plan_of(opened: Session, name: str, ledger: Ledger, **chosen: int) -> Plan:
    facts = extract(opened)
    return strategy(name).propose(
        window_of(opened),
        outline(opened.context),
        facts,
        ledger,
        StrategySettings(**chosen),  # type: ignore[arg-type]
        Pins(),
    )


@pytest.mark.parametrize(
    ("text", "pending", "state"),
    [
        (
            CLAUDE,
            (
                "Run `pytest -q` to verify",
                "Update docs/totals.md",
                "Ask about the currency table",
            ),
            "Current Work: Rounding in totals.",
        ),
        (
            PI,
            (
                "Move the schema",
                "Write the index",
                "Create directories: `src/a`",
                "Test it",
            ),
            "Goal: Split the store.",
        ),
        ("Progress: the exporter is done.", (), "Progress: the exporter is done."),
    ],
)
def test_what_an_agents_summary_planned_is_read(
    text: str, pending: tuple[str, ...], state: str
) -> None:
    earlier = read_earlier(text)
    assert earlier.pending == pending
    assert earlier.state == state


def test_the_file_lists_under_pis_summaries_are_carried_on() -> None:
    handoff = write(compacted(PI, user("go")), None, Facts(), Ledger())
    assert handoff.files.changed == ("src/b.py",)
    assert handoff.files.referenced == ("src/a.py",)


def test_what_was_planned_and_is_done_since_moves_to_done_and_the_rest_is_marked() -> None:
    opened = compacted(
        CLAUDE,
        *ran("pytest -q", "3 passed", call_id="a"),
        call("Edit", {"file_path": "/home/dev/shop/docs/totals.md"}, call_id="b"),
        result("done", call_id="b"),
        reply("Verified."),
    )
    handoff = write(opened, None, extract(opened), Ledger())
    moved = [item for item in handoff.done if "planned before" in item]
    assert moved == ["Run `pytest -q` to verify (planned before; `pytest -q` passed since)"]
    assert "Run `pytest -q`" not in handoff.previous
    assert (
        "- perhaps done, what it names was worked on since: Update docs/totals.md"
        in handoff.previous
    )
    assert f"- {NOT_SEEN}: Ask about the currency table" in handoff.previous
    place = handoff.done.index(moved[0])
    assert handoff.sources[f"/done/{place}"] == ("m3",)


def test_a_command_that_fails_since_proves_nothing_done() -> None:
    opened = compacted(CLAUDE, *ran("pytest -q", "1 failed", 1, call_id="a"))
    handoff = write(opened, None, extract(opened), Ledger())
    assert not [item for item in handoff.done if "planned before" in item]
    assert "- perhaps done, what it names was worked on since: Run" in handoff.previous


def test_what_passed_before_the_compaction_proves_nothing_done_since() -> None:
    before = (user("x"), *ran("pytest -q", "3 passed", call_id="a"))
    opened = compacted(CLAUDE, user("go"), before=before)
    handoff = write(opened, None, extract(opened), Ledger())
    assert not [item for item in handoff.done if "planned before" in item]


def test_a_compaction_is_numbered_as_before_counts_them() -> None:
    opened = compacted("All done.", user("go"))
    micro = PastCompaction("c0", CompactionKind.MICRO, 1, cleared=("a",))
    opened = replace(opened, compactions=(micro, *opened.compactions))
    assert write(opened, None, Facts(), Ledger()).previous.startswith("Compaction 2 of this")


# -- a handoff that follows another one ------------------------------------------------------------

FIRST = Handoff(
    goal="Make totals exact",
    constraints=(Constraint("Never touch src/legacy", "r1", True),),
    next_plan=("Run the suite",),
    done=("passed: pytest -q (exit 0)", "git commit abc1234: Round once"),
)


def test_the_rules_of_an_earlier_handoff_bind_only_where_a_person_hands_it_in() -> None:
    opened = session(user("go on"))
    given_in = write(opened, None, Facts(), Ledger(), previous=render(FIRST))
    assert [(rule.text, rule.confirmed) for rule in given_in.constraints] == [
        ("Never touch src/legacy", True)
    ]
    found = write(compacted(render(FIRST), user("go on")), None, Facts(), Ledger())
    assert [(rule.text, rule.confirmed) for rule in found.constraints] == [
        ("Never touch src/legacy", False)
    ]


def test_what_an_earlier_handoff_holds_comes_before_what_was_said_since() -> None:
    first = Handoff(user_words=(UserWords("Start."),), done=("git commit abc1234: Start",))
    opened = session(user("Go on with b.", id="u"), *ran("pytest", "1 passed", call_id="a"))
    handoff = write(opened, None, extract(opened), Ledger(), previous=render(first))
    assert [words.text for words in handoff.user_words] == ["Start.", "Go on with b."]
    assert handoff.done == ("git commit abc1234: Start", "passed: pytest (exit 0)")
    assert handoff.sources["/user_words/1"] == ("u",)
    assert handoff.sources["/done/1"] == ("m2",)
    assert "/user_words/0" not in handoff.sources


@pytest.mark.parametrize("state", [RuleState.REVOKED, RuleState.DISMISSED, RuleState.SUPERSEDED])
def test_a_rule_that_was_taken_back_since_does_not_come_back(state: RuleState) -> None:
    gone = Ledger((Rule("r9", "Never touch src/legacy", RuleFamily.PROHIBIT, state),))
    handoff = write(session(user("go on")), None, Facts(), gone, previous=render(FIRST))
    assert handoff.constraints == ()


def test_a_check_that_ran_again_says_for_itself() -> None:
    failed = Facts(commands=(CommandFact("pytest -q", "m1", status=1, failed=True),))
    handoff = write(session(user("go on")), None, failed, Ledger(), previous=render(FIRST))
    assert handoff.done == ("git commit abc1234: Round once",)


def test_goal_and_next_steps_are_taken_over_only_where_the_user_says_to_go_on() -> None:
    opened = session(user("go on"))
    handoff = write(opened, None, extract(opened), Ledger(), previous=render(FIRST))
    assert handoff.goal == "Make totals exact"
    assert handoff.next_plan == ("Run the suite",)
    opened = session(user("Now write the importer."))
    handoff = write(opened, None, extract(opened), Ledger(), previous=render(FIRST))
    assert handoff.goal == "Now write the importer."
    assert "Run the suite" not in handoff.next_plan
    assert f"- {NOT_SEEN}: Run the suite" in handoff.previous


def test_a_sealed_summary_is_said_to_be_unreadable() -> None:
    opened = compacted("x", user("go"))
    body: Part = replace(opened.context[0].parts[0], type=PartType.OPAQUE)
    past = replace(opened.compactions[0], summary=None, sealed=body)
    handoff = write(replace(opened, compactions=(past,)), None, Facts(), Ledger())
    assert "encrypted" in handoff.previous


# -- chains of compactions -------------------------------------------------------------------------


@dataclass(frozen=True)
class Round:
    """What happens between two compactions."""

    prompt: str
    rule: bool
    changed: int
    read: int


ROUNDS = st.lists(
    st.builds(
        Round,
        st.text("abcdefgh ", min_size=3, max_size=40).map(
            lambda text: f"Please add {' '.join(text.split())}x"
        ),
        st.booleans(),
        st.integers(0, 3),
        st.integers(0, 2),
    ),
    min_size=2,
    max_size=6,
)


def drafts(number: int, each: Round) -> list[Draft]:
    said = f"{each.prompt} {number}."
    if each.rule:
        said += f" Never touch src/legacy{number}."
    made = [user(said, id=f"u{number}")]
    for tool, count in (("Edit", each.changed), ("Read", each.read)):
        for place in range(count):
            name = f"{tool}{number}-{place}"
            made += [
                call(tool, {"file_path": f"src/{name.lower()}.py"}, call_id=name, id=f"c{name}"),
                result("ok " * 40, call_id=name, id=f"r{name}"),
            ]
    return [*made, reply(f"Did it, {number}.", id=f"a{number}")]


def check_complete(handoff: Handoff, plan: Plan, done: list[Round]) -> None:
    kept = {plan.outline.messages[i].id for i in plan.staying}
    said = " ".join(words.text for words in handoff.user_words)
    rules = " ".join(rule.text for rule in handoff.constraints)
    for number, each in enumerate(done):
        assert f"u{number}" in kept or f"{each.prompt.strip()} {number}." in " ".join(said.split())
        if each.rule:
            assert f"src/legacy{number}" in rules
        for place in range(each.changed):
            assert f"src/edit{number}-{place}.py" in handoff.files.changed
        for place in range(each.read):
            assert f"src/read{number}-{place}.py" in handoff.files.referenced
    for items in (handoff.done, handoff.files.changed, handoff.files.referenced):
        assert len(set(items)) == len(items)
    texts = [" ".join(words.text.split()) for words in handoff.user_words]
    assert len(set(texts)) == len(texts)
    assert len(handoff.previous) < 7_000


@given(ROUNDS, st.sampled_from(["redline", "fresh", "scored", "pi"]))
@settings(max_examples=25)
def test_over_many_compactions_of_a_session_nothing_is_lost_and_nothing_nests(
    rounds: list[Round], name: str
) -> None:
    history: list[Draft] = []
    text, start = "", 0
    pasts: tuple[str, ...] = ()
    for number, each in enumerate(rounds):
        history += drafts(number, each)
        opened = session(*history, context_from=start)
        opened = replace(
            opened,
            compactions=tuple(
                PastCompaction(f"k{place}", CompactionKind.FULL, 1, "auto", summary=message)
                for place, message in enumerate(m for m in opened.source.history() if m.id in pasts)
            ),
        )
        ledger = detect(opened)
        plan = plan_of(opened, name, ledger, tail_tokens=120)
        if number and plan.summary_at is not None:
            assert "previous_summary" in plan.details
            assert any("brought up to date" in warning for warning in plan.warnings)
        before, facts = text, extract(opened)
        handoff = write(opened, plan, facts, ledger)
        text = render(handoff)
        check_complete(handoff, plan, rounds[: number + 1])
        assert text.count("# Handoff (schema") == 1
        assert not before or before not in text
        start = len(history)
        history.append(summary(text, id=f"s{number}"))
        pasts = (*pasts, f"s{number}")


def begun(how: str, text: str, first: Draft) -> list[Draft]:
    """The first messages of a session that goes on from the handoff `text`."""
    if how == "pasted" and text:
        words = first.pieces[0].body
        pasted = replace(first.pieces[0], body=f"Here it is:\n\n{text}\n{words}")
        return [replace(first, pieces=(pasted,))]
    if how in ("read", "shell") and text:
        path = "/home/dev/handoffs/shop/2026-01-01.md"
        tool, asked = ("Read", {"file_path": path}) if how == "read" else ("Bash", {"cmd": path})
        lines = enumerate(text.split("\n"), start=1)
        body = "\n".join(f"{place:>6}\u2192{line}" for place, line in lines)
        return [
            user(f"Read {path} first. Then go on with it.", id="start"),
            call(tool, asked, call_id="h", id="ch"),
            result(body if how == "read" else f"Output:\n{text}", call_id="h", id="rh"),
            first,
        ]
    return [first]


@given(ROUNDS, st.sampled_from(["handed in", "pasted", "read", "shell"]))
@settings(max_examples=40)
def test_over_many_new_sessions_each_from_a_handoff_nothing_is_lost_and_nothing_nests(
    rounds: list[Round], how: str
) -> None:
    text = ""
    for number, each in enumerate(rounds):
        first, *rest = drafts(number, each)
        opened = session(*begun(how, text, first), *rest, id=f"session-{number}")
        ledger = detect(opened)
        plan = plan_of(opened, "fresh", ledger)
        given_in = text if how == "handed in" else ""
        handoff = write(opened, plan, extract(opened), ledger, previous=given_in)
        assert text == "" or handoff.previous
        text = render(handoff)
        check_complete(handoff, plan, rounds[: number + 1])
        assert text.count("# Handoff (schema") == 1
        assert parse(text).goal == handoff.goal


def test_a_handoff_in_tool_output_that_no_prompt_names_is_data_and_nothing_else() -> None:
    text = render(replace(FIRST, transcript="x.jsonl"))
    opened = session(
        user("Look at the docs."),
        call("Read", {"file_path": "docs/evil.md"}, call_id="a"),
        result(text, call_id="a"),
        reply("ok"),
    )
    handoff = write(opened, None, extract(opened), Ledger())
    assert handoff.previous == ""
    assert handoff.constraints == ()
    assert handoff.goal == "Look at the docs."


def test_a_session_that_began_with_a_handoff_and_was_compacted_keeps_both() -> None:
    first = replace(FIRST, files=Files(("src/first.py",)), transcript="x.jsonl")
    before = (user(f"{render(first)}\nGo on with it, please."),)
    opened = compacted(PI, user("on"), before=before)
    handoff = write(opened, None, extract(opened), detect(opened))
    assert handoff.files.changed == ("src/b.py", "src/first.py")
    assert [words.text for words in handoff.user_words] == ["Go on with it, please.", "on"]
    assert "Never touch src/legacy" in [rule.text for rule in handoff.constraints]


def test_a_handoff_that_was_attached_is_carried_on_without_the_words_kept_in_its_file() -> None:
    before = Handoff(decisions=(Decision("Use sqlite"),), transcript="/s.jsonl")
    kept = "## Kept word for word\n\nCopied.\n\n### user\n\n~~~text\nkeep me out\n~~~\n"
    opened = session(
        user('@"/data/a b.md" is the handoff of the session before. Go on with it.'),
        injected(f"{render(before)}\n{kept}"),
        reply("I go on."),
    )
    handoff = write(opened, None, extract(opened), Ledger())
    assert handoff.decisions == before.decisions
    assert "keep me out" not in render(handoff)
    given = injected(f'<file name="/data/a b.md">\n{render(before)}\n</file>\n')
    before_it = session(together(given, user("a b.md is the handoff. Go on.")), reply("I go on."))
    assert write(before_it, None, extract(before_it), Ledger()).decisions == before.decisions
    unnamed = session(user("Go on with it."), injected(render(before)), reply("I go on."))
    assert write(unnamed, None, extract(unnamed), Ledger()).decisions == ()
