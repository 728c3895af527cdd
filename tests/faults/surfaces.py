"""What redline says of a session file: the reader's view, and every command's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from redline.cli.main import main
from redline.context.measure import measure
from redline.context.window import Window
from redline.model import DamageKind, PartType, Session
from redline.settings import Settings

COMMANDS = (
    ("inspect", "--json"),
    ("inspect",),
    ("show", "--json"),
    ("show",),
    ("show", "--resume", "--json"),
    ("plan", "--json"),
    ("rules", "--json"),
    ("handoff", "-o", "-"),
)


def said(session: Session) -> list[str]:
    """The texts of the context, those of calls left out, and what is empty."""
    return [
        session.text(part)
        for message in session.context
        for part in message.parts
        if part.type in (PartType.TEXT, PartType.TOOL_RESULT) and part.chars
    ]


def damage(session: Session) -> set[DamageKind]:
    return {one.kind for one in session.damage}


def window(session: Session) -> Window:
    """The window, with nothing known of any machine."""
    return measure(session, Settings(), {"HOME": "/nowhere"})


@dataclass(frozen=True)
class Commands:
    """The command line with a home of its own."""

    capsys: pytest.CaptureFixture[str]

    def run(self, *words: str) -> tuple[int, str, str]:
        self.capsys.readouterr()
        try:
            status = main(words)
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 2
        told = self.capsys.readouterr()
        return status, told.out, told.err

    def json(self, *words: str) -> Any:
        status, out, err = self.run(*words, "--json")
        assert status in (0, 1), err
        return json.loads(out, parse_constant=_refuse)

    def all(self, path: Path) -> Mapping[str, Any]:
        """Runs every command on `path`; gives what `inspect` says. None may fail."""
        for name, *flags in COMMANDS:
            status, out, err = self.run(name, str(path), *flags)
            assert status in (0, 1), (name, err)
            assert "Traceback" not in err
            assert not [c for c in out if ord(c) < 32 and c not in "\n\t"], name
        found: Mapping[str, Any] = self.json("inspect", str(path))
        figures = found["window"]
        assert sum(figures["categories"].values()) == figures["used"]
        assert min(figures["categories"].values()) >= 0
        return found


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")
