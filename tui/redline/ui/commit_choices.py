"""Where a handoff can go from the commit screen, each with what it would change."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from redline.errors import RedlineError
from redline.model import Agent
from redline.targets.difference import difference
from redline.targets.target import Change, Target
from redline.text import one_line
from redline.ui.onward import Onward, from_handoff

if TYPE_CHECKING:
    from redline.review import Review
    from redline.targets.native.draft import Draft, Work
    from redline.ui.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Offer:
    """One target. `change` is None where it cannot be written, `trouble` says why then.

    `ticked` is whether it is ticked at first, `put` carries out what is no file, `onward` starts
    the agent on what is written, `beside` is written with it.
    """

    name: str
    about: str
    change: Change | None
    lines: tuple[str, ...]
    trouble: str = ""
    ticked: bool = False
    put: Callable[[], str] | None = None
    onward: Onward | None = None
    beside: tuple[Change, ...] = ()

    @property
    def possible(self) -> bool:
        return self.change is not None and not (self.put is None and self.change.empty)


def offers(
    review: Review,
    place: Surroundings,
    write: Callable[[str], object],
    print_later: Callable[[str], object],
) -> tuple[Offer, ...]:
    """All targets for `review`. Slow: reads files. `write` writes to the terminal, `print_later`
    takes what is for standard output until the screens are left."""
    return tuple(_offers(review, place, write, print_later))


def _offers(
    review: Review,
    place: Surroundings,
    write: Callable[[str], object],
    print_later: Callable[[str], object],
) -> Iterator[Offer]:
    from redline.handoff.document import as_markdown
    from redline.targets.handoff_file import HandoffFile
    from redline.targets.handoff_frame import Framing
    from redline.targets.streams import Clipboard, StandardOutput

    info = review.session.info
    framing = Framing.of(info, place.environment)

    def text_at(path: Path | None) -> str:
        frame = framing.frames(path)[0]
        return as_markdown(review.text, review.session, review.plan, frame)

    text = text_at(None)
    file = HandoffFile(
        text_at,
        session=info,
        places=place.places,
        folder=place.settings.handoffs,
        now=place.now(),
        environment=place.environment,
    )
    written = _offer("handoff file", "", file, ticked=True)
    if written.change is not None and written.change.path is not None:
        beside = file.previews()[1:]
        written = replace(written, beside=beside, onward=from_handoff(info, written.change.path))
    yield written
    yield from _rules(review)
    yield from _sessions(review, place)
    clipboard = Clipboard(text, environment=place.environment, write=write, native=place.copy)
    yield _offer("clipboard", "to paste", clipboard, put=clipboard.put)
    output = StandardOutput(text, write=print_later)

    def put() -> str:
        output.put()
        return "printed when redline ends"

    yield _offer("standard output", "at the end", output, put=put)


def _sessions(review: Review, place: Surroundings) -> Iterator[Offer]:
    """The session in its agent's own form: a new one, and itself where its agent can do that."""
    info = review.session.info
    if info.agent is Agent.MESSAGES:
        return
    yield _session(review, place, "new session", in_place=False)
    if info.agent in _IN_PLACE:
        yield _session(review, place, "this session", in_place=True)


_IN_PLACE = (Agent.PI, Agent.HERMES)


def _session(review: Review, place: Surroundings, name: str, *, in_place: bool) -> Offer:
    from redline.targets.native.native import NativeSession, work_of

    target = NativeSession(
        work_of(
            review.session,
            review.plan,
            review.text,
            now=place.now(),
            environment=place.environment,
            in_place=in_place,
        )
    )
    try:
        change = target.preview()
    except RedlineError as error:
        return Offer(name, "not possible", None, (), _told(error))
    draft = target.draft
    assert draft is not None
    about = f"{len(draft.stays):,} kept"
    return Offer(
        name, about, change, _contents(draft, target.work), onward=Onward(draft.argv, draft.folder)
    )


def _contents(draft: Draft, work: Work) -> tuple[str, ...]:
    """What the agent will have in its context, in order."""
    which = "" if draft.in_place else f" as {draft.id}"
    lines = [f"{draft.agent.value} will go on{which} with", ""]
    for number, stays in enumerate(draft.stays):
        if work.summary and number == (work.plan.summary_at or 0):
            lines += _summary(work)
        mark = " " if stays.whole else "~"
        head = one_line(stays.message.head, 200)
        lines.append(f"{mark} {stays.index + 1:>5}  {stays.message.role.value:<10} {head}".rstrip())
    if work.summary and (work.plan.summary_at or 0) >= len(draft.stays):
        lines += _summary(work)
    return tuple(lines)


def _summary(work: Work) -> list[str]:
    return [f"+ {line}" for line in ("summary", *work.summary.splitlines())]


def _rules(review: Review) -> Iterator[Offer]:
    """The rules block for the files that agents read in the session's project."""
    from redline.targets.rules_block import RulesBlock
    from redline.targets.rules_file import rules_file, rules_files

    info, ledger = review.session.info, review.ledger
    active = [(rule.id, rule.text) for rule in ledger.active]
    gone = [rule.id for rule in ledger.rules if rule not in ledger.active]
    for name in rules_files(info.agent, info.project):
        try:
            file = rules_file(info, name)
        except RedlineError as error:
            yield Offer(name, "no such folder", None, (), f"{error.message}.")
            continue
        offer = None
        if active or (gone and os.path.exists(file)):
            offer = _offer(name, "rules ", RulesBlock(active, to=file, retired=gone))
        if offer is not None and (active or offer.possible):
            yield offer
        else:
            trouble = "No rule is active; confirm some at the desk (2)."
            yield Offer(name, "no active rule", None, (), trouble)


def _offer(
    name: str,
    about: str,
    target: Target,
    *,
    ticked: bool = False,
    put: Callable[[], str] | None = None,
) -> Offer:
    try:
        change = target.preview()
    except RedlineError as error:
        return Offer(name, "not possible", None, (), _told(error))
    if put is not None:
        lines = tuple(change.after.decode("utf-8", "replace").split("\n"))
    else:
        lines = difference(change)
        added = sum(line.startswith("+") for line in lines[2:])
        removed = sum(line.startswith("-") for line in lines[2:])
        about = f"{about}+{added} -{removed}"
    if change.empty and put is None:
        about = "already says so"
    return Offer(name, about, change, lines, ticked=ticked, put=put)


def _told(error: RedlineError) -> str:
    return f"{error.message}\n{error.hint}" if error.hint else error.message


def chosen_changes(offered: tuple[Offer, ...], ticked: Mapping[str, bool]) -> list[Change]:
    """The changes of files among the ticked ones."""
    return [
        change
        for offer in offered
        if ticked.get(offer.name) and offer.put is None and offer.change is not None
        for change in (offer.change, *offer.beside)
    ]
