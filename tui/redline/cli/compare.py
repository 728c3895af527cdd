"""`redline compare`: the strategies side by side on one session. Nothing is written but, with
`--take S -o PLAN`, the plan of one of them, which `--plan PLAN` takes up again.

Exit status 1 says that none of them makes a plan that changes anything.

JSON: `{"schema": 1, "session": {"agent", "id"}, "strategy", "window", "spent", "strategies": [...],
"messages": [...]}`. `strategy` is the one of the settings, `window` as in `inspect`, `spent` what
the session has cost so far in dollars (null where unknown).

A strategy: `{"strategy", "about", "error", "tokens", "after", "messages", "stays", "price",
"triggers", "cut", "warnings"}`. Where its plan cannot be made `error` says why, and all between
`tokens` and `price` is null. `tokens` as in `plan`; `after` the next window's `total`, `free` (null
where the limit is unknown) and `categories`, with the summary expected; `messages` how many meet
each action. `stays` has `rules`, `words`, `files`, `errors` and `anchors`, each with `kept` (stay
word for word in messages that are kept), `quoted` (do so only in prompts that the handoff quotes)
and `of` (come from a message of the context). `price` as in `plan`. A trigger: `name`, `phase`,
`tokens`, `compared`, `source`.

A message: `{"id", "index", "role", "tokens", "differs", "actions"}`; `actions` maps each strategy
that has a plan to what it does with the message, `differs` says whether they do not agree on it
or on a part of it.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redline.cli.costs import price_json
from redline.cli.figures import window_json
from redline.cli.output import bar, console, note, print_json, thousands
from redline.cli.workplace import workplace
from redline.errors import RedlineError
from redline.text import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from redline.comparison.compare import Comparison, Row
    from redline.review import Review

_NAME = 16
_LEAST_BAR, _MOST_BAR = 12, 30
_WIDE = 100  # cells of a terminal in which a bar stands beside the figures


def run(options: argparse.Namespace) -> int:
    from redline.compaction.strategies.registry import names
    from redline.compaction.strategies.tuned import tuned
    from redline.comparison.compare import compare
    from redline.review import Choice

    if bool(options.take) != bool(options.output):
        raise RedlineError("--take S and -o PLAN belong together", "name a strategy and a file")
    place = workplace()
    asked = list(dict.fromkeys(options.strategy)) or None
    for name in (*(asked or ()), *([options.take] if options.take else ())):
        if name not in names():
            raise RedlineError(f"there is no strategy {name!r}", f"there are: {', '.join(names())}")
    session = place.session(options.session, options.leaf, options.before)
    choice = Choice(place.settings.strategy, tuned(place.settings, session, place.environment))
    review = place.review(session, choice)
    found = compare(review, datetime.now(UTC), place.settings, strategies=asked, tail=options.tail)
    if options.take:
        _save(review, options)
    spent = place.spending(session)
    if options.json:
        print_json(
            {
                "schema": 1,
                "session": {"agent": session.info.agent.value, "id": session.info.id},
                "strategy": found.chosen,
                "window": window_json(review.window),
                "spent": spent.dollars,
                "strategies": [_row_json(row, found) for row in found.rows],
                "messages": _messages_json(review, found),
            }
        )
    elif not options.take:
        _print(review, found, spent.words, messages=options.messages)
    return 0 if any(_changes(row) for row in found.planned) else 1


def _changes(row: Row) -> bool:
    from redline.compaction.plan import Action

    assert row.plan is not None
    actions = (*row.plan.actions, *row.plan.parts.values())
    return any(action is not Action.KEEP for action in actions)


def _save(review: Review, options: argparse.Namespace) -> None:
    from redline.compaction.saved import dump_plan
    from redline.comparison.compare import taken
    from redline.targets.plan_file import save_plan

    made = taken(review, options.take, options.tail)
    data = dump_plan(
        made.plan, made.window, made.choice.pins, made.choice.settings, made.facts, made.ledger
    )
    save_plan(Path(options.output), data)
    note(
        f"redline: the plan of {options.take} is saved in {options.output}; "
        f"take it up with --plan {options.output}"
    )


# -- JSON ------------------------------------------------------------------------------------------


def _row_json(row: Row, found: Comparison) -> dict[str, Any]:
    triggers = [
        {
            "name": one.name,
            "phase": one.phase,
            "tokens": one.tokens,
            "compared": one.compared,
            "source": one.source,
        }
        for one in row.triggers
    ]
    named: dict[str, Any] = {"strategy": row.strategy, "about": row.about}
    if row.plan is None or row.tokens is None or row.after is None or row.stays is None:
        empty = dict.fromkeys(("tokens", "after", "messages", "stays", "price"))
        return (
            named
            | {"error": row.why_not}
            | empty
            | {"triggers": triggers, "cut": None, "warnings": []}
        )
    window, tokens, cut = found.window, row.tokens, row.plan.cut
    total = sum(row.after.values())
    free = None if window.limit is None else window.limit - (window.reserve or 0) - total
    return named | {
        "error": None,
        "tokens": asdict(tokens),
        "after": {
            "total": total,
            "free": free,
            "categories": {name.value: count for name, count in row.after.items()},
        },
        "messages": {action.value: count for action, count in (row.counts or {}).items()},
        "stays": {
            thing.value: {"kept": stays.kept, "quoted": stays.quoted, "of": stays.of}
            for thing, stays in row.stays.items()
        },
        "price": None if row.cost is None else price_json(row.cost),
        "triggers": triggers,
        "cut": None
        if cut is None
        else {"message": cut.message, "index": cut.index, "splits_turn": cut.splits_turn},
        "warnings": list(row.plan.warnings),
    }


def _messages_json(review: Review, found: Comparison) -> list[dict[str, Any]]:
    differing = set(found.differing())
    planned = [row.strategy for row in found.planned]
    return [
        {
            "id": message.id,
            "index": index,
            "role": message.role.value,
            "tokens": review.window.tokens[index],
            "differs": index in differing,
            "actions": {
                name: action.value
                for name, action in zip(planned, found.actions(index), strict=True)
            },
        }
        for index, message in enumerate(review.outline.messages)
    ]


# -- text ------------------------------------------------------------------------------------------


def _print(review: Review, found: Comparison, spent: str, *, messages: bool) -> None:
    from redline.comparison.columns import fitted, letters

    out = console()
    window = review.window
    sign = "" if window.source.value == "measured" else "~"
    now = {name.value: count for name, count in review.bar_now().items()}
    out.print(
        f"now  {bar(now, window.limit, min(60, out.width - 14))}  {sign}{thousands(window.used)}"
    )
    if spent:
        out.print(f"spent so far {spent}")
    out.print()
    heads = letters(row.strategy for row in found.rows)
    kept_free = _LEAST_BAR + 1 if out.width >= _WIDE else 0
    columns = fitted(found, out.width - _NAME - 2 - kept_free)
    used = _NAME + 2 + sum(one.width + 1 for one in columns)
    cells = min(_MOST_BAR, out.width - used - 1)
    cells = cells if cells >= _LEAST_BAR else 0
    head = "".join(f" {one.head}" for one in columns)
    out.print(f"{'':<{_NAME + 2}}{' ' * (cells + 1 if cells else 0)}{head}", style="bold")
    for letter, row in zip(heads, found.rows, strict=True):
        name = f"{letter} {one_line(row.strategy, _NAME):<{_NAME}}"
        if row.plan is None or row.after is None:
            out.print(f"{name} no plan: {one_line(row.why_not, max(20, out.width - _NAME - 12))}")
            continue
        after = {category.value: count for category, count in row.after.items()}
        drawn = f" {bar(after, _scale(found), cells)}" if cells else ""
        out.print(f"{name}{drawn}{''.join(f' {one.cell(row, found)}' for one in columns)}")
    _explain(out, [f"{one.column.head}: {one.column.means}" for one in columns])
    if messages:
        _print_messages(out, review, found)


def _scale(found: Comparison) -> int:
    totals = [row.total or 0 for row in found.rows]
    return max(found.window.limit or 0, found.window.used, *totals)


def _explain(out: Console, words: list[str]) -> None:
    """What the signs mean, as many to a line as fit."""
    lines = [""]
    for one in words:
        more = f"{lines[-1]}; {one}" if lines[-1] else one
        if lines[-1] and len(more) >= out.width:
            lines[-1] += ";"
            lines.append(one)
        else:
            lines[-1] = more
    out.print("\n" + "\n".join(lines), style="dim")


def _print_messages(out: Console, review: Review, found: Comparison) -> None:
    from redline.comparison.columns import letters
    from redline.ui.marks import ACTION_MARK, ACTION_WORD, speaker

    shown = dict(
        zip(
            (row.strategy for row in found.rows),
            letters(row.strategy for row in found.rows),
            strict=True,
        )
    )
    heads = "".join(shown[row.strategy] for row in found.planned)
    legend = [f"{mark} {ACTION_WORD[action]}" for action, mark in ACTION_MARK.items()]
    _explain(out, [*legend, "! they differ"])
    out.print(f"  {heads}", style="bold")
    differing = set(found.differing())
    for index, message in enumerate(review.outline.messages):
        marks = "".join(ACTION_MARK[action] for action in found.actions(index))
        word, _ = speaker(message)
        weight = "~" + thousands(review.window.tokens[index])
        room = max(20, out.width - len(marks) - 27)
        out.print(
            f"{'!' if index in differing else ' '} {marks} {index + 1:>5} {word:<9} {weight:>6}  "
            f"{one_line(message.head, room)}"
        )
