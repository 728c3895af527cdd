from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from redline.errors import RedlineError
from redline.evaluate.finding import Standing, Text
from redline.evaluate.plants import (
    SHIPPED,
    PlantKind,
    Statement,
    plants_in,
    read_plants,
    shipped_plants,
)


@pytest.mark.parametrize("name", SHIPPED)
def test_enough_of_every_kind_is_shipped_and_all_of_it_is_found_in_itself(name: str) -> None:
    plants = shipped_plants(name)
    for kind in PlantKind:
        of_kind = [one for one in plants.singles if one.kind is kind]
        assert len(of_kind) >= 20
        assert sum(one.language == "zh" for one in of_kind) * 3 >= len(of_kind)
    assert len(plants.restatements) >= 30
    assert len(plants.near_duplicates) >= 20
    said: list[Statement] = [one.statement for one in plants.singles]
    said += [each for one in plants.restatements for each in (one.older, one.newer)]
    said += [each for one in plants.near_duplicates for each in (one.first, one.second)]
    lost = [
        place  # told by its place: nobody is to read the held-out ones in a failure
        for place, statement in enumerate(said)
        if Text(f"- {statement.text}").standing(statement) is not Standing.CURRENT
    ]
    assert lost == []


@pytest.mark.parametrize("name", SHIPPED)
def test_two_things_of_the_shipped_ones_are_never_found_in_each_other(name: str) -> None:
    plants = shipped_plants(name)
    found = [
        place
        for place, one in enumerate(plants.restatements)
        if Text(one.older.text).standing(one.newer) is not Standing.MISSING
        or Text(one.newer.text).standing(one.older, [one.newer]) is Standing.CURRENT
    ]
    assert found == []
    alike = [
        place
        for place, near in enumerate(plants.near_duplicates)
        if Text(near.first.text).standing(near.second) is not Standing.MISSING
        or Text(near.second.text).standing(near.first) is not Standing.MISSING
    ]
    assert alike == []


def test_known_and_held_out_share_no_sentence() -> None:
    known, held_out = (
        {
            *(one.statement.text for one in plants.singles),
            *(one.newer.text for one in plants.restatements),
            *(one.first.text for one in plants.near_duplicates),
        }
        for plants in map(shipped_plants, SHIPPED)
    )
    assert not known & held_out


def test_somebody_elses_phrasings_are_read_with_what_may_be_left_out() -> None:
    plants = read_plants(
        json.dumps(
            {
                "schema": 1,
                "statements": [{"kind": "goal", "text": "Ship  it", "note": "mine"}],
                "restatements": [
                    {
                        "kind": "fact",
                        "older": {"text": "port 1", "must": ["port"], "value": "1"},
                        "newer": {"text": "port 2", "must": [["port", "PORT"], "2"], "value": "2"},
                    }
                ],
            }
        ),
        "mine.json",
    )
    assert plants.name == "mine"
    assert plants.singles[0].statement == Statement("Ship it", (("Ship  it",),))
    assert plants.restatements[0].older.must == (("port",), ("1",))
    assert plants.restatements[0].newer.must == (("port", "PORT"), ("2",))
    assert plants.near_duplicates == ()


def test_the_form_that_is_documented_is_the_one_that_is_read() -> None:
    document = (Path(__file__).parents[2] / "docs" / "evaluate.md").read_text("utf-8")
    (example,) = re.findall(r"```json\n(.*?)```", document, re.S)
    plants = read_plants(example, "evaluate.md")
    assert len(plants.singles) == 2
    assert plants.singles[0].statement.forbids
    assert plants.restatements[0].newer.must == (("API",), ("9090",))
    assert len(plants.near_duplicates) == 1


STATEMENT = {"kind": "rule", "text": "Never."}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ([], '"schema": 1'),
        ({"schema": 2}, '"schema": 1'),
        ({"schema": 1}, "nothing to plant"),
        ({"schema": 1, "statements": {}}, "statements: a list"),
        ({"schema": 1, "statements": ["x"]}, "statements[0]: an object"),
        ({"schema": 1, "statements": [STATEMENT, {"kind": "wish", "text": "a"}]}, "statements[1]"),
        ({"schema": 1, "statements": [{"kind": "rule", "text": " "}]}, "text of 1 to"),
        ({"schema": 1, "statements": [{**STATEMENT, "must": "x"}]}, "must is a list"),
        ({"schema": 1, "statements": [{**STATEMENT, "must": []}]}, "must is empty"),
        ({"schema": 1, "statements": [{**STATEMENT, "must": [[]]}]}, "a token is"),
        ({"schema": 1, "statements": [{**STATEMENT, "must": [7]}]}, "a token is"),
        ({"schema": 1, "statements": [{**STATEMENT, "polarity": "yes"}]}, "polarity"),
        (
            {"schema": 1, "restatements": [{"kind": "fact", "older": {"text": "a"}}]},
            "restatements[0], older: value",
        ),
        (
            {"schema": 1, "near_duplicates": [{"kind": "fact", "first": {"text": "a"}}]},
            "near_duplicates[0], second: an object",
        ),
    ],
)
def test_a_file_of_another_form_is_told_where_it_is_wrong(data: Any, said: str) -> None:
    with pytest.raises(RedlineError) as caught:
        read_plants(json.dumps(data), "mine.json")
    assert said in caught.value.message
    assert "mine.json" in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[" * 100_000])
def test_a_file_that_is_no_json_is_an_error(body: bytes, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_bytes(body)
    with pytest.raises(RedlineError, match=r"mine\.json"):
        plants_in(file)
    with pytest.raises(RedlineError, match="cannot read"):
        plants_in(tmp_path / "other.json")
