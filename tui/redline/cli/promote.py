"""`redline promote`: active rules, and what else is wanted, as blocks in CLAUDE.md, AGENTS.md or
another file."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from redline.cli.output import SCHEMA, console, note, print_json
from redline.cli.recovering import writing_place
from redline.cli.workplace import Workplace
from redline.errors import RedlineError
from redline.files import expanded
from redline.targets.loaded_files import Loaded, Reader, loaded_files
from redline.targets.rules_file import is_of_project, project_of, rules_file, rules_files
from redline.text import counted, printable, safe

if TYPE_CHECKING:
    from redline.ledger.rule import Ledger, Rule
    from redline.model import Session, SessionInfo
    from redline.targets.block import BlockRule
    from redline.targets.block_target import BlockTarget
    from redline.targets.receipt import Receipt
    from redline.targets.target import Change
    from redline.targets.text_blocks import State


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the command line asks for, of which session, and which file it goes to."""

    options: argparse.Namespace
    place: Workplace
    session: Session
    to: Path
    reader: Reader | None


def run(options: argparse.Namespace) -> int:
    from redline.targets.block_target import joined
    from redline.targets.commit import commit
    from redline.targets.difference import difference

    place = writing_place(dry_run=options.dry_run)
    session = place.session(options.session)
    if options.files:
        return _files(options, place, session.info)
    asked = _Asked(
        options, place, session, _file(options.to, session.info, place), _reader(session, place)
    )
    (change,) = joined([target.preview() for target in _targets(asked)])
    if not options.json:
        for warning in change.warnings:
            note(f"redline: {warning}")
    if options.dry_run or change.empty:
        if options.json:
            print_json(_report(change, None, difference(change)))
        elif change.empty:
            note(f"redline: {_nothing(options, change)}")
        else:
            console().print("\n".join(safe(line) for line in difference(change)))
        return 0
    receipt = commit((change,), session=session.info, places=place.places, now=datetime.now(UTC))
    if options.json:
        print_json(_report(change, receipt.id or None, difference(change)))
        return 0
    print(printable(str(change.path)))
    if receipt.id:  # another redline may have written just that meanwhile
        kept = _kept(receipt, place.places.receipts / receipt.id)
        note(f"redline: {kept}; `redline undo {receipt.id}` takes it back")
    return 0


def _nothing(options: argparse.Namespace, change: Change) -> str:
    """Why nothing is written."""
    if not options.remove:
        return f"{change.path} already says so, nothing to write"
    return f"{change.path} is without such a block already, nothing to take out"


def _kept(receipt: Receipt, copy: Path) -> str:
    """What became of the file, and of what was there."""
    (written,) = receipt.written
    if written.before is None:
        return "the file is new"
    gone = "the file is gone, " if not written.after else ""
    return f"{gone}what was there before is kept in {copy}"


def _targets(asked: _Asked) -> list[BlockTarget]:
    """The blocks to write: the rules, or what is asked for in their place."""
    from redline.targets.block import COMPACT, STATE
    from redline.targets.block_target import WithoutBlock
    from redline.targets.text_blocks import CompactInstructions, StateBlock

    options, to, places = asked.options, asked.to, asked.place.places
    targets: list[BlockTarget] = []
    if options.state:
        if options.remove:
            targets.append(WithoutBlock(to=to, block=STATE, places=places))
        else:
            targets.append(StateBlock(_state(asked), to=to, reader=asked.reader))
    if options.compact_instructions:
        if options.remove:
            targets.append(WithoutBlock(to=to, block=COMPACT, places=places))
        else:
            _refuse_other_readers(asked)
            targets.append(CompactInstructions(to=to, reader=asked.reader))
    return targets or [_rules(asked)]


def _rules(asked: _Asked) -> BlockTarget:
    from redline.targets.rules_block import RulesBlock

    options = asked.options
    ledger = asked.place.ledger_store().load(asked.session)
    if options.remove:
        known = [rule.text for rule in ledger.rules]
        return RulesBlock((), to=asked.to, known=known, places=asked.place.places)
    retire = options.retire
    rules = _chosen(ledger, options.rule) if options.rule or not retire else ledger.active
    held = _held(asked.to) if retire else ()
    _refuse_unknown(retire, ledger, held, asked.to)
    return RulesBlock(
        [(rule.id, rule.text) for rule in rules if rule.id not in retire],
        to=asked.to,
        retired=[rule.id for rule in (*ledger.proposed, *ledger.ended)],
        without=[*retire, *_twins(retire, ledger, held)],
        lifted=[rule.text for rule in ledger.ended],
        insist=options.rule,
        reader=asked.reader,
        places=asked.place.places,
    )


def _held(to: Path) -> tuple[BlockRule, ...]:
    """The rules in the block that `to` leads to."""
    from redline.files import read_if_there
    from redline.targets.block import DEFAULT, rules_of
    from redline.targets.memory_files import place_for

    return rules_of(read_if_there(place_for(to, DEFAULT).path) or b"", DEFAULT)


def _twins(retire: list[str], ledger: Ledger, held: tuple[BlockRule, ...]) -> list[str]:
    """The ids under which other sessions have written what the retired rules say."""
    from redline.targets.rules_block import says_the_same

    texts = [rule.text for rule in ledger.rules if rule.id in retire]
    texts += [one.line for one in held if one.id in retire]
    twins = (one for one in held if any(says_the_same(one.line, text) for text in texts))
    return [one.id for one in twins if one.id and one.id not in retire]


def _refuse_unknown(
    retire: list[str], ledger: Ledger, held: tuple[BlockRule, ...], to: Path
) -> None:
    known = {rule.id for rule in ledger.rules} | {rule.id for rule in held}
    for name in retire:
        if name not in known:
            raise RedlineError(
                f"{name!r} is no rule of this session, and none in {to}",
                "`redline rules SESSION` lists them with their ids",
            )


def _refuse_other_readers(asked: _Asked) -> None:
    from redline.model import Agent

    agent = asked.session.info.agent
    if agent is not Agent.CLAUDE_CODE and not asked.options.to:
        raise RedlineError(
            f"{agent.value} reads no instructions for its compaction from a file",
            "for Claude Code name its file: --to CLAUDE.md",
            status=1,
        )


def _state(asked: _Asked) -> State:
    """How the session stands, by the writer that needs no model."""
    from redline.cli.writing import OFFLINE, written_with
    from redline.handoff.handoff import Handoff
    from redline.review import Choice
    from redline.targets.text_blocks import state_of

    place, session = asked.place, asked.session
    review = place.review(session, Choice("fresh"), tokens=False)
    written, _ = written_with(OFFLINE, place, review, None)
    return state_of(session, written.handoff or Handoff())


def _file(named: str | None, info: SessionInfo, place: Workplace) -> Path:
    """Files of instructions lie in the session's project, another file where it is named."""
    usual = rules_files(info.agent, info.project, place.environment)
    if named and not (named in usual or is_of_project(named)):
        return place.cwd / expanded(named)
    return rules_file(info, named, place.environment)


def _reader(session: Session, place: Workplace) -> Reader | None:
    """The session's agent in its project, None where that is not here."""
    try:
        info = session.info
        return Reader(info.agent, project_of(info), place.environment, info.model)
    except RedlineError:
        return None


def _files(options: argparse.Namespace, place: Workplace, info: SessionInfo) -> int:
    """What the session's agent loads in its project, in order."""
    project = project_of(info)
    found = loaded_files(info.agent, project, place.environment, model=info.model)
    if options.json:
        print_json(
            {
                "schema": SCHEMA,
                "agent": info.agent.value,
                "project": str(project),
                "files": [
                    {
                        "path": str(one.path),
                        "bytes": one.bytes,
                        "tokens": one.tokens,
                        "why": one.why,
                        "cut_at": one.cut_at,
                    }
                    for one in found
                ],
            }
        )
        return 0
    if not found:
        note(f"redline: {info.agent.value} reads no file of instructions in {project}")
    for number, one in enumerate(found, 1):
        console().print(f"{number:>2}  {one.path}\n    {one.why}, {_size(one)}")
    return 0


def _size(one: Loaded) -> str:
    size = f"{counted(one.bytes, 'byte')}, ≈ {counted(one.tokens, 'token')}"
    if one.cut_at is None:
        return size
    return f"{size}; " + (f"cut at byte {one.cut_at:,}" if one.cut_at else "not read on start")


def _report(change: Change, receipt: str | None, lines: tuple[str, ...]) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "path": str(change.path),
        "changed": not change.empty,
        "receipt": receipt,
        "warnings": list(change.warnings),
        "difference": list(lines),
    }


def _chosen(ledger: Ledger, wanted: list[str]) -> tuple[Rule, ...]:
    """The active rules, or those of them that are wanted. Raises RedlineError."""
    active = ledger.active
    for name in wanted:
        if name not in {rule.id for rule in active}:
            raise _not_active(name, ledger)
    chosen = tuple(rule for rule in active if not wanted or rule.id in wanted)
    if not chosen:
        proposed = counted(len(ledger.proposed), "rule")
        raise RedlineError(
            "no rule of this session is confirmed, so there is none to write",
            f"{proposed} proposed: `redline rules SESSION` lists them, "
            "`redline rules SESSION confirm ID` confirms one"
            if ledger.proposed
            else "`redline rules SESSION add TEXT` adds one",
            status=1,
        )
    return chosen


def _not_active(name: str, ledger: Ledger) -> RedlineError:
    rule = ledger.named(name)
    if rule is None:
        return RedlineError(
            f"{name!r} is no rule of this session",
            "`redline rules SESSION` lists them with their ids",
        )
    return RedlineError(
        f"rule {name} is {rule.state.value}, only active ones are written",
        f"confirm it first: redline rules SESSION confirm {name}",
    )
