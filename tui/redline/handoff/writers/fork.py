"""A fork of the session in its own agent as the one who writes: it has the whole context, and the
provider still has it in its cache. The session itself stays as it is.

Each agent is run in its print mode so that nothing is left of the fork, and so that it can call no
tool that changes anything (tried with Claude Code 2.1.197, Codex 0.171.0 and pi 1.6.0):

* Claude Code saves no session with `--no-session-persistence`. A hook refuses every tool, which
  leaves the tools' definitions, and with them the cache, as they were; it has one turn.
* Codex saves none with `--ephemeral`; its sandbox lets commands only read.
* pi saves the fork in a folder that is removed. It is given no tools, at the cost of the cache.

Hermes has no fork: its print mode writes into the session.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from redline.handoff.writers import fork_streams
from redline.handoff.writers.closing import closing, corrected
from redline.handoff.writers.command import Run
from redline.handoff.writers.failure import Failure, FailureKind, WriterFailure
from redline.handoff.writers.templates import template
from redline.handoff.writers.writer import Piece, Step, Task
from redline.model import Agent, Session
from redline.redaction import redact
from redline.scratch import Purpose, scratch

FORK = "fork"
_REFUSE = {"matcher": "*", "hooks": [{"type": "command", "command": "exit 2"}]}


@dataclass(frozen=True, slots=True)
class _Fork:
    """How an agent forks the session of an id or at a path, with a scratch folder to use; how what
    it prints is read; and what its environment needs."""

    argv: Callable[[str, str, str], tuple[str, ...]]
    read: fork_streams.Read
    environment: Mapping[str, str] = field(default_factory=dict)


def _claude_code(id: str, _path: str, _scratch: str) -> tuple[str, ...]:  # noqa: A002
    return (
        *("claude", "-p", "--resume", id, "--fork-session", "--no-session-persistence"),
        *("--permission-mode", "dontAsk", "--max-turns", "1"),
        *("--settings", json.dumps({"hooks": {"PreToolUse": [_REFUSE]}})),
        *("--output-format", "stream-json", "--include-partial-messages", "--verbose"),
    )


def _codex(id: str, _path: str, _scratch: str) -> tuple[str, ...]:  # noqa: A002
    run = ("codex", "exec", "--skip-git-repo-check", "--ephemeral", "--json", "-s", "read-only")
    return (*run, "fork", id, "-")


def _pi(_id: str, path: str, scratch: str) -> tuple[str, ...]:
    run = ("pi", "-p", "--mode", "json", "--no-tools", "--no-mcp")
    return (*run, "--session-dir", scratch, "--fork", path)


_FORKS: Mapping[Agent, _Fork] = {
    Agent.CLAUDE_CODE: _Fork(_claude_code, fork_streams.claude_code, {"DISABLE_AUTO_COMPACT": "1"}),
    Agent.CODEX: _Fork(_codex, fork_streams.codex),
    Agent.PI: _Fork(_pi, fork_streams.pi),
}


@dataclass(frozen=True, slots=True)
class ForkWriter:
    """Writes by a fork of the session. `environment` is what the agent runs in, `timeout` how many
    seconds may pass with nothing new from it."""

    environment: Mapping[str, str]
    timeout: float = 120.0
    name: str = FORK

    def pieces(self, task: Task, cancelled: Callable[[], bool]) -> Iterator[Piece]:
        fork, folder = _checked(task.session)
        path = task.session.info.path
        prompt = prompt_of(task).encode("utf-8", "replace")
        yield Step("asking a fork of the session")
        with scratch(Purpose.FORK) as empty:
            name, *rest = fork.argv(task.session.info.id, str(path.absolute()), str(empty))
            program = shutil.which(name, path=self.environment.get("PATH")) or name
            environment = {**self.environment, **fork.environment}
            run = Run((program, *rest), prompt, folder, environment, self.timeout)
            printed = (words.text for words in run.printed(cancelled))
            yield from fork_streams.told(printed, fork.read)


def can_fork(session: Session) -> bool:
    """Whether the agent of `session` has a fork that could write."""
    return session.info.agent in _FORKS


def _checked(session: Session) -> tuple[_Fork, Path]:
    """How the session is forked, and the folder in which. Raises WriterFailure where it cannot be,
    or where its fork would not hold what is asked about."""
    fork = _FORKS.get(session.info.agent)
    if fork is None:
        raise _cannot(f"{session.info.agent.value} has no fork of a session that could write")
    if session.asked_leaf is not None or session.before is not None:
        raise _cannot("a fork holds the live conversation, not this view of the session")
    if session.gauge is not None and session.gauge.until == 0:
        raise _cannot("the agent would compact the fork before it answers")
    folder = Path(session.info.project or session.info.path.parent)
    if not folder.is_dir():
        raise _cannot(f"the session's folder {folder} is not there any more")
    return fork, folder


def _cannot(why: str) -> WriterFailure:
    return WriterFailure(Failure(FailureKind.PROGRAM, why, "take another writer"))


def prompt_of(task: Task) -> str:
    """What a fork is asked, without secrets."""
    context = sum(part.chars for message in task.session.context for part in message.parts)
    parts = (
        template(FORK).text,
        closing(task, context),
        corrected(task.correction, task.form),
    )
    return redact("\n\n".join(filter(None, parts))).text
