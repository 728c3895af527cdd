"""`redline promote`: active rules as a block in CLAUDE.md, AGENTS.md or another file."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.cli.output import console, note
from redline.cli.workplace import workplace
from redline.errors import RedlineError
from redline.files import expanded
from redline.targets.rules_file import rules_file, rules_files
from redline.text import safe

if TYPE_CHECKING:
    from redline.ledger.rule import Ledger, Rule
    from redline.model import SessionInfo


def run(options: argparse.Namespace) -> int:
    from redline.targets.commit import commit
    from redline.targets.difference import difference
    from redline.targets.rules_block import RulesBlock

    place = workplace()
    session = place.session(options.session)
    ledger = place.ledger_store().load(session)
    rules = () if options.remove else _chosen(ledger, options.rule)
    gone = () if options.remove else [rule.id for rule in ledger.rules if rule not in ledger.active]
    target = RulesBlock(
        [(rule.id, rule.text) for rule in rules],
        to=_file(options.to, session.info, place.cwd),
        retired=gone,
    )
    change = target.preview()
    for warning in change.warnings:
        note(f"redline: {warning}")
    if change.empty:
        note(f"redline: {change.path} already says so, nothing to write")
        return 0
    if options.dry_run:
        console().print("\n".join(safe(line) for line in difference(change)))
        return 0
    receipt = commit((change,), session=session.info, places=place.places, now=datetime.now(UTC))
    print(change.path)
    if receipt.id:  # another redline may have written just that meanwhile
        note(f"redline: take it back with `redline undo {receipt.id}`")
    return 0


def _file(named: str | None, info: SessionInfo, cwd: Path) -> Path:
    """CLAUDE.md and AGENTS.md lie in the session's project, another file where it is named."""
    if named and named not in rules_files(info.agent, info.project):
        return cwd / expanded(named)
    return rules_file(info, named)


def _chosen(ledger: Ledger, wanted: list[str]) -> tuple[Rule, ...]:
    """The active rules, or those of them that are wanted. Raises RedlineError."""
    active = ledger.active
    for name in wanted:
        if name not in {rule.id for rule in active}:
            raise RedlineError(
                f"{name!r} is no active rule",
                f"confirm it first: redline rules SESSION confirm {name}",
            )
    chosen = tuple(rule for rule in active if not wanted or rule.id in wanted)
    if not chosen:
        proposed = len(ledger.proposed)
        raise RedlineError(
            "there is no active rule to write",
            f"{proposed} are proposed: redline rules SESSION confirm ID" if proposed else "",
            status=1,
        )
    return chosen
