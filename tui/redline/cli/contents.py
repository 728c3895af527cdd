"""`redline contents`: a session's table of contents, from its first message on."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from redline.cli.figures import compaction_json
from redline.cli.output import SCHEMA, console, print_json, thousands, when
from redline.cli.sessions import session_json
from redline.cli.workplace import workplace
from redline.text import counted, one_line

if TYPE_CHECKING:
    from redline.facts.contents import (
        Boundary,
        BranchSummary,
        Contents,
        FailedResult,
        Fork,
        Started,
        Turn,
    )
    from redline.model import Session

    Entry = Turn | Boundary | FailedResult | Fork | Started | BranchSummary

_OUT = "."  # in front of what is not in the context


def run(options: argparse.Namespace) -> int:
    from redline.facts.contents import contents

    session = workplace().opened(options)
    found = contents(session)
    if options.json:
        print_json(contents_json(session, found))
    else:
        _print(session, found)
    return 0


def contents_json(session: Session, found: Contents) -> dict[str, Any]:
    """The JSON: every list in the order of the branch; `place` counts messages from 0, `turn` is
    0 before the first prompt."""
    return {
        "schema": SCHEMA,
        "session": session_json(session.info),
        "view": {"leaf": session.asked_leaf, "before": session.before},
        "messages": found.messages,
        "context": [{"from": start, "to": end} for start, end in found.spans],
        "turns": [
            {
                "number": turn.number,
                "place": turn.place,
                "message": turn.message,
                "prompt": turn.head,
                "time": when(turn.time),
                "messages": turn.messages,
                "tool_calls": turn.calls,
                "errors": turn.errors,
                "tokens": turn.tokens,
                "source": "measured" if turn.billed else "estimated",
                "in_context": turn.sent,
            }
            for turn in found.turns
        ],
        "compactions": [_boundary_json(session, boundary) for boundary in found.compactions],
        "errors": [
            {
                "place": error.place,
                "turn": error.turn,
                "message": error.message,
                "call": error.call,
                "line": error.line,
                "time": when(error.time),
                "in_context": found.in_context(error.place),
            }
            for error in found.errors
        ],
        "side_branches": [
            {
                "leaf": fork.branch.leaf,
                "place": fork.place,
                "turn": fork.turn,
                "fork": fork.branch.fork,
                "records": fork.branch.records,
                "answered": fork.branch.answered,
                "head": fork.branch.head,
            }
            for fork in found.branches
        ],
        "branch_summaries": [
            {"place": one.place, "turn": one.turn, "message": one.message, "head": one.head}
            for one in found.summaries
        ],
        "subagents": [
            {
                "id": one.subagent.id,
                "path": str(one.subagent.path),
                "place": one.place,
                "turn": one.turn,
                "kind": one.subagent.kind,
                "description": one.subagent.description,
            }
            for one in found.subagents
        ],
    }


def _boundary_json(session: Session, boundary: Boundary) -> dict[str, Any]:
    from redline.facts.compacted import summary_of

    past = boundary.past
    return {
        "number": boundary.number,
        **compaction_json(past),
        "place": boundary.place,
        "turn": boundary.turn,
        "kept": [
            {"message": kept.message, "place": kept.place, "prompt": kept.prompt}
            for kept in boundary.kept
        ],
        "cleared": list(past.cleared),
        "summary": summary_of(session, past) or None,
        "sealed_characters": past.sealed.chars if past.sealed else None,
    }


def _print(session: Session, found: Contents) -> None:
    out = console()
    out.print(one_line(session.info.title or session.info.id, 100), style="bold")
    out.print(
        f"{counted(found.messages, 'message')}, {found.sent:,} in the context; "
        f"{counted(len(found.turns), 'turn')}, "
        f"{counted(len(found.compactions), 'compaction')}, {counted(len(found.errors), 'error')}, "
        f"{counted(len(found.branches), 'side branch')}{beside(session)}, "
        f"{counted(len(found.subagents), 'subagent')}"
    )
    out.print(f"{_OUT} in front of what is not in the context any more\n", style="dim")
    out.print(f"  {'turn':>5} {'tokens':>7} {'msgs':>5} {'calls':>5}  {'message':<12}", style="dim")
    for entry in entries(found):
        _print_entry(session, found, entry)


def beside(session: Session) -> str:
    """What side branches are beside, where that is not the live branch."""
    return "" if session.asked_leaf is None else " beside this one (the live one is one of them)"


def entries(found: Contents) -> Iterator[Entry]:
    """Everything in the order in which it stands in the session; what has no known place last."""
    ordered: list[tuple[float, int, Entry]] = [
        (boundary.place, 0, boundary) for boundary in found.compactions
    ]
    ordered += [(turn.place, 1, turn) for turn in found.turns]
    ordered += [(one.place, 2, one) for one in found.summaries]
    ordered += [(error.place, 3, error) for error in found.errors]
    ordered += [(_after(one.place), 4, one) for one in found.subagents]
    ordered += [(_after(fork.place), 5, fork) for fork in found.branches]
    return (entry for _, _, entry in sorted(ordered, key=lambda one: one[:2]))


def _after(place: int | None) -> float:
    return float("inf") if place is None else place


def _print_entry(session: Session, found: Contents, entry: Entry) -> None:
    from redline.facts.contents import Boundary, BranchSummary, FailedResult, Fork, Started, Turn

    out = console()
    match entry:
        case Turn():
            mark = " " if entry.sent else _OUT
            tokens = ("" if entry.billed else "~") + thousands(entry.tokens)
            out.print(
                f"{mark} {entry.number:>5} {tokens:>7} {entry.messages:>5} {entry.calls:>5}  "
                f"{entry.message[:12]:<12}  {one_line(entry.head, 80)}"
            )
        case FailedResult():
            mark = " " if found.in_context(entry.place) else _OUT
            line = f"{entry.call}: {entry.line}" if entry.line else entry.call
            out.print(f"{mark} {'error':>25}  {entry.message[:12]:<12}  {one_line(line, 80)}")
        case Boundary():
            _print_boundary(session, entry)
        case Fork():
            kind = "answered" if entry.branch.answered else "draft"
            out.print(
                f"  {'branch':>25}  --leaf {entry.branch.leaf}  {kind}, "
                f"{one_line(entry.branch.head, 60)}".rstrip(" ,")
            )
        case Started():
            name = entry.subagent.description or entry.subagent.kind or entry.subagent.id
            out.print(f"  {'subagent':>25}  {one_line(name, 60)}  {entry.subagent.path}")
        case BranchSummary():
            out.print(
                f"  {'left branch':>25}  {entry.message[:12]:<12}  {one_line(entry.head, 80)}"
            )


def _print_boundary(session: Session, boundary: Boundary) -> None:
    from redline.facts.compacted import summary_of, unread

    out = console()
    past = boundary.past
    after = past.tokens_after if past.tokens_after is not None else past.reported_after
    out.print(
        f"-- compaction {boundary.number}: {past.kind.value}, {past.trigger or 'trigger unknown'}, "
        f"{thousands(past.tokens_before)} to {thousands(after)}, "
        f"{counted(past.messages_before, 'message')} before; --before {boundary.number}",
        style="bold",
    )
    if past.cleared:
        out.print(f"   {counted(len(past.cleared), 'result')} cleared")
    if boundary.kept:
        out.print(
            f"   kept {counted(len(boundary.kept), 'message')} word for word, "
            f"{boundary.prompts_kept} of them yours"
        )
    if reason := unread(past):
        out.print(f"   {reason} `redline show SESSION --before {boundary.number}` has what it had.")
    elif text := summary_of(session, past):
        out.print(f"   summary of {len(text):,} characters: {one_line(text, 90)}")
