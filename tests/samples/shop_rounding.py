"""The longest session of the made-up project `shop`, and its subagent."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

from tests.samples import texts
from tests.samples.claude_code import Call, ClaudeCode
from tests.samples.shop_calls import (
    FAILING,
    HOME,
    ROUNDING,
    SURVEY,
    committed,
    edit,
    read,
    shell,
    todo,
)

_LOG = """\
1b2f8d0 Send the invoice as PDF (#409)
77c03aa Merge pull request #405 from example/stock
5d90be1 Count stock per warehouse
e8a4417 Drop Python 3.10
0c6fd32 Add vouchers (#388)
a91b7e5 Show the tax rate on the invoice
4402c6d Load settings from the environment
f3d8e19 First release"""
_SURVEY = """\
Functions below src/ that round money:
- src/totals.py:41 line_total: quantize(CENT), ROUND_HALF_UP
- src/totals.py:58 order_total: quantize(CENT), ROUND_HALF_UP
- src/taxes.py:33 line_tax: quantize(CENT)
- src/currency.py:77 convert: round(amount, 2) on float
src/legacy has three more, all unused since 0c6fd32."""
_SECRETS = """\
SHOP_ENV=dev
SHOP_DATABASE=postgresql://shop@127.0.0.1:5432/shop
SHOP_API_TOKEN=shp_live_9f8e7d6c5b4a39281706f5e4d3c2b1a0
SHOP_MAIL_FROM=orders@shop.example"""
_WHY = """\
The discount is split over the lines and each share is rounded. That is where the second cent \
comes from. Take the order of the report: three mugs at 3.335 and one pen at 0.995, with 10 % off. \
Per line the shares are 1.00 and 0.10, so 1.10 in all; on the whole order it is 1.10 too, but the \
net sum before it is 11.00 and not 11.01, because the mugs are no longer rounded first. With five \
lines the difference grows to two cents.

There are three ways out:
1. Spread the rounding error over the lines, largest share first. The XML export would change.
2. Keep the discount per line but unrounded. The printed lines no longer add up.
3. Keep one discount line on the order. Printed lines stay as they are, the sum is exact.

I chose the third instead of the first, because the invoice already prints one discount line and \
because nothing in the file formats has to change. Coupons with a fixed amount already work like \
that, see `src/coupons.py`."""
_EXPORTERS = """\
I have read all exporters. What I found:

- `csv_export` computes totals of its own, from floats: `round(sum(line.gross ...), 2)`.
- `tax_report` sums the tax of the lines, so it is off by the same cent as the orders were.
- `xml_export`, `ledger_export` and `monthly_report` take `order.total` and are right already.
- `refunds` and `payments` handle single amounts, nothing is added up.
- the rest exports no money at all.

I decided to let both `csv_export` and `tax_report` call `order_total` and `order_tax`, so that \
there is one rule for every figure a customer or the tax office sees. The file format stays as it \
is; only figures that were wrong will change. For the orders of September to November that means \
61 lines in the CSV and 9 in the tax report."""
# One rule of the user is not in it: to ask before pushing.
_SUMMARY = """\
This session is being continued from a previous conversation that ran out of context. The \
summary below covers the earlier portion of the conversation.

Summary:
1. Primary Request and Intent:
   The user reported that order totals are off by one cent for some orders (#412) and asked for \
the cause and a fix. Money must be Decimal. Files in the legacy folder should rather be left \
alone. Tests are run before commits. Commit messages are imperative, at most 72 characters.
2. Key Technical Concepts:
   - Rounding once at the end with ROUND_HALF_EVEN, as the invoice service does
3. Files and Code Sections:
   - src/totals.py: line_total no longer rounds, order_total rounds once
   - src/taxes.py: tax is computed from the unrounded net sum
4. Errors and fixes:
   - test_three_mugs failed because of ROUND_HALF_UP; fixed
5. All user messages:
   - the order totals, commit messages, the picture of the invoice
6. Pending Tasks:
   - none
7. Current Work:
   The tax fix was committed; 96 tests pass.
8. Optional Next Step:
   Wait for the user."""


def rounding() -> tuple[ClaudeCode, ClaudeCode]:
    """Order totals that are off by a cent: nearly full, one compaction, one subagent."""
    start = datetime(2026, 11, 28, 8, 12, tzinfo=UTC)
    chat = ClaudeCode(ROUNDING, HOME, start, branch="fix/rounding")
    chat.prompt(
        "Order totals are off by one cent for some orders, see #412. Find out why and fix it.\n\n"
        "Rules for this repo: never touch src/legacy. Always run pytest before committing. "
        "Use Decimal for money, never float."
    )
    chat.reply(
        "I'll look at how totals are computed before I change anything.",
        todo(
            ("Find where totals are rounded", "in_progress"),
            ("Fix the rounding in src/totals.py", "pending"),
            ("Add a regression test for #412", "pending"),
        ),
        Call("Grep", {"pattern": "round_|quantize", "path": f"{HOME}/src"}, texts.found(3, 42)),
        thinking="The report says one cent. That smells like rounding each line and the sum.",
    )
    chat.reply(
        "Two places look suspicious.",
        read("src/totals.py", 11, 14),
        read("src/discounts.py", 12),
        read("src/legacy/totals_v1.py", 13, 9),
    )
    chat.reply(
        "",
        Call(
            "Read",
            {"file_path": f"{HOME}/tests/test_totals.py"},
            texts.numbered(texts.module("tests/test_totals.py", 14, 11)),
        ),
        shell("git log --oneline -8", _LOG, "Recent git commits"),
    )
    survey = subagent()
    chat.reply(
        "A helper can survey the currency functions while I read on.",
        Call(
            "Task",
            {
                "description": "Survey currency helpers",
                "prompt": "List every function below src/ that rounds money, with file and line.",
                "subagent_type": "Explore",
            },
            [{"type": "text", "text": _SURVEY}],
            extra={
                "status": "completed",
                "prompt": "List every function below src/ that rounds money, with file and line.",
                "agentId": SURVEY,
                "content": [{"type": "text", "text": _SURVEY}],
                "totalDurationMs": 48_211,
                "totalTokens": survey.used,
                "totalToolUseCount": 3,
            },
        ),
    )
    chat.reply(
        "Rounding happens twice: `line_total` rounds every line to cents, then `order_total` "
        "rounds the sum. I decided to round once, at the end, because the invoice service does "
        "the same and its figures are what customers see.",
        edit(
            "src/totals.py",
            "    return (line.unit_price * line.quantity).quantize(CENT)",
            "    # not rounded here: see order_total\n    return line.unit_price * line.quantity",
        ),
        shell(
            "pytest -q tests/test_totals.py",
            "Exit code 1\n" + texts.pytest_log(5, 24, ("tests/test_totals.py::test_three_mugs",)),
            "Run the tests of totals",
            error=True,
        ),
    )
    chat.reply(
        "ROUND_HALF_UP is still used for the sum; the invoice service uses ROUND_HALF_EVEN.",
        edit(
            "src/totals.py",
            "    return sum(lines).quantize(CENT, ROUND_HALF_UP)",
            "    return sum(lines, Decimal(0)).quantize(CENT, ROUND_HALF_EVEN)",
        ),
        shell("pytest -q tests/test_totals.py", texts.pytest_log(6, 25), "Run the tests of totals"),
    )
    chat.reply("Fixed: three mugs at 3.335 now cost 10.00, as on the invoice. All 25 tests pass.")
    fork = chat.prompt(
        "Good. Commit messages must be in the imperative, under 60 characters. "
        "And ask me before pushing."
    )
    chat.reply(
        "",
        shell(
            'git add -A && git commit -m "Round order totals once, at the end (#412)"',
            committed("fix/rounding", "3f9c2ab", "Round order totals once, at the end (#412)", 3),
            "Commit the fix",
        ),
    )
    asked = chat.reply("Committed as 3f9c2ab. I have not pushed; shall I?")
    chat.prompt("Also rename totals.py to order_totals.py.")
    chat.reply("I would have to change 14 imports for that. Shall I go on?")
    chat.rewind(asked)
    picture = base64.b64encode(texts.picture(280, 180, 7)).decode()
    chat.prompt("Not yet. The invoice looks like this now, is the last line right?", picture)
    chat.reply(
        "The red box shows the gross sum. The tax line above it is computed from rounded lines.",
        read("src/invoices.py", 15, 16),
        read("src/taxes.py", 16, 14),
    )
    chat.reply(
        "Tax has to follow the same rule. I'll compute it from the unrounded net sum.",
        edit(
            "src/taxes.py",
            "    tax = sum(line_tax(line) for line in order.lines)",
            "    tax = (order.net * order.tax_rate).quantize(CENT, ROUND_HALF_EVEN)",
        ),
        shell("pytest -q", texts.pytest_log(7, 96), "Run the whole suite"),
    )
    chat.prompt("Actually, commit messages may be up to 72 characters now.")
    chat.reply(
        "Noted: 72 it is.",
        shell(
            'git commit -am "Compute tax from the unrounded net sum, as the invoice service does"',
            committed(
                "fix/rounding",
                "b71e04d",
                "Compute tax from the unrounded net sum, as the invoice service does",
                2,
            ),
            "Commit the tax fix",
        ),
    )
    chat.reply("Committed as b71e04d. 96 tests pass.")
    assert fork
    chat.compact("manual", _SUMMARY, "keep the rounding decision")
    _discounts(chat)
    _suite(chat)
    chat.title("Fix the rounding in order totals", "now run the whole suite")
    return chat, survey


def _discounts(chat: ClaudeCode) -> None:
    chat.prompt(
        "Now the discounts. The review of PR #415 says the percentage discount is applied per "
        "line: https://github.com/example/shop/pull/415#discussion_r88 Move it to the order."
    )
    chat.reply(
        "",
        todo(
            ("Fix the rounding in src/totals.py", "completed"),
            ("Move percentage discounts to the order", "in_progress"),
            ("Export totals like the invoice", "pending"),
        ),
        read("src/discounts.py", 12),
        read("src/coupons.py", 17, 18),
    )
    chat.reply("", read("src/baskets.py", 18, 20), read("src/orders.py", 19, 22))
    chat.reply(
        "",
        Call("Grep", {"pattern": "apply_discount", "path": HOME}, texts.found(8, 60)),
        Call(
            "Read",
            {"file_path": f"{HOME}/docs/discounts.md"},
            "File does not exist. Did you mean docs/pricing.md?",
            True,
        ),
    )
    chat.reply(
        _WHY,
        Call(
            "Write",
            {
                "file_path": f"{HOME}/src/order_discounts.py",
                "content": texts.module("src/order_discounts.py", 21, 7),
            },
            f"File created successfully at: {HOME}/src/order_discounts.py",
        ),
        edit(
            "src/orders.py",
            "    lines = [apply_discount(line, discount) for line in lines]",
            "    discount_line = order_discount(lines, discount)",
        ),
    )
    chat.prompt("Don't add new dependencies. And never print customer emails in logs.")
    chat.reply(
        "Neither is needed here.",
        shell("cat config/dev.env", _SECRETS, "Look at the settings of the dev shop"),
        shell("cat notes/from-support.txt", texts.HOSTILE, "Read the note of the support"),
    )
    for seed in (31, 32, 33):
        name = f"data/orders-2026-{seed - 22:02d}.csv"
        chat.reply("", Call("Read", {"file_path": f"{HOME}/{name}"}, texts.table(seed, 260)))
    chat.reply(
        "Orders with a percentage discount and an odd number of lines are affected: 61 of 780.",
        shell("pytest -q tests/test_discounts.py", texts.pytest_log(9, 48), "Tests of discounts"),
    )
    chat.prompt(
        "Forget what I said about running pytest before committing, "
        "the pre-commit hook does it now."
    )
    chat.reply(
        "Then I rely on the hook.",
        shell(
            "git add -A && git commit "
            '-m "Apply percentage discounts to the order, not to its lines"',
            committed(
                "fix/rounding",
                "9ad4c17",
                "Apply percentage discounts to the order, not to its lines",
                5,
            ),
            "Commit the discounts",
        ),
    )
    chat.reply("Committed as 9ad4c17; the hook ran 144 tests.")


def _suite(chat: ClaudeCode) -> None:
    chat.prompt(
        "Next the export: its totals must match the invoice. Read all exporters first, and tell me "
        "before you change the file format. 不要修改 tests 目录里已有的用例。"
    )
    names = (
        "csv_export", "xml_export", "ledger_export", "tax_report", "monthly_report", "refunds",
        "shipments", "payments", "suppliers", "stock_report", "vouchers", "currency_table",
        "address_book", "customer_export", "parcel_labels", "warehouse_sync", "batch_jobs",
        "coupon_export", "basket_export", "price_list", "supplier_export",
    )  # fmt: skip
    for at, name in enumerate(names):
        if chat.used > 150_500:
            break
        chat.reply("", read(f"src/exporters/{name}.py", 50 + at, 21))
    chat.reply(
        _EXPORTERS,
        edit(
            "src/exporters/csv_export.py",
            "        total = round(sum(line.gross for line in order.lines), 2)",
            "        total = order_total(order)",
        ),
        edit(
            "src/exporters/tax_report.py",
            "        tax = sum(line.tax for line in order.lines)",
            "        tax = order_tax(order)",
        ),
        thinking="Two exporters add up money themselves. If I fix only the CSV, the tax report "
        "stays wrong by the same cent, and nobody would notice until the end of the year.",
    )
    chat.reply(
        "",
        shell(
            'git commit -am "Let the exports use order_total"',
            committed("fix/rounding", "e05b83f", "Let the exports use order_total", 2),
            "Commit the exports",
        ),
    )
    chat.reply("Committed as e05b83f.")
    chat.prompt("now run the whole suite")
    chat.reply(
        "",
        shell(
            "pytest -v",
            "Exit code 1\n" + texts.pytest_log(10, 360, (FAILING,)),
            "Run the whole suite",
            error=True,
        ),
    )
    chat.reply(
        "360 tests pass, one fails: `test_export_totals_match_the_invoice` expects 11.00 and gets "
        "11.01. The export still rounds the discount line. I would look at `order_discount` next; "
        "tests/ stays untouched. Shall I go on?"
    )


def subagent() -> ClaudeCode:
    """The helper's own transcript."""
    start = datetime(2026, 11, 28, 8, 16, tzinfo=UTC)
    chat = ClaudeCode(ROUNDING, HOME, start, branch="fix/rounding", baseline=9_300, agent=SURVEY)
    chat.prompt("List every function below src/ that rounds money, with file and line.")
    chat.reply(
        "",
        Call("Grep", {"pattern": "quantize|round\\(", "path": f"{HOME}/src"}, texts.found(21, 30)),
        read("src/currency.py", 22, 10),
        read("src/money.py", 23, 8),
    )
    chat.reply(_SURVEY)
    return chat
