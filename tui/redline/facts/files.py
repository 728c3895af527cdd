"""Files that tool calls read or changed, each once for each use."""

from __future__ import annotations

from redline.facts.fact import FileFact, FileUse


class FileLog:
    """Counts uses; keeps the order of first use, and the first and last message of each."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, FileUse], tuple[str, str, int, str]] = {}

    def used(self, path: str, use: FileUse, message: str, said: str = "") -> None:
        first, _, count, _ = self._found.get((path, use), (message, "", 0, ""))
        self._found[path, use] = (first, message, count + 1, said)

    def facts(self) -> tuple[FileFact, ...]:
        return tuple(
            FileFact(path, use, message, count, first, said)
            for (path, use), (first, message, count, said) in self._found.items()
        )
