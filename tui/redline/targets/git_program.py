"""git's own program, asked about a folder so that nothing of the folder's own is executed.

A repository's settings can name programs: monitors of the file system, filters, hooks, helpers of
the network. None of them runs here, nothing is fetched, asked or written (no index is refreshed, no
lock taken), and the program is ended where it takes too long. The person's own settings hold.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from redline.errors import in_words

TIMEOUT = 5.0  # seconds of one call
_MOST = 4_000_000  # bytes of an answer that are looked at
# Which of the person's settings hold. Every other GIT_* could lead elsewhere.
_THEIRS = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM")
_QUIET = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_ALLOW_PROTOCOL": "none",  # a missing object is not fetched, by no helper
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_PROTOCOL_FROM_USER": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "LC_ALL": "C",
}
_OFF = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.sshCommand=false",
    "core.quotePath=false",
    "log.showSignature=false",
    "submodule.recurse=false",
    "status.submoduleSummary=false",
)
_FILTER = re.compile(r"filter\.(.+)\.[a-z]+", re.IGNORECASE | re.DOTALL)


class GitTrouble(Exception):
    """git did not answer; the text says why."""


@dataclass(frozen=True, slots=True)
class Git:
    """git in `folder`, found in the PATH of `environment`, where only whole paths count."""

    folder: Path
    environment: Mapping[str, str]
    timeout: float = TIMEOUT

    def ask(self, *words: str, off: Iterable[str] = ()) -> str | None:
        """What it prints; None where it says no. Names are as the file system has them.

        Raises GitTrouble where there is no git, it takes too long, or does not trust the folder.
        """
        settings = [word for one in (*_OFF, *off) for word in ("-c", one)]
        argv = [self._program(), "--no-pager", "--no-optional-locks", *settings]
        status, output, error = self._run([*argv, "-C", str(self.folder), *words])
        if status and "dubious ownership" in error:
            raise GitTrouble("git does not trust the repository: it belongs to somebody else")
        return None if status else output

    def filters_off(self) -> tuple[str, ...]:
        """The settings by which no filter runs that the repository itself names.

        `git status` gives files to them. Those of the person's own settings stay.
        """
        listed = self.ask("config", "--list", "--show-scope", "--name-only", "-z") or ""
        words = listed.split("\0")
        found = {
            match[1]
            for scope, name in zip(words[::2], words[1::2], strict=False)
            if scope not in ("system", "global", "command") and (match := _FILTER.fullmatch(name))
        }
        return tuple(
            setting
            for name in sorted(found)
            for setting in (
                f"filter.{name}.clean=",
                f"filter.{name}.smudge=",
                f"filter.{name}.process=",
                f"filter.{name}.required=false",
            )
        )

    def _program(self) -> str:
        folders = self.environment.get("PATH", os.defpath).split(os.pathsep)
        whole = os.pathsep.join(folder for folder in folders if os.path.isabs(folder))
        program = shutil.which("git", path=whole)
        if program is None:
            raise GitTrouble("there is no program git")
        return program

    def _environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in self.environment.items()
            if not name.startswith("GIT_") or name in _THEIRS
        }
        return {**kept, **_QUIET}

    def _run(self, argv: Sequence[str]) -> tuple[int, str, str]:
        import subprocess

        try:
            process = subprocess.Popen(
                argv,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd="/",
                env=self._environment(),
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise GitTrouble(f"git cannot be started: {in_words(error)}") from error
        with process:
            try:
                output, error_text = process.communicate(timeout=self.timeout)
            except subprocess.TimeoutExpired as error:
                raise GitTrouble(f"git took longer than {self.timeout:g} seconds") from error
            finally:
                if process.poll() is None:
                    with contextlib.suppress(OSError):
                        os.killpg(process.pid, signal.SIGKILL)
        named = output[:_MOST].decode("utf-8", "surrogateescape")
        return process.returncode, named, error_text[:_MOST].decode("utf-8", "replace")


def has_repository(folder: Path) -> bool:
    """Whether `folder` looks as if it lay in a repository, without asking git."""
    return any(os.path.exists(place / ".git") for place in (folder, *folder.parents))
