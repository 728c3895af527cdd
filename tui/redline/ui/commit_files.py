"""What the commit screen offers for the files of a project: rules, state, memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from redline.errors import RedlineError
from redline.model import Agent
from redline.targets.loaded_files import Loaded, Reader, loaded_files
from redline.text import counted
from redline.ui.offer import Offer, offer_of

if TYPE_CHECKING:
    from redline.review import Review
    from redline.ui.surroundings import Surroundings


def file_offers(review: Review, place: Surroundings) -> Iterator[Offer]:
    """The rules for each file that agents read in the session's project; how the work stands and
    what a compaction must keep, for the first of them; and the project's memory. Slow."""
    from redline.targets.rules_file import rules_file, rules_files

    info = review.session.info
    reader = _reader(review, place)
    files: list[Path] = []
    for name in rules_files(info.agent, info.project, place.environment):
        try:
            file = rules_file(info, name, place.environment)
        except RedlineError as error:
            yield Offer(name, "no such folder", None, (), f"{error.message}.")
            continue
        files.append(file)
        yield _rules(review, name, file, reader, place)
    if files:
        yield from _blocks(review, files[0], reader)
    yield _memory(review)


def _reader(review: Review, place: Surroundings) -> Reader | None:
    info = review.session.info
    if not info.project or not os.path.isdir(info.project):
        return None
    return Reader(info.agent, Path(info.project), place.environment, info.model)


def _rules(
    review: Review, name: str, file: Path, reader: Reader | None, place: Surroundings
) -> Offer:
    from redline.targets.rules_block import RulesBlock

    ledger = review.ledger
    active = [(rule.id, rule.text) for rule in ledger.active]
    gone = [rule.id for rule in (*ledger.proposed, *ledger.ended)]
    if active or (gone and os.path.exists(file)):
        target = RulesBlock(active, to=file, retired=gone, reader=reader, places=place.places)
        offer = offer_of(name, "rules ", target)
        if active or offer.possible:
            return replace(offer, notes=_read_by(reader))
    trouble = "No rule is active; confirm some at the desk (2)."
    return Offer(name, "no active rule", None, (), trouble, notes=_read_by(reader))


def _blocks(review: Review, file: Path, reader: Reader | None) -> Iterator[Offer]:
    from redline.handoff.markdown import parse
    from redline.targets.text_blocks import CompactInstructions, StateBlock, state_of

    where = f"in {file.name} "
    notes = _read_by(reader)
    state = StateBlock(state_of(review.session, parse(review.text)), to=file, reader=reader)
    yield replace(offer_of("state", where, state), notes=notes)
    if review.session.info.agent is Agent.CLAUDE_CODE:
        kept = CompactInstructions(to=file, reader=reader)
        told = ("what Claude Code's own /compact is told to keep", *notes)
        yield replace(offer_of("/compact", where, kept), notes=told)


def _memory(review: Review) -> Offer:
    from redline.handoff.markdown import carry_sources, parse
    from redline.targets.memory_json import NAME, MemoryJson, memory_file

    info = review.session.info
    try:
        file = memory_file(info)
    except RedlineError as error:
        return Offer(str(NAME), "no such folder", None, (), f"{error.message}.")
    handoff = parse(review.text)
    if review.handoff is not None:
        handoff = carry_sources(handoff, review.handoff)
    target = MemoryJson(
        handoff,
        to=file,
        facts=review.facts,
        ended=review.ledger.ended,
        inside=Path(info.project or "/"),
    )
    return offer_of(str(NAME), "", target)


def _read_by(reader: Reader | None) -> tuple[str, ...]:
    """What the agent reads in the project on start, in order."""
    if reader is None:
        return ()
    found = loaded_files(reader.agent, reader.project, reader.environment)
    name = reader.agent.value
    if not found:
        return (f"{name} reads no file of instructions here yet",)
    return (f"{name} reads on start, in order: " + ", ".join(map(_told, found)),)


def _told(one: Loaded) -> str:
    cut = "" if one.cut_at is None else ", not whole"
    return f"{one.path} ({counted(one.bytes, 'byte')}{cut})"
