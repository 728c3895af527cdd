"""`redline` and `redline SESSION`: the screens."""

from __future__ import annotations

import argparse
import sys

from redline.cli.workplace import workplace
from redline.errors import RedlineError


def run(options: argparse.Namespace) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise RedlineError(
            "the screens need a terminal",
            "every step is a command too: redline --help; redline demo --headless shows them",
        )
    from redline.ui.app import run_app

    place = workplace()
    name = getattr(options, "session", None)
    session = place.session(name) if name else None
    return run_app(
        environment=place.environment,
        cwd=place.cwd,
        places=place.places,
        settings=place.settings,
        session=session,
    )
