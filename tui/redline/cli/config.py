"""`redline config`: settings, each with where it comes from."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess

from redline.cli.output import SCHEMA, console, print_json
from redline.cli.workplace import workplace
from redline.errors import RedlineError


def run(options: argparse.Namespace) -> int:
    if options.verb == "path":
        from redline.places import places

        print(places().settings)
        return 0
    if options.verb == "edit":
        return _edit()
    place = workplace()
    if options.json:
        print_json(
            {
                "schema": SCHEMA,
                "settings": {
                    name: {"value": value, "origin": place.settings.origin(name)}
                    for name, value in place.settings.values().items()
                },
            }
        )
        return 0
    for name, value in place.settings.values().items():
        origin = place.settings.origin(name)
        console().print(f"{name:<18} {value!s:<28} {origin}")
    return 0


def _edit() -> int:
    from redline.files import write_atomic
    from redline.places import places
    from redline.settings import EXAMPLE

    path = places().settings
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, EXAMPLE.encode())
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise RedlineError("no editor is set", f"set EDITOR, or edit {path} by hand")
    try:
        status = subprocess.run([*shlex.split(editor), str(path)], check=False).returncode
    except OSError as error:
        raise RedlineError(f"cannot start {editor}: {error.strerror}") from error
    workplace()  # says what is wrong with the file, if anything
    return 0 if status == 0 else 2
