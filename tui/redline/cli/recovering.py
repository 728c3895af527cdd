"""What a crash left of an earlier commit is finished before a command writes, and told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redline.cli.output import note
from redline.cli.workplace import Workplace, workplace

if TYPE_CHECKING:
    from redline.targets.recovering import Recovered


def writing_place(*, dry_run: bool = False) -> Workplace:
    """The workplace of a command that writes. Before its previews are made, what a crash left is
    finished; not by a dry run, which changes nothing."""
    place = workplace()
    if not dry_run:
        recovered(place)
    return place


def recovered(place: Workplace) -> tuple[Recovered, ...]:
    """Finishes what crashes have cut short, says so, and gives it."""
    from redline.targets.recovering import recover

    found = recover(place.places, environment=place.environment)
    for one in found:
        note(f"redline: {one.told}")
    return found
