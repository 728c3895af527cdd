"""`redline sessions`: what there is, newest first."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redline.cli.output import SCHEMA, ago, console, note, print_json, thousands, when
from redline.cli.workplace import workplace
from redline.text import one_line

if TYPE_CHECKING:
    from redline.model import SessionInfo


def run(options: argparse.Namespace) -> int:
    from redline.agents.discover import discover

    place = workplace()
    found = discover(place.environment)
    chosen = [
        info
        for info in found.sessions
        if (not options.agent or info.agent == options.agent)
        and (not options.project or _below(info.project, place.cwd / options.project))
    ]
    chosen.sort(key=lambda info: info.updated or datetime.min.replace(tzinfo=UTC), reverse=True)
    for looked in found.looked:
        if looked.problem:
            note(f"redline: {looked.path}: {looked.problem}")
    if options.json:
        print_json({"schema": SCHEMA, "sessions": [session_json(info) for info in chosen]})
        return 0
    if not chosen:
        note("redline: no sessions found; `redline doctor` says where it looked")
        return 1
    _table(chosen)
    return 0


def session_json(info: SessionInfo) -> dict[str, Any]:
    """The `session` object of `commands.md`."""
    return {
        "agent": info.agent.value,
        "id": info.id,
        "path": str(info.path),
        "project": info.project,
        "title": info.title,
        "model": info.model,
        "started": when(info.started),
        "updated": when(info.updated),
        "live": info.live,
    }


def _below(project: str | None, folder: Path) -> bool:
    if project is None:
        return False
    return Path(project).resolve().is_relative_to(folder.resolve())


def _table(infos: list[SessionInfo]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim")
    for name in ("id", "agent", "updated", "tokens", "title", "project"):
        table.add_column(name, no_wrap=name != "title", overflow="fold")
    now = datetime.now(UTC)
    for info in infos:
        table.add_row(
            Text(one_line(info.id, 36)),
            info.agent.value,
            ago(info.updated, now) + (" live" if info.live else ""),
            thousands(info.billed),
            Text(one_line(info.title, 60)),
            Text(one_line(info.project or "?", 60)),
        )
    console().print(table)
