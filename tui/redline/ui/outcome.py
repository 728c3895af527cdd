"""How the screens were left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from redline.ui.untrusted import plain


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was written, the command that goes on from there, the text for standard output, and
    what could not be stored."""

    written: tuple[Path, ...] = ()
    command: str = ""
    text: str = ""
    lost: str = ""

    def wrote(self, paths: Iterable[Path], command: str, text: str = "") -> Outcome:
        """The same with further files; a later command or text takes the place of an earlier."""
        written = tuple(dict.fromkeys((*self.written, *paths)))
        return replace(self, written=written, command=command, text=text or self.text)

    def took_back(self, paths: Iterable[Path]) -> Outcome:
        """The same without these files, and without a command that was about one of them."""
        gone = set(paths)
        left = tuple(path for path in self.written if path not in gone)
        command = "" if any(str(path) in self.command for path in gone) else self.command
        return replace(self, written=left, command=command)

    def said(self) -> str:
        """What is printed when the screens are gone; harmless to a terminal."""
        lines = [self.text, *map(str, self.written), self.command]
        return "".join(plain(line).rstrip("\n") + "\n" for line in lines if line)
