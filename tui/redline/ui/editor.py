"""The person's own editor."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from textual.app import App, SuspendNotSupported

from redline.errors import RedlineError
from redline.scratch import Purpose, scratch

T = TypeVar("T")


def edit_file(path: Path, environment: Mapping[str, str]) -> None:
    """Runs `$VISUAL` or `$EDITOR` (else vi) on `path`. Raises RedlineError where it does not run or
    ends with a failure."""
    named = environment.get("VISUAL") or environment.get("EDITOR") or "vi"
    try:
        command = shlex.split(named)
    except ValueError as error:
        raise RedlineError(f"$EDITOR cannot be read: {named!r}", "check its quotes") from error
    try:
        done = subprocess.run([*command, str(path)], env=dict(environment), check=False)
    except OSError as error:
        raise RedlineError(f"cannot start the editor {named!r}", "set EDITOR") from error
    if done.returncode:
        raise RedlineError(f"the editor {named!r} ended with {done.returncode}; nothing is changed")


def edited(
    text: str,
    environment: Mapping[str, str],
    edit: Callable[[Path, Mapping[str, str]], None],
) -> str:
    """`text` after the person has edited it, in a private file that is removed again."""
    with scratch(Purpose.EDIT) as folder:
        path = folder / "text.md"
        path.touch(mode=0o600)
        path.write_bytes(text.encode("utf-8", "replace"))
        edit(path, environment)
        return path.read_bytes().decode("utf-8", "replace")


def outside(app: App[Any], step: Callable[[], T], *, needs_terminal: bool) -> T:
    """What `step` gives, which is run with the terminal handed over to it.

    The screens come back whatever happens in it; then its error is raised.
    """
    if not needs_terminal:
        return step()
    result: list[T] = []
    failure: BaseException | None = None
    try:
        with app.suspend():
            try:
                result.append(step())
            except BaseException as error:  # noqa: BLE001 - raised once the screens are back
                failure = error
    except SuspendNotSupported as error:
        raise RedlineError("another program cannot be started from here") from error
    if failure is not None:
        raise failure
    return result[0]
