"""The handoff: the summary as text, and what it loses."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import ClassVar

from textual.binding import BindingType
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import TextArea

from redline.handoff.audit import AuditItem, Verdict
from redline.handoff.invented import Invented
from redline.handoff.writers.writer import OFFLINE
from redline.review import Review
from redline.ui.actions import bindings
from redline.ui.audit_items import audit_items, audit_remark
from redline.ui.bar import Bars
from redline.ui.card import Card, message_card
from redline.ui.dialogs import Ask, Choose
from redline.ui.doubts import Doubting, Doubts, doubt_items
from redline.ui.editor import edited, outside
from redline.ui.fillings import fillings
from redline.ui.items import Items
from redline.ui.lines import LineList
from redline.ui.markdown_editor import MarkdownEditor
from redline.ui.marks import short
from redline.ui.panes import Pane, PaneTitle
from redline.ui.screen import RedlineScreen
from redline.ui.threads import beside, in_thread
from redline.ui.writing import OTHER, Writing, short_name, writer_choices

_EVERY = 0.1  # seconds between two looks at what a writer has said


def is_fresh(review: Review) -> bool:
    """Whether the text is what was written, and nobody's edit."""
    return review.handoff is not None and review.text == review.written


class AuditPane(Items):
    HELP = (
        "What becomes of every rule, anchor, changed file, open error and prompt, worst first. "
        "Enter shows where it comes from, i inserts it word for word. Above stands what a writer "
        "named and the session does not hold; enter goes to it in the text."
    )


class HandoffScreen(RedlineScreen[Review]):
    """The handoff in an editor, the audit beside it. Gives the review back when it is left."""

    CONTEXTS: ClassVar[tuple[str, ...]] = ("handoff",)
    NAME = "Handoff"
    HELP = "Read what the next agent will read, mend what it loses, then choose where it goes."
    BINDINGS: ClassVar[list[BindingType]] = bindings("handoff")
    AUTO_FOCUS = "#audit"

    def __init__(self, review: Review) -> None:
        super().__init__()
        self.review = review
        self._timer: Timer | None = None
        self.writing: Writing | None = None
        self._target: str | None = None
        self._doubting, self._doubts = Doubting(), Doubts()

    def compose_body(self) -> Iterable[Widget]:
        yield Bars(id="bars")
        with Horizontal(classes="columns"):
            with Pane(classes="first"):
                yield PaneTitle("handoff", id="editor-title")
                yield MarkdownEditor(text=self.review.text, id="editor")
                yield MarkdownEditor(read_only=True, id="stream")
            with Pane(classes="second"):
                yield PaneTitle("audit", id="audit-title")
                yield AuditPane(id="audit", word_width=8, empty="Nothing to audit.")

    def on_mount(self) -> None:
        self.entitle(self.review.session.info.title, self.review.focus and "with a focus hint")
        self.query_one("#stream").display = False
        self.show_review(self.review)
        review = self.review
        if self.redline.writer != OFFLINE and review.writer == OFFLINE and is_fresh(review):
            self._write(asked=False)
        else:
            self._work(lambda: review)

    def on_unmount(self) -> None:
        if self.writing is not None:
            self.writing.cancel()

    @property
    def editor(self) -> MarkdownEditor:
        return self.query_one("#editor", MarkdownEditor)

    def show_review(self, review: Review) -> None:
        """Shows `review`; the editor is left alone where it says the same."""
        self.review = review
        self.editor.take(review.text)
        counted = self.redline.counted(review)
        self.query_one("#bars", Bars).show(*fillings(review, counted))
        doubts = self._doubts
        self.editor.doubt((one.start, one.end) for one in doubts.invented)
        audited = audit_items(review.audit, review.session.info.project)
        self.query_one("#audit", AuditPane).show([*doubt_items(doubts), *audited])
        self.query_one("#audit-title", PaneTitle).show(audit_remark(review.audit))
        by = "" if review.writer == OFFLINE else f"by {short_name(review.writer)}"
        size = f"~{short(counted)} tokens" if counted is not None else ""
        told = filter(None, (by, doubts.remark, size))
        self.query_one("#editor-title", PaneTitle).show("  ".join(told))

    # -- work beside the screen ----------------------------------------------------------------

    def _current(self) -> Review:
        """The review with the text as it stands in the editor."""
        return self.review.with_text(self.editor.text)

    def _work(self, step: Callable[[], Review], *, whole: bool = False) -> None:
        """Carries `step` out in a thread, audits and counts, and shows what came of it. What was
        typed meanwhile wins, unless the step gave the `whole` text anew."""
        model = self.review.session.info.model
        typed = self.editor.text

        async def work() -> None:
            def audited() -> tuple[Review, int, Doubts]:
                made = step()
                if made.audit is None or "audit" in made.stale:
                    made = made.audited()
                doubts = self._doubting.doubts(made, self.place.now().date())
                return made, self.place.count(made.text, model), doubts

            self.query_one("#audit-title", PaneTitle).show("auditing ...")
            made, tokens, doubts = await in_thread(audited)
            self.redline.give_count(made.text, tokens)
            if self.editor.text not in (typed, made.text) and not whole:
                self._follow()
                return
            self._doubts = doubts
            self.show_review(made)
            self.redline.keeping.soon(made)

        beside(self, work, "audit")

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self.editor.text != self.review.text:
            self._follow()

    def _follow(self) -> None:
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(self.place.pause, self._audit_now)

    def _audit_now(self) -> None:
        review = self._current()
        self._work(lambda: review)

    # -- commands ------------------------------------------------------------------------------

    def action_insert(self) -> None:
        """The item under the cursor, word for word, into the handoff."""
        if self._busy():
            return
        item = self.query_one("#audit", AuditPane).current
        if item is None or not isinstance(item.key, AuditItem):
            return
        wanted = item.key
        if wanted.verdict is Verdict.VERBATIM:
            self.say("That is in the handoff already.")
            return
        review = self.attempt(lambda: self._current().insert(wanted))
        if review is not None:
            self.editor.take(review.text)
            self._work(lambda: review, whole=True)

    def action_write_again(self) -> None:
        self._write()

    def _write(self, *, asked: bool = True) -> None:
        """Writes again, by the writer that is chosen. A writing that goes on is ended first."""
        review = self._current()
        if self.writing is not None:
            self.writing.cancel()
        if self.redline.writer == OFFLINE:
            self._work(review.write, whole=True)
            if review.text != review.written:
                self.say("Written again; sections that you edited stay as they are.")
            return
        writing = Writing(self.redline.writer, review, self.place, asked)
        self.writing = writing
        beside(self, partial(self._written, writing), "audit")

    async def _written(self, writing: Writing) -> None:
        """Shows what the writer says as it comes, and then the handoff."""
        from redline.handoff.writers.failure import Cancelled

        stream = self.query_one("#stream", MarkdownEditor)
        stream.text = ""
        self._show_stream(True)
        timer = self.set_interval(_EVERY, partial(self._follow_writing, writing))
        try:
            written = await in_thread(writing.run)
            made = await in_thread(lambda: writing.review.with_written(written).audited())
        except Cancelled:
            told = writing.told.replace("  ", ", ")
            self.say(f"Ended after {told}; the text is as it was.")
            self._work(lambda: writing.review)
            return
        finally:
            writing.cancel()
            timer.stop()
            if self.writing is writing:
                self.writing = None
                if self.is_attached:
                    self._show_stream(False)
        self._follow_writing(writing)
        self._work(lambda: made, whole=True)

    def _busy(self) -> bool:
        """Whether it is being written just now, which is said."""
        if self.writing is not None:
            self.say("It is being written; esc ends that, and the text is as it was.")
        return self.writing is not None

    def _follow_writing(self, writing: Writing) -> None:
        news = writing.news()
        stream = self.query_one("#stream", MarkdownEditor)
        if news.anew:
            stream.text = ""
        if news.words:
            stream.insert(news.words, stream.document.end)
            stream.scroll_end(animate=False)
        for remark in news.remarks:
            self.say(remark, severity="warning")
        told = f"{short_name(writing.name)}  {writing.told}  esc ends"
        self.query_one("#editor-title", PaneTitle).show(told)

    def _show_stream(self, shown: bool) -> None:
        self.query_one("#stream").display = shown
        focused = self.editor.has_focus
        self.editor.display = not shown
        if shown and focused:
            self.query_one("#audit").focus()

    def action_writer(self) -> None:
        """Another writer, which then writes."""
        session, usual = self.review.session, self.place.settings.writer
        current = self.redline.writer

        def named(name: str | None) -> None:
            if name is not None and name.strip():
                self.redline.writer = name.strip()
                self._write()

        def chosen(name: str | None) -> None:
            if name == OTHER:
                hint = "a model's name, or command: PROGRAM ARGS; enter has it write, esc leaves"
                self.app.push_screen(
                    Ask("Writer", "" if current == OFFLINE else current, hint), named
                )
            else:
                named(name)

        choices = writer_choices(session, current, usual)
        self.app.push_screen(Choose("Writer", choices, current), chosen)

    def action_bring_back(self) -> None:
        review = self._current()
        if self._busy():
            return
        if not review.before:
            self.say("Nothing was written over yet.")
            return
        self._work(review.brought_back, whole=True)

    def action_focus_hint(self) -> None:
        def answered(answer: str | None) -> None:
            if answer is not None:
                self.review = self._current().with_focus(answer.strip())
                self._write()

        self.app.push_screen(
            Ask("Focus", self.review.focus, "enter writes again, esc leaves"), answered
        )

    def action_editor(self) -> None:
        """The text in the person's own editor."""
        if self._busy():
            return
        text = self.attempt(
            lambda: outside(
                self.app,
                lambda: edited(self.editor.text, self.place.environment, self.place.edit),
                needs_terminal=self.place.needs_terminal,
            )
        )
        if text is not None:
            self.editor.take(text)
            self._audit_now()

    def action_difference(self) -> None:
        """What differs from the summary before: the agent's own last one, else the writer's."""

        async def compare_texts() -> None:
            from redline.targets.difference import compare

            session, text = self.review.session, self.editor.text
            past = next((c.summary for c in reversed(session.compactions) if c.summary), None)
            written = self.review.written

            def lines() -> tuple[str, ...]:
                before = written
                if past is not None:
                    before = "\n\n".join(filter(None, map(session.text, past.parts)))
                found = compare(
                    before.encode("utf-8", "replace"), text.encode("utf-8", "replace"), "handoff"
                )
                return (f"--- {other}", "+++ this handoff", *found[2:]) if found else ()

            other = "the agent's last summary" if past else "what redline wrote"
            found = await in_thread(lines)
            self.app.push_screen(
                Card(f"Against {other}", found or ("no difference",), difference=True)
            )

        beside(self, compare_texts, "difference")

    def action_commit(self) -> None:
        from redline.ui.commit import CommitScreen

        if self._busy():
            return
        review = self._current()
        self.redline.keeping.soon(review)
        self.app.push_screen(CommitScreen(review))

    def action_back(self) -> None:
        if self.writing is not None:
            self.writing.cancel()
        elif self.editor.has_focus:
            self.query_one("#audit").focus()
        else:
            self.leave()

    def leave(self, message: str | None = None) -> None:
        """Back to the desk, there to `message` where one is named."""
        self._target = message
        review = self._current()
        self.redline.keeping.soon(review)
        self.dismiss(review)

    @property
    def target(self) -> str | None:
        """The message the desk is to show."""
        return self._target

    # -- to the source -------------------------------------------------------------------------

    def on_line_list_opened(self, event: LineList.Opened) -> None:
        if isinstance(event.lines, Items) and (item := event.lines.current) is not None:
            if isinstance(item.key, Invented):
                self.editor.go_to(item.key.start)
                self.editor.focus()
            elif item.message is None:
                self.say("It was added by hand and comes from no message.")
            else:
                self._show_message(item.message)

    def _show_message(self, name: str) -> None:
        async def show() -> None:
            session = self.review.session
            card = await in_thread(lambda: message_card(session, name))
            if card is None:
                self.say("The message it comes from is not there any more.")
                return

            def left(follow: bool | None) -> None:
                if follow:
                    self.leave(name)

            self.app.push_screen(card, left)

        beside(self, show, "card")

    def copied_text(self) -> Callable[[], str] | None:
        item = self.query_one("#audit", AuditPane).current
        if item is None or not self.query_one("#audit").has_focus:
            return None
        text = item.text
        return lambda: text
