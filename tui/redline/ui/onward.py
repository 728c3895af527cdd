"""How the work goes on from what was written: the command that starts the agent on it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.errors import RedlineError
from redline.model import SessionInfo
from redline.targets.starting import starting


@dataclass(frozen=True, slots=True)
class Onward:
    """A command, and the folder it runs in (None: anywhere)."""

    argv: tuple[str, ...]
    folder: Path | None = None

    @property
    def line(self) -> str:
        """It as one line for a shell."""
        words = shlex.join(self.argv)
        return words if self.folder is None else f"cd {shlex.quote(str(self.folder))} && {words}"


def from_handoff(info: SessionInfo, handoff: Path) -> Onward:
    """What starts the session's agent in its project, reading `handoff` first."""
    return Onward(starting(info.agent, handoff), Path(info.project) if info.project else None)


def start(onward: Onward, environment: Mapping[str, str]) -> int:
    """Runs the command in this terminal until it ends, and gives its exit status. Raises
    RedlineError where it cannot be started."""
    name, *rest = onward.argv
    program = shutil.which(name, path=environment.get("PATH"))
    if program is None:
        raise RedlineError(
            f"there is no program {name}", f"install it, or copy the command: {onward.line}"
        )
    try:
        done = subprocess.run(
            [program, *rest], cwd=onward.folder, env=dict(environment), check=False
        )
    except OSError as error:
        raise RedlineError(
            f"{name} cannot be started in {onward.folder}: {error.strerror}",
            "look whether the folder is there",
        ) from error
    return done.returncode
