"""`redline rules SESSION list --project`: the rules of all sessions of a project."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from redline.cli.output import SCHEMA, console, note, print_json
from redline.cli.rules_shown import rule_json, written_json
from redline.errors import RedlineError
from redline.text import counted, one_line

if TYPE_CHECKING:
    from redline.cli.workplace import Workplace
    from redline.ledger.project import ProjectRule
    from redline.ledger.rule import Ledger
    from redline.model import SessionInfo
    from redline.targets.written_rules import Written


def show_project(place: Workplace, info: SessionInfo, options: argparse.Namespace) -> int:
    """Prints the rules of the project of `info`. Raises RedlineError where it names none."""
    from redline.ledger.project import project_rules
    from redline.ledger.store import project_of_info
    from redline.targets.written_rules import written_in

    project = project_of_info(info)
    if project is None:
        raise RedlineError(
            "the session does not say which folder it belongs to", "leave --project out"
        )
    found = [
        one
        for one in project_rules(_ledgers(place, project, info))
        if not options.state or one.rule.state in options.state
    ]
    written = written_in(project, [(one.rule.id, one.rule.text) for one in found])
    if options.json:
        rules = [_json(one, written[one.rule.id]) for one in found]
        print_json({"schema": SCHEMA, "project": project, "rules": rules})
        return 0
    if not found:
        note(f"redline: no rules found in the sessions of {project}")
    out = console()
    for one in found:
        rule = one.rule
        said = [counted(len(one.sessions), "session")]
        said += [f"{place.path.name}:{place.line}" for place in written[rule.id]]
        line = f"{rule.id}  {rule.state.value:<10}  {one_line(rule.text, 110)}"
        out.print(f"{line}  [{'; '.join(said)}]")
    return 0


def _ledgers(
    place: Workplace, project: str, info: SessionInfo
) -> Iterator[tuple[SessionInfo, Ledger]]:
    """The ledgers of all sessions of `project`, that of `info` first."""
    from redline.agents.opening import open_session
    from redline.cli.sessions import listed
    from redline.ledger.store import project_of_info

    store = place.ledger_store()
    others = [
        one
        for one in listed(place).sessions
        if project_of_info(one) == project and (one.agent, one.id) != (info.agent, info.id)
    ]
    for one in (info, *others):
        try:
            yield one, store.load(open_session(one))
        except (RedlineError, OSError) as error:
            note(f"redline: {one.path}: {error}")


def _json(one: ProjectRule, written: tuple[Written, ...]) -> dict[str, Any]:
    sessions = [
        {"agent": info.agent.value, "id": info.id, "title": info.title, "rule": name}
        for info, name in zip(one.sessions, one.ids, strict=True)
    ]
    return rule_json(one.rule) | {"sessions": sessions, "written": written_json(written)}
