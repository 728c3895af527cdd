"""How long a writer that failed is left alone, kept in a file so that every redline knows.

60, 300, then 900 seconds; after three failures in a row nothing is tried by itself any more. What a
person asks for is tried all the same, unless the provider itself asked to wait.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import orjson

from redline.files import locked, make_folders, read_if_there, write_atomic
from redline.handoff.writers.failure import Failure, FailureKind
from redline.handoff.writers.writer import known_as
from redline.redaction import redact
from redline.text import json_text

PAUSES = (60, 300, 900)  # seconds after the first, the second, and every later failure in a row
STOPS_AFTER = 3
_FILE = "writers.json"
_LARGEST = 1_000_000  # bytes


@dataclass(frozen=True, slots=True)
class Standing:
    """How a writer stands: failures in a row, what the last one said, until when (ISO 8601, UTC)
    it is left alone, and until when its provider asked to wait ("" where it did not)."""

    failures: int = 0
    last: str = ""
    until: str = ""
    asked: str = ""

    @property
    def stopped(self) -> bool:
        """Whether nothing is tried by itself any more."""
        return self.failures >= STOPS_AFTER


@dataclass(frozen=True, slots=True)
class Cooldowns:
    """The standings of all writers, in the state folder."""

    folder: Path

    def standing(self, writer: str) -> Standing:
        """How `writer` stands; a file that cannot be read is no reason not to try."""
        return self._load().get(_key(writer), Standing())

    def rest(self, writer: str, now: datetime, *, by_person: bool) -> Failure | None:
        """Why `writer` is not asked at `now`, None where it may be."""
        standing, name = self.standing(writer), known_as(writer)
        asked = _left(standing.asked, now)
        if asked > 0:
            return Failure(
                FailureKind.RESTING,
                f"the provider of {name} asked to wait, {_span(asked)} are left",
                "try again then",
                retry_after=asked,
            )
        if by_person:
            return None
        if standing.stopped:
            return Failure(
                FailureKind.RESTING,
                f"{name} failed {standing.failures} times in a row ({standing.last}),"
                " it is not tried by itself any more",
                "write with it once by hand, and it is tried again when that went well",
            )
        left = _left(standing.until, now)
        if left > 0:
            return Failure(
                FailureKind.RESTING,
                f"{name} failed a while ago ({standing.last}), it is left alone for {_span(left)}",
                "write with it by hand to try at once",
                retry_after=left,
            )
        return None

    def failed(self, writer: str, failure: Failure, now: datetime) -> Standing:
        """Notes a failure down; gives how the writer stands with it."""
        with locked(self.folder / _FILE, self.folder):
            all_of_them = dict(self._load())
            count = all_of_them.get(_key(writer), Standing()).failures + 1
            pause = PAUSES[min(count, len(PAUSES)) - 1]
            wait = failure.retry_after or 0
            standing = Standing(
                count,
                failure.kind.value,
                _iso(now + timedelta(seconds=max(pause, wait))),
                _iso(now + timedelta(seconds=wait)) if wait else "",
            )
            all_of_them[_key(writer)] = standing
            self._save(all_of_them)
            return standing

    def worked(self, writer: str) -> None:
        """Forgets the failures of a writer that went well."""
        if self.standing(writer) == Standing():
            return
        with locked(self.folder / _FILE, self.folder):
            all_of_them = dict(self._load())
            all_of_them.pop(_key(writer), None)
            self._save(all_of_them)

    def _load(self) -> Mapping[str, Standing]:
        data = read_if_there(self.folder / _FILE)
        if data is None or len(data) > _LARGEST:
            return {}
        try:
            value = orjson.loads(data)
        except orjson.JSONDecodeError:
            return {}
        if not isinstance(value, dict):
            return {}
        return {name: found for name, entry in value.items() if (found := _read(entry))}

    def _save(self, standings: Mapping[str, Standing]) -> None:
        make_folders(self.folder)
        text = json_text({name: asdict(standing) for name, standing in standings.items()})
        write_atomic(self.folder / _FILE, f"{text}\n".encode(), mode=0o600)


def _read(entry: object) -> Standing | None:
    if not isinstance(entry, dict):
        return None
    failures = entry.get("failures")
    texts = [entry.get(name, "") for name in ("last", "until", "asked")]
    if isinstance(failures, bool) or not isinstance(failures, int) or not 0 < failures < 10**6:
        return None
    last, until, asked = (text if isinstance(text, str) else "" for text in texts)
    return Standing(failures, last[:60], until, asked)


def _key(writer: str) -> str:
    """A command can hold a key; a file does not."""
    return redact(writer).text[:300]


def _iso(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="seconds")


def _left(until: str, now: datetime) -> float:
    """Seconds until then; none where it says no time, or one that no failure can have set."""
    try:
        left = (datetime.fromisoformat(until) - now).total_seconds() if until else 0.0
    except (ValueError, TypeError):
        return 0.0
    return left if left <= 3_600 else 0.0


def _span(seconds: float) -> str:
    return f"{seconds:.0f} seconds" if seconds < 120 else f"{seconds / 60:.0f} minutes"
