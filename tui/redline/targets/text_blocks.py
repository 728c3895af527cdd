"""Blocks besides the rules: how things stand, and what Claude Code's own compaction must keep."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from redline.errors import RedlineError
from redline.handoff.handoff import Handoff
from redline.model import Session
from redline.targets.block import COMPACT, STATE, Content, put_content
from redline.targets.block_target import BlockTarget, Made
from redline.targets.by_hand import lines_by_hand
from redline.targets.loaded_files import Reader
from redline.targets.rule_line import rule_line
from redline.targets.secrets import Redact, taken_out, without_secrets
from redline.text import one_line, plain

HOLDS = timedelta(days=7)  # how long a state is taken for true
_STEPS = 5  # next steps of a state
_LONGEST = 400  # characters of one line of it
_STATE_HEADING = "## Where the work stands"
# The heading that Claude Code's own summariser names as an example (2.1.197).
_COMPACT_HEADING = "## Compact Instructions"
_COMPACT_LINES = (
    "When this conversation is compacted, the summary must hold, word for word:",
    "",
    "- Rules: everything the user has asked for that still holds, as it was said; what the user "
    "took back or replaced is left out.",
    "- Files: the whole path of every file that was changed, with what was changed in it and why; "
    "the paths of files that are still needed.",
    "- Errors: each error message in its own words, with what solved it, or that it is not solved.",
    "- Names that cannot be told in other words: git commits, issues and pull requests, URLs, "
    "commands with their exit status.",
    "- The user's last request, and the next step that was agreed on.",
)


@dataclass(frozen=True, slots=True)
class State:
    """How a session stands: what for, where it is, what comes next. `at` is the time of its last
    message, `session` how it is called."""

    goal: str
    state: str
    next: tuple[str, ...]
    session: str
    at: datetime | None = None


def state_of(session: Session, handoff: Handoff) -> State:
    """How `session` stands by its handoff."""
    times = [message.time for message in session.context if message.time is not None]
    return State(
        goal=handoff.goal,
        state=handoff.current_state,
        next=handoff.next_plan,
        session=f"{session.info.id[:8]} of {session.info.agent.value}",
        at=max(times, default=None),
    )


class StateBlock(BlockTarget):
    """Writes how the work stands, with the day from which on it is not to be relied upon. The block
    is updated in its place; the same state of a session gives the same bytes at any time."""

    def __init__(
        self,
        state: State,
        *,
        to: Path,
        redact: Redact | None = None,
        reader: Reader | None = None,
    ) -> None:
        super().__init__("state", "state", to=to, block=STATE, reader=reader)
        self._state = state
        self._redact = redact or without_secrets

    def _made(self, before: bytes | None) -> Made:
        warnings: list[str] = []
        state = self._state
        lines = [_as_of(state), ""]
        for title, texts in (
            ("Goal", [state.goal]),
            ("State", [state.state]),
            ("Next", state.next[:_STEPS]),
        ):
            shown = [line for text in texts if (line := self._line(text, warnings))]
            if title == "Next" and len(shown) > 1:
                lines += ["- Next:", *(f"  {n}. {line}" for n, line in enumerate(shown, 1))]
            else:
                lines += [f"- {title}: {line}" for line in shown]
        if len(lines) == 2:
            raise RedlineError(
                "the session states no goal, nothing that was done and no next step",
                "there is no state to write",
                status=1,
            )
        warnings += _going(before, self.block)
        content = Content(STATE, _STATE_HEADING, tuple(lines))
        return Made(put_content(before or b"", self.block, content), warnings)

    def _line(self, text: str, warnings: list[str]) -> str:
        clean, found = self._redact(text)
        warnings += [f"state: {warning}" for warning in taken_out(found)]
        return rule_line(one_line(plain(clean), _LONGEST))


class CompactInstructions(BlockTarget):
    """Writes the section by which Claude Code's own compaction knows what it must keep."""

    SHARED = False  # no other agent reads such a section

    def __init__(self, *, to: Path, reader: Reader | None = None) -> None:
        super().__init__(COMPACT, "compact instructions", to=to, block=COMPACT, reader=reader)

    def _made(self, before: bytes | None) -> Made:
        content = Content(COMPACT, _COMPACT_HEADING, _COMPACT_LINES)
        return Made(put_content(before or b"", self.block, content), _going(before, self.block))


def _going(before: bytes | None, block: str) -> list[str]:
    """What a person wrote into the block, and goes with the next write."""
    return [
        f"a line in the block that was written by hand goes: {one_line(line, 60)}"
        for line in lines_by_hand(before or b"", block)
    ]


def _as_of(state: State) -> str:
    whose = f"session {rule_line(state.session)}"
    if state.at is None:
        return f"Of {whose}. Rely on it only while nothing was changed since."
    at = state.at.astimezone(UTC)
    until = (at + HOLDS).date().isoformat()
    return (
        f"As of {at:%Y-%m-%d %H:%M} UTC, {whose}. Do not rely on it after {until}, or where the "
        "work has gone on since: then look, and have it updated or taken out."
    )
