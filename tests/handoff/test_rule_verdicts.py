"""Rules are certified word for word or not at all."""

from __future__ import annotations

import pytest

from redline.facts.fact import (
    Facts,
    PromptFact,
)
from redline.handoff.audit import AuditClass, Verdict
from redline.handoff.auditing import audit
from redline.handoff.handoff import Constraint, Handoff, UserWords
from redline.handoff.markdown import render
from redline.ledger.rule import Ledger, RuleState
from tests.handoff.audits import EMPTY, only, rule, rule_item

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


@pytest.mark.parametrize(
    "text",
    [
        "Rules we decided against:\n- {}",
        "Alice: {}",
        "- {} - just kidding",
        "The linter prints: {}",
        "TODO: ask whether {} holds",
        "- {} (this was about the old repo)",
        "- {}\n- The rule above is void.",
        "- {}\n  Status: revoked",
        "{}\n=> no longer required",
        "- {}\n- src/legacy is no longer off-limits",
        "- {}\n\n## Updates\n- src/legacy can be edited now",
        "| {} | revoked |",
        "<!--\n{}\n-->",
        "If the tests fail:\n\n- {}",
        "- {}? We do.",
        "- {}\n- except src/legacy/a.py",
        "```\n- {}\n```",
    ],
)
def test_words_that_nobody_vouches_for_certify_nothing(text: str) -> None:
    found = rule_item("Never touch src/legacy", text.format("Never touch src/legacy"))
    assert found.verdict is not Verdict.VERBATIM


@pytest.mark.parametrize(
    "text",
    [
        "- Constraint: {}",
        "- {} (user, turn 3)",
        "- {} [active]",
        "- **Legacy code**: {}",
        'As the user put it, "{}".',
        "The following constraints hold:\n- {}",
        "- {}. It is not negotiable.",
        "- {}\n- The file src/legacy/a.py was not edited",
        "1. {}\n2. Fix the bug that was reported",
        "Constraints: {}; Run tests.",
        "- {}\n\n```\nsome code\n```\n",
    ],
)
def test_what_only_introduces_a_rule_takes_nothing_from_it(text: str) -> None:
    found = rule_item("Never touch src/legacy", text.format("Never touch src/legacy"))
    assert found.verdict is Verdict.VERBATIM


@pytest.mark.parametrize(
    ("text", "became"),
    [
        ("500 kB is the limit", "1,500 kB is the limit"),
        ("500 kB is the limit", "$500 kB is the limit"),
        ("Pin torch to v1.2", "Pin torch to v1.20"),
        ("Pin torch to v1.2", "Pin torch to v1.2.3"),
        ("Pin torch to v1.2", "Pin torch to v1.2-rc1"),
        ("Spend at most $500", "Spend at most $5000"),
        ("Spend at most $500", "Spend at most $500.50"),
        ("Only edit src/a.py", "Only edit src/a.pyc"),
        ("Only edit src/a.py", "Only edit src/a.py or tests"),
        ("不要改用户", "不要改用户名"),
        ("不要改订单表", "不要改历史订单表"),
    ],
)
def test_a_value_is_not_found_inside_another(text: str, became: str) -> None:
    assert rule_item(text, f"- {became}\n").verdict is not Verdict.VERBATIM
    assert rule_item(text, f"- {text}\n").verdict is Verdict.VERBATIM


def test_a_rule_whose_words_stand_apart_is_not_there() -> None:
    for text in (
        "- Never touch\n- src/legacy",
        "Never touch\n\nsrc/legacy",
        "# Never touch\nsrc/legacy",
    ):
        assert rule_item("Never touch src/legacy", text).verdict is not Verdict.VERBATIM
    assert rule_item("Never touch src/legacy", "- Never touch\n  src/legacy").verdict is (
        Verdict.VERBATIM
    )


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
