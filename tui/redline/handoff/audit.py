"""The audit: what survives in a handoff plus the kept messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class AuditClass(StrEnum):
    """What an audited item is; the words of `audit --json`."""

    RULE = "rule"
    USER_WORDS = "user_words"
    FILE_CHANGED = "file_changed"
    FILE_REFERENCED = "file_referenced"
    GIT_COMMIT = "git_commit"
    ISSUE = "issue"
    ERROR = "error"
    URL = "url"
    COMMAND = "command"
    DECISION = "decision"


class Verdict(StrEnum):
    """Worst first. Never VERBATIM on similarity alone."""

    MISSING = "missing"
    CHANGED = "changed"
    WEAKENED = "weakened"
    REWORDED = "reworded"
    UNKNOWN = "unknown"
    VERBATIM = "word for word"


@dataclass(frozen=True, slots=True)
class AuditItem:
    """One thing and what became of it. `found` is the line it was found in, `where` "handoff" or
    the id of the kept message. `required` items make the audit fail when they are lost
    (`commands.md`: active rules, changed files, git commits made, unresolved errors, prompts).
    `already` says that a compaction before the audited one had lost it."""

    cls: AuditClass
    text: str
    verdict: Verdict
    message: str | None
    found: str | None = None
    where: str | None = None
    required: bool = False
    already: bool = False


@dataclass(frozen=True, slots=True)
class Audit:
    """All items, worst first. `subject` is "handoff" or the id of a past compaction."""

    subject: str
    items: tuple[AuditItem, ...]

    @property
    def ok(self) -> bool:
        """False when an active rule is not word for word, or another required item is missing."""
        return not any(
            item.required
            and (
                item.verdict is not Verdict.VERBATIM
                if item.cls is AuditClass.RULE
                else item.verdict is Verdict.MISSING
            )
            for item in self.items
        )

    @property
    def totals(self) -> Mapping[AuditClass, Mapping[Verdict, int]]:
        """How often each verdict fell, by class; every class and verdict is present."""
        counted = Counter((item.cls, item.verdict) for item in self.items)
        return {cls: {verdict: counted[cls, verdict] for verdict in Verdict} for cls in AuditClass}
