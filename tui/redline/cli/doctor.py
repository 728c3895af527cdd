"""`redline doctor`: what was looked for where, what was found, what is missing."""

from __future__ import annotations

import argparse
import os
import sys
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from redline.cli.output import SCHEMA, console, print_json, when
from redline.cli.sessions import listed
from redline.cli.workplace import Workplace, workplace
from redline.text import counted, safe
from redline.version import __version__


def run(options: argparse.Namespace) -> int:
    place = workplace()
    report = diagnosis(place)
    if options.json:
        print_json({"schema": SCHEMA, **report})
    else:
        _print(report)
    return 0 if all(check["ok"] for check in report["checks"]) else 1


def diagnosis(place: Workplace) -> dict[str, Any]:
    """Everything a report of a fault should hold; nothing of any session's text."""
    found = listed(place)
    counts: dict[str, int] = {}
    for info in found.sessions:
        counts[info.agent.value] = counts.get(info.agent.value, 0) + 1
    return {
        "redline": __version__,
        "python": sys.version.split()[0],
        "looked": [
            {
                "agent": looked.agent.value,
                "path": str(looked.path),
                "there": os.path.exists(looked.path),
                "found": looked.found,
                "problem": looked.problem,
            }
            for looked in found.looked
        ],
        "variables": _variables(place),
        "sessions": counts,
        "index": _index(place),
        "checks": [
            _tokenizer(),
            _limits(),
            _writer(place),
            *(_folder(*pair) for pair in _folders(place)),
            _receipts(place),
            _scratch(),
        ],
    }


def _variables(place: Workplace) -> list[dict[str, Any]]:
    """What the agents' documentation names to say where their sessions lie, and how it is set."""
    from redline.agents.discover import finders

    return [
        {"agent": finder.agent.value, "name": name, "value": place.environment.get(name)}
        for finder in finders()
        for name in finder.variables
    ]


def _index(place: Workplace) -> dict[str, Any]:
    """The state of the index that `redline search` looks into."""
    from redline.catalogue.catalogue import Catalogue

    standing = Catalogue(place.places.catalogue).standing()
    return {
        "path": str(standing.path),
        "bytes": standing.size,
        "sessions": standing.sessions,
        "read": standing.read,
        "refreshed": when(standing.refreshed),
        "problem": standing.problem,
        "unread": list(standing.unread),
    }


def _check(name: str, ok: bool, detail: str) -> dict[str, Any]:
    return {"name": name, "ok": ok, "detail": detail}


def _tokenizer() -> dict[str, Any]:
    from redline.context.tokenizer import tokenizer

    name = tokenizer().name
    exact = "o200k" in name
    return _check("tokenizer", exact, name if exact else f"{name}: counts are estimates")


def _limits() -> dict[str, Any]:
    there = find_spec("litellm") is not None
    return _check("model limits", there, "litellm's table" if there else "litellm is not installed")


def _writer(place: Workplace) -> dict[str, Any]:
    """Who writes handoffs, whether its key or program is there, and how it stands. Asks nobody."""
    from redline.handoff.writers.condition import condition
    from redline.handoff.writers.cooldown import Cooldowns

    found = condition(place.settings, place.environment)
    name = place.settings.writer.strip()
    resting = Cooldowns(place.places.state).rest(name, datetime.now(UTC), by_person=False)
    detail = found.detail if resting is None else f"{found.detail}; {resting.message}"
    return _check("writer", found.ok, detail)


def _folders(place: Workplace) -> list[tuple[str, Path]]:
    places = place.places
    return [
        ("settings", places.config),
        ("state", places.state),
        ("data", places.data),
        ("cache", places.cache),
    ]


def _folder(name: str, path: Path) -> dict[str, Any]:
    """Whether redline could write into `path`, or make it; nothing is made to find out."""
    there = path
    while not os.path.exists(there) and there != there.parent:
        there = there.parent
    ok = os.path.isdir(there) and os.access(there, os.W_OK)
    detail = f"{path}" + ("" if os.path.exists(path) else " (made when it is needed)")
    return _check(name, ok, detail if ok else f"{path}: cannot be written")


def _receipts(place: Workplace) -> dict[str, Any]:
    """Whether every commit was written to its end or taken back, and its receipt can be read."""
    from redline.targets.receipt import DAMAGED
    from redline.targets.receipts import Receipts

    receipts = Receipts(place.places)
    told = []
    if cut := receipts.cut_short():
        ways = ", ".join(f"`redline undo {name}`" for name in cut)
        told.append(
            f"a crash cut a commit short; `redline receipts` finishes it, or {ways} takes it back"
        )
    told += [
        f"receipt {receipt.id} is damaged ({receipt.detail}): take what you need from "
        f"{place.places.receipts / receipt.id}, then delete that folder"
        for receipt in receipts.list()
        if receipt.state == DAMAGED
    ]
    return _check("receipts", not told, "; ".join(told) or "every commit is whole")


def _scratch() -> dict[str, Any]:
    """What processes that were killed left in the temporary folder, and what takes it away."""
    from redline.scratch import left_behind

    left = left_behind()
    kept = [one for one in left if one.kept]
    swept = [one for one in left if not one.kept]
    told = [f"{one.path} holds a text that was being edited: look, then delete it" for one in kept]
    if swept:
        names = ", ".join(str(one.path) for one in swept)
        told.append(f"{names}: left by a crash; the next `redline compact` sweeps it")
    return _check("scratch", not kept, "; ".join(told) or "no folder was left by a crash")


def _print(report: dict[str, Any]) -> None:
    out = console()
    out.print(f"redline {report['redline']}, Python {report['python']}\n")
    for looked in report["looked"]:
        detail = looked["problem"] or (
            counted(looked["found"], "session") if looked["there"] else "not there"
        )
        out.print(safe(f"{looked['agent']:<12} {looked['path']}  {detail}"))
    out.print("")
    for variable in report["variables"]:
        value = "not set" if variable["value"] is None else variable["value"]
        out.print(safe(f"{variable['agent']:<12} {variable['name']}: {value}"))
    index = report["index"]
    detail = index["problem"] or (
        f"{index['bytes'] / 1e6:.1f} MB, the texts of {index['read']} of"
        f" {counted(index['sessions'], 'session')}, refreshed {index['refreshed'] or 'never'}"
    )
    out.print(safe(f"\nindex: {index['path']}  {detail}"))
    for told in index["unread"]:
        out.print(safe(f"       {told}"))
    out.print("")
    for check in report["checks"]:
        out.print(safe(f"{'ok ' if check['ok'] else 'NO '} {check['name']}: {check['detail']}"))
