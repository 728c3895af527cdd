from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from redline.errors import RedlineError
from redline.targets.receipts import Receipts
from tests.targets.crash_drafts import hermes_beside, hermes_in_place, pi_append, several
from tests.targets.crashing import ACTS, Case, Make, database, line, usual

# Of these one point of so many; benchmarks/crashes.py dies at all.
KINDS: dict[Make, int] = {
    usual: 1,
    line: 1,
    database: 1,
    several: 3,
    pi_append: 3,
    hermes_in_place: 17,
    hermes_beside: 17,
}
POINTS = 500


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("make", KINDS)
def test_a_process_killed_at_any_change_of_a_file_loses_nothing(
    root: Path, make: Make, act: str
) -> None:
    case = Case(root, make, act)
    for at in case.killed(every=KINDS[make]):
        with telling(at):
            case.check()


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("make", [line, several])
@pytest.mark.parametrize("names_kept", [False, True])
def test_a_power_cut_at_any_change_of_a_file_loses_nothing(
    root: Path, make: Make, act: str, names_kept: bool
) -> None:
    case = Case(root, make, act)
    cuts = 0
    for at in case.cut_off(names_kept=names_kept):
        with telling(at):
            case.check()
        cuts += 1
    assert cuts > 5


def test_there_are_at_least_500_points_at_which_a_process_is_killed(root: Path) -> None:
    counts = {}
    for make in KINDS:
        for act in ACTS:
            counts[make.__name__, act] = Case(root, make, act).points() // KINDS[make]
    assert sum(counts.values()) >= POINTS, counts


@contextlib.contextmanager
def telling(at: int) -> Iterator[None]:
    """Says at which point it was."""
    try:
        yield
    except (AssertionError, RedlineError) as error:
        error.add_note(f"after point {at}")
        raise


@pytest.mark.parametrize("act", ACTS)
def test_what_a_crash_cut_short_is_named_until_it_is_undone(root: Path, act: str) -> None:
    case = Case(root, line, act)
    cut = set()
    for _ in case.killed():
        receipts = Receipts(case.world.home)
        for name in receipts.cut_short():
            cut.add(name)
            assert receipts.undo(name).complete
            assert receipts.cut_short() == ()
    assert len(cut) == 1
    assert cut == {case.named or case.first}
