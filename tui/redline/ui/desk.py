"""The desk: where the cut is made."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import ContentSwitcher, Input, Static

from redline.amounts import tokens_of
from redline.compaction.advice import Advice
from redline.compaction.plan import Action
from redline.compaction.strategies.registry import names, strategy
from redline.ledger.remark import replacements
from redline.review import Review
from redline.ui.actions import bindings
from redline.ui.advising import Advising
from redline.ui.bar import Bars
from redline.ui.bodies import read_body
from redline.ui.desk_comparing import DeskComparing
from redline.ui.desk_items import (
    fact_items,
    history_items,
    plan_items,
    remark,
    rule_items,
    words_of_rule,
)
from redline.ui.desk_panes import FactsPane, FiguresPane, HistoryPane, RulesPane
from redline.ui.dialogs import Ask, Choose
from redline.ui.field import Field
from redline.ui.fillings import fillings
from redline.ui.items import Item, Items
from redline.ui.lines import LineList
from redline.ui.panes import Pane, PaneTabs, PaneTitle
from redline.ui.part_items import part_items, read_choice
from redline.ui.pinning import pinned
from redline.ui.reckoning import Reckoning
from redline.ui.rules_asking import RulesAsking, Step
from redline.ui.threads import beside, in_thread
from redline.ui.transcript import Transcript
from redline.ui.views import broken_words, view_title, view_words

TABS = ("plan", "rules", "facts", "history")


class DeskScreen(DeskComparing, RulesAsking[None]):
    """Both bars, the transcript with the cut, and beside it plan, rules, facts and history."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("desk",)
    NAME = "Desk"
    HELP = (
        "Decide what the next window holds. Move the cut with { } and [ ], pin single messages "
        "with the marks themselves, and watch both bars. w writes the handoff."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("desk")
    AUTO_FOCUS = "#transcript"

    def __init__(self, review: Review, *, kin: str = "", message: str | None = None) -> None:
        """`kin` is what the session is to the one it was opened from; `message` where to go to."""
        super().__init__()
        self.review = review
        self._kin = kin
        self._message = message
        self._plan_waits = False
        self._reckoning: Reckoning | None = None
        self._advising: Advising | None = None

    def compose_body(self) -> Iterable[Widget]:
        yield Bars(id="bars")
        with Horizontal(id="work", classes="columns"):
            with Pane(id="left", classes="first"):
                yield PaneTitle("transcript", id="transcript-title")
                yield Transcript(id="transcript")
                yield Field(placeholder="find", id="find", select_on_focus=True)
            with Pane(id="right", classes="second"):
                yield PaneTabs(TABS, id="tabs")
                with ContentSwitcher(initial="plan", id="panes"):
                    yield FiguresPane(id="plan", word_width=8)
                    yield RulesPane(
                        id="rules", empty="No rule was found in your prompts; a adds one."
                    )
                    yield FactsPane(id="facts", empty="Nothing to report.")
                    yield HistoryPane(id="history", word_width=8, empty="Nothing happened before.")
        with Horizontal(id="hint"):
            yield Static(Content("focus "), id="hint-label")
            yield Field(
                self.review.focus,
                placeholder="what the handoff must be about, such as: the failing test",
                id="focus",
                select_on_focus=False,
            )

    def on_unmount(self) -> None:
        self.stop_following()
        self.let_go()

    def on_mount(self) -> None:
        self.query_one("#find").display = False
        self.show_review(self.review, whole=True)
        self.arrive(self._message)
        beside(self, self._begin, "begin")
        if broken := broken_words(self.review.session):
            self.say(broken, severity="warning")

    async def _begin(self) -> None:
        """What goes on beside the desk waits until it was painted: they share one core."""
        await asyncio.sleep(self.place.pause / 2)
        place = self.place
        self._advising = Advising(self, place.settings, place.now, self._advised)
        self._advising.want(self.review)
        self._reckoning = Reckoning(self, place.settings, self._show_plan)
        self._reckoning.want(self.review.session)
        self.start_following()

    # -- showing -------------------------------------------------------------------------------

    def show_review(self, review: Review, *, whole: bool = False, decided: bool = True) -> None:
        """Shows `review` wherever it is told of; what did not change is not painted again. What a
        person `decided` in it is kept."""
        before, self.review = self.review, review
        self.query_one("#transcript", Transcript).show(review)
        self.query_one("#bars", Bars).show(*fillings(review, self.redline.counted(review)))
        self._show_plan()
        if self._advising is not None:
            self._advising.want(review)
        tabs = self.query_one("#tabs", PaneTabs)
        if decided and not whole:
            self.redline.keeping.soon(review)
        if whole or before.ledger is not review.ledger:
            self.query_one("#rules", RulesPane).show(rule_items(review.ledger))
            waiting = len(review.ledger.proposed)
            tabs.count("rules", f"{waiting}?" if waiting else str(len(review.ledger.active) or ""))
        if whole or before.facts is not review.facts:
            self.query_one("#facts", FactsPane).show(
                fact_items(review.facts, review.session.info.project)
            )
            errors = len(review.facts.open_errors)
            tabs.count("facts", f"{errors}!" if errors else "")
        if whole or before.session is not review.session:
            self.query_one("#history", HistoryPane).show(history_items(review.session))
            damage = len(review.session.lasting_damage)
            tabs.count("history", f"{damage}!" if damage else "")
            view = view_words(review.session, self._kin)
            told = remark(review.session, review.window, gone=self.file_gone)
            self.entitle(view_title(review.session.info.title, view), told)
            self.show_count()

    def _show_plan(self) -> None:
        """Shows the figures of the plan once the bars are painted, and only where they are seen."""
        if not self._plan_waits and self.query_one("#panes", ContentSwitcher).current == "plan":
            self._plan_waits = True
            self.call_after_refresh(self._show_plan_now)

    def _show_plan_now(self) -> None:
        self._plan_waits = False
        review, place = self.review, self.place
        if self._reckoning is not None:
            self._reckoning.want(review.session)
        row = self.query_one("#transcript", Transcript).cursor
        cost = review.cost(place.now(), place.settings, self.redline.counted(review))
        self.query_one("#plan", FiguresPane).show(
            plan_items(
                review,
                row,
                cost,
                self._reckoning.words if self._reckoning is not None else "",
                self._advising.words if self._advising is not None else (),
            )
        )

    def _advised(self, advice: Advice) -> None:
        """Alarms, triggers that are met now, and whether the moment is good."""
        if self._advising is not None:
            self.query_one("#transcript", Transcript).alarm(self._advising.alarms)
        for line in advice.lines:
            self.say(f"{line[:1].upper()}{line[1:]}", severity="warning")
        self._show_plan()

    def change(self, step: Callable[[Review], Review], *, otherwise: str = "") -> bool:
        """Takes one step and shows it; False, and a notice, where it changes nothing."""
        review = self.attempt(lambda: step(self.review))
        if review is None:
            return False
        if review is self.review:
            if otherwise:
                self.say(otherwise)
            return False
        self.show_review(review)
        return True

    # -- the cut and the pins ------------------------------------------------------------------

    def action_cut_turn(self, step: int) -> None:
        if self.change(lambda review: review.cut_by_turn(step), otherwise="No turn further there."):
            self.query_one("#transcript", Transcript).action_at_cut()

    def action_cut_message(self, step: int) -> None:
        if self.change(
            lambda review: review.cut_by_message(step), otherwise="The cut goes no further."
        ):
            self.query_one("#transcript", Transcript).action_at_cut()

    def action_cut_here(self) -> None:
        chosen = self._chosen()
        if chosen:
            self.change(lambda review: review.move_cut(chosen[0]))

    def action_pin(self, name: str) -> None:
        chosen = self._chosen()
        if chosen and self.change(lambda review: pinned(review, chosen, Action(name))):
            self._after_pin()

    def action_parts(self) -> None:
        """One part of the message under the cursor: one of three results can be cleared."""
        index = self.query_one("#transcript", Transcript).cursor
        if index >= len(self.review.outline.messages):
            return
        message = self.review.outline.messages[index]
        text = self.review.session.text
        items = self.attempt(lambda: tuple(part_items(self.review, index, text)))

        def chosen(key: str | None) -> None:
            if key is not None:
                self.change(lambda review: review.pin_part(message.id, *read_choice(key)))

        if items and any(item.key for item in items):
            self.app.push_screen(Choose("Parts of the message", items), chosen)
        elif items:
            self.say("No part of this message can be treated on its own.")

    def action_unpin(self) -> None:
        chosen = self._chosen()
        if chosen and self.change(
            lambda review: review.unpin(chosen), otherwise="Nothing is pinned there."
        ):
            self._after_pin()

    def _after_pin(self) -> None:
        """On to the next row after a single pin, so that a list is gone through with one key."""
        transcript = self.query_one("#transcript", Transcript)
        if transcript.picked:
            transcript.pick(())
        else:
            transcript.action_line_down()

    def _chosen(self) -> list[str]:
        """The ids of the picked messages, or of the one under the cursor."""
        transcript = self.query_one("#transcript", Transcript)
        messages = self.review.outline.messages
        return [messages[row].id for row in transcript.chosen if row < len(messages)]

    def action_pick(self) -> None:
        transcript = self.query_one("#transcript", Transcript)
        shape = self.review.outline
        if transcript.cursor < len(shape.group):
            tied = shape.members[shape.group[transcript.cursor]]
            transcript.pick(transcript.picked.symmetric_difference(tied))
            transcript.action_line_down()

    def action_undo(self) -> None:
        self.change(lambda review: review.undo(), otherwise="Nothing to undo.")

    def action_redo(self) -> None:
        self.change(lambda review: review.redo(), otherwise="Nothing to redo.")

    # -- strategy, budget, focus ---------------------------------------------------------------

    def action_strategy(self) -> None:
        choices = [Item(strategy(name).about, word=name, key=name, lines=3) for name in names()]

        def chosen(name: str | None) -> None:
            if name is not None:
                self.change(lambda review: review.use_strategy(name))

        self.app.push_screen(Choose("Strategy", choices, self.review.strategy), chosen)

    def action_tail(self) -> None:
        asked = self.review.settings.tail_tokens
        used = self.review.plan.settings.get("tail_tokens")
        if not isinstance(used, int):
            self.say(f"{self.review.strategy} goes by no tail; s chooses another strategy.")
            return

        def chosen(answer: str | None) -> None:
            tokens = tokens_of(answer or "")
            if tokens is not None:
                self.change(lambda review: review.use_tail(tokens))
            elif answer is not None and answer.strip():
                self.say(f"{answer!r} is no count of tokens", severity="error")

        value = "" if asked is None else str(asked)
        hint = f"now {used:,}; such as 20000 or 20k; enter sets it, esc leaves it"
        self.app.push_screen(Ask("Tail, in tokens", value, hint), chosen)

    def action_focus_hint(self) -> None:
        self.query_one("#focus").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if event.input.id == "focus":
            self.change(lambda review: review.with_focus(event.value.strip()))
            self.query_one("#transcript").focus()
        elif event.input.id == "find":
            self.close_find()
            self.find(event.value)

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id == "focus":
            event.stop()
            self.review = self.review.with_focus(event.value.strip())

    # -- panes ---------------------------------------------------------------------------------

    def action_show(self, name: str) -> None:
        """Shows a pane, and puts the focus on it; a second time, back on the transcript."""
        switcher = self.query_one("#panes", ContentSwitcher)
        pane = self.query_one(f"#{name}")
        if switcher.current == name and pane.has_focus:
            self.query_one("#transcript").focus()
            return
        switcher.current = name
        self._show_plan()
        self.query_one("#tabs", PaneTabs).choose(name)
        self.set_focus(pane)  # at once: the next key may be typed already

    def on_pane_tabs_chosen(self, event: PaneTabs.Chosen) -> None:
        self.action_show(event.name)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        if event.lines.id == "transcript":
            self._show_plan()

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        """To the message that an entry of a pane comes from, or to what the entry is."""
        if isinstance(event.lines, Items) and (item := event.lines.current) is not None:
            if event.lines.id == "history":
                self.open_past(item.key)
            else:
                self.go_to_message(item.message)

    def on_history_pane_asked(self, event: HistoryPane.Asked) -> None:
        self.plan_before(event.number)

    # -- rules ---------------------------------------------------------------------------------

    def rule_step(self, rule: str, verb: str, step: Step) -> None:
        """Changes the ledger beside the screen: the session is searched for rules each time."""
        session, store = self.review.session, self.place.ledgers

        async def decide() -> None:
            async with self._deciding:  # an older answer must not come last
                ledger = await in_thread(partial(step, store, session, rule))
                for old, new in replacements(self.review.ledger, ledger):
                    self.say(f"{words_of_rule(new)} replaces {words_of_rule(old)}")
                if verb == "undo":
                    self.say("The last change of the rules is taken back.")
                self.change(lambda review: review.with_ledger(ledger))

        beside(self, decide, "rules", exclusive=False)

    def action_register(self) -> None:
        """The rules of the whole project."""
        from redline.ui.rules import RulesScreen

        session = self.review.session

        def back(message: str | None) -> None:
            self.rule_step("", "load", lambda store, session, _: store.load(session))
            self.go_to_message(message)

        self.app.push_screen(RulesScreen(session.info, session), back)

    # -- bodies --------------------------------------------------------------------------------

    def on_message_lines_body_wanted(self, event: Transcript.BodyWanted) -> None:
        message, session = event.message, self.review.session
        if message is None:
            return

        async def read() -> None:
            body = await in_thread(lambda: read_body(message, session.text))
            event.lines.give_body(event.name, body)

        beside(self, read, "body", exclusive=False)

    def copied_text(self) -> Callable[[], str] | None:
        """The whole text of the message under the cursor, for the clipboard."""
        transcript = self.query_one("#transcript", Transcript)
        if not transcript.has_focus or not self.review.outline.messages:
            return None
        session, parts = self.review.session, self.review.outline.messages[transcript.cursor].parts
        return lambda: "\n\n".join(filter(None, map(session.text, parts)))

    # -- onward --------------------------------------------------------------------------------

    def action_write(self) -> None:
        """Writes the handoff, audits it and opens it."""

        def written(review: Review) -> Review:
            stale = "handoff" in review.stale or not review.text
            return (review.write() if stale else review).audited()

        async def write() -> None:
            review = None
            while True:
                async with self._deciding:  # what was decided just before is on its way
                    if review is self.review:
                        break
                    review = self.review
                made = await in_thread(partial(written, review))
            from redline.ui.handoff import HandoffScreen

            screen = HandoffScreen(made)

            def back(left: Review | None) -> None:
                if left is not None:
                    self.show_review(left)
                self.arrive(screen.target)

            self.app.push_screen(screen, back)

        beside(self, write, "write")

    def action_back(self) -> None:
        if self.query_one("#find").display:
            self.close_find()
        elif not self.query_one("#transcript").has_focus:
            self.query_one("#transcript").focus()
        elif self.query_one("#transcript", Transcript).picked:
            self.query_one("#transcript", Transcript).pick(())
        else:
            self.redline.leave_desk()
