"""Where a handoff can go from the commit screen, each with what it would change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from redline.errors import RedlineError
from redline.model import Agent
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

    info = review.session.info
    active = [(rule.id, rule.text) for rule in review.ledger.active]
    names = ["CLAUDE.md", "AGENTS.md"]
    if info.agent is not Agent.CLAUDE_CODE:
        names.reverse()
    folder = Path(info.project) if info.project else None
    for name in names:
        label = name
        if not active:
            trouble = "No rule is active; confirm some at the desk (2)."
            yield Offer(label, "no active rule", None, (), trouble)
        elif folder is None or not folder.is_dir():
            trouble = f"The project {info.project or ''} is not on this machine."
            yield Offer(label, "no such folder", None, (), trouble)
        else:
            yield _offer(label, "rules ", RulesBlock(active, to=folder / name))


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
