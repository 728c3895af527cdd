"""`redline sessions`: what there is, newest first."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from redline.cli.output import SCHEMA, ago, console, note, print_json, thousands, when
from redline.cli.workplace import Workplace, workplace
from redline.files import expanded
from redline.text import cells, first_line, one_line

if TYPE_CHECKING:
    from pathlib import Path

    from redline.agents.finder import Looked
    from redline.catalogue.refresh import Refreshed
    from redline.model import SessionInfo

_GAP = 2  # cells between two columns
_LEAST = 12  # cells of a title or a project


def run(options: argparse.Namespace) -> int:
    from redline.agents.liveness import mark_live
    from redline.catalogue.query import is_below

    place = workplace()
    found = listed(place)
    chosen = [
        info
        for info in mark_live(found.sessions, place.environment)
        if (not options.agent or info.agent == options.agent)
        and (not options.project or is_below(info.project, place.cwd / expanded(options.project)))
    ]
    for looked in found.looked:
        if looked.problem:
            note(f"redline: {looked.path}: {looked.problem}")
    if options.json:
        unreadable = unreadable_json(found.looked, options.agent)
        print_json(
            {
                "schema": SCHEMA,
                "complete": not unreadable,
                "unreadable": unreadable,
                "sessions": [session_json(info) for info in chosen],
            }
        )
        return 0
    if not chosen:
        note("redline: no sessions found; `redline doctor` says where it looked")
        return 1
    _table(chosen)
    return 0


def listed(place: Workplace) -> Refreshed:
    """All sessions, newest first, and where they were looked for."""
    from redline.catalogue.catalogue import Catalogue
    from redline.catalogue.refresh import refresh

    return refresh(Catalogue(place.places.catalogue), place.environment, texts=False)


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
        "live_by": info.live_by or None,
    }


def unreadable_json(
    looked: Iterable[Looked], agent: str | None, texts: Iterable[tuple[Path, str]] = ()
) -> list[dict[str, Any]]:
    """The folders and files of `agent` (None for all) that could not be looked into, and the files
    whose `texts` could not be read, each once with the reason."""
    found = {
        str(one.path): one.problem
        for one in looked
        if one.problem and (not agent or one.agent == agent)
    }
    for path, reason in texts:
        found.setdefault(str(path), reason)
    return [{"path": path, "reason": reason} for path, reason in found.items()]


def _table(infos: list[SessionInfo]) -> None:
    """One line a session: whole for a program that reads it, within the width of a terminal."""
    from redline.agents.live_words import live_word

    out = console()
    now = datetime.now(UTC)
    names = [one_line(info.id, 200) for info in infos]
    shown = _starts(names) if out.is_terminal else names
    rows = [("id", "agent", "updated", "tokens", "title", "project")]
    rows += [
        (
            name,
            info.agent.value,
            f"{ago(info.updated, now)} {live_word(info.live_by)}".rstrip(),
            thousands(info.billed),
            first_line(info.title, 60),
            one_line(info.project or "?", 4096),
        )
        for name, info in zip(shown, infos, strict=True)
    ]
    widths = [max(cells(row[column]) for row in rows) for column in range(len(rows[0]))]
    if out.is_terminal:
        room = max(out.width - sum(widths[:4]) - _GAP * 5, _LEAST * 2)
        widths[4] = min(widths[4], max(room - widths[5], room * 3 // 5))
        widths[5] = max(room - widths[4], _LEAST)
    for number, row in enumerate(rows):
        fitted = [first_line(text, width) for text, width in zip(row, widths, strict=True)]
        padded = (text + " " * (w - cells(text)) for text, w in zip(fitted, widths, strict=True))
        line = (" " * _GAP).join(padded).rstrip()
        out.print(line, style="dim" if number == 0 else None)


def _starts(names: list[str]) -> list[str]:
    """Starts of `names`, as short as they can be for each to fit one session only."""
    length = 8
    while length < 200 and len({name[:length] for name in names}) < len(set(names)):
        length += 1
    return [name[:length] for name in names]
