"""One statement is told to be another said again only where both are surely of the same thing."""

from __future__ import annotations

from redline.ledger.restating import Restated, restates


def test_another_value_of_the_same_thing_is_a_restatement_that_gives_both_values() -> None:
    found = restates("The staging DB is on port 5433", "no wait, staging database moved to 5434")
    assert found == Restated("5433", "5434", sure=True)


def test_values_of_two_things_are_not() -> None:
    assert restates("service A listens on 5432", "service B listens on 5433") is None
