"""Where a handoff can go from the commit screen, each with what it would change."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from redline.errors import RedlineError
from redline.targets.difference import difference
from redline.targets.target import Change, Target

if TYPE_CHECKING:
    from redline.review import Review
    from redline.ui.surroundings import Surroundings


@dataclass(frozen=True, slots=True)
class Offer:
    """One target. `change` is None where it cannot be written, `trouble` says why then.

    `ticked` is whether it is ticked at first, `put` carries out what is no file.
    """

    name: str
    about: str
    change: Change | None
    lines: tuple[str, ...]
    trouble: str = ""
    ticked: bool = False
    put: Callable[[], str] | None = None

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
    from redline.targets.streams import Clipboard, StandardOutput

    info = review.session.info
    text = as_markdown(review.text, review.session, review.plan)
    file = HandoffFile(
        text,
        session=info,
        places=place.places,
        folder=place.settings.handoffs,
        now=place.now(),
    )
    yield _offer("handoff file", "", file, ticked=True)
    yield from _rules(review)
    clipboard = Clipboard(text, environment=place.environment, write=write, native=place.copy)
    yield _offer("clipboard", "to paste", clipboard, put=clipboard.put)
    output = StandardOutput(text, write=print_later)

    def put() -> str:
        output.put()
        return "printed when redline ends"

    yield _offer("standard output", "at the end", output, put=put)


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
        trouble = f"{error.message}\n{error.hint}" if error.hint else error.message
        return Offer(name, "not possible", None, (), trouble)
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


def chosen_changes(offered: tuple[Offer, ...], ticked: Mapping[str, bool]) -> list[Change]:
    """The changes of files among the ticked ones."""
    return [
        offer.change
        for offer in offered
        if ticked.get(offer.name) and offer.put is None and offer.change is not None
    ]
