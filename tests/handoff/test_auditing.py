"""What survives in a handoff and in the messages that stay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from redline.compaction.plan import Action
from redline.facts.fact import (
    CommandFact,
    CommitFact,
    DecisionFact,
    ErrorFact,
    Facts,
    FileFact,
    FileUse,
    PromptFact,
    ReferenceFact,
)
from redline.handoff.audit import AuditClass, Verdict
from redline.handoff.auditing import audit
from redline.handoff.document import as_markdown
from redline.handoff.handoff import Handoff, UserWords
from redline.handoff.markdown import render
from redline.ledger.rule import Ledger
from tests.handoff.audits import EMPTY, only, plan_of, rule, rule_item
from tests.sessions_in_memory import (
    ran,
    reply,
    session,
    user,
)


def test_kept_prompts_count_and_retold_ones_do_not() -> None:
    opened = session(user("Fix the rounding in totals"), reply("Done."), user("now ship it please"))
    facts = Facts(
        prompts=(
            PromptFact("Fix the rounding in totals", "m1"),
            PromptFact("now ship it please", "m3"),
        )
    )
    plan = plan_of(opened, [Action.SUMMARISE, Action.SUMMARISE, Action.KEEP])
    found = {item.text: item for item in audit(opened, plan, "", Ledger(), facts).items}
    assert found["now ship it please"].verdict is Verdict.VERBATIM
    assert found["now ship it please"].where == "m3"
    assert found["Fix the rounding in totals"].verdict is Verdict.MISSING


def test_a_prompt_said_often_is_found_where_it_was_said_first() -> None:
    opened = session(*(user("go on") for _ in range(30)))
    facts = Facts(prompts=tuple(PromptFact("go on", f"m{place}") for place in range(1, 31)))
    plan = plan_of(opened, [Action.SUMMARISE] * 4 + [Action.KEEP] * 26)
    (item,) = audit(opened, plan, "", Ledger(), facts).items
    assert item.where == "m5"


def test_a_cleared_result_does_not_keep_what_it_said() -> None:
    opened = session(
        user("go"),
        *ran("pytest -q", "E   AssertionError: total is 5 but 4 was expected", 1, call_id="a"),
        reply("It fails."),
    )
    error = ErrorFact("AssertionError: total is 5 but 4 was expected", "m3")
    facts = Facts(errors=(error,))
    keep = [Action.KEEP] * 4
    found = audit(opened, plan_of(opened, keep), "", Ledger(), facts)
    assert only(found, AuditClass.ERROR).verdict is Verdict.VERBATIM
    cleared = replace(plan_of(opened, keep), parts={(2, 0): Action.CLEAR})
    found = audit(opened, cleared, "", Ledger(), facts)
    assert only(found, AuditClass.ERROR).verdict is Verdict.MISSING
    assert not found.ok


def test_a_command_is_found_in_the_call_that_stays() -> None:
    command = 'grep -n "a\\tb" src/*.py &&\n  echo "done"'
    opened = session(user("go"), *ran(command, "1:x", call_id="a"), reply("ok"))
    facts = Facts(
        commands=(CommandFact(command, "m2", status=0),),
        files=(FileFact("C:\\shop\\a.py", FileUse.READ, "m2"),),
    )
    plan = plan_of(opened, [Action.KEEP] * 4)
    found = audit(opened, plan, "", Ledger(), facts)
    assert only(found, AuditClass.COMMAND).verdict is Verdict.VERBATIM
    assert only(found, AuditClass.FILE_REFERENCED).verdict is Verdict.MISSING


def test_a_rule_is_not_kept_by_what_a_tool_printed_or_the_agent_said() -> None:
    opened = session(
        user("go"),
        *ran("cat CLAUDE.md", "Never touch src/legacy", call_id="a"),
        reply("Never touch src/legacy"),
    )
    plan = plan_of(opened, [Action.KEEP] * 4)
    ledger = Ledger((rule("Never touch src/legacy"),))
    found = audit(opened, plan, "", ledger, Facts())
    assert only(found, AuditClass.RULE).verdict is Verdict.MISSING
    copied = (
        "## Kept word for word\n\n### tool_result Bash\n\n~~~text\nNever touch src/legacy\n~~~\n"
    )
    assert rule_item("Never touch src/legacy", copied).verdict is Verdict.MISSING


@pytest.mark.parametrize("heading", ["# T", "## Rules", "### user", "## Rules\n~~~\n### user"])
def test_a_heading_in_what_a_tool_printed_ends_no_copy(heading: str) -> None:
    printed = f"{heading}\n\n- Never touch src/legacy\n"
    opened = session(user("go"), *ran("cat CLAUDE.md", printed, call_id="a"))
    text = as_markdown("", opened, plan_of(opened, [Action.KEEP] * 3))
    assert rule_item("Never touch src/legacy", text).verdict is Verdict.MISSING
    facts = Facts(prompts=(PromptFact("Never touch src/legacy", "m1"),))
    found = audit(EMPTY, None, text, Ledger(), facts)
    assert only(found, AuditClass.USER_WORDS).verdict is not Verdict.VERBATIM


def test_a_short_prompt_is_not_found_inside_other_words() -> None:
    facts = Facts(prompts=(PromptFact("continue", "m1"), PromptFact("/", "m2")))
    found = audit(EMPTY, None, "They continue to work on a/b", Ledger(), facts)
    assert {item.verdict for item in found.items} == {Verdict.MISSING}
    found = audit(EMPTY, None, "- > continue\n- > /\n", Ledger(), facts)
    assert {item.verdict for item in found.items} == {Verdict.VERBATIM}


@pytest.mark.parametrize(
    "prompt",
    [
        "Do:\n\n1. fix `totals.py`\n2. keep “it”\n\n## Why\n\n> it says so\n```\ncode @x\n```",
        "  indented\n\ttabs\x1b[31m red\x1b[0m & &amp; <!-- not a comment -->",
        "- one\n- two\n\n\nthree  ",
        "帮我修复订单总额的四舍五入，谢谢！",
        "@src/totals.py look at this\r\nand this",
    ],
)
def test_any_prompt_is_found_word_for_word_in_its_handoff(prompt: str) -> None:
    facts = Facts(prompts=(PromptFact(prompt, "m1"),))
    text = render(Handoff(user_words=(UserWords(prompt, "m1"),)))
    assert only(audit(EMPTY, None, text, Ledger(), facts), AuditClass.USER_WORDS).verdict is (
        Verdict.VERBATIM
    )


def test_a_prompt_is_found_where_its_lines_were_joined() -> None:
    said = "1. fix the lint\n2. update from main\n\n- new comments"
    facts = Facts(prompts=(PromptFact(said, "m1"),))
    for text in (
        '- "1. fix the lint 2. update from main - new comments"',
        "1. fix the lint 2. update from main - new comments",
        "> fix the lint update from main new comments",
    ):
        item = only(audit(EMPTY, None, text, Ledger(), facts), AuditClass.USER_WORDS)
        assert item.verdict is Verdict.VERBATIM, text
    item = only(audit(EMPTY, None, "- fix the lint, new comments", Ledger(), facts), item.cls)
    assert item.verdict is not Verdict.VERBATIM


@pytest.mark.parametrize(
    ("said", "line"),
    [
        ("are we all commited?", "so we could use something like entire/<commit>-<hash>"),
        ("can we split commits in a hook?", "can you check the last two commits in a row?"),
    ],
)
def test_a_line_that_shares_a_few_words_with_a_prompt_is_no_retelling(said: str, line: str) -> None:
    facts = Facts(prompts=(PromptFact(said, "m1"),))
    found = audit(EMPTY, None, f"- {line}\n", Ledger(), facts)
    assert only(found, AuditClass.USER_WORDS).verdict is Verdict.MISSING
    assert not found.ok


def test_a_prompt_that_was_cut_off_is_missing_beside_the_line_that_began_it() -> None:
    said = "Count what the agent wrote at every start, " + "and then add what I wrote, " * 20
    facts = Facts(prompts=(PromptFact(said, "m1"),))
    text = '- User: "Count what the agent wrote at every start, and then add what I wrote..."'
    item = only(audit(EMPTY, None, text, Ledger(), facts), AuditClass.USER_WORDS)
    assert item.verdict is Verdict.MISSING
    assert "Count what" in (item.found or "")


def test_a_prompt_with_a_secret_is_compared_without_it() -> None:
    facts = Facts(prompts=(PromptFact("log in with password: hunter2 and look", "m1"),))
    text = "- > log in with password: [redacted: password] and look\n"
    found = audit(EMPTY, None, text, Ledger(), facts)
    assert only(found, AuditClass.USER_WORDS).verdict is Verdict.VERBATIM


# -- identifiers -----------------------------------------------------------------------------------


def _file(path: str, text: str, *others: str) -> Verdict:
    files = (path, *others)
    facts = Facts(files=tuple(FileFact(name, FileUse.CHANGED, "m1") for name in files))
    found = audit(EMPTY, None, text, Ledger(), facts)
    return next(item for item in found.items if item.text == path).verdict


def test_a_path_is_found_as_a_whole_or_not_at_all() -> None:
    assert _file("a.py", "- data.py") is Verdict.MISSING
    assert _file("a.py", "- src/a.py") is Verdict.MISSING
    assert _file("a.py", "- a.pyc") is Verdict.MISSING
    assert _file("a.py", "- a.py.bak") is Verdict.MISSING
    assert _file("src/a.py", "- src/a.py/b") is Verdict.MISSING
    for text in ("- `a.py`", "see a.py.", "a.py:12: error", "(a.py)", "./a.py"):
        assert _file("a.py", text) is Verdict.VERBATIM


def test_a_name_without_its_folder_is_reworded_only_where_it_is_the_only_one() -> None:
    assert _file("/home/dev/src/totals.py", "changed totals.py") is Verdict.REWORDED
    assert _file("/home/dev/src/totals.py", "changed src/totals.py") is Verdict.REWORDED
    assert _file("src/a/index.ts", "changed index.ts", "src/b/index.ts") is Verdict.MISSING


def _commit(sha: str, text: str) -> Verdict:
    facts = Facts(commits=(CommitFact(sha, "x", "m1"),))
    return only(audit(EMPTY, None, text, Ledger(), facts), AuditClass.GIT_COMMIT).verdict


def test_a_commit_is_found_by_its_whole_id() -> None:
    assert _commit("abc1234", "git commit abc1234: x") is Verdict.VERBATIM
    assert _commit("abc1234", "abc12345") is Verdict.REWORDED
    assert _commit("abc12345ef", "- abc1234 x") is Verdict.REWORDED
    assert _commit("abc12345ef", "- abc1235 x") is Verdict.MISSING
    assert _commit("abc1234", "xabc1234") is Verdict.MISSING
    assert _commit("abc1234", "abc1234" + "0" * 33) is Verdict.REWORDED
    assert _commit("abc1234" + "0" * 33, "- abc1234 x") is Verdict.REWORDED
    assert _commit("abc1234" + "0" * 33, "- abc1235 x") is Verdict.MISSING


@pytest.mark.parametrize(
    ("text", "handoff", "verdict"),
    [
        ("#12", "fixes #12.", Verdict.VERBATIM),
        ("#12", "fixes #123", Verdict.MISSING),
        ("#12", "fixes owner/repo#12", Verdict.MISSING),
        ("owner/repo#12", "fixes owner/repo#12", Verdict.VERBATIM),
        ("https://a.example/x", "see https://a.example/x.", Verdict.VERBATIM),
        ("https://a.example/x", "see https://a.example/xy", Verdict.MISSING),
        ("https://a.example/x", "see https://a.example/x/y", Verdict.MISSING),
        ("https://a.example/x", "see https://a.example/x?q=1", Verdict.MISSING),
        ("https://a.example/x/", "<https://a.example/x>", Verdict.VERBATIM),
    ],
)
def test_references_are_found_as_a_whole(text: str, handoff: str, verdict: Verdict) -> None:
    facts = Facts(references=(ReferenceFact(text, "m1"),))
    found = audit(EMPTY, None, handoff, Ledger(), facts)
    assert only(found, AuditClass.ISSUE).verdict is verdict


def _error(line: str, text: str) -> Verdict:
    facts = Facts(errors=(ErrorFact(line, "m1"),))
    return only(audit(EMPTY, None, text, Ledger(), facts), AuditClass.ERROR).verdict


def test_an_error_line_with_another_number_is_changed() -> None:
    line = "AssertionError: expected 500 rows, got 499"
    assert _error(line, f"- `{line}`") is Verdict.VERBATIM
    assert _error(line, "AssertionError: expected 500 rows, got 498") is Verdict.CHANGED
    assert _error(line, "AssertionError: expected 500 rows, got 4990") is Verdict.CHANGED
    assert _error(line, "an assertion failed") is Verdict.MISSING


def test_a_long_error_line_that_is_cut_off_is_not_word_for_word() -> None:
    line = "ModuleNotFoundError: No module named 'shop.totals.rounding' in /srv/app/shop/main.py"
    assert _error(line, f"- {line[:70]}...") is Verdict.REWORDED
    assert _error(line, line.replace("main.py", "other.py")) is Verdict.CHANGED
    assert _error("Error", "There was an Error in it") is Verdict.MISSING


def test_ok_needs_everything_that_is_required_and_nothing_else() -> None:
    facts = Facts(
        files=(
            FileFact("src/a.py", FileUse.CHANGED, "m1"),
            FileFact("src/b.py", FileUse.READ, "m1"),
        ),
        commits=(CommitFact("abc1234", "x", "m1"),),
        errors=(
            ErrorFact("TypeError: open", "m1"),
            ErrorFact("ValueError: x", "m1", resolved="m2"),
        ),
        prompts=(PromptFact("fix it all", "m1"),),
        commands=(CommandFact("ls -la", "m1"),),
        decisions=(DecisionFact("Use sqlite for the index", "m1"),),
        urls=(ReferenceFact("https://a.example", "m1"),),
    )
    ledger = Ledger((rule("Never touch src/legacy"),))
    lines = ["Never touch src/legacy", "src/a.py", "abc1234", "TypeError: open", "fix it all"]
    assert audit(EMPTY, None, "\n\n".join(f"- {line}" for line in lines), ledger, facts).ok
    for left_out in lines:
        rest = "\n\n".join(f"- {line}" for line in lines if line != left_out)
        assert not audit(EMPTY, None, rest, ledger, facts).ok, left_out


def test_the_worst_stands_first() -> None:
    facts = Facts(files=tuple(FileFact(p, FileUse.CHANGED, "m1") for p in ("a.py", "b.py")))
    found = audit(EMPTY, None, "- b.py", Ledger(), facts)
    assert [item.text for item in found.items] == ["a.py", "b.py"]
