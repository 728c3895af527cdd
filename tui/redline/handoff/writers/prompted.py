"""A writer that is asked with a prompt: a model, or a program that reads it.

A record that is longer than the window is read in parts, by turns, and the notes are merged;
nothing of it is dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import replace

from redline.handoff.writers.answer import read_answer
from redline.handoff.writers.asking import Asker, Prompt
from redline.handoff.writers.closing import closing, corrected
from redline.handoff.writers.failure import Cancelled, Failure, FailureKind, WriterFailure
from redline.handoff.writers.record import Record, Turn, as_turn, cut, marked, pieces_of, record_of
from redline.handoff.writers.sanity import fault_of
from redline.handoff.writers.templates import template, versions
from redline.handoff.writers.too_large import smaller_window
from redline.handoff.writers.writer import Correction, Piece, Spent, Step, SummaryForm, Task, Words
from redline.redaction import listed, marks, redact

UNKNOWN_WINDOW = 32_000  # tokens, of a model that no table knows; `limits` in the settings tells it
_LEAST_WINDOW = 1_500
_OUTPUT = 8_000  # tokens of the window that are left for the answer
_TOLD_EVERY = 400  # characters of an answer between two figures of its tokens
_TEMPLATES = ("system", "record", "previous", "part", "merge", "correction")


def prompt_version(form: SummaryForm) -> str:
    """The prompts that a task of `form` is asked with, each with its version."""
    return versions((form.value, *_TEMPLATES))


class PromptWriter:
    """Writes by asking `asker`. Notes on parts are kept, so that asking once more for the whole
    does not read the parts again."""

    def __init__(self, name: str, asker: Asker) -> None:
        self.name = name
        self.asker = asker
        self._notes: dict[str, str] = {}
        self._refused: dict[str, Failure] = {}
        self._window: int | None = None

    def pieces(self, task: Task, cancelled: Callable[[], bool]) -> Iterator[Piece]:
        yield Step("reading the session")
        record = record_of(task.session, task.plan, task.previous, cancelled)
        if taken := listed(marks("\n".join([record.previous, *(t.text for t in record.turns)]))):
            yield Step(f"secrets that it is not told: {taken}")
        window = self._window or self.asker.window or UNKNOWN_WINDOW
        spent = Spent(counted=True)
        while True:
            work = _Work(self, task, record, window, spent, cancelled)
            try:
                yield from work.pieces()
                return
            except WriterFailure as raised:
                fault, spent = raised.failure, work.spent
                if fault.kind is not FailureKind.TOO_LARGE:
                    raise
                window = smaller_window(window, work.sent, fault.most, fault.counted)
                if window < _LEAST_WINDOW:
                    raise
                self._window = window
                yield Step(f"the input was too large; reading it in parts of {window:,} tokens")

    def notes(self, prompt: Prompt) -> str | None:
        """The notes that were written for `prompt` before."""
        return self._notes.get(prompt.text)

    def keep(self, prompt: Prompt, notes: str) -> None:
        """Notes as the answer to `prompt`."""
        self._notes[prompt.text] = notes

    def asked(self, prompt: Prompt, cancelled: Callable[[], bool]) -> Iterator[Words | Spent]:
        """The answer to `prompt`; one that was refused as too large is not sent again."""
        if (fault := self._refused.get(prompt.text)) is not None:
            raise WriterFailure(fault)
        try:
            yield from self.asker.ask(prompt, cancelled)
        except WriterFailure as raised:
            if raised.failure.kind is FailureKind.TOO_LARGE:
                self._refused[prompt.text] = raised.failure
            raise


class _Work:
    """One way through a task with one window. `spent` adds up over its requests, `sent` is how many
    tokens the last of them had."""

    def __init__(
        self,
        writer: PromptWriter,
        task: Task,
        record: Record,
        window: int,
        spent: Spent,
        cancelled: Callable[[], bool],
    ) -> None:
        self.writer, self.asker, self.task = writer, writer.asker, task
        self.record, self.spent, self.cancelled = record, spent, cancelled
        self.mark = record.mark
        self.form = task.form
        self.sent = window
        self.system = template("system").text
        self.closing = closing(task, record.replaced)
        frame = self._framed(self._read(""), corrected(task.correction, self.form))
        self.room = max(window - min(_OUTPUT, window // 4) - self.tokens(frame.whole), window // 4)

    def tokens(self, text: str) -> int:
        if self.cancelled():
            raise Cancelled
        return self.asker.tokens(text)

    def pieces(self) -> Iterator[Piece]:
        previous, turns = self.record.previous, self.record.turns
        if previous and self.tokens(previous) * 3 > self.room:
            turns, previous = (as_turn("Summary of what came before", previous), *turns), ""
        before = self._previous(previous)
        whole = "\n\n".join(turn.text for turn in turns)
        if self.tokens(whole) + self.tokens(before) <= self.room:
            yield Step("waiting for the writer")
            yield from self._final(f"{self._read(whole)}{before}")
            return
        notes = yield from self._parts(turns, before)
        yield from self._merged(notes)

    # -- in parts ------------------------------------------------------------------------------

    def _parts(self, turns: tuple[Turn, ...], before: str) -> Generator[Piece, None, list[str]]:
        """The notes on each part, in order."""
        part = template("part").filled(number="100", count="100")
        limit = max(self.room - self.tokens(before) - self.tokens(part), self.room // 3)
        parts = list(pieces_of(turns, limit, self.tokens))
        notes: list[str] = []
        if self.asker.window is None:
            yield Step(
                f"its window is not known, {UNKNOWN_WINDOW:,} tokens are assumed"
                " (`limits` in the settings tells it)"
            )
        for number, text in enumerate(parts, start=1):
            yield Step("reading in parts", number - 1, len(parts) + 1)
            told = template("part").filled(number=str(number), count=str(len(parts)))
            first = before if number == 1 else ""
            notes.append((yield from self._note(f"{self._read(text)}{first}\n\n{told}")))
        return notes

    def _merged(self, notes: list[str]) -> Iterator[Piece]:
        """Notes are merged, those on neighbouring parts first, until all fit into one request."""
        count = len(notes)
        spans = [(place, place) for place in range(1, count + 1)]
        room = self.room - self.tokens(self._merge([""], [(1, count)], count))
        while sum(map(self.tokens, notes)) > room and len(notes) > 1:
            notes = [self._short(note, room // 2) for note in notes]
            groups = _groups(notes, room, self.tokens)
            if len(groups) == 1:
                break
            merged, places, at = [], [], 0
            for done, size in enumerate(groups):
                yield Step("merging", done, len(groups) + 1)
                here, theirs = notes[at : at + size], spans[at : at + size]
                text = self._merge(here, theirs, count)
                merged.append(here[0] if size == 1 else (yield from self._note(text)))
                places.append((theirs[0][0], theirs[-1][1]))
                at += size
            notes, spans = merged, places
        yield Step("merging", count, count + 1)
        yield from self._final(self._merge(notes, spans, count))

    def _short(self, note: str, limit: int) -> str:
        """A note of at most `limit` tokens."""
        while self.tokens(note) > limit and len(note) > 200:
            half = len(note) * 2 // 5
            note = cut(note, half, half // 2)
        return note

    def _note(self, data: str) -> Generator[Piece, None, str]:
        """The notes for one prompt, asked for once more where they cannot be used."""
        prompt = self._framed(data)
        kept = self.writer.notes(prompt)
        if kept is not None:
            return kept
        fault: Failure | None = None
        for correction in (None, True):
            asked = prompt
            if correction and fault is not None:
                asked = self._framed(data, corrected(Correction(fault.told), self.form))
            answer: list[str] = []
            try:
                for piece in self._asked(asked):
                    if isinstance(piece, Words):
                        answer.append(piece.text)
                    else:
                        yield piece
            except WriterFailure as failure:
                fault = failure.failure
            else:
                text = "".join(answer)
                fault = fault_of(text, read_answer(text, self.form), self.form, replaced=len(data))
                if fault is None or fault.kind is FailureKind.TOO_LONG:
                    self.writer.keep(prompt, text)
                    return text
            if not fault.kind.correctable:
                break
        assert fault is not None
        raise WriterFailure(replace(fault, asked_again=fault.kind.correctable))

    # -- asking --------------------------------------------------------------------------------

    def _final(self, data: str) -> Iterator[Piece]:
        yield from self._asked(self._framed(data, corrected(self.task.correction, self.form)))

    def _asked(self, prompt: Prompt) -> Iterator[Words | Spent]:
        """The answer, with the tokens of all requests so far."""
        self.sent = self.tokens(prompt.whole)
        told = Spent(self.sent, 0)
        before, chars, seen = self.spent, 0, 0
        counted = False
        try:
            for piece in self.writer.asked(prompt, self.cancelled):
                if isinstance(piece, Spent):
                    told, counted = piece, True
                    continue
                yield piece
                chars += len(piece.text)
                if not counted:
                    told = replace(told, output_tokens=-(-chars // 4))
                if chars - seen >= _TOLD_EVERY:
                    seen = chars
                    yield before + told
        finally:
            self.spent = before + told
        yield self.spent

    def _framed(self, data: str, correction: str = "") -> Prompt:
        text = "\n\n".join(filter(None, (data, self.closing, correction)))
        return Prompt(self.system, redact(text).text)

    def _read(self, text: str) -> str:
        record = template("record").filled(mark=self.mark, record=marked(text, self.mark))
        return f"{record}\n\n"

    def _previous(self, text: str) -> str:
        if not text:
            return ""
        return template("previous").filled(mark=self.mark, previous=text)

    def _merge(self, notes: list[str], spans: list[tuple[int, int]], count: int) -> str:
        listed = "\n\n".join(
            f"[{self.mark}] Notes on parts {first} to {last}:\n{note}"
            for note, (first, last) in zip(notes, spans, strict=True)
        )
        first, last = spans[0][0], spans[-1][1]
        return template("merge").filled(
            mark=self.mark, notes=listed, first=str(first), last=str(last), count=str(count)
        )


def _groups(notes: list[str], room: int, tokens: Callable[[str], int]) -> list[int]:
    """How many neighbours go together: as many as fit, but two at least."""
    sizes: list[int] = []
    used = 0
    for note in notes:
        weight = tokens(note)
        if sizes and (sizes[-1] < 2 or used + weight <= room):
            sizes[-1] += 1
            used += weight
        else:
            sizes.append(1)
            used = weight
    return sizes
