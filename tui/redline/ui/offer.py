"""One place that can be ticked on the commit screen, and what it would change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from redline.errors import RedlineError, in_words
from redline.files import read_if_there
from redline.targets.block_target import joined
from redline.targets.difference import difference
from redline.targets.target import Change, Target
from redline.ui.onward import Onward


@dataclass(frozen=True, slots=True)
class Offer:
    """One target. `change` is None where it cannot be written, `trouble` says why then.

    `ticked` is whether it is ticked at first, `put` carries out what is no file, `onward` starts
    the agent on what is written, `beside` is written with it. `notes` are told beside the warnings.
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
    notes: tuple[str, ...] = ()

    @property
    def possible(self) -> bool:
        return self.change is not None and not (self.put is None and self.change.empty)


def offer_of(
    name: str,
    about: str,
    target: Target,
    *,
    ticked: bool = False,
    put: Callable[[], str] | None = None,
) -> Offer:
    """What `target` would change, `about` it in few words. `put` carries out what is no file."""
    try:
        change = target.preview()
    except RedlineError as error:
        return Offer(name, "not possible", None, (), told(error))
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


def guarded(name: str, offers: Callable[[], Iterator[Offer]]) -> Iterator[Offer]:
    """The `offers`; where the system refuses a look at them, one in their place that says so: the
    other targets stay possible."""
    try:
        yield from offers()
    except OSError as error:
        yield Offer(name, "not possible", None, (), in_words(error))


def told(error: RedlineError) -> str:
    """An error with its hint."""
    return f"{error.message}\n{error.hint}" if error.hint else error.message


def chosen_changes(offered: tuple[Offer, ...], ticked: Mapping[str, bool]) -> list[Change]:
    """The changes of files among the ticked ones; those of one file are one."""
    chosen = [
        change
        for offer in offered
        if ticked.get(offer.name) and offer.put is None and offer.change is not None
        for change in (offer.change, *offer.beside)
    ]
    return list(joined(chosen))


def changed_since(changes: Sequence[Change]) -> Path | None:
    """The first file that is not any more what its change was shown on. Slow: reads files."""
    for change in changes:
        path = change.path
        if change.deed is None and path is not None and read_if_there(path) != change.before:
            return path
    return None
