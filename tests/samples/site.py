"""The session of the made-up project `site`, in pi."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

from tests.samples import texts
from tests.samples.claude_code import Call
from tests.samples.pi import Pi

HOME = "/home/dev/site"
PRICING = "019ac2f4-7d18-7c3e-9b42-6f0e8d15a7c3"


def read(path: str, body: str) -> Call:
    return Call("read", {"path": path}, body)


def shell(command: str, result: str, *, error: bool = False) -> Call:
    return Call("bash", {"command": command}, result, error)


def edit(path: str, old: str, new: str) -> Call:
    given = {"path": path, "edits": [{"oldText": old, "newText": new}]}
    return Call("edit", given, f"Successfully replaced 1 block(s) in {path}.")


def pricing() -> Pi:
    """The pricing page: a compaction that kept a tail, and a branch that was given up."""
    chat = Pi(PRICING, HOME, datetime(2026, 11, 27, 8, 30, 12, tzinfo=UTC))
    picture = base64.b64encode(texts.picture(240, 150, 3)).decode()
    chat.prompt(
        "Draw the pricing page like this sketch: three plans side by side, yearly prices below. "
        "Plain HTML and CSS, no JavaScript frameworks. Never commit to main, always use a branch.",
        picture,
    )
    chat.entry("session_info", name="Draw the pricing page")
    chat.reply(
        "I'll look at the plans and at the existing pages.",
        read("content/plans.json", texts.table(41, 60)),
        read("public/index.html", texts.page(42, 40)),
    )
    chat.reply("", read("public/style.css", texts.page(43, 60)), shell("ls public", _FILES))
    chat.reply(
        "",
        shell("git switch -c pricing-page", "Switched to a new branch 'pricing-page'"),
        Call(
            "write",
            {"path": "public/pricing.html", "content": texts.page(44, 24)},
            "Successfully wrote 5871 bytes to public/pricing.html",
        ),
    )
    drawn = chat.reply("The page is there: three plans in a grid, one column below 640 pixels.")
    chat.entry("label", targetId=drawn, label="first draft")
    chat.prompt("Would Tailwind make this shorter? Try it.")
    chat.reply(
        "",
        shell("npm view tailwindcss version", "4.1.14"),
        Call(
            "write",
            {"path": "public/pricing-tailwind.html", "content": texts.page(45, 12)},
            "Successfully wrote 3011 bytes to public/pricing-tailwind.html",
        ),
    )
    chat.reply("It is 40 lines shorter, but needs a build step that the site does not have.")
    chat.go_back(drawn, _TAILWIND)
    chat.prompt("OK, no Tailwind. Prices must come from content/plans.json, don't hard-code them.")
    chat.reply(
        "Then a small script has to fill the page when the site is built.",
        read("build.py", texts.module("build.py", 46, 16)),
        edit("build.py", "    render(page)", "    render(page, plans=load_plans())"),
    )
    chat.reply(
        "",
        shell(
            "python build.py && vnu public/pricing.html",
            'Error: public/pricing.html:41: error: Duplicate ID "plan-2".\n\nCommand exited with '
            "code 1",
            error=True,
        ),
    )
    first = chat.reply(
        "The template repeats the id. I number the plans in the loop instead.",
        edit("public/pricing.html", 'id="plan-2"', 'id="plan-{{ loop.index }}"'),
        shell("python build.py && vnu public/pricing.html", "built 14 pages\n0 errors"),
    )
    kept = chat.prompt("Good. Commit it. The subject should name the page.")
    assert first
    chat.reply(
        "",
        shell(
            'git add -A && git commit -m "Add the pricing page (#57)"',
            "[pricing-page 6e0d9b2] Add the pricing page (#57)\n"
            " 3 files changed, 214 insertions(+)",
        ),
    )
    chat.reply("Committed as 6e0d9b2 on pricing-page.")
    chat.compact(_SUMMARY, kept)
    chat.prompt("Now the yearly prices: show the saving against twelve months, rounded down.")
    chat.reply(
        "",
        read("public/pricing.html", texts.page(47, 60)),
        read("content/plans.json", texts.table(41, 150)),
        read("build.py", texts.module("build.py", 48, 24)),
        edit(
            "build.py", "    yearly = plan.price * 12", "    saving = plan.price * 12 - plan.yearly"
        ),
    )
    chat.ran("git status --short", " M build.py\n M public/pricing.html\n")
    chat.entry(
        "custom_message",
        customType="link-check",
        content="link-check: https://site.example/pricing#faq answers 404",
        display=True,
    )
    chat.prompt("价格旁边要写明含税。顺便修好上面那个死链接。")
    chat.reply(
        "我在每个价格后面加上“含税”，并把链接改到 #questions。",
        edit("public/pricing.html", 'href="#faq"', 'href="#questions"'),
        shell("python build.py && vnu public/pricing.html", "built 14 pages\n0 errors"),
    )
    chat.reply("完成：价格注明含税，死链接已修复。还没有提交，要提交吗？")
    return chat


_FILES = "about.html\nindex.html\nlogo.svg\nstyle.css\nterms.html"
_TAILWIND = """\
The user explored a different conversation branch before returning here.
Summary of that exploration:

## Goal
Try Tailwind for the pricing page

## Key Decisions
- **Rejected Tailwind**: 40 lines shorter, but the site has no build step for it"""
# Two rules of the user are not in it: no frameworks, and never to commit to main.
_SUMMARY = """\
## Goal
Draw the pricing page of the site: three plans side by side, yearly prices below.

## Constraints & Preferences
- Prices come from content/plans.json

## Progress
### Done
- [x] public/pricing.html with a grid of three plans
- [x] build.py fills in the prices
- [x] Duplicate id in the template fixed

### In Progress
- [ ] Commit

## Key Decisions
- **No Tailwind**: it needs a build step

## Next Steps
1. Commit the page

<read-files>
content/plans.json
public/index.html
public/style.css
</read-files>

<modified-files>
build.py
public/pricing.html
</modified-files>"""
