"""Cases of anchors, decisions and the user's words: identifiers that a summary changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.audit_case import FAITHFUL, Case

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
from redline.handoff.audit import AuditClass

_SURROUNDINGS = (
    "## Work\n\n- {}\n- and the cart\n\n## Next\n\n1. Run the suite\n",
    "Progress so far. {}. The rest is open.\n",
    "3. Files and Code Sections:\n   - {}\n     more about it\n",
    "## 进度\n\n- {}\n- 购物车还没做\n",
)


@dataclass(frozen=True, slots=True)
class _Anchor:
    cls: AuditClass
    text: str
    changed: tuple[str, ...]
    denied: tuple[str, ...] = ()
    faithful: tuple[str, ...] = ("`{}`", "{}", "({})")


_FILE, _COMMIT, _ERROR = AuditClass.FILE_CHANGED, AuditClass.GIT_COMMIT, AuditClass.ERROR
_ANCHORS = (
    _Anchor(
        _FILE, "src/shop/totals.py",
        ("src/shop/totals.pyc", "src/shop/totals.py.bak", "src/shop/subtotals.py",
         "lib/src/shop/totals.py", "src/shop/totals.py/x", "src/shop/total.py",
         "src/shop/totals-v2.py", "src/shop/Totals.py", "src/shop/totals.pyi"),
        ("no changes were made to {}", "{} was not changed", "did not touch {}", "没有修改 {}"),
    ),
    _Anchor(
        _FILE, "db/versions/0042_orders.sql",
        ("db/versions/0043_orders.sql", "db/versions/00420_orders.sql", "db/0042_orders.sql",
         "db/versions/0042_orders.sqlite", "db/versions/0042_order.sql"),
        ("{} stays untouched", "left {} unchanged", "{} 未修改"),
    ),
    _Anchor(
        _FILE, "/home/dev/shop/web/cart.tsx",
        ("/home/dev/shop/web/cart.ts", "/home/dev/shop2/web/cart.tsx", "/home/dev/shop/cart.tsx",
         "/home/dev/shop/web/cart.tsx~", "/home/dev/shop/web/shopping-cart.tsx"),
    ),
    _Anchor(
        _FILE, "文档/设计.md",
        ("文档/设计.mdx", "旧文档/设计.md", "文档/设计2.md", "文档/总体设计.md"),
    ),
    _Anchor(
        _COMMIT, "4f2a9c1",
        ("4f2a9c2", "4f2a9c", "4f2a9c10", "a4f2a9c1", "5f2a9c1", "4f2a91c"),
        ("{} was never made", "did not commit {}"),
    ),
    _Anchor(
        _COMMIT, "0b7d31e88aa",
        ("0b7d31e88ab", "0b7d31f88aa", "1b7d31e88aa", "0b7d31e88aaf", "0b7d31e"),
    ),
    _Anchor(
        _ERROR, "AssertionError: expected 500 rows, got 499",
        ("AssertionError: expected 500 rows, got 498", "AssertionError: expected 500 rows",
         "AssertionError: expected 5000 rows, got 499",
         "AssertionError: expected 500 columns, got 499",
         "an assertion about the rows fails", "AssertionError: got 499 rows, expected 500"),
        ("Fixed: {}", "no longer occurs: {}", "已解决：{}"),
    ),
    _Anchor(
        _ERROR, "ModuleNotFoundError: No module named 'shop.rounding'",
        ("ModuleNotFoundError: No module named 'shop.roundings'",
         "ModuleNotFoundError: No module named 'shop'", "a module could not be found",
         "ImportError: No module named 'shop.rounding'"),
    ),
    _Anchor(
        AuditClass.COMMAND, "pytest -q tests/cart",
        ("pytest -q tests/carts", "pytest tests/cart", "pytest -q tests/cart/test_a.py",
         "pytest -q -x tests/cart", "pytest -q", "ran the tests of the cart"),
    ),
    _Anchor(
        AuditClass.ISSUE, "#142",
        ("#1421", "#14", "shop/web#142", "142", "#241", "#142a"),
    ),
    _Anchor(
        AuditClass.URL, "https://shop.example/orders/42",
        ("https://shop.example/orders/421", "https://shop.example/orders/4",
         "https://shop.example/orders/42/edit", "https://shop.example/orders/42?page=2",
         "http://shop.example/orders/42"),
    ),
    _Anchor(
        AuditClass.DECISION, "Use SQLite for the index",
        ("Do not use SQLite for the index", "We decided against it: Use SQLite for the index",
         "Use Postgres for the index", "Use SQLite for the cache",
         "Rejected: Use SQLite for the index", "Use SQLite for the index was dropped",
         "Use SQLite for the indexer",
         "Perhaps use SQLite for the index"),
        faithful=("{}", "Decision: {}", "**{}**"),
    ),
    _Anchor(
        AuditClass.DECISION, "订单总额改用整数分存储",
        ("订单总额不改用整数分存储", "订单总额改用小数存储", "已放弃：订单总额改用整数分存储",
         "订单总额改用整数分存储的方案被否决"),
        faithful=("{}", "决定：{}"),
    ),
    _Anchor(
        AuditClass.USER_WORDS, "Fix the rounding in the order totals and add 3 tests for it",
        ("Fix the rounding in the order totals and add 4 tests for it",
         "Fix the rounding in the order totals", "Add 3 tests for the rounding in the order totals",
         "Fix the rounding in the order totals and add 30 tests for it",
         "Don't fix the rounding in the order totals and add 3 tests for it",
         "The user did not ask: Fix the rounding in the order totals and add 3 tests for it",
         "Cancelled: Fix the rounding in the order totals and add 3 tests for it"),
        faithful=("{}", '"{}"', "User: {}", 'The user asked: "{}"'),
    ),
    _Anchor(
        AuditClass.USER_WORDS, "把购物车的总价改成含税价",
        ("把购物车的总价改成不含税价", "把购物车的单价改成含税价", "不要把购物车的总价改成含税价",
         "用户没有要求：把购物车的总价改成含税价"),
        faithful=("{}", "“{}”", "用户：{}"),
    ),
)  # fmt: skip


def anchor_cases() -> Iterator[Case]:
    """All of them: faithful, dropped, changed and denied."""
    for anchor in _ANCHORS:
        language = "en" if anchor.text.isascii() else "zh"

        def made(operator: str, summary: str, of: _Anchor = anchor, to: str = language) -> Case:
            return Case(operator, to, of.cls, of.text, summary, facts=_facts(of))

        for surroundings in _SURROUNDINGS:
            for form in anchor.faithful:
                yield made(FAITHFUL, surroundings.replace("{}", form.replace("{}", anchor.text)))
            yield made("dropped", surroundings.replace("{}", "something else was done"))
            for line in anchor.changed:
                yield made("identifier", surroundings.replace("{}", line))
            for line in anchor.denied:
                yield made("negated", surroundings.replace("{}", line.replace("{}", anchor.text)))


def _facts(anchor: _Anchor) -> Facts:
    text = anchor.text
    match anchor.cls:
        case AuditClass.FILE_CHANGED:
            return Facts(files=(FileFact(text, FileUse.CHANGED, "m1"),))
        case AuditClass.GIT_COMMIT:
            return Facts(commits=(CommitFact(text, "x", "m1"),))
        case AuditClass.ERROR:
            return Facts(errors=(ErrorFact(text, "m1"),))
        case AuditClass.COMMAND:
            return Facts(commands=(CommandFact(text, "m1"),))
        case AuditClass.ISSUE:
            return Facts(references=(ReferenceFact(text, "m1"),))
        case AuditClass.URL:
            return Facts(urls=(ReferenceFact(text, "m1"),))
        case AuditClass.DECISION:
            return Facts(decisions=(DecisionFact(text, "m1"),))
        case _:
            return Facts(prompts=(PromptFact(text, "m1"),))
