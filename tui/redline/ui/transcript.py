"""The transcript: the context line by line, with what becomes of each message, and the cut."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar

from rich.style import Style
from textual.binding import BindingType
from textual.message import Message as Event
from textual.strip import Strip

from redline.compaction.plan import Action
from redline.context.window import Category
from redline.model import Kind, Message, Part, PartState, PartType
from redline.review import Review
from redline.ui.actions import bindings
from redline.ui.heights import Heights
from redline.ui.lines import LineList, Run, padded, strip_of
from redline.ui.marks import ACTION_MARK, CURSOR, DASH, TIED, short, speaker
from redline.ui.untrusted import fitted, plain, wrapped

SHOWN_LINES = 1_000  # of an opened message; the rest is said to be there
SHOWN_CHARACTERS = 400_000


@dataclass(frozen=True, slots=True)
class Body:
    """A message read whole: a heading and the text of each of its parts."""

    parts: tuple[tuple[str, str], ...]


def read_body(message: Message, text: Callable[[Part], str]) -> Body:
    """The body of `message`; slow where its record is large. Raises RedlineError."""
    return Body(tuple((_heading(part), _shown(part, text(part))) for part in message.parts))


def _heading(part: Part) -> str:
    match part.type:
        case PartType.TOOL_CALL:
            words = f"call {part.tool or ''}"
        case PartType.TOOL_RESULT:
            words = f"{'error' if part.error else 'result'} {part.tool or ''}"
        case PartType.IMAGE:
            words = "image" + (f" {part.pixels[0]}x{part.pixels[1]}" if part.pixels else "")
        case PartType.OPAQUE:
            words = "only the provider can read this"
        case PartType.THINKING:
            words = "thinking"
        case PartType.TEXT:
            words = {Kind.PROMPT: "prompt", Kind.REPLY: "reply"}.get(part.kind, part.kind.value)
    cleared = ", cleared by the agent" if part.state is PartState.CLEARED else ""
    return f"{words.strip()}, {part.chars:,} characters{cleared}"


def _shown(part: Part, body: str) -> str:
    """A call's input readable, a line for each field; everything else as it is."""
    if part.type is not PartType.TOOL_CALL or len(body) > SHOWN_CHARACTERS:
        return body
    import orjson

    try:
        value = orjson.loads(body)
    except orjson.JSONDecodeError:
        return body
    if not isinstance(value, dict):
        return body
    fields = []
    for name, held in value.items():
        text = held if isinstance(held, str) else orjson.dumps(held).decode()
        fields.append(f"{name}: {text}" if "\n" not in text else f"{name}:\n{text}")
    return "\n".join(fields)


class Transcript(LineList):
    """One line a message: mark, number, speaker, first line, tokens. The cut is a line of its own.

    What is told by the review only; every key that changes it is the desk's.
    """

    CONTEXTS: ClassVar[tuple[str, ...]] = ("transcript", "list")
    HELP = (
        "The context, one line a message, as the model would be sent it now. The mark in front "
        'says what becomes of it: + kept, ~ cleared, < shortened, " quoted, s summarised, - '
        "dropped; an inverted mark is your own doing. A call and its results act as one and are "
        "tied by a dashed line. What stands below the cut is kept word for word."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings("transcript")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"transcript--{category.value}" for category in Category),
        *(f"transcript--mark-{action.value}" for action in Action),
        "transcript--number",
        "transcript--gone",
        "transcript--dropped",
        "transcript--prompt",
        "transcript--cut",
        "transcript--heavy",
        "transcript--part",
        "transcript--body",
        "transcript--picked",
        "transcript--found",
    }
    DEFAULT_CSS = """
    Transcript {
        & > .transcript--system { color: $category-system; }
        & > .transcript--user { color: $category-user; text-style: bold; }
        & > .transcript--assistant { color: $category-assistant; }
        & > .transcript--thinking { color: $category-thinking; }
        & > .transcript--tool { color: $category-tool; }
        & > .transcript--summary { color: $category-summary; }
        & > .transcript--mark-keep { color: $success; }
        & > .transcript--mark-clear { color: $category-tool; }
        & > .transcript--mark-shorten { color: $category-tool; }
        & > .transcript--mark-quote { color: $category-user; }
        & > .transcript--mark-summarise { color: $faint; }
        & > .transcript--mark-drop { color: $error; }
        & > .transcript--number { color: $faint; }
        & > .transcript--gone { color: $faint; }
        & > .transcript--dropped { color: $faint; text-style: strike; }
        & > .transcript--prompt { text-style: bold; }
        & > .transcript--cut { color: $cut; text-style: bold; }
        & > .transcript--heavy { color: $warning; text-style: bold; }
        & > .transcript--part { color: $primary; }
        & > .transcript--body { color: $foreground 85%; }
        & > .transcript--picked { background: $row-picked; }
        & > .transcript--found { text-style: underline; }
    }
    """

    class BodyWanted(Event):
        """A message was opened whose body is not read yet."""

        def __init__(self, message: Message) -> None:
            super().__init__()
            self.message = message

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002
        super().__init__(id=id)
        self.review: Review | None = None
        self.picked: frozenset[int] = frozenset()
        self.matches: frozenset[int] = frozenset()
        self._bodies: dict[str, Body] = {}
        self._opened: set[str] = set()
        self._lines: dict[str, list[tuple[str, bool]]] = {}
        self._lines_width = 0
        self._heads: dict[int, tuple[int, str]] = {}
        self._below: list[int] = [0]  # tokens of each row and all after it

    # -- what it shows -------------------------------------------------------------------------

    def show(self, review: Review) -> None:
        """Shows `review`; only what differs from the one before is painted again."""
        before, self.review = self.review, review
        if before is None or before.outline is not review.outline:
            self._heads.clear()
            self._below = list(accumulate(reversed(review.window.tokens), initial=0))[::-1]
            known = review.outline.index
            self._opened &= set(known)
            self._lines.clear()
            self.picked = self.matches = frozenset()
            self.set_rows(self._measured())
            if before is None and review.plan.cut is not None:
                self.call_after_refresh(self.go_to, review.plan.cut.index, centre=True)
            return
        old, new = self._cut_of(before), self._cut_of(review)
        if old != new:
            self._follow_cut(old, new)
        self._repaint_changed(before, review, old, new)

    def _follow_cut(self, old: int | None, new: int | None) -> None:
        """The cut's line moves; the row at the top stays where it is."""
        first = self.scroll_offset.y
        top_row, into = self.heights.locate(first) if self.heights.total else (0, 0)
        self.set_rows(self._measured(), repaint=False)
        wanted = self.heights.top(top_row) + min(into, self.heights.height(top_row) - 1)
        if wanted != first and new is not None and old is not None:
            self.scroll_to(y=wanted, animate=False)

    def _repaint_changed(
        self, before: Review, review: Review, old: int | None, new: int | None
    ) -> None:
        """Repaints the visible lines whose message has another fate than before."""
        first = self.scroll_offset.y
        last = min(first + self.size.height, self.heights.total)
        if first >= last:
            return
        top, bottom = self.heights.locate(first)[0], self.heights.locate(last - 1)[0]
        if old != new:
            low = min(row for row in (old, new) if row is not None)
            high = max(row if row is not None else self.heights.rows for row in (old, new))
            self.refresh_span(
                self.heights.top(min(max(low, top), self.heights.rows)) - first,
                self.heights.top(min(high + 1, self.heights.rows)) - first,
            )
        was, now = before.plan, review.plan
        for row in range(top, bottom + 1):
            if was.actions[row] is not now.actions[row] or (row in was.pinned) != (
                row in now.pinned
            ):
                self.refresh_row(row)

    def pick(self, rows: Iterable[int]) -> None:
        """These rows are picked for the next action."""
        changed, self.picked = self.picked.symmetric_difference(rows), frozenset(rows)
        for row in changed:
            self.refresh_row(row)

    def find(self, rows: Iterable[int]) -> None:
        """These rows hold what is looked for."""
        changed, self.matches = self.matches.symmetric_difference(rows), frozenset(rows)
        if len(changed) > self.page:
            self.refresh()
        else:
            for row in changed:
                self.refresh_row(row)

    @staticmethod
    def _cut_of(review: Review) -> int | None:
        return review.plan.cut.index if review.plan.cut else None

    # -- opened messages -----------------------------------------------------------------------

    def action_open(self) -> None:
        """Opens the message under the cursor, or closes it."""
        if self.review is None or not self.heights.rows:
            return
        message = self.review.outline.messages[self.cursor]
        if message.id in self._opened:
            self._opened.discard(message.id)
        else:
            self._opened.add(message.id)
            if message.id not in self._bodies:
                self.post_message(self.BodyWanted(message))
        self._measure_again()

    def give_body(self, message: str, body: Body) -> None:
        """The body of `message`, which was wanted."""
        if len(self._bodies) > 200:
            kept = {name: held for name, held in self._bodies.items() if name in self._opened}
            self._bodies = kept
        self._bodies[message] = body
        self._lines.pop(message, None)
        if message in self._opened:
            self._measure_again()

    def body(self, message: str) -> Body | None:
        return self._bodies.get(message)

    def _measure_again(self) -> None:
        first = self.scroll_offset.y
        row, into = self.heights.locate(first) if self.heights.total else (0, 0)
        self.set_rows(self._measured())
        if self.heights.rows:
            wanted = self.heights.top(row) + min(into, self.heights.height(row) - 1)
            self.scroll_to(y=wanted, animate=False)
            self.call_after_refresh(self.show_cursor)

    def _measured(self) -> Heights:
        if self.review is None:
            return Heights(0)
        width = self.line_width
        if width != self._lines_width:
            self._lines.clear()
            self._lines_width = width
        index = self.review.outline.index
        extra = {index[name]: len(self._opened_lines(name)) for name in self._opened}
        cut = self._cut_of(self.review)
        if cut is not None:
            extra = {**extra, cut: extra.get(cut, 0) + 1}
        return Heights(len(self.review.outline.messages), extra)

    def _opened_lines(self, message: str) -> list[tuple[str, bool]]:
        """The lines under an opened message, each with whether it is a heading."""
        found = self._lines.get(message)
        if found is not None:
            return found
        body = self._bodies.get(message)
        if body is None:
            return [("reading ...", True)]
        lines: list[tuple[str, bool]] = []
        for heading, text in body.parts:
            lines.append((plain(heading), True))
            room = max(1, SHOWN_LINES - len(lines))
            shown, hidden = wrapped(text[:SHOWN_CHARACTERS], self._lines_width - 9, room)
            lines += [(line, False) for line in shown if text]
            hidden += max(0, len(text) - SHOWN_CHARACTERS)
            if hidden > 0:
                lines.append((f"{hidden:,} characters more; ctrl+c copies the whole text", True))
        lines.append(("", False))
        self._lines[message] = lines
        return lines

    def on_resize(self) -> None:
        if self.line_width != self._lines_width:
            self._heads.clear()
            self._measure_again()
        self.call_after_refresh(self.show_cursor)

    # -- lines ---------------------------------------------------------------------------------

    def cursor_moved(self, old: int, new: int) -> None:
        """Repaints both rows, and what calls tie to them."""
        if self.review is None:
            return
        shape = self.review.outline
        for row in (old, new):
            if row < len(shape.group):
                for member in shape.members[shape.group[row]]:
                    self.refresh_row(member)

    def render_row(self, row: int, line: int, width: int) -> Strip:
        review = self.review
        if review is None:
            return Strip.blank(width, self.ground)
        if review.plan.cut is not None and review.plan.cut.index == row:
            if line == 0:
                return self._cut_line(width)
            line -= 1
        if line == 0:
            return self._message_line(review, row, width)
        lines = self._opened_lines(review.outline.messages[row].id)
        text, heading = lines[line - 1] if line <= len(lines) else ("", False)
        style = self.style_of("transcript--part" if heading else "transcript--body")
        gutter = ("  " if row != self.cursor else f"{TIED} ", self.style_of("transcript--number"))
        indent = "     " if heading else "       "
        return strip_of([gutter, (f"{indent}{text}", style)], width, self.ground)

    def _cut_line(self, width: int) -> Strip:
        assert self.review is not None
        cut = self.review.plan.cut
        kept = self._below[cut.index] if cut else 0
        inside = ", inside a turn" if cut and cut.splits_turn else ""
        label = f" cut, ~{short(kept)} kept below{inside} "
        if len(label) + 4 > width:
            label = " cut "
        left = max(1, (width - len(label)) // 2)
        text = DASH * left + label + DASH * max(0, width - left - len(label))
        return strip_of([(text, self.style_of("transcript--cut"))], width, self.ground)

    def _message_line(self, review: Review, row: int, width: int) -> Strip:
        message = review.outline.messages[row]
        action = review.plan.actions[row]
        base = self.base_of(row)
        if row in self.picked:
            base = base + self.style_of("transcript--picked")
        word, category = speaker(message)
        tokens = review.window.tokens[row]
        figure = short(tokens)
        mark = self._mark(review, row, action)
        number_width = max(2, len(str(len(review.outline.messages))))
        left = number_width + 14
        head = self._head(row, message, width - left - 7)
        faded = not action.stays
        runs: list[Run] = [
            (self._gutter(review, row), self.style_of("transcript--cut")),
            mark,
            (f" {row + 1:>{number_width}} ", self.style_of("transcript--number")),
            (f"{word:<9} ", self._fade(self.style_of(f"transcript--{category.value}"), faded)),
            (padded(head, width - left - 7), self._head_style(message, action, row)),
            (f" {figure:>5} ", self._weight(review, tokens, faded)),
        ]
        return strip_of(runs, width, base)

    def _gutter(self, review: Review, row: int) -> str:
        if row == self.cursor:
            return CURSOR
        shape = review.outline
        if self.cursor < len(shape.group) and shape.group[row] == shape.group[self.cursor]:
            return TIED
        return " "

    def _mark(self, review: Review, row: int, action: Action) -> Run:
        style = self.style_of(f"transcript--mark-{action.value}")
        letter = ACTION_MARK[action]
        if row in review.plan.pinned:
            return letter.upper(), style + Style(bold=True, reverse=True)
        return letter, style

    def _fade(self, style: Style, faded: bool) -> Style:
        return style + self.style_of("transcript--gone") if faded else style

    def _head_style(self, message: Message, action: Action, row: int) -> Style:
        style = Style()
        if action is Action.DROP:
            style = self.style_of("transcript--dropped")
        elif action not in (Action.KEEP, Action.QUOTE):
            style = self.style_of("transcript--gone")
        elif message.prompts:
            style = self.style_of("transcript--prompt")
        return style + self.style_of("transcript--found") if row in self.matches else style

    def _weight(self, review: Review, tokens: int, faded: bool) -> Style:
        """Tokens stand out where one message is more than 2 % of what is used."""
        if not faded and tokens * 50 > max(review.window.used, 1):
            return self.style_of("transcript--heavy")
        return self.style_of("transcript--gone")

    def _head(self, row: int, message: Message, width: int) -> str:
        known = self._heads.get(row)
        if known is not None and known[0] == width:
            return known[1]
        project = self.review.session.info.project if self.review else None
        text = fitted(head_of(message, project), width).plain
        if len(self._heads) > 20_000:
            self._heads.clear()
        self._heads[row] = (width, text)
        return text

    # -- moves ---------------------------------------------------------------------------------

    def action_turn(self, step: int) -> None:
        """The cursor to the next or previous prompt."""
        if self.review is None:
            return
        starts = self.review.outline.turn_starts
        ahead = [row for row in starts if (row > self.cursor if step > 0 else row < self.cursor)]
        if ahead:
            self.go_to(ahead[0] if step > 0 else ahead[-1])

    def action_at_cut(self) -> None:
        if self.review is not None and self.review.plan.cut is not None:
            self.go_to(self.review.plan.cut.index, centre=True)


def head_of(message: Message, project: str | None = None) -> str:
    """The line of `message` for lists; paths in the project are told from there."""
    if message.head:
        here = (project or "").rstrip("/")
        return message.head.replace(f"{here}/", "") if here else message.head
    if tools := [part.tool for part in message.parts if part.tool]:
        return ", ".join(dict.fromkeys(tools))
    images = sum(part.type is PartType.IMAGE for part in message.parts)
    if images:
        return "image" if images == 1 else f"{images} images"
    return message.parts[0].type.value if message.parts else "empty"
