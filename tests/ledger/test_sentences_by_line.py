"""People who type one statement a line end none with a full stop."""

from __future__ import annotations

from redline.ledger.masking import mask
from redline.ledger.sentences import sentences


def split(text: str) -> list[str]:
    return [sentence.text for sentence in sentences(text, mask(text))]


def test_statements_on_lines_of_their_own_are_not_one() -> None:
    text = "before I forget: v1.10 is deployed in Porto\nkeep app.wasm under 2 MB"
    assert split(text) == text.split("\n")


def test_a_line_that_cannot_end_there_goes_on() -> None:
    text = "Every request to the geocoder goes through the\ncache of the gateway"
    assert split(text) == [text.replace("\n", " ")]
