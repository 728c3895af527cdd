"""Every field of the sample sessions, replaced by what it should not be: the whole way still goes.

The samples hold the record types of both agents; each distinct field is tried once per value.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from redline.agents.claude_code.reader import scan as scan_claude_code
from redline.agents.opening import open_session
from redline.agents.pi.reader import scan as scan_pi
from redline.cli.audit import audit_json
from redline.cli.inspect import inspect_json
from redline.cli.show import block_json, context_blocks
from redline.cli.workplace import Workplace, workplace
from redline.compaction.saved import dump_plan, load_pins
from redline.compaction.strategies.registry import names
from redline.errors import RedlineError
from redline.handoff.document import as_json, as_markdown
from redline.handoff.json_form import load
from redline.handoff.past import past_audits
from redline.review import Choice, Review
from redline.shipped import shipped

VALUES: tuple[Any, ...] = (None, -1, 2.5, True, "\x1b[2J\ud800", [], ["x", 1, None], {"type": []})
_LONGEST = 400  # characters of a text: what is tried here is its type
_ROUND = 20  # fields changed in one file, each in a record of its own

Place = tuple[str | int, ...]


def fields(value: Any, above: Place = ()) -> Iterator[Place]:
    """The places of everything below `value`; of a list the first three items."""
    inside: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        inside += value.items()
    elif isinstance(value, list):
        inside += enumerate(value[:3])
    for name, below in inside:
        yield (*above, name)
        yield from fields(below, (*above, name))


def _short(value: Any) -> Any:
    match value:
        case str():
            return value[:_LONGEST]
        case list():
            return [_short(item) for item in value]
        case dict():
            return {name: _short(item) for name, item in value.items()}
    return value


def _kind(record: dict[str, Any], place: Place) -> tuple[object, ...]:
    """What makes a field one of its own: the type of its record and the way to it."""
    return (
        record.get("type"),
        record.get("subtype"),
        *("*" if isinstance(step, int) else step for step in place),
    )


def put(record: Any, place: Place, value: Any) -> None:
    for step in place[:-1]:
        record = record[step]
    record[place[-1]] = value


def _whole_way(path: Path, place: Workplace, strategy: str) -> None:
    """Everything the commands do with a session, short of writing."""
    for scan in (scan_claude_code, scan_pi):
        scan(path)
    try:
        session = open_session(path)
    except RedlineError:
        return  # its very head is gone: a clear message is all there can be
    window = place.window(session)
    assert sum(window.categories.values()) == window.used
    facts, ledger = place.facts(session), place.ledger_store().load(session)
    json.dumps(inspect_json(place, session, window, lambda: ledger), allow_nan=False)
    list(map(block_json, session.source.resume()))
    list(map(block_json, context_blocks(session, session.context)))
    review = Review.start(session, window, facts, ledger, Choice(strategy))
    saved = json.dumps(dump_plan(review.plan, window), allow_nan=False)
    load_pins(json.loads(saved), session)
    review = review.write()
    as_markdown(review.text, session, review.plan)
    load(as_json(review.text, session, review.plan, review.handoff))
    assert review.audited().audit is not None
    for past in past_audits(session, ledger, facts):
        audit_json(past.audit)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workplace:
    monkeypatch.setenv("REDLINE_HOME", str(tmp_path / "redline"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return workplace(tmp_path)


SAMPLES = sorted(shipped("sample_sessions").rglob("*.jsonl"))


@pytest.mark.parametrize("sample", SAMPLES, ids=[path.stem[:20] for path in SAMPLES])
def test_no_field_of_any_record_is_fatal_whatever_it_holds(
    sample: Path, place: Workplace, tmp_path: Path
) -> None:
    lines = [json.dumps(_short(json.loads(line))) for line in sample.read_bytes().splitlines()]
    places: dict[tuple[object, ...], list[tuple[int, Place]]] = {}
    for number, line in enumerate(lines):
        record = json.loads(line)
        for field in fields(record):
            places.setdefault(_kind(record, field), []).append((number, field))
    # Each value in another record that has the field, as far as there are others.
    jobs = sorted(
        (
            (*found[turn % len(found)], value)
            for found in places.values()
            for turn, value in enumerate(VALUES)
        ),
        key=lambda job: job[0],
    )
    assert jobs
    # The changes of one record are neighbours: so many rounds that none has two of them.
    rounds = max(len(jobs) // _ROUND, *Counter(number for number, _, _ in jobs).values())
    for start in range(rounds):
        changed = list(lines)
        for number, field, value in jobs[start::rounds]:
            record = json.loads(lines[number])
            put(record, field, value)
            changed[number] = json.dumps(record)
        path = tmp_path / sample.name
        path.write_text("\n".join(changed) + "\n")
        _whole_way(path, place, names()[start % len(names())])
