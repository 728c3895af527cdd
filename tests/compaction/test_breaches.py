"""Alarms: what breaks a rule, and what only looks as if it did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta

import pytest

from redline.compaction.breaches import Breach, Watch, breaches
from redline.ledger.detect import detect
from redline.ledger.rule import Elsewhere, Ledger, Rule, RuleFamily, RuleState
from redline.model import Agent, Session
from tests.compaction.breach_cases import (
    BROKEN,
    HARMLESS,
    LEGACY,
    PUSH,
    RM,
    edit,
    named,
)
from tests.sessions_in_memory import Draft, call, ran, reply, result, session, user


def confirmed(found: Session) -> Ledger:
    """The rules of the prompts, all confirmed but for those that were lifted."""
    rules = detect(found).rules
    return Ledger(
        tuple(
            replace(rule, state=RuleState.ACTIVE) if rule.state is RuleState.PROPOSED else rule
            for rule in rules
        )
    )


def added(text: str, message: str | None = "m1") -> Ledger:
    """A ledger of one active rule in these words."""
    from redline.ledger.detect import family_of
    from redline.ledger.masking import mask
    from redline.ledger.sentences import Sentence

    family = family_of(Sentence(text, mask(text))) or RuleFamily.REQUIRE
    return Ledger((Rule("r1", text, family, RuleState.ACTIVE, message=message),))


def broken(
    rule: str,
    tool: str,
    given: Mapping[str, object] | str,
    *before: Draft | tuple[Draft, ...],
    agent: Agent = Agent.CLAUDE_CODE,
) -> tuple[Breach, ...]:
    """What one call breaks of one rule."""
    made = session(
        user(rule, id="m1"),
        *before,
        call(tool, given, call_id="c"),
        result("done", call_id="c", tool=tool),
        agent=agent,
    )
    return breaches(made, added(rule))


@pytest.mark.parametrize("case", BROKEN, ids=named)
def test_a_call_that_breaks_a_rule_is_an_alarm(
    case: tuple[str, tuple[str, Mapping[str, object] | str]],
) -> None:
    assert broken(case[0], *case[1])


@pytest.mark.parametrize("case", HARMLESS, ids=named)
def test_a_call_that_only_looks_like_a_breach_is_none(
    case: tuple[str, tuple[str, Mapping[str, object] | str]],
) -> None:
    assert not broken(case[0], *case[1])


def test_there_are_at_least_sixty_cases_each_way() -> None:
    assert len(BROKEN) >= 60
    assert len(HARMLESS) >= 60


def test_a_call_before_the_rule_was_said_is_no_breach() -> None:
    made = session(
        user("Fix it.", id="u1"),
        *ran("git push", call_id="a"),
        user("Do not push", id="u2"),
        *ran("git push", call_id="b"),
    )

    (found,) = breaches(made, confirmed(made))

    assert (found.call, found.what, found.failed) == ("b", "runs git push", False)


def test_a_rule_that_was_lifted_is_broken_by_nothing() -> None:
    made = session(
        user("Never touch src/legacy.", id="u1"),
        reply("Fine."),
        user("You may touch src/legacy now, forget that rule.", id="u2"),
        call(*edit("src/legacy/a.py"), call_id="a"),
        result("ok", call_id="a"),
    )

    ledger = confirmed(made)

    assert [rule.state for rule in ledger.rules] == [RuleState.REVOKED]
    assert not breaches(made, ledger)


@pytest.mark.parametrize("state", [state for state in RuleState if state is not RuleState.ACTIVE])
def test_only_an_active_rule_can_be_broken(state: RuleState) -> None:
    made = session(user("Do not push", id="m1"), *ran("git push", call_id="a"))
    (rule,) = added("Do not push").rules

    assert not breaches(made, Ledger((replace(rule, state=state),)))


def test_a_rule_added_by_hand_holds_for_the_whole_session() -> None:
    made = session(user("Go on.", id="u1"), *ran("git push", call_id="a"))

    assert [breach.call for breach in breaches(made, added(PUSH, None))] == ["a"]


def test_what_the_person_refused_did_not_happen() -> None:
    made = session(
        user(PUSH, id="m1"),
        call("Bash", {"command": "git push"}, call_id="a"),
        result("The user doesn't want to proceed with this tool use.", call_id="a", error=True),
    )

    assert not breaches(made, added(PUSH))


def test_a_call_is_an_alarm_before_it_has_a_result_and_a_failed_one_stays_one() -> None:
    open_one = session(user(PUSH, id="m1"), call("Bash", {"command": "git push"}, call_id="a"))
    failed = session(user(PUSH, id="m1"), *ran("git push", "rejected", 1, call_id="a"))

    assert [breach.failed for breach in breaches(open_one, added(PUSH))] == [None]
    assert [breach.failed for breach in breaches(failed, added(PUSH))] == [True]


def test_what_the_person_was_to_be_asked_for_and_allowed_is_no_breach() -> None:
    rule = "Ask me before you push"
    asked = session(
        user(rule, id="m1"),
        reply("May I push?"),
        user("Yes, go ahead."),
        *ran("git push", call_id="a"),
    )
    not_asked = session(
        user(rule, id="m1"),
        reply("Done."),
        user("Now fix the header."),
        *ran("git push", call_id="a"),
    )

    assert not breaches(asked, added(rule))
    assert breaches(not_asked, added(rule))


@pytest.mark.parametrize(
    ("agent", "stays"), [(Agent.CLAUDE_CODE, True), (Agent.HERMES, True), (Agent.PI, False)]
)
def test_the_folder_of_the_shell_stays_from_call_to_call_where_the_agent_keeps_it(
    agent: Agent, stays: bool
) -> None:
    made = session(
        user(LEGACY, id="m1"),
        *ran("cd src", call_id="a"),
        *ran("rm legacy/a.py", call_id="b"),
        agent=agent,
    )

    assert bool(breaches(made, added(LEGACY))) is stays


@pytest.mark.parametrize(
    ("before", "after", "alarm"),
    [
        ("git checkout main", "", True),
        ("git checkout feature", "", False),
        ("git status", "On branch main\nnothing to commit", True),
        ("git status", "On branch maintenance\nnothing to commit", False),
        ("ls", "On branch main", False),
    ],
)
def test_a_commit_is_held_to_the_branch_that_was_checked_out_before(
    before: str, after: str, alarm: bool
) -> None:
    rule = "Don't commit to main"
    made = session(
        user(rule, id="m1"),
        *ran(before, after, call_id="a"),
        *ran("git commit -am x", call_id="b"),
    )
    assert bool(breaches(made, added(rule))) is alarm


@pytest.mark.parametrize(
    ("output", "alarm"),
    [
        ("[main 1a2b3c4] x\n 1 file changed", True),
        ("[feature/main 1a2b3c4] x\n 1 file changed", False),
        ("nothing to commit", False),
    ],
)
def test_what_git_says_of_a_commit_tells_its_branch(output: str, alarm: bool) -> None:
    rule = "Don't commit to main"
    made = session(user(rule, id="m1"), *ran("git commit -am x", output, call_id="a"))
    found = breaches(made, added(rule))
    assert bool(found) is alarm
    assert all(breach.failed is False for breach in found)


def test_two_rules_broken_by_one_call_are_two_breaches() -> None:
    made = session(
        user("Never touch src/legacy. Never run rm -rf.", id="u1"),
        *ran("rm -rf src/legacy", call_id="a"),
    )

    found = breaches(made, confirmed(made))

    assert [breach.what for breach in found] == ["removes src/legacy", "runs rm -rf src/legacy"]
    assert found[0].line == 'removes src/legacy: "Never touch src/legacy."'


def test_calls_taken_one_by_one_break_what_they_break_together() -> None:
    made = session(
        user(LEGACY, id="m1"),
        *ran("cd src", call_id="a"),
        *ran("rm legacy/a.py", call_id="b"),
        call(*edit("src/legacy/b.py"), call_id="c"),
        result("ok", call_id="c"),
    )
    ledger = added(LEGACY)
    watch = Watch(made, ledger)
    told = [breach for message in made.context for breach in watch.take(message)]

    assert [breach.key for breach in told] == [b.key for b in breaches(made, ledger)]
    assert watch.found == breaches(made, ledger)
    assert not [breach for message in made.context for breach in watch.take(message)]


def test_since_a_message_only_later_calls_are_told() -> None:
    made = session(
        user(PUSH, id="m1"),
        *ran("git push", call_id="a"),
        reply("pushed", id="here"),
        *ran("git push", call_id="b"),
    )

    assert [breach.call for breach in breaches(made, added(PUSH), since="here")] == ["b"]


@pytest.mark.parametrize(
    "given",
    ["", "null", "[]", '{"command": 3}', '{"command": [1, null]}', "{", {"command": "'" * 50}],
)
def test_a_call_that_makes_no_sense_breaks_nothing(given: Mapping[str, object] | str) -> None:
    for tool in ("Bash", "Edit", "apply_patch", "write_file", "mcp__x__delete_file", ""):
        assert not broken(LEGACY, tool, given)


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "/",
        "~",
        "*",
        "**",
        "'",
        '"',
        "$(",
        "`",
        "<<",
        "<<E",
        "\\",
        "((((",
        "{,}",
        "a{",
        ">",
    ],
)
def test_no_command_makes_it_fail(text: str) -> None:
    for rule in (LEGACY, RM, PUSH, "Only edit files in src/"):
        for form in (text, f"rm -rf {text}", f"cd {text} && echo > {text}", text * 500):
            broken(rule, "Bash", {"command": form})


def test_a_session_without_a_project_is_held_to_its_rules_all_the_same() -> None:
    made = replace(
        session(
            user(LEGACY, id="m1"),
            call(*edit("/somewhere/src/legacy/a.py"), call_id="a"),
            call(*edit("src/legacy/a.py"), call_id="b"),
            call(*edit("src/legacy2/a.py"), call_id="c"),
            project=None,
        )
    )

    assert [breach.call for breach in breaches(made, added(LEGACY))] == ["a", "b"]


@pytest.mark.parametrize(
    ("rule", "path"),
    [
        ("Do not attempt to touch any other worktree.", "work/notes.md"),
        ("don't modify the theme, look into the footer", "src/theme/dark.json"),
    ],
)
def test_a_plain_noun_is_no_folder(rule: str, path: str) -> None:
    assert not broken(rule, *edit(path))


def test_a_rule_of_another_session_is_broken_only_by_what_came_after_it() -> None:
    made = session(
        user("Go on."),
        call("Edit", {"file_path": "/home/dev/shop/src/legacy/a.py"}, call_id="c"),
        result("done", call_id="c", tool="Edit"),
    )
    (rule,) = added("Never touch src/legacy.", message=None).rules
    held = replace(rule, origin=Elsewhere("pi", "other", "m1"))
    called = made.context[1].time
    assert called is not None
    for time, count in ((None, 1), (called - timedelta(1), 1), (called + timedelta(1), 0)):
        assert len(breaches(made, Ledger((replace(held, time=time),)))) == count
