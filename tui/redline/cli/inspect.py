"""`redline inspect`: one session as its context window."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from redline.agents.opening import open_session
from redline.cli.advice_json import moment_json, thrash_json
from redline.cli.costs import spending_json, spending_lines
from redline.cli.figures import (
    compaction_json,
    compaction_line,
    gauge_json,
    gauge_line,
    threshold_line,
    used_line,
    window_json,
)
from redline.cli.output import SCHEMA, bar, console, print_json, share, thousands
from redline.cli.sessions import session_json
from redline.cli.two_cores import on_two_cores
from redline.cli.workplace import workplace
from redline.model import Kind
from redline.text import counted, one_line

if TYPE_CHECKING:
    from redline.cli.workplace import Workplace
    from redline.context.window import Window
    from redline.ledger.rule import Ledger
    from redline.model import PastCompaction, Session

LARGE = 10_000_000  # bytes of a session that takes longer to read than a process to copy


def run(options: argparse.Namespace) -> int:
    place = workplace()
    info = place.named(options.session)
    read = partial(open_session, info, leaf=options.leaf, before=options.before)
    if info.size > LARGE:
        session, window, rules = on_two_cores(place, read)
    else:
        session = read()
        window, rules = place.window(session), partial(place.ledger_store().load, session)
    if options.json:
        print_json(inspect_json(place, session, window, rules))
    else:
        _print(place, session, window, rules)
    return 0


def inspect_json(
    place: Workplace, session: Session, window: Window, rules: Callable[[], Ledger]
) -> dict[str, Any]:
    """The JSON of `commands.md`; `rules` are asked for last, they may still be looked for."""
    from redline.compaction.moment import moment
    from redline.compaction.thrash import thrash

    return {
        "schema": SCHEMA,
        "session": session_json(session.info),
        "window": window_json(window),
        "gauge": gauge_json(session.gauge),
        "moment": moment_json(moment(session, datetime.now(UTC))),
        "thrash": thrash_json(thrash(window)),
        "cost": spending_json(place.spending(session)),
        "counts": {
            "records": session.counts.records,
            "messages": session.counts.messages,
            "context_messages": len(session.context),
            "prompts": session.counts.prompts,
            "turns": session.counts.turns,
            "tool_pairs": session.counts.tool_pairs,
            "subagents": len(session.subagents),
            "side_branches": len(session.side_branches),
            "unknown_records": session.counts.unknown,
        },
        "compactions": [
            {**compaction_json(past), "summary_tokens": _summary_tokens(place, session, past)}
            for past in session.compactions
        ],
        "side_branches": [
            {
                "leaf": branch.leaf,
                "fork": branch.fork,
                "records": branch.records,
                "answered": branch.answered,
                "head": branch.head,
            }
            for branch in session.side_branches
        ],
        "resume": {"context_messages": session.resume_messages, "lost": session.resume_lost},
        "rules": [
            {
                "id": rule.id,
                "text": rule.text,
                "state": rule.state.value,
                "message": rule.message,
            }
            for rule in rules().rules
        ],
        "damage": [
            {"record": damage.record, "kind": damage.kind.value, "detail": damage.detail}
            for damage in session.lasting_damage
        ],
        "being_written": session.being_written,
    }


def _summary_tokens(place: Workplace, session: Session, past: PastCompaction) -> int | None:
    """Tokens of a past compaction's summary (an estimate); None where it cannot be read."""
    if past.summary is None:
        return None
    parts = [part for part in past.summary.parts if part.kind is Kind.SUMMARY]
    return place.weight("\n".join(map(session.text, parts)), session) if parts else None


def _print(place: Workplace, session: Session, window: Window, rules: Callable[[], Ledger]) -> None:
    from redline.compaction.moment import moment
    from redline.compaction.thrash import thrash

    out = console()
    info = session.info
    out.print(one_line(info.title or info.id, 100), style="bold")
    told = f"{info.agent.value} {session.version or ''}  {info.model or 'model unknown'}"
    out.print(one_line(f"{told}  {info.project or ''}".replace("\n", " "), 4096))
    out.print(one_line(info.id, 200) + "\n", style="dim")
    categories = {name.value: tokens for name, tokens in window.categories.items()}
    out.print(bar(categories, window.limit))
    for name, tokens in categories.items():
        if tokens:
            out.print(f"  {name:<10} {'~' + thousands(tokens):>7}  {share(tokens, window.used)}")
    for line in (used_line(window), threshold_line(window), gauge_line(session.gauge)):
        if line:
            out.print(line)
    out.print(f"moment {moment(session, datetime.now(UTC)).line}")
    counts = session.counts
    out.print(
        f"\n{counted(counts.turns, 'turn')}, {len(session.context)} of {counts.messages} messages "
        f"in the context, {counted(counts.tool_pairs, 'tool call')}, "
        f"{counted(len(session.subagents), 'subagent')}, "
        f"{counted(len(session.side_branches), 'side branch')}"
    )
    for branch in session.side_branches:
        kind = "answered" if branch.answered else "draft"
        out.print(f"  --leaf {branch.leaf}  {kind}, {one_line(branch.head, 60)}".rstrip(" ,"))
    for past in session.compactions:
        out.print(compaction_line(past))
    if (loop := thrash(window)) is not None:
        out.print(loop.words, style="bold")
    for line in spending_lines(place.spending(session)):
        out.print(line)
    if session.resume_lost:
        out.print(
            f"resume: the agent's loader finds {session.resume_messages} of "
            f"{len(session.context)} messages, {session.resume_lost} would be lost",
            style="bold",
        )
    if found := rules().rules:
        out.print(f"\n{counted(len(found), 'rule')}")
        for rule in found:
            out.print(f"  {rule.id}  {rule.state.value:<10}  {one_line(rule.text, 90)}")
    if session.being_written is not None:
        out.print(f"\nrecord {session.being_written} is being written")
    if found_damage := session.lasting_damage:
        out.print(f"\n{counted(len(found_damage), 'damaged record')}")
        for damage in found_damage[:20]:
            out.print(f"  {damage.record}: {damage.kind.value}, {one_line(damage.detail, 90)}")
        if len(found_damage) > 20:
            out.print(f"  and {len(found_damage) - 20} more (--json lists all)")
