"""Repositories of git for tests, with settings of their own."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Repositories:
    """Made under `base`; `environment` is what git is to see."""

    base: Path
    environment: dict[str, str]

    @classmethod
    def at(cls, base: Path) -> Repositories:
        home = base / "home-of-git"
        home.mkdir()
        (home / ".gitconfig").write_text("[user]\nname = A\nemail = a@example.org\n")
        own = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": str(home / ".gitconfig"),
        }
        return cls(base, own)

    def git(self, folder: Path, *words: str) -> str:
        """What git prints; raises CalledProcessError where it says no."""
        done = subprocess.run(
            ["git", "-C", str(folder), *words],
            env=self.environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout

    def new(self, name: str) -> Path:
        """A repository with one file in one commit."""
        folder = self.base / name
        folder.mkdir()
        self.git(folder, "init", "-q", "-b", "main")
        (folder / "a.py").write_text("1\n")
        self.git(folder, "add", "a.py")
        self.git(folder, "commit", "-q", "-m", "Add the shop")
        return folder
