"""The rows of the last few sessions, measured once, and what Hermes' rules make of them.

A session that has grown is read only as far as it has. Pruning does not depend on a cut that a
person moves, so it is done once for each set of rules.
"""

from __future__ import annotations

from redline.compaction.remembered import Remembered
from redline.compaction.strategies.hermes_choice import Choice, choose
from redline.compaction.strategies.hermes_pruning import Pruned, Rules, prune
from redline.compaction.strategies.hermes_rows import Row, body_text, rows_of
from redline.model import Agent, Session

_MOST = 8  # sets of rules that are remembered of a session


class Measured:
    """A session's rows, and what was made of them."""

    def __init__(self, session: Session, rows: tuple[Row, ...]) -> None:
        self.session = session
        self.rows = rows
        self._pruned: dict[Rules, Pruned] = {}
        self._own: dict[Rules, Choice] = {}

    def choose(self, rules: Rules, tail: int | None = None) -> Choice:
        """What Hermes does by `rules`, with the tail from row `tail` on where a person wants it."""
        if tail is None and rules in self._own:
            return self._own[rules]
        if len(self._pruned) >= _MOST:
            self._pruned.clear()
            self._own.clear()
        if rules not in self._pruned:
            self._pruned[rules] = prune(self.rows, rules, lambda row: body_text(self.session, row))
        info = self.session.info
        named = info.id if info.agent is Agent.HERMES else ""
        found = choose(self._pruned[rules], rules, session=named, tail=tail)
        if tail is None:
            self._own[rules] = found
        return found


class _Measure:
    """Measures a session with what is known of the one before."""

    def __init__(self) -> None:
        self._last: Measured | None = None

    def __call__(self, session: Session) -> Measured:
        last = self._last
        if last is not None and last.session.info.path != session.info.path:
            last = None
        if last is not None and last.session.context is session.context:
            return last
        rows = rows_of(session, None if last is None else (last.session, last.rows))
        self._last = Measured(session, rows)
        return self._last


measured = Remembered(_Measure())
