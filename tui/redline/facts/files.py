"""Files that tool calls read or changed, each once for each use."""

from __future__ import annotations

from redline.facts.fact import FileFact, FileUse


class FileLog:
    """Counts uses; keeps the order of first use and the last message of each."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, FileUse], tuple[str, int]] = {}

    def used(self, path: str, use: FileUse, message: str) -> None:
        _, count = self._found.get((path, use), ("", 0))
        self._found[path, use] = (message, count + 1)

    def facts(self) -> tuple[FileFact, ...]:
        return tuple(
            FileFact(path, use, message, count)
            for (path, use), (message, count) in self._found.items()
        )
