"""The shorter sessions of the made-up project `shop`, in Claude Code."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.samples import texts
from tests.samples.claude_code import Call, ClaudeCode
from tests.samples.shop_calls import (
    EXPORT,
    HOME,
    POSTGRES,
    committed,
    edit,
    read,
    shell,
    todo,
)


def export() -> ClaudeCode:
    """The same project, spoken Chinese."""
    start = datetime(2026, 11, 29, 1, 30, tzinfo=UTC)
    chat = ClaudeCode(EXPORT, HOME, start, model="claude-sonnet-4-5-20250929", branch="feature/csv")
    chat.prompt(
        "给订单导出加上 CSV 格式，参考 #398。不要修改 tests 目录。"
        "提交前必须先跑 pytest。回复一律用中文。"
    )
    chat.reply(
        "好的，我先看一下现有的导出代码。",
        todo(
            ("阅读现有导出代码", "in_progress"),
            ("实现 CSV 导出", "pending"),
            ("更新文档", "pending"),
        ),
        read("src/exporters/base.py", 71, 12),
        read("src/exporters/xml_export.py", 51, 16),
    )
    chat.reply(
        "现有导出都继承 `Exporter`，我决定新增一个 `CsvExporter`，因为这样不用改动调用方。",
        Call(
            "Write",
            {
                "file_path": f"{HOME}/src/exporters/csv_export.py",
                "content": texts.module("src/exporters/csv_export.py", 72, 8),
            },
            f"File created successfully at: {HOME}/src/exporters/csv_export.py",
        ),
    )
    chat.prompt("CSV 必须用 UTF-8 带 BOM，财务要用 Excel 打开。以后不要用 pandas。")
    chat.reply(
        "明白：带 BOM，只用标准库。",
        edit(
            "src/exporters/csv_export.py",
            '    with path.open("w") as file:',
            '    with path.open("w", encoding="utf-8-sig", newline="") as file:',
        ),
        shell(
            "pytest -q tests/test_export.py",
            "Exit code 1\nE       UnicodeEncodeError: 'ascii' codec can't encode characters in "
            "position 3-4: ordinal not in range(128)\nsrc/exporters/csv_export.py:88: "
            "UnicodeEncodeError\n1 failed, 11 passed in 0.84s",
            "运行导出测试",
            error=True,
        ),
    )
    chat.reply(
        "标题行用了另一个写入函数，编码没有传进去。",
        edit(
            "src/exporters/csv_export.py",
            "    header(file)",
            '    header(file, encoding="utf-8-sig")',
        ),
        shell("pytest -q tests/test_export.py", texts.pytest_log(73, 12), "运行导出测试"),
    )
    chat.reply("12 个测试全部通过。文件名、列顺序与 XML 导出一致。")
    for seed in (34, 35, 36):
        path = f"{HOME}/data/orders-2026-{seed - 24}.csv"
        chat.reply(
            "再核对一下真实数据。", Call("Read", {"file_path": path}, texts.table(seed, 240))
        )
    chat.prompt(
        "刚才说的 BOM 不用了，改成不带 BOM。tests 目录可以加新文件，但不要改已有的。"
        "提交前跑 pytest 的要求取消，钩子会跑。"
    )
    chat.reply(
        "改好了，并新增了一个测试文件。",
        edit(
            "src/exporters/csv_export.py",
            '    with path.open("w", encoding="utf-8-sig", newline="") as file:',
            '    with path.open("w", encoding="utf-8", newline="") as file:',
        ),
        Call(
            "Write",
            {
                "file_path": f"{HOME}/tests/test_csv_export.py",
                "content": texts.module("tests/test_csv_export.py", 74, 5),
            },
            f"File created successfully at: {HOME}/tests/test_csv_export.py",
        ),
        shell("pytest -q", texts.pytest_log(75, 120), "运行全部测试"),
    )
    chat.reply(
        "",
        shell(
            'git add -A && git commit -m "订单导出支持 CSV (#398)"',
            committed("feature/csv", "c4a81e6", "订单导出支持 CSV (#398)", 3),
            "提交",
        ),
    )
    chat.reply("已提交 c4a81e6，120 个测试全部通过。推送之前会先问你。")
    chat.title("给订单导出加上 CSV 格式", "刚才说的 BOM 不用了，改成不带 BOM。")
    return chat


def postgres() -> ClaudeCode:
    """A session that was interrupted."""
    start = datetime(2026, 11, 26, 14, 5, tzinfo=UTC)
    chat = ClaudeCode(POSTGRES, HOME, start, branch="checkout-postgres")
    chat.prompt(
        "Move checkout from SQLite to Postgres. Keep the SQLite driver for the tests, and do not "
        "change the public API of checkout."
    )
    chat.reply("", read("src/checkout/store.py", 81, 20), read("src/checkout/schema.py", 82, 18))
    for at in range(13):
        chat.reply("", read(f"src/checkout/step_{at + 1}.py", 83 + at, 19))
    chat.reply(
        "The schema needs one change: `orders.placed_at` has to become `timestamptz`.",
        edit(
            "src/checkout/schema.py",
            "placed_at TEXT NOT NULL",
            "placed_at TIMESTAMPTZ NOT NULL",
        ),
        shell(
            "alembic upgrade head",
            "Exit code 1\nsqlalchemy.exc.OperationalError: (psycopg.OperationalError) connection "
            'to server at "127.0.0.1", port 5432 failed: Connection refused',
            "Run the migrations",
            error=True,
        ),
    )
    chat.prompt("[Request interrupted by user]", wait=4)
    chat.title("Move checkout to Postgres", "Move checkout from SQLite to Postgres.")
    return chat
