"""`redline search TEXT`: where something was said, in every session of every agent."""

from __future__ import annotations

import argparse
import re
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from redline.cli.output import SCHEMA, ago, as_typed, console, note, print_json, progress_line, when
from redline.cli.sessions import session_json, unreadable_json
from redline.cli.workplace import Workplace, workplace
from redline.files import expanded
from redline.text import counted, one_line, safe

if TYPE_CHECKING:
    from rich.text import Text

    from redline.catalogue.catalogue import Catalogue
    from redline.catalogue.query import Query
    from redline.catalogue.refresh import Progress, Refreshed
    from redline.catalogue.search import Found, Hit

_SPACE = re.compile(r"\s+")
_KIND_CELLS = 11
_LIMIT, _EACH = 50, 10  # places in all and of one session, where nobody asked for a number


def run(options: argparse.Namespace) -> int:
    from redline.catalogue.catalogue import Catalogue

    place = workplace()
    query = _query(options, place)
    catalogue = Catalogue(place.places.catalogue)
    done = _refresh(catalogue, place)
    found = _search(catalogue, query, options.limit)
    if found.problem:
        note(f"redline: {found.problem}")
        done = _refresh(catalogue, place)
        found = _search(catalogue, query, options.limit)
    if found.unread:
        why = "another redline is reading them" if done.busy else "they could not be read"
        note(f"redline: {counted(found.unread, 'session')} not searched yet: {why}")
    for path, reason in found.unreadable:
        if (told := f"{path}: {reason}") not in done.problems:
            note(f"redline: {told}")
    if options.json:
        unreadable = unreadable_json(done.looked, options.agent, found.unreadable)
        print_json(
            {
                "schema": SCHEMA,
                "text": query.text,
                "complete": found.complete and not found.unread and not unreadable,
                "unread": found.unread,
                "unreadable": unreadable,
                "hits": [_hit_json(hit) for hit in found.hits],
            }
        )
        return 0 if found.hits else 1
    if not query.terms:
        note("redline: nothing to search for")
        return 1
    _print(found)
    return 0 if found.hits else 1


def _query(options: argparse.Namespace, place: Workplace) -> Query:
    """What the command line asks for. Raises RedlineError for a time that is none."""
    from redline.catalogue.query import Query, parse_since
    from redline.model import Agent

    return Query(
        " ".join(as_typed(word) for word in options.text),
        Agent(options.agent) if options.agent else None,
        place.cwd / expanded(options.project) if options.project else None,
        options.role,
        parse_since(options.since) if options.since else None,
    )


def _refresh(catalogue: Catalogue, place: Workplace) -> Refreshed:
    """Brings the catalogue up to date, with progress on a terminal."""
    from redline.catalogue.refresh import refresh

    with progress_line() as show:

        def progress(now: Progress) -> None:
            if now.total > 1:
                show(f"reading sessions: {now.done} of {now.total}")

        done = refresh(catalogue, place.environment, progress=progress)
    for looked in done.looked:
        if looked.problem:
            note(f"redline: {looked.path}: {looked.problem}")
    for problem in done.problems:
        note(f"redline: {problem}")
    return done


def _hit_json(hit: Hit) -> dict[str, Any]:
    return {
        "session": session_json(hit.info),
        "record": hit.record,
        "start": hit.start,
        "kind": hit.kind.value,
        "time": when(hit.time),
        "snippet": hit.snippet,
        "spans": [list(span) for span in hit.spans],
    }


def _search(catalogue: Catalogue, query: Query, limit: int | None) -> Found:
    if limit is None:
        return catalogue.search(query, limit=_LIMIT, each=_EACH)
    return catalogue.search(query, limit=limit)


def _print(found: Found) -> None:
    """The hits under their sessions, one a line."""
    out = console()
    now = datetime.now(UTC)
    sessions = 0
    for info, hits in groupby(found.hits, key=lambda hit: hit.info):
        sessions += 1
        project = one_line(info.project or "?", 4096)
        title = one_line(info.title, 60)
        head = f"{one_line(info.id, 200)}  {info.agent.value}  {ago(info.updated, now)}  {project}"
        out.print(head, f" {title}" if title else "", style="bold", sep="")
        for hit in hits:
            line = _line(hit)
            if out.is_terminal:
                line.truncate(out.width, overflow="ellipsis")
            out.print(line)
    more = "" if found.complete else "; there are more, --limit shows them"
    note(
        f"redline: {counted(len(found.hits), 'place')} in {counted(sessions, 'session')}{more}"
        if found.hits
        else "redline: found nowhere"
    )


def _line(hit: Hit) -> Text:
    from rich.text import Text

    line = Text(f"  {hit.kind.value.replace('_', ' '):<{_KIND_CELLS}} ")
    at = 0
    for start, end in hit.spans:
        line.append(_shown(hit.snippet[at:start]))
        line.append(_shown(hit.snippet[start:end]), style="bold reverse")
        at = end
    line.append(_shown(hit.snippet[at:]))
    return line


def _shown(piece: str) -> str:
    return _SPACE.sub(" ", safe(piece))
