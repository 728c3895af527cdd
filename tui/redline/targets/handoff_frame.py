"""What a handoff file has around its summary, in three sizes."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from redline.handoff.framing import Frame
from redline.model import Agent, SessionInfo
from redline.targets.git_facts import GitFacts, git_facts
from redline.targets.starting import starting, starts


@dataclass(frozen=True, slots=True)
class Framing:
    """`git` is what git said of the project, None where it is in no repository."""

    agent: Agent
    git: GitFacts | None

    @classmethod
    def of(cls, info: SessionInfo, environment: Mapping[str, str]) -> Framing:
        """That of a session; asks git once."""
        return cls(info.agent, git_facts(info.project, environment))

    def frames(self, path: Path | None) -> tuple[Frame, ...]:
        """Frames of the file at `path` (None: of a text that is in no file), the whole one first:
        then one without names of files and with the session's own agent only, then none."""
        preface = path is not None
        whole = tuple(self.git.lines()) if self.git else ()
        short = tuple(self.git.lines(files=0)) if self.git else ()
        data = self.git.as_json() if self.git else None
        own = (shlex.join(starting(self.agent, path)),) if path else ()
        return (
            Frame(whole, data, starts(path) if path else (), preface),
            Frame(short, None, own, preface),
            Frame(preface=preface),
        )
