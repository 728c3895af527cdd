from __future__ import annotations

from dataclasses import replace

import pytest

from redline.compaction.outline import outline
from redline.compaction.plan import Action, Plan
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
from redline.handoff.audit import Audit, AuditClass, AuditItem, Verdict
from redline.handoff.auditing import audit, audit_compaction
from redline.handoff.document import as_markdown
from redline.handoff.handoff import Constraint, Handoff, UserWords
from redline.handoff.markdown import render
from redline.ledger.rule import Ledger, Rule, RuleFamily, RuleState
from redline.model import CompactionKind, PastCompaction, Session
from tests.sessions_in_memory import (
    call,
    ran,
    reply,
    result,
    session,
    summary,
    together,
    user,
)

EMPTY = session(user("hi"))


def rule(text: str, state: RuleState = RuleState.ACTIVE, message: str | None = None) -> Rule:
    return Rule(f"r-{text[:8]}", text, RuleFamily.PROHIBIT, state, message=message)


def rule_item(text: str, handoff: str, *others: str) -> AuditItem:
    ledger = Ledger((rule(text), *(rule(other) for other in others)))
    found = audit(EMPTY, None, handoff, ledger, Facts())
    return next(item for item in found.items if item.text == text)


def only(found: Audit, cls: AuditClass) -> AuditItem:
    (item,) = [item for item in found.items if item.cls is cls]
    return item


def plan_of(opened: Session, actions: list[Action]) -> Plan:
    size = len(actions)
    return Plan("test", {}, outline(opened.context), tuple(actions), ("",) * size, (0,) * size)


RULES = [
    "Never touch src/legacy",
    "Do not add Co-Authored-By to commits",
    "You must run pytest -q before every commit",
    "Keep the bundle under 500 kB",
    "Only use pnpm, never npm",
    "Ask me before you push to main",
    "No. Do not push to main.",
    "All prices must be rounded to 2 digits before they are stored",
    "Don’t delete the migrations in db/versions",
    "不要修改 tests 目录",
    "必须先运行 pytest 再提交",
    "最多只能改 3 个文件",
    "禁止直接推送到 main 分支",
]


@pytest.mark.parametrize("text", RULES)
@pytest.mark.parametrize(
    "handoff",
    ["- {}\n", "## Rules\n\n1. {}\n", "> {}\n", 'The user said: "{}"\n', "- **{}**\n", "* {}.\n"],
)
def test_a_rule_that_stands_there_is_found_word_for_word(text: str, handoff: str) -> None:
    assert rule_item(text, handoff.format(text)).verdict is Verdict.VERBATIM


@pytest.mark.parametrize("text", RULES)
def test_white_space_quotes_and_markdown_escapes_make_no_difference(text: str) -> None:
    changed = text.replace(" ", "\n  ", 2).replace("’", "'").replace("-", "\\-")
    assert rule_item(text, f"- {changed}\n").verdict is Verdict.VERBATIM


MUTATIONS = [
    # (rule, what became of it, the verdict or None for "anything but kept")
    ("Never touch src/legacy", "Avoid touching src/legacy", Verdict.WEAKENED),
    ("Never touch src/legacy", "Try to never touch src/legacy", Verdict.WEAKENED),
    ("Never touch src/legacy", "Never touch src/legacy unless it is urgent", Verdict.WEAKENED),
    ("Never touch src/legacy", "Never touch src/legacy, except for typos", Verdict.WEAKENED),
    ("Never touch src/legacy", "Never touch src/legacy2", Verdict.CHANGED),
    ("Never touch src/legacy", "Never touch src/modern", Verdict.CHANGED),
    ("Never touch src/legacy", "You may touch src/legacy", Verdict.CHANGED),
    ("Never touch src/legacy", "Touch src/legacy", Verdict.CHANGED),
    ("Never touch src/legacy", "It is fine to touch src/legacy now", None),
    ("Never touch src/legacy", "Leave the old code alone", Verdict.MISSING),
    ("Never touch src/legacy", "The rule 'Never touch src/legacy' no longer holds", None),
    ("Never touch src/legacy", "Ignore this: Never touch src/legacy", Verdict.CHANGED),
    ("Never touch src/legacy", "Never touch src/legacy without asking the user", None),
    ("Never touch src/legacy", "Do not never touch src/legacy", None),
    ("Never touch src/legacy", "Never touch src/legacy.py", None),
    ("Never touch src/legacy.", "Never touch src/legacy.py", None),
    ("Never touch src/legacy", "Never touch src/legacy-v1", None),
    ("Never touch src/legacy", "Never touch src/legacy's tests", None),
    ("No new packages!", "No new packages! unless they are small", Verdict.WEAKENED),
    ("Keep the bundle under 500", "Keep the bundle under 500,000", None),
    ("You must run pytest -q before every commit",
     "You should run pytest -q before every commit", Verdict.WEAKENED),
    ("You must run pytest -q before every commit",
     "You must run pytest -q after every commit", Verdict.CHANGED),
    ("You must run pytest -q before every commit",
     "You need not run pytest -q before every commit", Verdict.CHANGED),
    ("Keep the bundle under 500 kB", "Keep the bundle under 5000 kB", Verdict.CHANGED),
    ("Keep the bundle under 500 kB", "Keep the bundle under 500 MB", None),
    ("Keep the bundle under 500 kB", "Keep the bundle small", None),
    ("Ask me before you push to main", "Ask me after you push to main", Verdict.CHANGED),
    ("Ask me before you push to main", "Don't ask me before you push to main", None),
    ("No. Do not push to main.", "The user preferred another approach than pushing.", None),
    ("Do not push to main", "Do not push to main on Fridays", None),
    ("All prices must be rounded to 2 digits before they are stored",
     "All prices must be rounded to 3 digits before they are stored", Verdict.CHANGED),
    ("All prices must be rounded to 2 digits before they are stored",
     "All prices should be rounded to 2 digits before they are stored", Verdict.WEAKENED),
    ("All prices must be rounded to 2 digits before they are stored",
     "All of the prices must be rounded to 2 digits before they are stored", Verdict.REWORDED),
    ("不要修改 tests 目录", "可以修改 tests 目录", Verdict.CHANGED),
    ("不要修改 tests 目录", "尽量不要修改 tests 目录", Verdict.WEAKENED),
    ("不要修改 tests 目录", "不要修改 docs 目录", None),
    ("不要修改 tests 目录", "要修改 tests 目录", Verdict.CHANGED),
    ("不要修改 tests 目录", "除非必要，不要修改 tests 目录", None),
    ("不要修改 tests 目录", "不要修改 tests 目录，除非测试失败", Verdict.WEAKENED),
    ("不要修改 tests 目录", "不要修改 tests 目录这条规则已作废", None),
    ("必须先运行 pytest 再提交", "建议先运行 pytest 再提交", Verdict.WEAKENED),
    ("必须先运行 pytest 再提交", "不必先运行 pytest 再提交", None),
    ("最多只能改 3 个文件", "最多只能改 30 个文件", Verdict.CHANGED),
    ("最多只能改 3 个文件", "至少改 3 个文件", None),
    ("禁止直接推送到 main 分支", "允许直接推送到 main 分支", Verdict.CHANGED),
    ("禁止直接推送到 main 分支", "避免直接推送到 main 分支", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "became", "verdict"), MUTATIONS)
def test_a_rule_that_was_changed_is_never_certified(
    text: str, became: str, verdict: Verdict | None
) -> None:
    for handoff in (f"- {became}\n", f"Notes. {became}\n", f"> {became}\n"):
        found = rule_item(text, handoff)
        assert found.verdict is not Verdict.VERBATIM
        if verdict is None:
            assert found.verdict is not Verdict.REWORDED
        else:
            assert found.verdict is verdict
    assert not audit(EMPTY, None, f"- {became}\n", Ledger((rule(text),)), Facts()).ok


@pytest.mark.parametrize("text", RULES)
def test_a_rule_without_one_of_its_words_or_with_one_more_is_never_certified(text: str) -> None:
    words = text.split()
    for place in range(len(words)):
        less = " ".join(words[:place] + words[place + 1 :])
        more = " ".join([*words[:place], "not", *words[place:]])
        for became in (less, more):
            assert rule_item(text, f"- {became}\n").verdict is not Verdict.VERBATIM, became


@pytest.mark.parametrize("dropped", RULES)
def test_a_dropped_rule_is_not_certified_by_the_others(dropped: str) -> None:
    others = [text for text in RULES if text != dropped]
    handoff = "## Rules\n\n" + "".join(f"- {text}\n" for text in others)
    assert rule_item(dropped, handoff, *others).verdict not in (Verdict.VERBATIM, Verdict.REWORDED)
    for other in others:
        assert rule_item(other, handoff).verdict is Verdict.VERBATIM


@pytest.mark.parametrize(
    "label",
    ["Revoked:", "**Revoked rules:**", "**Withdrawn**", "These no longer apply:", "已撤销的规则："],
)
def test_a_list_under_a_label_that_takes_it_back_does_not_keep_it(label: str) -> None:
    for text in (
        f"{label}\n\n- Never touch src/legacy\n",
        f"- {label}\n  - Never touch src/legacy\n",
    ):
        assert rule_item("Never touch src/legacy", text).verdict is Verdict.MISSING
    for text in (
        f"{label}\n\n- Be quick\n\nStill in force:\n\n- Never touch src/legacy\n",
        f"- {label}\n  - Be quick\n- Never touch src/legacy\n",
        f"{label}\n\n- Be quick\n\n## Rules\n\n- Never touch src/legacy\n",
        "**Never call deprecated functions**\n\n- Never touch src/legacy\n",
    ):
        assert rule_item("Never touch src/legacy", text).verdict is Verdict.VERBATIM


@pytest.mark.parametrize(
    "heading",
    [
        "Missing from this handoff", "Lost rules", "Audit", "Revoked", "作废的规则", "Withdrawn",
        "Cancelled rules", "Expired", "Removed rules", "已撤销的规则", "旧规则",
    ],
)  # fmt: skip
def test_a_list_of_what_is_lost_does_not_keep_it(heading: str) -> None:
    text = f"## Goal\n\nShip\n\n## {heading}\n\n- Never touch src/legacy\n\n## Done\n\n- x\n"
    assert rule_item("Never touch src/legacy", text).verdict is Verdict.MISSING


def test_an_active_rule_that_is_marked_unconfirmed_is_weakened() -> None:
    text = render(Handoff(constraints=(Constraint("Never touch src/legacy"),)))
    assert rule_item("Never touch src/legacy", text).verdict is Verdict.WEAKENED


@pytest.mark.parametrize(
    "beside",
    [
        "No longer: {}",
        "{} unless it is urgent",
        "Ignore this: {}",
        "作废：{}",
        "The docs of another project say: {}",
        "Another team's README says: {}",
        "别的项目的文档里写着：{}",
    ],
)
@pytest.mark.parametrize(
    "said", ["Never touch src/legacy!", "Never touch src/legacy!\nThanks", "不要修改 tests 目录！"]
)
def test_what_takes_a_rule_back_beside_its_prompt_is_heard(said: str, beside: str) -> None:
    text, _, rest = said.partition("\n")
    facts = Facts(prompts=(PromptFact(said, "m1"),))
    ledger = Ledger((rule(text, message="m1"),))
    words = f"## The user's words\n\n- > {beside.format(text)}\n  > {rest}\n"
    found = audit(EMPTY, None, words, ledger, facts)
    assert only(found, AuditClass.RULE).verdict is not Verdict.VERBATIM
    assert not found.ok


def test_a_proposed_rule_need_not_be_kept() -> None:
    ledger = Ledger((rule("Never touch src/legacy", RuleState.PROPOSED),))
    found = audit(EMPTY, None, "## Goal\n\nShip", ledger, Facts())
    assert only(found, AuditClass.RULE).verdict is Verdict.MISSING
    assert found.ok


def test_a_rule_counts_where_the_prompt_it_was_said_in_stands_whole() -> None:
    said = "Please fix the totals and never touch src/legacy for that, thanks"
    ledger = Ledger((rule("never touch src/legacy", message="m1"),))
    facts = Facts(prompts=(PromptFact(said, "m1"),))
    text = render(Handoff(user_words=(UserWords(said, "m1"),)))
    assert (
        only(audit(EMPTY, None, text, ledger, facts), AuditClass.RULE).verdict is Verdict.VERBATIM
    )
    shortened = text.replace("Please fix the totals and never", "Please never")
    assert (
        only(audit(EMPTY, None, shortened, ledger, facts), AuditClass.RULE).verdict
        is not Verdict.VERBATIM
    )


# -- what stays of the messages --------------------------------------------------------------------


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


# -- an agent's own compaction ---------------------------------------------------------------------


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
