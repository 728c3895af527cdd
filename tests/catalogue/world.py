"""A home folder with small sessions, the catalogue of it, and the plain way to search them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from redline.agents.discover import discover, finders
from redline.catalogue.catalogue import Catalogue
from redline.catalogue.folding import fold
from redline.catalogue.query import Query
from redline.catalogue.refresh import Refreshed, refresh
from redline.catalogue.search import Hit
from redline.model import Kind
from tests.agents.claude_code.writing import call, reply, result, text, user, write

Place = tuple[str, int, int, Kind]
_CLOCK = datetime(2026, 11, 1, tzinfo=UTC)


def name_of(number: int) -> str:
    return f"5e550000-0000-4000-8000-{number:012d}"


def said(texts: Sequence[str], start: int = 0, **fields: Any) -> list[dict[str, Any]]:
    """Records that say `texts`: prompts, replies, calls and results in turn."""
    records: list[dict[str, Any]] = []
    for number, body in enumerate(texts, start):
        parent = f"u{number - 1}" if number else None
        uuid, at = f"u{number}", number * 10
        match number % 4:
            case 0:
                records.append(user(uuid, parent, body, at=at, **fields))
            case 1:
                records.append(reply(uuid, parent, f"m{number}", text(body), at=at, **fields))
            case 2:
                block = call(f"c{number}", "Bash", command=body)
                records.append(reply(uuid, parent, f"m{number}", block, at=at, **fields))
            case _:
                block = result(f"c{number - 1}", body)
                records.append(user(uuid, parent, [block], at=at, **fields))
    return records


@dataclass
class World:
    home: Path
    changes: int = 0
    catalogue: Catalogue = field(init=False)

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> Catalogue:
        """The catalogue as another process opens it."""
        self.catalogue = Catalogue(self.home / "cache" / "catalogue.sqlite")
        return self.catalogue

    @property
    def environment(self) -> dict[str, str]:
        return {"HOME": str(self.home)}

    @property
    def folder(self) -> Path:
        return self.home / ".claude" / "projects" / "-home-dev-shop"

    def path(self, number: int) -> Path:
        return self.folder / f"{name_of(number)}.jsonl"

    def write(self, number: int, texts: Sequence[str], **fields: Any) -> Path:
        """Session `number` anew; its file is never of the same age twice."""
        path = write(self.folder, said(texts, **fields), f"{name_of(number)}.jsonl")
        self.touch(path)
        return path

    def append(self, number: int, texts: Sequence[str], start: int, **fields: Any) -> None:
        path = self.path(number)
        more = write(self.home, said(texts, start, **fields), "more.jsonl").read_bytes()
        path.write_bytes(path.read_bytes() + more)
        self.touch(path)

    def touch(self, path: Path) -> None:
        self.changes += 1
        moment = (_CLOCK + timedelta(minutes=self.changes)).timestamp()
        os.utime(path, (moment, moment))

    def refresh(self, **options: Any) -> Refreshed:
        return refresh(self.catalogue, self.environment, **options)

    def hits(self, words: str, **options: Any) -> tuple[Hit, ...]:
        return self.catalogue.search(Query(words, **options), limit=10_000).hits

    def found(self, words: str, **options: Any) -> list[Place]:
        return [_place(hit) for hit in self.hits(words, **options)]

    def scanned(self, words: str) -> list[Place]:
        """The same by reading every text there is."""
        terms = Query(words).terms
        by_agent = {finder.agent: finder for finder in finders()}
        return [
            (info.id, passage.record, passage.start, passage.kind)
            for info in discover(self.environment).sessions
            for passage in by_agent[info.agent].passages(info, 0)
            if terms and all(term in fold(passage.text) for term in terms)
        ]


def _place(hit: Hit) -> Place:
    return (hit.info.id, hit.record, hit.start, hit.kind)
