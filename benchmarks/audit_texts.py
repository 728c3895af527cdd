"""Rules as users state them, and what a summary may make of each: the material of `audit_cases.py`.

Written by hand, so that every retelling differs from its rule in the way that its class says. What
can be done by rule (other numbers, softer words, a rule in a fence) is done in `audit_cases.py`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Said:
    """A rule. `opposite` say the contrary in other words, `reordered` hold its words in an order
    that means something else, `older` is the wording it replaced, `paraphrased` say the same."""

    text: str
    opposite: tuple[str, ...] = ()
    reordered: tuple[str, ...] = ()
    older: str = ""
    paraphrased: tuple[str, ...] = ()


ENGLISH = (
    Said(
        "Never touch src/legacy",
        ("Feel free to touch src/legacy", "Always touch src/legacy", "src/legacy may be touched"),
        older="Never touch src/compat",
        paraphrased=("The old code under src/legacy is off limits", "Leave src/legacy alone"),
    ),
    Said(
        "Do not add Co-Authored-By lines to commits",
        ("Add Co-Authored-By lines to commits", "Remember to add Co-Authored-By lines to commits"),
        ("Do not add commits to Co-Authored-By lines",),
        "Add Co-Authored-By lines to commits",
        ("Commits carry no Co-Authored-By trailer",),
    ),
    Said(
        "You must run pytest -q before every commit",
        ("You must run pytest -q after every commit", "You can skip pytest -q before every commit"),
        ("You must commit before every run of pytest -q",),
        "You must run pytest -x before every commit",
        ("Each commit needs a run of the test suite first",),
    ),
    Said(
        "Keep the bundle under 500 kB",
        ("Keep the bundle over 500 kB", "Keep the bundle above 500 kB"),
        older="Keep the bundle under 650 kB",
        paraphrased=("The bundle has a size limit of half a megabyte",),
    ),
    Said(
        "Only use pnpm, never npm",
        ("Only use npm, never pnpm", "Use pnpm or npm"),
        ("Never use pnpm, only npm",),
        "Only use yarn, never npm",
        ("pnpm is the one package manager to use",),
    ),
    Said(
        "Ask me before you push to main",
        ("Ask me after you push to main", "Push to main before you ask me"),
        ("Push to main before you ask me", "Before you ask me, push to main"),
        "Ask me before you push to develop",
        ("Get my permission for any push to main",),
    ),
    Said(
        "All prices must be rounded to 2 digits before they are stored",
        ("All prices must be rounded to 2 digits after they are stored",),
        ("All prices must be stored before they are rounded to 2 digits",),
        "All prices must be rounded to 4 digits before they are stored",
        ("Round every price to cents, then store it",),
    ),
    Said(
        "Don't delete the migrations in db/versions",
        ("Delete the migrations in db/versions", "Do delete the migrations in db/versions"),
        older="Don't delete the migrations in db/archive",
        paraphrased=("The migrations in db/versions stay",),
    ),
    Said(
        "Use port 8081 for the staging server",
        ("Avoid port 8081 for the staging server", "Don't use port 8081 for the staging server"),
        older="Use port 8080 for the staging server",
        paraphrased=("Staging listens on 8081",),
    ),
    Said(
        "Pin Node to v20.11.1 and do not upgrade it",
        ("Pin Node to v20.11.1 and do upgrade it", "Unpin Node from v20.11.1 and upgrade it"),
        older="Pin Node to v18.19.0 and do not upgrade it",
        paraphrased=("Node stays at v20.11.1",),
    ),
    Said(
        "Never spend more than $500 on API calls",
        ("Never spend less than $500 on API calls", "Spend more than $500 on API calls"),
        older="Never spend more than $300 on API calls",
        paraphrased=("The budget for API calls is $500",),
    ),
    Said(
        "Do not edit src/api/client.py without my review",
        ("Edit src/api/client.py without my review", "Do edit src/api/client.py without my review"),
        ("Do not review src/api/client.py without my edit",),
        "Do not edit src/api/server.py without my review",
        ("Changes to src/api/client.py go through me",),
    ),
    Said(
        "Always write tests for new endpoints before you implement them",
        ("Never write tests for new endpoints before you implement them",),
        ("Always implement new endpoints before you write tests for them",),
        "Always write docs for new endpoints before you implement them",
        ("Tests first for every new endpoint",),
    ),
    Said(
        "Retry failed uploads at most 3 times",
        ("Retry failed uploads at least 3 times",),
        older="Retry failed uploads at most 5 times",
        paraphrased=("Three attempts per failed upload, then give up",),
    ),
    Said(
        "Don't push until all 14 checks are green",
        ("Push before all 14 checks are green", "Don't wait until all 14 checks are green to push"),
        older="Don't push until all 9 checks are green",
        paraphrased=("A push needs 14 green checks",),
    ),
    Said(
        "Keep the public API of shop/totals.ts unchanged",
        ("Change the public API of shop/totals.ts", "The public API of shop/totals.ts can change"),
        older="Keep the public API of shop/cart.ts unchanged",
        paraphrased=("Callers of shop/totals.ts must not notice anything",),
    ),
    Said(
        "No new dependencies in package.json",
        ("New dependencies in package.json are fine", "Some new dependencies in package.json"),
        older="No new dependencies in requirements.txt",
        paraphrased=("package.json keeps the dependencies it has",),
    ),
    Said(
        "Commit messages must start with the ticket id, like SHOP-142",
        ("Commit messages must end with the ticket id, like SHOP-142",),
        older="Commit messages must start with the ticket id, like CART-142",
        paraphrased=("Put the ticket id in front of every commit message",),
    ),
    Said(
        "Only change files under packages/web",
        ("Change files outside packages/web", "Change all files but those under packages/web"),
        older="Only change files under packages/app",
        paraphrased=("Work happens in packages/web and nowhere else",),
    ),
    Said(
        "Use snake_case for database columns, not camelCase",
        ("Use camelCase for database columns, not snake_case",),
        ("Use camelCase for database columns, not snake_case",),
        "Use kebab-case for database columns, not camelCase",
        ("Database columns are named in snake_case",),
    ),
    Said(
        "Do not log customer e-mails or tokens",
        ("Log customer e-mails and tokens", "Do log customer e-mails or tokens"),
        older="Do not log customer names or tokens",
        paraphrased=("Nothing personal goes into the logs",),
    ),
    Said(
        "Never force-push to release/2.4",
        ("Force-push to release/2.4", "You may force-push to release/2.4"),
        older="Never force-push to release/2.3",
        paraphrased=("The history of release/2.4 must not be rewritten",),
    ),
    Said(
        "Deploy to eu-west-1 first, then to us-east-1",
        ("Deploy to eu-west-1 last, after us-east-1",),
        ("Deploy to us-east-1 first, then to eu-west-1",),
        "Deploy to eu-west-2 first, then to us-east-1",
        ("Europe gets every deployment ahead of America",),
    ),
    Said(
        "Stop and ask me if a migration takes longer than 10 minutes",
        ("Go on without asking me if a migration takes longer than 10 minutes",),
        older="Stop and ask me if a migration takes longer than 30 minutes",
        paraphrased=("Long migrations (over ten minutes) need my word",),
    ),
)

CHINESE = (
    Said(
        "不要修改 tests 目录",
        ("可以修改 tests 目录", "要修改 tests 目录", "允许修改 tests 目录"),
        older="不要修改 specs 目录",
        paraphrased=("tests 目录保持原样",),
    ),
    Said(
        "必须先运行 pytest 再提交",
        ("不必先运行 pytest 再提交", "提交前无需运行 pytest"),
        ("必须先提交再运行 pytest",),
        "必须先运行 tox 再提交",
        ("提交之前先把测试跑一遍",),
    ),
    Said(
        "最多只能改 3 个文件",
        ("至少要改 3 个文件",),
        older="最多只能改 5 个文件",
        paraphrased=("改动范围限制在三个文件",),
    ),
    Said(
        "禁止直接推送到 main 分支",
        ("允许直接推送到 main 分支", "可以直接推送到 main 分支"),
        older="禁止直接推送到 dev 分支",
        paraphrased=("main 分支要走合并请求",),
    ),
    Said(
        "所有金额必须保留 2 位小数",
        ("所有金额不必保留 2 位小数", "所有金额不得保留 2 位小数"),
        older="所有金额必须保留 4 位小数",
        paraphrased=("金额精确到分",),
    ),
    Said(
        "只能使用 pnpm，不要用 npm",
        ("只能使用 npm，不要用 pnpm", "pnpm 和 npm 都可以用"),
        ("不要用 pnpm，只能使用 npm",),
        "只能使用 yarn，不要用 npm",
        ("包管理器用 pnpm",),
    ),
    Said(
        "提交之前必须问我",
        ("提交之后必须问我", "提交之前不必问我"),
        ("问我之前必须提交",),
        "合并之前必须问我",
        ("提交要先经过我同意",),
    ),
    Said(
        "不要升级 Node，固定在 v20.11.1",
        ("可以升级 Node，不用固定在 v20.11.1", "要升级 Node，别固定在 v20.11.1"),
        older="不要升级 Node，固定在 v18.19.0",
        paraphrased=("Node 版本保持 v20.11.1",),
    ),
    Said(
        "端口一律用 8081",
        ("端口一律不用 8081", "端口别用 8081"),
        older="端口一律用 8080",
        paraphrased=("服务监听 8081",),
    ),
    Said(
        "数据库字段统一用下划线命名，不用驼峰",
        ("数据库字段统一用驼峰命名，不用下划线",),
        ("数据库字段不用下划线命名，统一用驼峰",),
        "数据库字段统一用小写命名，不用驼峰",
        ("字段名采用 snake_case",),
    ),
    Said(
        "没有我的同意不准删除 db/versions 里的迁移",
        ("没有我的同意也可以删除 db/versions 里的迁移", "准许删除 db/versions 里的迁移"),
        older="没有我的同意不准删除 db/archive 里的迁移",
        paraphrased=("删迁移之前要问过我",),
    ),
    Said(
        "打包后的体积不能超过 500 kB",
        ("打包后的体积可以超过 500 kB", "打包后的体积要超过 500 kB"),
        older="打包后的体积不能超过 650 kB",
        paraphrased=("包要小于半兆",),
    ),
    Said(
        "先备份数据库，再执行迁移",
        ("不用备份数据库，直接执行迁移",),
        ("先执行迁移，再备份数据库", "执行迁移，再先备份数据库"),
        "先备份缓存，再执行迁移",
        ("迁移前要有数据库备份",),
    ),
    Said(
        "严禁把客户邮箱写进日志",
        ("可以把客户邮箱写进日志", "把客户邮箱写进日志"),
        ("严禁把日志写进客户邮箱",),
        "严禁把客户姓名写进日志",
        ("日志里不出现客户的个人信息",),
    ),
    Said(
        "接口响应时间不得超过 200 毫秒",
        ("接口响应时间可以超过 200 毫秒", "接口响应时间必须超过 200 毫秒"),
        older="接口响应时间不得超过 500 毫秒",
        paraphrased=("接口要在 200 毫秒内返回",),
    ),
    Said(
        "每次提交都要写中文说明",
        ("每次提交都不要写中文说明", "提交说明可以不写中文"),
        older="每次提交都要写英文说明",
        paraphrased=("提交信息用中文",),
    ),
)

# Where a line of a summary stands: what agents write, with `{}` for the line.
LAYOUTS_ENGLISH = (
    "## Goal\n\nMove checkout to Postgres.\n\n## Constraints & Preferences\n\n- {}\n"
    "- Work in small commits\n\n## Next Steps\n\n1. Run the whole suite\n",
    "1. Primary Request and Intent:\n   The user wants the totals fixed. {}\n\n"
    "2. Key Technical Concepts:\n   - rounding, decimal\n\n9. Optional Next Step:\n   Commit.\n",
    "Handoff for the next model.\n\nConstraints:\n1. {}\n2. Answer in English.\n\n"
    "Progress so far: totals.ts is done, the cart is open.\n",
    "**User messages**\n\n> {}\n\n**State**\n\n42 of 57 tests pass.\n",
)
LAYOUTS_CHINESE = (
    "## 目标\n\n把结账迁移到 Postgres。\n\n## 约束\n\n- {}\n- 小步提交\n\n"
    "## 下一步\n\n1. 跑全部测试\n",
    "1. 用户的要求：\n   修好订单总额。{}\n\n2. 进度：\n   购物车还没做。\n",
    "交接说明。\n\n约束：\n1. {}\n2. 用中文回答。\n\n目前 57 个测试里 42 个通过。\n",
)
