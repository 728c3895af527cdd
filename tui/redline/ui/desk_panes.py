"""The panes beside the transcript."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import BindingType

from redline.ledger.rule import RuleState
from redline.ui.actions import bindings
from redline.ui.items import Item, Items
from redline.ui.lines import LineList
from redline.ui.marks import STATE_MARK
from redline.ui.screen import RedlineScreen
from redline.ui.trouble import say

_NO_RULE = frozenset(("confirm", "dismiss", "edit", "revoke", "supersede", "rescope"))
_IDLE = {  # by the mark of the rule under the cursor
    STATE_MARK[RuleState.PROPOSED]: frozenset(("revoke",)),
    STATE_MARK[RuleState.ACTIVE]: frozenset(("confirm",)),
    STATE_MARK[RuleState.SUPERSEDED]: frozenset(("revoke", "dismiss")),
    STATE_MARK[RuleState.REVOKED]: frozenset(("revoke", "dismiss")),
    STATE_MARK[RuleState.DISMISSED]: frozenset(("revoke", "dismiss")),
}


class FiguresPane(Items):
    HELP = (
        "The plan in figures: strategy and budget, how many messages meet which fate, the three "
        "layers a context goes to, and for the message under the cursor why it is treated as it is "
        "and where it goes. m beside a message says that the long-term memory takes something "
        "from it: an active rule, a decision, a git commit, a changed file, an issue, a URL."
    )


class RulesPane(Items):
    """Rules. The keys post what is asked for; the desk does it."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("rules", "list")
    HELP = (
        "The constraints you stated, found in your own prompts only. A proposed rule binds when "
        "you confirm it; only active rules go into CLAUDE.md or AGENTS.md. x lets another rule or "
        "new words take its place, o sets whether it holds for its session or the whole project, "
        "z takes the last change back. Enter shows where it was said."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("rules")

    @property
    def idle(self) -> frozenset[str]:
        return _IDLE.get(self.current.mark if self.current is not None else "", _NO_RULE)

    def show(self, items: Sequence[Item]) -> None:
        super().show(items)
        self._show_keys()

    def cursor_moved(self, old: int, new: int) -> None:
        super().cursor_moved(old, new)
        self._show_keys()

    def _show_keys(self) -> None:
        """Names the keys that fit the rule under the cursor."""
        if isinstance(self.screen, RedlineScreen):
            self.screen.show_keys()

    class Asked(LineList.Highlighted):
        """Something is to be done with the rule under the cursor (`rule` is empty to add one)."""

        def __init__(self, lines: LineList, verb: str, rule: str, text: str) -> None:
            super().__init__(lines, lines.cursor)
            self.verb = verb
            self.rule = rule
            self.text = text

    def _ask(self, verb: str) -> None:
        item = self.current
        if item is not None:
            self.post_message(self.Asked(self, verb, str(item.key), item.text))

    def _decide(self, verb: str) -> None:
        """Asks for it and goes on to the next rule of the same state, so that one key goes through
        the list."""
        here = self.current
        self._ask(verb)
        for rows in (range(self.cursor + 1, len(self.items)), range(self.cursor - 1, -1, -1)):
            row = next(filter(self.can_stand, rows), None)
            if here is not None and row is not None and self.items[row].mark == here.mark:
                self.go_to(row)
                return

    def action_confirm(self) -> None:
        self._decide("confirm")

    def action_dismiss(self) -> None:
        self._decide("dismiss")

    def action_edit(self) -> None:
        self._ask("edit")

    def action_revoke(self) -> None:
        self._ask("revoke")

    def action_supersede(self) -> None:
        self._ask("supersede")

    def action_rescope(self) -> None:
        self._ask("scope")

    def action_take_back(self) -> None:
        self.post_message(self.Asked(self, "undo", "", ""))

    def action_add(self) -> None:
        self.post_message(self.Asked(self, "add", "", ""))


class FactsPane(Items):
    HELP = (
        "What happened: open errors first, then files changed, commits made, decisions, issues, "
        "URLs, commands with their exit status, files read. Enter goes to the message it comes "
        "from."
    )


class HistoryPane(Items):
    """What lies behind. The keys post what is asked for; the desk does it."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("past", "list")
    HELP = (
        "What the agent itself compacted before, branches that were left, subagents, and what is "
        "wrong with the file. Enter opens a compaction, or a branch or a subagent at a desk of its "
        "own; h shows everything that was ever said."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("past")

    class Asked(LineList.Highlighted):
        """A plan before the compaction of this number is asked for."""

        def __init__(self, lines: LineList, number: int) -> None:
            super().__init__(lines, lines.cursor)
            self.number = number

    @property
    def idle(self) -> frozenset[str]:
        past = any(isinstance(item.key, int) for item in self.items)
        return frozenset() if past else frozenset(("plan",))

    def action_plan(self) -> None:
        item = self.current
        if item is not None and isinstance(item.key, int):
            self.post_message(self.Asked(self, item.key))
        else:
            say(self, "The cursor stands on no compaction before which there could be a plan.")
