"""The handoff: the structured summary, schema version "1.0"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided; `time` as ISO 8601 in UTC, empty where unknown."""

    content: str
    reason: str = ""
    scope: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """An error; `resolution` is empty while it is open."""

    message: str
    resolution: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class Files:
    """Paths that were changed, and those that were only read or named."""

    changed: tuple[str, ...] = ()
    referenced: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Constraint:
    """A rule as it goes into a handoff. Only confirmed ones bind; the others are marked
    `unconfirmed`. `message` is the id of the message it was said in."""

    text: str
    id: str = ""
    confirmed: bool = False
    message: str = ""


@dataclass(frozen=True, slots=True)
class UserWords:
    """A prompt word for word (a long one by its two ends, see `quoting`), and the message it stands
    in. `superseded` says what in it was said anew later, `perhaps_superseded` what may be."""

    text: str
    message: str = ""
    time: str = ""
    superseded: str = ""
    perhaps_superseded: str = ""


@dataclass(frozen=True, slots=True)
class Anchors:
    """Identifiers that must never be retold."""

    commits: tuple[str, ...] = ()
    issues: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """Markdown that a person added and that fits no field, kept as it was written.

    It stands in (or, where it is a section of its own, after) the section `after`, behind `at` of
    its items; `after` is empty before the first section.
    """

    text: str
    after: str = ""
    at: int = 0


GOAL_LIMIT = 120  # characters


@dataclass(frozen=True, slots=True)
class Handoff:
    """What the next agent needs. Field order is the order of the JSON form.

    `goal` has at most GOAL_LIMIT characters where redline writes it. `extra` holds the keys that
    a newer version or another program added, `notes` the Markdown that a person did: they are read
    back and written again unchanged. `sources` maps a JSON pointer (`/errors/0`) to message ids.
    `reasons` says of a changed file what it was changed for, in a line. One that is `brief` is
    written as Markdown with nothing but its headings and items.
    """

    version: str = "1.0"
    goal: str = ""
    earlier_goals: tuple[str, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    current_state: str = ""
    done: tuple[str, ...] = ()
    next_plan: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    decisions: tuple[Decision, ...] = ()
    rejected: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    files: Files = Files()
    reasons: Mapping[str, str] = field(default_factory=dict)
    errors: tuple[Failure, ...] = ()
    user_words: tuple[UserWords, ...] = ()
    anchors: Anchors = Anchors()
    plan: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    previous: str = ""
    transcript: str = ""
    focus: str = ""
    sources: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    brief: bool = False
