"""An agent that keeps all its sessions in one file, as a database does."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from redline.agents.finder import Finder, Passage, file_stamp
from redline.model import Agent, Kind, SessionInfo


@dataclass
class Shelf:
    """`read` notes whose texts were asked for."""

    path: Path
    read: list[str] = field(default_factory=list)
    changes: int = 0

    def write(self, sessions: dict[str, list[str]]) -> None:
        self.path.write_text(json.dumps(sessions))
        self.changes += 1
        os.utime(self.path, (self.changes, self.changes))

    def _sessions(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = json.loads(self.path.read_bytes())
        return found

    def _scan(self, path: Path) -> tuple[SessionInfo, ...]:
        return tuple(
            SessionInfo(Agent.HERMES, name, path, updated=datetime(2026, 1, len(texts), tzinfo=UTC))
            for name, texts in self._sessions().items()
        )

    def _passages(self, info: SessionInfo, start: int) -> Iterator[Passage]:
        self.read.append(info.id)
        for row, text in enumerate(self._sessions()[info.id], 1):
            if row >= start:
                yield Passage(row, row, row + 1, Kind.REPLY, None, text)

    def _mark(self, info: SessionInfo, start: int) -> str:
        return json.dumps(self._sessions()[info.id][: start - 1])

    @property
    def finder(self) -> Finder:
        return Finder(
            Agent.HERMES,
            lambda _environment: (self.path.parent,),
            lambda _environment: iter([self.path]),
            self._scan,
            file_stamp,
            self._passages,
            self._mark,
            lambda _infos, _environment: {},
        )
