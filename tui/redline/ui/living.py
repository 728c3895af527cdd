"""Which sessions are in use now, and which of those have grown."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from redline.model import SessionInfo
from redline.ui.roster import Key, key_of

if TYPE_CHECKING:
    from redline.ui.surroundings import Surroundings

_REST = 50  # times as long as a look took: it never costs more than two per cent of a core


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look gives: the sessions in use, each with what tells so, and those that changed."""

    live: Mapping[Key, str]
    changed: tuple[SessionInfo, ...]


class Living:
    """Looks at all sessions again and again. One look at a time; not for the screen's thread."""

    def __init__(self, place: Surroundings) -> None:
        self._place = place
        self._stamps: dict[Path, str] = {}
        self._looked = False
        self._rested = 0.0

    def due(self) -> bool:
        """Whether the last look is long enough ago, for what it cost."""
        return time.monotonic() >= self._rested

    def look(self, infos: Sequence[SessionInfo]) -> Seen:
        """Which of `infos` are in use, and those of the files in use that have changed since the
        look before."""
        started = time.monotonic()
        marked = self._place.archive.live(infos, self._place.now())
        live = [info for info in marked if info.live]
        changed: list[SessionInfo] = []
        stamps: dict[Path, str] = {}
        for info in live:
            if info.path in stamps:
                continue
            stamp = stamps[info.path] = self._place.archive.stamp(info)
            # What comes into use has changed; at the first look all is as it was listed.
            if self._stamps.get(info.path, "" if self._looked else stamp) != stamp:
                changed += self._place.archive.scan(info.path)
        self._stamps, self._looked = stamps, True
        ended = time.monotonic()
        self._rested = ended + (ended - started) * _REST
        return Seen({key_of(info): info.live_by for info in live}, tuple(changed))
