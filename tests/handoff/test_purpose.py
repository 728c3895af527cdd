"""What the work is for, in a sentence of a prompt that can be read alone."""

from __future__ import annotations

import pytest

from redline.handoff.purpose import (
    as_typed,
    is_command,
    only_amends,
    request,
    sets_scope,
    sets_value,
    stated_goal,
)


@pytest.mark.parametrize(
    ("prompt", "goal"),
    [
        (
            "Work on issue shop-12. Run `bd show shop-12` to see the details. Start at once.",
            "Work on issue shop-12.",
        ),
        (
            "Now the yearly prices: show the saving against twelve months, rounded down.",
            "Now the yearly prices: show the saving against twelve months, rounded down.",
        ),
        (
            "Next the export: its totals must match the invoice. 不要修改 tests 目录里已有的用例。",
            "Next the export: its totals must match the invoice.",
        ),
        ("Don't touch db/. Then please add prices.", "Then please add prices."),
        (
            "We get this:\n```\nfix the branch, then run it\n```\nCan you find out why?",
            "Can you find out why?",
        ),
        ("给导出加上 CSV 格式，参考 #398。不要修改 tests。", "给导出加上 CSV 格式，参考 #398。"),
        ("回复一律用中文。帮我修复登录页的错误。", "帮我修复登录页的错误。"),
    ],
)  # fmt: skip
def test_a_goal_is_the_sentence_that_asks_for_work(prompt: str, goal: str) -> None:
    assert sets_scope(prompt)
    assert request(prompt) == goal


@pytest.mark.parametrize(
    "prompt",
    [
        "Well, they seem to be stuck or done... can you check?",
        "can we make this less dumb and more concise?",
        "Actually, change the commit messages to 72 characters now.",
        "Never edit files under vendor, and always run the tests first.",
        "make sure you run the tests before you commit",
        "刚才说的 BOM 不用了，改成不带 BOM。",
        "顺便修好上面那个死链接。",
        "continue",
        "/compact fix the totals of the order page",
    ],
)
def test_what_speaks_of_earlier_words_or_says_how_to_work_sets_no_scope(prompt: str) -> None:
    assert not sets_scope(prompt)


@pytest.mark.parametrize(
    ("prompt", "goal"),
    [
        ("目标：周五之前完成 CSV 导出。", "目标：周五之前完成 CSV 导出。"),
        ("Hi there. Goal: finish the CSV export.", "Hi there. Goal: finish the CSV export."),
        ("The goal is to get rid of jQuery.", "The goal is to get rid of jQuery."),
        ("Our goal for this week: a green build.", "Our goal for this week: a green build."),
        ("Ok, we want to move to Postgres 16.", "Ok, we want to move to Postgres 16."),
        ("I need a CSV export of all orders.", "I need a CSV export of all orders."),
        ("我们要把报表迁移到新平台。", "我们要把报表迁移到新平台。"),
        ("I want to see the logs.", None),
        ("I need you to run the tests.", None),
        ("What is the goal: speed or size?", None),
        ("Goal: ok", None),
        ("The goalkeeper moves to the left.", None),
        ("Do not edit src/auth/logout.py.", None),
        ("/goal", None),
    ],
)
def test_a_goal_that_is_said_outright_is_found(prompt: str, goal: str | None) -> None:
    assert stated_goal(prompt) == goal


@pytest.mark.parametrize(
    "text", ["超时改为 60 秒。", "Set the timeout to 60 seconds.", "now change the port to 8081"]
)
def test_a_new_value_for_what_is_there_is_no_scope(text: str) -> None:
    assert sets_value(text)
    assert not sets_scope(text)


@pytest.mark.parametrize(
    "text", ["给导出加上 CSV 格式，参考 #398。", "Change the importer so that it reads UTF-16."]
)
def test_work_on_something_gives_it_no_value_only(text: str) -> None:
    assert not sets_value(text)
    assert sets_scope(text)


def test_a_prompt_that_only_says_how_to_work_is_told_from_one_that_also_asks() -> None:
    assert only_amends("Do not edit src/auth/logout.py. Always run the tests first.")
    assert not only_amends("Do not edit src/auth/logout.py. Then fix the login page.")


@pytest.mark.parametrize("text", ["/mode", "/", "/model opus-4", " /compact\n", "/plugin:run"])
def test_a_command_of_the_agents_own_is_one(text: str) -> None:
    assert is_command(text)


@pytest.mark.parametrize("text", ["/tmp/x.log is full", "/var/log", "/compact keep the goal", "a"])
def test_a_path_or_words_behind_a_command_are_none(text: str) -> None:
    assert not is_command(text)


def test_white_space_that_nobody_sees_is_not_quoted() -> None:
    assert as_typed(" is this \r\n  right? ") == "is this\n  right?"


@pytest.mark.parametrize(
    "text", ["please " * 9_000, "ok, " * 9_000, "```\n" * 9_000, "fix: " * 9_000, ". " * 9_000]
)
def test_hostile_text_comes_to_an_end(text: str) -> None:
    # What is worse than quadratic would take hours here; figures are the benchmarks' affair.
    sets_scope(text)
    request(text)
    stated_goal(text)
    sets_value(text)
    only_amends(text)
