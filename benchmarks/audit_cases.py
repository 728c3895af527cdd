"""Summaries that lost or changed something, made by operators from `audit_texts.py`.

Every case is one thing that was said or done, and a summary. In a faithful case the summary holds
it word for word; in all others it does not, and an audit that says so is wrong. Nothing is random:
the same cases are made on every run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from benchmarks.audit_anchors import anchor_cases
from benchmarks.audit_case import FAITHFUL, Case, rule_case
from benchmarks.audit_texts import (
    CHINESE,
    ENGLISH,
    LAYOUTS_CHINESE,
    LAYOUTS_ENGLISH,
    Said,
)

_WEAKER_ENGLISH = (
    (r"\bNever (\w)", r"Try not to \1"), (r"\bNever (\w)", r"Avoid, if you can, to \1"),
    (r"\bNever ", "You should not "), (r"\bmust\b", "should"), (r"\bmust\b", "could"),
    (r"\bDo not ", "Try not to "), (r"\bDon't ", "Try not to "), (r"\bDo not ", "Rather do not "),
    (r"\bDon't ", "Better not "), (r"\bAlways ", "Usually "), (r"\bOnly ", "Preferably only "),
    (r"\bUse ", "Consider to use "), (r"\bKeep ", "Try to keep "), (r"\bAsk ", "You may ask "),
    (r"\bStop ", "You might stop "), (r"\bNo new ", "As few new "), (r"\bPin ", "Try to pin "),
    (r"\A(.*)\Z", r"\1 where possible"), (r"\A(.*)\Z", r"Ideally: \1"),
    (r"\A(.*)\Z", r"\1, unless it is urgent"), (r"\A(.*)\Z", r"\1 (preferably)"),
    (r"\A(.*)\Z", r"\1 - if there is time"), (r"\A(.*)\Z", r"If asked: \1"),
)  # fmt: skip
_WEAKER_CHINESE = (
    ("必须", "尽量"), ("必须", "最好"), ("必须", "应该"), ("不要", "尽量不要"),
    ("不要", "最好不要"), ("禁止", "不建议"), ("禁止", "尽量避免"), ("只能", "尽量只"),
    ("一律", "一般"), ("统一", "一般"), ("严禁", "不建议"), ("不准", "最好不"), ("不得", "尽量不"),
    ("不能", "尽量不"), ("都要", "最好"),
    (r"\A(.*)\Z", r"\1，除非很急"), (r"\A(.*)\Z", r"原则上\1"), (r"\A(.*)\Z", r"\1（尽可能）"),
    (r"\A(.*)\Z", r"如果有时间：\1"), (r"\A(.*)\Z", r"\1，暂时如此"),
)  # fmt: skip
_NEGATED_ENGLISH = (
    (r"\bNever (\w+)", r"\1"), (r"\bNever (\w+)", r"You may \1"), (r"\bDo not ", "Do "),
    (r"\bDon't ", "Do "), (r"\bmust\b", "must not"), (r"\bmust\b", "need not"),
    (r"\bAlways ", "Do not "), (r"\bOnly ", "Do not only "), (r"\bUse ", "Never use "),
    (r"\bKeep ", "Do not keep "), (r"\bAsk ", "Don't ask "), (r"\bNo new ", "Any new "),
    (r"\bRetry ", "Do not retry "), (r"\bDeploy ", "Do not deploy "), (r"\bPin ", "Do not pin "),
    (r"\A(.*)\Z", r"It is not true that: \1"), (r"\A(.*)\Z", r"The user did not say: \1"),
    (r"\A(.*)\Z", r"\1 - this is not required any more"), (r"\A(.*)\Z", r"\1? No."),
    (r"\A(.*)\Z", r"\1. That was lifted."), (r"\A(.*)\Z", r"Do the opposite of this: \1"),
    (r"\A(.*)\Z", r"\1\n  (this no longer applies)"), (r"\A(.*)\Z", r"~~\1~~"),
)  # fmt: skip
_NEGATED_CHINESE = (
    ("不要", "要"), ("不要", "可以"), ("必须", "不必"), ("必须", "无需"), ("禁止", "允许"),
    ("只能", "不必只"), ("不得", "可以"), ("不能", "能"), ("严禁", "可以"), ("不准", "准许"),
    ("最多", "至少"), ("都要", "都不要"), ("一律", "一律不"), ("先", "不用先"),
    (r"\A(.*)\Z", r"不再要求：\1"), (r"\A(.*)\Z", r"\1，这一条已取消"),
    (r"\A(.*)\Z", r"\1？不用。"),
    (r"\A(.*)\Z", r"用户没有说：\1"), (r"\A(.*)\Z", r"\1。以上已作废。"), (r"\A(.*)\Z", r"~~\1~~"),
)  # fmt: skip
_OUTDATED_ENGLISH = (
    'The old rule was: "{}"', "Previously: {}", "Originally the user said: {}", "{} (superseded)",
    "Earlier rule, replaced since: {}", "At first: {}", "{} - outdated", "It used to be: {}",
    "Until yesterday: {}", "~~{}~~ replaced", "Before the change: {}", "{} [obsolete]",
    "The user first asked: {} Later this changed.", "<!-- {} -->", "Deprecated: {}",
)  # fmt: skip
_OUTDATED_CHINESE = (
    "旧规则是：{}", "以前的要求：{}", "最初用户说：{}", "{}（已被替换）", "之前：{}", "{}（过时）",
    "原来的规则：“{}”", "曾经要求：{}", "~~{}~~", "已废弃：{}",
)  # fmt: skip
_PAST_BLOCKS_ENGLISH = (
    "## Superseded\n\n- {}\n", "**Old rules**\n\n- {}\n", "Rules that no longer hold:\n\n- {}\n",
    "## Earlier instructions, replaced\n\n- {}\n", "The following was withdrawn:\n- {}\n",
)  # fmt: skip
_PAST_BLOCKS_CHINESE = ("## 旧规则\n\n- {}\n", "**已作废**\n\n- {}\n", "以下规则已取消：\n- {}\n")
_EXAMPLES_ENGLISH = (
    "```\n{}\n```", "```markdown\n- {}\n```", "~~~text\n{}\n~~~", "For example: {}", "e.g. {}",
    "Example rule: {}", "## Examples\n\n- {}\n", 'A rule could look like this: "{}"',
    'The README of another project says: "{}"', "Sample output:\n\n    {}\n",
    "The tool printed: {}", "Suppose the rule were: {}", 'A test expects the text "{}"',
)  # fmt: skip
_EXAMPLES_CHINESE = (
    "```\n{}\n```", "例如：{}", "示例：{}", "比如“{}”", "## 示例\n\n- {}\n",
    "别的项目的文档里写着：{}", "假设规则是：{}",
)  # fmt: skip
_FAITHFUL_ENGLISH = (
    "{}", "**{}**", 'The user said: "{}"', "Rule: {}", "User constraint: {}", "IMPORTANT: {}",
    "`{}`", "{} (stated by the user)", "Hard constraint: {}", "The user requires: {}",
    "**Rule 1:** {}",
)  # fmt: skip
_FAITHFUL_CHINESE = ("{}", "**{}**", "用户说：“{}”", "规则：{}", "用户要求：{}", "重要：{}", "{}。")
_NAMES = re.compile(
    r"[\w-]+(?:[/.][\w-]+)+|\b[A-Za-z]+[_-][\w-]+|\b(?:pnpm|npm|pytest|main|Node)\b|\b[A-Z]{4}-\d+"
)
_NUMBERS = re.compile(r"\d+(?:\.\d+)*")
_UNITS = (
    ("kB", "MB"),
    ("digits", "numbers"),
    ("minutes", "hours"),
    ("毫秒", "秒"),
    ("times", "days"),
)


@dataclass(frozen=True, slots=True)
class _Language:
    """A language's rules and the operators on them."""

    name: str
    rules: tuple[Said, ...]
    layouts: tuple[str, ...]
    weaker: tuple[tuple[str, str], ...]
    negated: tuple[tuple[str, str], ...]
    outdated: tuple[str, ...]
    past_blocks: tuple[str, ...]
    examples: tuple[str, ...]
    faithful: tuple[str, ...]
    update: str


_LANGUAGES = (
    _Language("en", ENGLISH, LAYOUTS_ENGLISH, _WEAKER_ENGLISH, _NEGATED_ENGLISH, _OUTDATED_ENGLISH,
              _PAST_BLOCKS_ENGLISH, _EXAMPLES_ENGLISH, _FAITHFUL_ENGLISH, "Update: {}"),
    _Language("zh", CHINESE, LAYOUTS_CHINESE, _WEAKER_CHINESE, _NEGATED_CHINESE, _OUTDATED_CHINESE,
              _PAST_BLOCKS_CHINESE, _EXAMPLES_CHINESE, _FAITHFUL_CHINESE, "更新：{}"),
)  # fmt: skip


def cases() -> Iterator[Case]:
    """All cases, of rules and then of anchors."""
    for language in _LANGUAGES:
        for said in language.rules:
            yield from _of_rule(language, said)
    yield from anchor_cases()


def _of_rule(language: _Language, said: Said) -> Iterator[Case]:
    operators: tuple[tuple[str, Callable[[_Language, Said], Iterable[str]]], ...] = (
        (FAITHFUL, _faithful), ("dropped", _dropped), ("weakened", _weakened), ("value", _values),
        ("identifier", _identifiers), ("negated", _negated), ("opposite", _opposites),
        ("reordered", _reordered), ("words swapped", _swapped), ("split", _split),
        ("taken back elsewhere", _taken_back), ("cut short", _shortened),
        ("outdated", _outdated), ("example", _examples), ("paraphrased", _paraphrased),
    )  # fmt: skip
    for name, operator in operators:
        for summary in dict.fromkeys(operator(language, said)):
            yield rule_case(name, language.name, said.text, summary)
    if said.older:
        for layout in language.layouts:
            summary = layout.format(said.older)
            yield rule_case("older value", language.name, said.text, summary, older=said.older)


def _laid_out(language: _Language, lines: Iterable[str]) -> Iterator[str]:
    """Each line in one of the layouts, each layout in its turn."""
    for number, line in enumerate(lines):
        yield language.layouts[number % len(language.layouts)].replace("{}", line)


def _faithful(language: _Language, said: Said) -> Iterator[str]:
    for number, form in enumerate(language.faithful):
        line = form.format(said.text)
        yield language.layouts[number % len(language.layouts)].replace("{}", line)
        yield language.layouts[(number + 1) % len(language.layouts)].replace("{}", line)


def _dropped(language: _Language, said: Said) -> Iterator[str]:
    others = [other.text for other in language.rules if other is not said]
    yield from (layout.replace("{}", "\n- ".join(others)) for layout in language.layouts[:1])
    yield from (layout.replace("{}", others[0]) for layout in language.layouts)


def _rewritten(said: Said, rewrites: tuple[tuple[str, str], ...]) -> Iterator[str]:
    for pattern, instead in rewrites:
        became, count = re.subn(pattern, instead, said.text, count=1)
        if count:
            yield became[:1].upper() + became[1:]


def _weakened(language: _Language, said: Said) -> Iterator[str]:
    return _laid_out(language, _rewritten(said, language.weaker))


def _negated(language: _Language, said: Said) -> Iterator[str]:
    return _laid_out(language, _rewritten(said, language.negated))


def _opposites(language: _Language, said: Said) -> Iterator[str]:
    for line in said.opposite:
        yield from (layout.replace("{}", line) for layout in language.layouts)


def _values(language: _Language, said: Said) -> Iterator[str]:
    def changed() -> Iterator[str]:
        for number in _NUMBERS.finditer(said.text):
            head, tail = said.text[: number.start()], said.text[number.end() :]
            last = number[0].rpartition(".")[2]
            for other in (number[0] + "0", "1" + number[0], number[0] + ".1", "1," + number[0]):
                yield head + other + tail
            yield head + number[0].removesuffix(last) + str(int(last) + 1) + tail
        for unit, other in _UNITS:
            if unit in said.text:
                yield said.text.replace(unit, other)

    return _laid_out(language, changed())


def _identifiers(language: _Language, said: Said) -> Iterator[str]:
    def changed() -> Iterator[str]:
        for name in _NAMES.finditer(said.text):
            head, tail = said.text[: name.start()], said.text[name.end() :]
            for other in (
                name[0] + "2", name[0] + "-old", name[0] + "_v2", name[0] + ".bak", "my" + name[0],
                name[0] + "/sub", name[0][:-1], "other/" + name[0],
            ):  # fmt: skip
                yield head + other + tail

    return _laid_out(language, changed())


def _reordered(language: _Language, said: Said) -> Iterator[str]:
    for line in said.reordered:
        yield from (layout.replace("{}", line) for layout in language.layouts)


def _swapped(language: _Language, said: Said) -> Iterator[str]:
    def changed() -> Iterator[str]:
        words = said.text.split()
        for first in range(len(words) - 1):
            moved = [*words[:first], words[first + 1], words[first], *words[first + 2 :]]
            yield " ".join(moved)
        yield " ".join(reversed(words)) if len(words) > 1 else said.text[::-1]

    return _laid_out(language, (line for line in changed() if line != said.text))


def _split(_language: _Language, said: Said) -> Iterator[str]:
    words = re.findall(r"[!-~]+\s*|[^!-~]\s*", said.text)
    for at in sorted({1, len(words) // 2, len(words) - 1}):
        first, second = "".join(words[:at]).strip(), "".join(words[at:]).strip()
        yield f"## Done\n\n- {first}\n\n## Files\n\n- {second}\n"
        yield f"- {first}\n- {second}\n"
        yield f"1. {first}\n\n2. {second}\n"
        yield f"{first}\n\n{second}\n"
        yield f"| {first} | {second} |\n"
        yield f"# {first}\n{second}\n"


def _shortened(language: _Language, said: Said) -> Iterator[str]:
    words = re.findall(r"[!-~]+\s*|[^!-~]\s*", said.text)

    def changed() -> Iterator[str]:
        for at in range(len(words)):
            yield "".join(words[:at] + words[at + 1 :]).strip()
        yield "".join(words[: len(words) * 2 // 3]).strip() + "..."

    return _laid_out(language, changed())


def _taken_back(language: _Language, said: Said) -> Iterator[str]:
    """The rule stands there, and somewhere else what takes it back."""
    for line in said.opposite:
        both = f"{said.text}\n- {language.update.format(line)}"
        yield language.layouts[0].replace("{}", both)
        yield f"{language.layouts[0].replace('{}', said.text)}\n## Notes\n\n- {line}\n"


def _outdated(language: _Language, said: Said) -> Iterator[str]:
    yield from _laid_out(language, (form.format(said.text) for form in language.outdated))
    for form in language.past_blocks:
        yield f"## Goal\n\nShip\n\n{form.format(said.text)}\n## Done\n\n- x\n"


def _examples(language: _Language, said: Said) -> Iterator[str]:
    for form in language.examples:
        yield f"## Goal\n\nShip\n\n{form.format(said.text)}\n\n## Done\n\n- x\n"


def _paraphrased(language: _Language, said: Said) -> Iterator[str]:
    return _laid_out(language, said.paraphrased)
