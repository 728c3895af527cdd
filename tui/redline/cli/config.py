"""`redline config`: settings, each with where it comes from."""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
from collections.abc import Mapping
from typing import TYPE_CHECKING

from redline.cli.output import SCHEMA, console, print_json
from redline.cli.workplace import workplace
from redline.errors import RedlineError

if TYPE_CHECKING:
    from redline.settings import Key


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
    from redline.settings import KEYS, Settings

    path = places().settings
    if not os.path.exists(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, _example(Settings().values(), KEYS).encode())
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ""
    try:
        words = shlex.split(editor)
    except ValueError as error:
        raise RedlineError(f"cannot start {editor}: {error}", "set EDITOR to a program") from error
    if not words:
        raise RedlineError("no editor is set", f"set EDITOR, or edit {path} by hand")
    try:
        status = subprocess.run([*words, str(path)], check=False).returncode
    except OSError as error:
        raise RedlineError(f"cannot start {editor}: {error.strerror}") from error
    workplace()  # says what is wrong with the file, if anything
    return 0 if status == 0 else 2


def _example(defaults: Mapping[str, object], keys: Mapping[str, Key]) -> str:
    """A settings file that changes nothing: every setting commented out, with what it takes."""
    lines = ["# Settings of redline. Take the # away to change one."]
    for name, key in keys.items():
        default = defaults[name]
        value = "" if default is None or default == {} else f" {default}"
        lines += ["", f"# {key.expected}", f"# {name}:{value}"]
    return "\n".join(lines) + "\n"
