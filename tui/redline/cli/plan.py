"""`redline plan`: what a compaction would do, without doing it.

Exit status 1 says that there is nothing to compact.
"""

from __future__ import annotations

import argparse
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.cli.advice_json import met_json, moment_json
from redline.cli.costs import price_json, price_lines
from redline.cli.output import bar, console, note, print_json, share, thousands
from redline.cli.workplace import choice_of, workplace
from redline.text import one_line

if TYPE_CHECKING:
    from redline.compaction.moment import Moment
    from redline.compaction.price import Cost
    from redline.compaction.triggered import Met
    from redline.review import Review

_MEMORY = "m"


def run(options: argparse.Namespace) -> int:
    from redline.compaction.moment import moment
    from redline.compaction.saved import dump_plan
    from redline.compaction.triggered import triggered
    from redline.targets.plan_file import save_plan

    place = workplace()
    session = place.opened(options)
    review = place.review(session, choice_of(options, place, session))
    data = dump_plan(
        review.plan,
        review.window,
        review.choice.pins,
        review.choice.settings,
        review.facts,
        review.ledger,
    )
    if options.output:
        save_plan(Path(options.output), data)
        note(f"redline: plan saved in {options.output}; take it up with --plan {options.output}")
    cost = review.cost(datetime.now(UTC), place.settings)
    now = moment(session, datetime.now(UTC))
    met = triggered(review.window, place.settings, now, agents=review.settings, by_hand=True)
    if options.json:
        print_json(
            {
                **data,
                "price": price_json(cost),
                "moment": moment_json(now),
                "triggers": [met_json(each) for each in met],
            }
        )
    elif not options.output:
        _print(review, cost)
        _advise(now, met)
    return 0 if review.plan.changes else 1


def _advise(now: Moment, met: tuple[Met, ...]) -> None:
    out = console()
    out.print(f"\nmoment {now.line}")
    for each in met:
        if each.at:
            out.print(f"trigger {each.words}")


def _print(review: Review, cost: Cost) -> None:
    out = console()
    window, plan = review.window, review.plan
    tokens = review.tokens()
    now = {name.value: count for name, count in review.bar_now().items()}
    after = {name.value: count for name, count in review.bar_after().items()}
    sign = "" if window.source.value == "measured" else "~"
    out.print(f"now    {bar(now, window.limit)}  {sign}{thousands(window.used)}")
    out.print(f"after  {bar(after, window.limit)}  ~{thousands(sum(after.values()))}")
    counted = Counter(action.value for action in plan.actions)
    actions = ", ".join(f"{action} {number}" for action, number in counted.most_common())
    out.print(f"\nstrategy {plan.strategy}: {actions}")
    if plan.cut:
        inside = ", inside a turn" if plan.cut.splits_turn else ""
        out.print(f"the tail starts at {plan.cut.message}{inside}")
    frees = window.used - sum(after.values())
    if frees > 0:
        out.print(f"frees ~{thousands(frees)} ({share(frees, window.used)} of used)")
    else:
        out.print("frees nothing: a summary weighs as much as what it stands for")
    out.print(
        f"keeps ~{thousands(tokens.kept)}, clears ~{thousands(tokens.cleared)}, "
        f"summarises ~{thousands(tokens.summarised)}"
    )
    out.print("\n".join((*price_lines(cost), "")))
    for layer in review.layers():
        items = "items" if layer.name == "long-term memory" else "messages"
        out.print(
            f"{layer.name:<18} {layer.count:>5} {items:<8} {'~' + thousands(layer.tokens):>7}"
        )
    out.print(f"{_MEMORY} marks what the long-term memory takes something from\n")
    for warning in plan.warnings:
        out.print(f"! {warning}", style="bold")
    for index, message in enumerate(plan.outline.messages):
        pin = "*" if index in plan.pinned else " "
        out.print(
            f"{pin}{plan.actions[index].value:<9} {review.layer(index).value:<8}"
            f"{_MEMORY if index in review.memory else ' '} "
            f"{'~' + thousands(window.tokens[index]):>6}  "
            f"{message.role.value:<9} {message.id[:12]:<12}  {one_line(message.head, 60)}  "
            f"({plan.reasons[index]})"
        )
