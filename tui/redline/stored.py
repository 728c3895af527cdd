"""What is stored of a person's decisions, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SessionKey:
    """Whose rows: an agent's name and the id of one of its sessions."""

    agent: str
    session: str


@dataclass(frozen=True, slots=True)
class StoredRule:
    """A rule as it was decided. `said` is the sentence it was detected as, `by` what had revoked
    or superseded it at that time, `time` in ISO 8601. `project` is the folder of its session,
    `successor` the rule that took its place by decision, `ended` the message or rule whose words
    ended it since then. A row with an `origin` ("agent session") decides for its own
    session only about a rule that lies in that other one."""

    id: str
    text: str
    said: str
    family: str
    state: str
    scope: str
    message: str | None = None
    time: str | None = None
    objects: tuple[str, ...] = ()
    by: str | None = None
    edited: bool = False
    project: str | None = None
    successor: str | None = None
    ended: str | None = None
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class StoredChange:
    """What one step did to one rule: its row before and after, None where there was none.

    `number` counts the steps, `key` is the session the rule lies in, `made` the one it was changed
    from. `time` and `undone` (when the step was taken back) in ISO 8601.
    """

    number: int
    verb: str
    time: str
    made: SessionKey
    key: SessionKey
    id: str
    before: StoredRule | None
    after: StoredRule | None
    undone: str | None = None


@dataclass(frozen=True, slots=True)
class StoredPins:
    """The cut (id of the first kept message), actions by message id, and by (message id, part)."""

    cut: str | None = None
    actions: Mapping[str, str] = field(default_factory=dict)
    parts: Mapping[tuple[str, int], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """A handoff as a person edited it: `text`, beside what the writer had written.

    `message` is the last message of the session it was made from, `time` in ISO 8601.
    """

    text: str
    written: str = ""
    focus: str = ""
    message: str = ""
    time: str = ""
