"""What happened in a session, each item with the message it comes from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class FileUse(StrEnum):
    """The most that was done to a file."""

    READ = "read"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class FileFact:
    """A file by the path the agent used. `message` is the last call that used it this way, `first`
    the first one. `said` is what the agent, else the user, said last before that last call."""

    path: str
    use: FileUse
    message: str
    count: int = 1
    first: str = ""
    said: str = ""


@dataclass(frozen=True, slots=True)
class CommitFact:
    """A git commit made in this session: its (short) id as printed, its subject. `replaced_by` is
    the id of the commit that amended it."""

    sha: str
    subject: str
    message: str
    branch: str | None = None
    replaced_by: str | None = None


@dataclass(frozen=True, slots=True)
class ReferenceFact:
    """An issue or pull request number (`#12`, `owner/repo#12`, `PR-12` ...) or a URL."""

    text: str
    message: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class ErrorFact:
    """One error line as printed. `resolved` is the id of the message that shows it gone (the same
    command passed later, the same file was edited well), None while it is open."""

    line: str
    message: str
    call_id: str | None = None
    command: str | None = None
    time: datetime | None = None
    resolved: str | None = None
    resolution: str | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class CommandFact:
    """A shell command with its exit status where the result tells it."""

    command: str
    message: str
    status: int | None = None
    failed: bool = False
    call_id: str | None = None
    time: datetime | None = None


@dataclass(frozen=True, slots=True)
class DecisionFact:
    """A choice that was stated, by the user or by the agent."""

    text: str
    message: str
    time: datetime | None = None
    reason: str | None = None
    by_user: bool = False


@dataclass(frozen=True, slots=True)
class RejectedFact:
    """What was tried, proposed or changed and not kept."""

    text: str
    message: str
    by_user: bool = False


@dataclass(frozen=True, slots=True)
class FindingFact:
    """What the agent found out; `weight` says how much the sentence tells, from 1 to 4."""

    text: str
    message: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class PromptFact:
    """A human prompt, whole and in its own words, but for a handoff that was pasted into it. `part`
    is its place in the message."""

    text: str
    message: str
    part: int = 0
    time: datetime | None = None


@dataclass(frozen=True, slots=True)
class TodoFact:
    """An entry of the agent's own todo list, as it stood last."""

    text: str
    status: str
    message: str


class CodeShown(StrEnum):
    """What of code a message shows."""

    DIFF = "diff"
    SIGNATURE = "signature"


@dataclass(frozen=True, slots=True)
class CodeFact:
    """A message that shows code as it is: an edit, a patch or a diff, or a signature. `path` is the
    file where the call names it, "" elsewhere."""

    message: str
    shown: CodeShown
    path: str = ""


@dataclass(frozen=True, slots=True)
class StateFact:
    """The last thing known of where the work stands: the last reply, the last prompt."""

    text: str
    message: str
    time: datetime | None = None


@dataclass(frozen=True, slots=True)
class Facts:
    """All facts of the live branch, also from before its compactions, in the order of the chain."""

    files: tuple[FileFact, ...] = ()
    commits: tuple[CommitFact, ...] = ()
    references: tuple[ReferenceFact, ...] = ()
    urls: tuple[ReferenceFact, ...] = ()
    errors: tuple[ErrorFact, ...] = ()
    commands: tuple[CommandFact, ...] = ()
    decisions: tuple[DecisionFact, ...] = ()
    prompts: tuple[PromptFact, ...] = ()
    todos: tuple[TodoFact, ...] = ()
    skills: tuple[str, ...] = ()
    last_reply: StateFact | None = None
    last_prompt: StateFact | None = None
    code: tuple[CodeFact, ...] = ()
    rejected: tuple[RejectedFact, ...] = ()
    findings: tuple[FindingFact, ...] = ()

    @property
    def changed(self) -> tuple[FileFact, ...]:
        """The files that were changed, written or removed."""
        return tuple(fact for fact in self.files if fact.use is FileUse.CHANGED)

    @property
    def read(self) -> tuple[FileFact, ...]:
        """The files that were only read."""
        return tuple(fact for fact in self.files if fact.use is FileUse.READ)

    @property
    def open_errors(self) -> tuple[ErrorFact, ...]:
        """The errors that nothing later resolved."""
        return tuple(fact for fact in self.errors if fact.resolved is None)
