"""Rules: all of a project, over its sessions, and where each is already written down."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.widget import Widget

from redline.errors import RedlineError
from redline.ledger.history import Event
from redline.ledger.project import ProjectRule, ProjectRules
from redline.ledger.remark import differing, replacements
from redline.ledger.rule import Ledger, RuleState
from redline.ledger.store import project_of_info
from redline.model import Session, SessionInfo
from redline.targets.written_rules import Written, written_in
from redline.text import counted
from redline.ui.actions import bindings
from redline.ui.card import message_card
from redline.ui.desk_items import words_of_rule
from redline.ui.desk_panes import RulesPane
from redline.ui.items import Items
from redline.ui.lines import LineList
from redline.ui.panes import Pane, PaneTitle
from redline.ui.rules_asking import Step
from redline.ui.rules_items import project_items, rule_details
from redline.ui.rules_promoting import RulesPromoting
from redline.ui.session_items import project_name
from redline.ui.threads import beside, in_thread


class RulesScreen(RulesPromoting):
    """The rules of all sessions of a project by state; beside them the one under the cursor. Gives
    the id of a message of the session it was opened from, to go there."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("register",)
    NAME = "Rules"
    HELP = (
        "Every constraint you stated in any session of this project. y confirms one: it binds, "
        "here and, where its scope is the project, in all of its sessions. What you said again "
        "later replaces the older. At the right end stands the instruction file that says the "
        "rule already; p writes it there, or takes one out that has ended. Enter shows where it "
        "was said."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("register")
    AUTO_FOCUS = "#rules"

    def __init__(self, info: SessionInfo, session: Session | None = None) -> None:
        """`info` names the session it is opened from, `session` is that one where it is open."""
        super().__init__()
        self.info = info
        self._session = session
        self._project = project_of_info(info)
        self._known = ProjectRules()
        self._rules: tuple[ProjectRule, ...] = ()
        self._written: Mapping[str, tuple[Written, ...]] = {}
        self._steps: list[tuple[SessionInfo, ...]] = []
        self._read = self._whole = 0
        self._unread: list[str] = []
        self._last: tuple[SessionInfo, Session] | None = None
        self._deciding = asyncio.Lock()  # what is read while a step is made would be old

    @property
    def idle(self) -> frozenset[str]:
        one = self.current
        active = one is not None and one.rule.state is RuleState.ACTIVE
        written = one is not None and bool(self._written.get(one.rule.id))
        return frozenset() if active or written else frozenset(("promote",))

    def compose_body(self) -> Iterable[Widget]:
        with Horizontal(classes="columns"):
            with Pane(classes="first"):
                yield PaneTitle("rules", id="rules-title")
                yield RulesPane(id="rules", empty="Looking for rules ...")
            with Pane(classes="second"):
                yield PaneTitle("rule", id="rule-title")
                yield Items(id="rule", word_width=9)

    def on_mount(self) -> None:
        self._show()
        beside(self, self._read_all, "reading")

    # -- reading -------------------------------------------------------------------------------

    async def _read_all(self) -> None:
        """The rules of this session, and then those of the others of its project, newest first."""
        await self._take((self.info,))
        infos = await in_thread(self.place.archive.sessions)
        others = [
            one
            for one in infos
            if self._project is not None
            and project_of_info(one) == self._project
            and not self._is_own(one)
        ]
        self._whole = len(others) + 1
        await self._take(others)
        self.query_one("#rules", RulesPane).say_when_empty(
            "No rule was found in your prompts; a adds one."
        )
        self._show()
        if self._unread:
            count = counted(len(self._unread), "session")
            first = "\n".join(self._unread[:3])
            self.say(f"{count} could not be read:\n{first}", severity="warning")

    async def _take(self, infos: Iterable[SessionInfo]) -> None:
        """Reads the ledgers of these sessions, and shows each as it comes."""
        for info in infos:
            async with self._deciding:
                try:
                    self._known.add(info, await in_thread(partial(self._ledger, info)))
                except (RedlineError, OSError) as error:
                    self._unread.append(str(error))
            self._read += 1
            self._show()
        await self._look()

    def _ledger(self, info: SessionInfo) -> Ledger:
        return self.place.ledgers.load(self._open(info))

    def _open(self, info: SessionInfo) -> Session:
        """The session, which is kept until another one is wanted."""
        if self._session is not None and self._is_own(info):
            return self._session
        if self._last is None or self._last[0] != info:
            self._last = info, self.place.open_session(info)
        return self._last[1]

    def _is_own(self, info: SessionInfo) -> bool:
        return (info.agent, info.id) == (self.info.agent, self.info.id)

    async def _look(self) -> None:
        """Looks into the files of the project for the rules that are known by now."""
        texts = [(one.rule.id, one.rule.text) for one in self._rules]
        written = await in_thread(lambda: written_in(self._project, texts))
        if written != self._written:
            self._written = written
            self._show()

    # -- showing -------------------------------------------------------------------------------

    def _show(self) -> None:
        self._rules = self._known.rules()
        self.query_one("#rules", RulesPane).show(
            project_items(self._rules, self._written, self._words_of)
        )
        waiting = sum(one.rule.state is RuleState.PROPOSED for one in self._rules)
        active = sum(one.rule.state is RuleState.ACTIVE for one in self._rules)
        words = [f"{active} active", f"{waiting} proposed"]
        if self._read < self._whole:
            words.append(f"{self._read} of {self._whole} sessions read")
        else:
            words.append(counted(self._read - len(self._unread), "session"))
        home = self.place.environment.get("HOME", "")
        self.entitle(project_name(self._project or "", home), ", ".join(words))
        self._show_rule()

    def _show_rule(self) -> None:
        """The rule under the cursor: at once what is known, its history once that is read."""
        one = self.current
        if one is None:
            self.query_one("#rule", Items).show(())
            return
        self._detail(one, ())

        async def read() -> None:
            await asyncio.sleep(self.place.pause)
            self._detail(one, await in_thread(partial(self._history, one)))

        beside(self, read, "history")

    def _detail(self, one: ProjectRule, events: tuple[Event, ...]) -> None:
        places = self._written.get(one.rule.id, ())
        items = rule_details(one, places, events, self._words_of, self.place.now())
        self.query_one("#rule", Items).show(items)

    def _history(self, one: ProjectRule) -> tuple[Event, ...]:
        return self.place.ledgers.history(self._open(one.sessions[0]), one.ids[0])

    def _words_of(self, id: str) -> str:  # noqa: A002
        return words_of_rule(next((one.rule for one in self._rules if id in one.ids), None))

    @property
    def current(self) -> ProjectRule | None:
        """The rule under the cursor."""
        item = self.query_one("#rules", RulesPane).current
        return self.rule_of(str(item.key)) if item is not None else None

    def rule_of(self, id: str) -> ProjectRule | None:  # noqa: A002
        return next((one for one in self._rules if one.rule.id == id), None)

    @property
    def rules(self) -> tuple[ProjectRule, ...]:
        return self._rules

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        if event.lines.id == "rules":
            self._show_rule()

    # -- deciding ------------------------------------------------------------------------------

    def rule_step(self, rule: str, verb: str, step: Step) -> None:
        """In the session of the rule; that it is none, or has ended, in all that say it."""
        one = self.rule_of(rule)
        if verb == "undo":
            places = [(info, "") for info in (self._steps.pop() if self._steps else (self.info,))]
        elif one is None:
            places = [(self.info, "")]
        else:
            places = list(zip(one.sessions, one.ids, strict=True))
            if verb not in ("dismiss", "revoke"):
                places = places[:1]
        store = self.place.ledgers

        def decide() -> list[tuple[Ledger, Ledger]]:
            made: list[tuple[Ledger, Ledger]] = []
            for info, name in places:
                session = self._open(info)
                made.append((store.load(session), step(store, session, name)))
            return made

        async def decided() -> None:
            infos = [info for info, _ in places]
            async with self._deciding:
                for before, after in await in_thread(decide):
                    for old, newer in replacements(before, after):
                        changed = f": {old.changed}" if old.changed else ""
                        self.say(f"{words_of_rule(newer)} replaces {words_of_rule(old)}{changed}")
                    infos += self._known.touched(differing(before, after))
                if verb != "undo":
                    self._steps.append(tuple(info for info, _ in places))
                await self._again(infos)

        beside(self, decided, "rules", exclusive=False)

    async def _again(self, infos: Iterable[SessionInfo]) -> None:
        """Reads sessions again, each once, and looks into the files."""
        once = {(info.agent, info.id): info for info in infos}
        for info in once.values():
            self._known.add(info, await in_thread(partial(self._ledger, info)))
        self._show()
        await self._look()

    # -- where it was said ---------------------------------------------------------------------

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        one = self.current
        if event.lines.id != "rules" or one is None:
            return
        info, message = one.sessions[0], one.rule.message
        if message is None:
            self.say("It was added by hand: no message says it.")
            return

        async def show() -> None:
            card = await in_thread(lambda: message_card(self._open(info), message))
            if card is None:
                self.say("The message it comes from is not there any more.")
                return

            def left(onward: bool | None) -> None:
                if onward and self._session is not None and self._is_own(info):
                    self.dismiss(message)
                elif onward:
                    self._to_desk(info, message)

            self.app.push_screen(card, left)

        beside(self, show, "card")

    def _to_desk(self, info: SessionInfo, name: str) -> None:
        """Opens another session at the message."""

        def place() -> tuple[int, int] | None:
            for message in self._open(info).source.history():
                if message.id == name and message.parts:
                    return message.parts[0].origin.record, message.parts[0].origin.start
            return None

        async def go() -> None:
            self.redline.open_desk(info, at=await in_thread(place))

        beside(self, go, "card")

    def action_back(self) -> None:
        self.dismiss(None)
