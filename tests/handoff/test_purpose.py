"""What the work is for, in a sentence of a prompt that can be read alone."""

from __future__ import annotations

import time

import pytest

from redline.handoff.purpose import request, sets_scope


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
    "text", ["please " * 9_000, "ok, " * 9_000, "```\n" * 9_000, "fix: " * 9_000, ". " * 9_000]
)
def test_hostile_text_is_read_quickly(text: str) -> None:
    start = time.perf_counter()
    sets_scope(text)
    request(text)
    assert time.perf_counter() - start < 0.5
