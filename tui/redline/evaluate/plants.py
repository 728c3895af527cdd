"""What is planted: statements of five kinds, restatements with another value, near-duplicates.

A file of plants is JSON:

    {"schema": 1, "name": "mine",
     "statements": [{"kind": "rule", "text": "Never touch src/legacy.", "must": ["src/legacy"],
                     "polarity": "not"}],
     "restatements": [{"kind": "fact",
                       "older": {"text": "The API is on port 8080.", "must": ["API", "8080"],
                                 "value": "8080"},
                       "newer": {"text": "API: port 9090 now.", "must": ["API", "9090"],
                                 "value": "9090"}}],
     "near_duplicates": [{"kind": "rule",
                          "first": {"text": "Do not rename Store.", "must": ["Store"]},
                          "second": {"text": "Do not rename StoreCache.", "must": ["StoreCache"]}}]}

`kind` is rule, constraint, fact, goal or preference. `must` are the tokens that are to be found for
the statement to count as there, all in one sentence; one that is a list is any of its members.
`polarity` "not" asks for a word that forbids beside them. Without `must` the whole text is looked
for. `value` is what a restatement changes. `language` may be told beside `kind`: a session is made
of one language where there is enough of it. Other fields are passed over, and each of the three
lists may be left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path
from typing import Any

from redline.errors import RedlineError

SHIPPED = ("known", "held_out")  # plants/*.json of this package
_HINT = "the form of such a file stands in docs/evaluate.md"
_LONGEST = 2_000  # characters of one statement


class PlantKind(StrEnum):
    """What a statement is for the work."""

    RULE = "rule"
    CONSTRAINT = "constraint"
    FACT = "fact"
    GOAL = "goal"
    PREFERENCE = "preference"


Token = tuple[str, ...]  # any of these


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence as a person says it. See the module for `must` and `value`; `forbids` says that
    a word that forbids belongs to it."""

    text: str
    must: tuple[Token, ...] = ()
    value: str = ""
    forbids: bool = False


@dataclass(frozen=True, slots=True)
class Single:
    """A statement that stands for itself."""

    kind: PlantKind
    statement: Statement
    language: str = ""


@dataclass(frozen=True, slots=True)
class Restatement:
    """The same thing said twice; what `newer` says holds."""

    kind: PlantKind
    older: Statement
    newer: Statement
    language: str = ""


@dataclass(frozen=True, slots=True)
class NearDuplicate:
    """Two things that sound alike; both hold."""

    kind: PlantKind
    first: Statement
    second: Statement
    language: str = ""


@dataclass(frozen=True, slots=True)
class Plants:
    """All that can be planted, by one author."""

    name: str
    singles: tuple[Single, ...] = ()
    restatements: tuple[Restatement, ...] = ()
    near_duplicates: tuple[NearDuplicate, ...] = ()


def shipped_plants(name: str) -> Plants:
    """The plants called `name` that come with redline, see SHIPPED."""
    text = files("redline.evaluate").joinpath("plants", f"{name}.json").read_text("utf-8")
    return read_plants(text, f"{name}.json")


def plants_in(path: Path) -> Plants:
    """The plants in the file at `path`. Raises RedlineError where it cannot be read, or is not of
    the form that the module describes."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise RedlineError(f"cannot read {path}: {error.strerror}", _HINT) from error
    except UnicodeDecodeError as error:
        raise RedlineError(f"{path} is not UTF-8", _HINT) from error
    return read_plants(text, str(path))


def read_plants(text: str, source: str) -> Plants:
    """The plants that the JSON `text` holds; `source` names it in errors. Raises RedlineError."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RedlineError(f"{source} is no JSON: {error}", _HINT) from error
    if not isinstance(data, dict) or data.get("schema") != 1:
        raise RedlineError(f'{source}: an object with "schema": 1 was expected', _HINT)
    read = _Reader(source)
    name = data.get("name")
    plants = Plants(
        name if isinstance(name, str) and name else Path(source).stem,
        tuple(
            Single(read.kind(item, at), read.statement(item, at), read.language(item))
            for item, at in read.items(data, "statements")
        ),
        tuple(
            Restatement(
                read.kind(item, at),
                read.statement(item.get("older"), f"{at}, older", valued=True),
                read.statement(item.get("newer"), f"{at}, newer", valued=True),
                read.language(item),
            )
            for item, at in read.items(data, "restatements")
        ),
        tuple(
            NearDuplicate(
                read.kind(item, at),
                read.statement(item.get("first"), f"{at}, first"),
                read.statement(item.get("second"), f"{at}, second"),
                read.language(item),
            )
            for item, at in read.items(data, "near_duplicates")
        ),
    )
    if not (plants.singles or plants.restatements or plants.near_duplicates):
        raise RedlineError(f"{source} holds nothing to plant", _HINT)
    return plants


class _Reader:
    def __init__(self, source: str) -> None:
        self._source = source

    def items(self, data: Mapping[str, Any], key: str) -> list[tuple[dict[str, Any], str]]:
        found = data.get(key, [])
        if not isinstance(found, list):
            raise self._wrong(key, "a list was expected")
        listed = [(item, f"{key}[{place}]") for place, item in enumerate(found)]
        for item, at in listed:
            if not isinstance(item, dict):
                raise self._wrong(at, "an object was expected")
        return listed

    def kind(self, item: Mapping[str, Any], at: str) -> PlantKind:
        try:
            return PlantKind(str(item.get("kind")))
        except ValueError:
            raise self._wrong(at, f"kind is one of {', '.join(PlantKind)}") from None

    def language(self, item: Mapping[str, Any]) -> str:
        found = item.get("language", "")
        return found if isinstance(found, str) else ""

    def statement(self, item: object, at: str, *, valued: bool = False) -> Statement:
        if not isinstance(item, dict):
            raise self._wrong(at, "an object was expected")
        text = item.get("text")
        if not isinstance(text, str) or not text.strip() or len(text) > _LONGEST:
            raise self._wrong(at, f"text of 1 to {_LONGEST} characters was expected")
        must = item.get("must", [text])
        if not isinstance(must, list):
            raise self._wrong(at, "must is a list")
        value = item.get("value", "")
        if not isinstance(value, str) or (valued and not value.strip()):
            raise self._wrong(at, "value was expected, a string")
        polarity = item.get("polarity")
        if polarity not in (None, "not"):
            raise self._wrong(at, 'polarity is "not" or left out')
        tokens = [self._token(token, at) for token in must]
        if value and (value,) not in tokens:
            tokens.append((value,))
        if not tokens:
            raise self._wrong(at, "must is empty")
        return Statement(" ".join(text.split()), tuple(tokens), value, polarity == "not")

    def _token(self, token: object, at: str) -> Token:
        members = token if isinstance(token, list) else [token]
        if not members or not all(isinstance(one, str) and one.strip() for one in members):
            raise self._wrong(at, "a token is a string, or a list of strings")
        return tuple(members)

    def _wrong(self, at: str, what: str) -> RedlineError:
        return RedlineError(f"{self._source}: {at}: {what}", _HINT)
