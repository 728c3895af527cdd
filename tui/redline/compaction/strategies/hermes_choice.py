"""What happens to each of Hermes' messages (`ContextCompressor.compress`, 0.19 and 0.22)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from redline.compaction.plan import Action
from redline.compaction.strategies.hermes_messages import ASSISTANT, TOOL, USER
from redline.compaction.strategies.hermes_pruning import Pruned, Rules
from redline.compaction.strategies.hermes_rows import Row
from redline.compaction.strategies.hermes_tail import Walk, blank_echoes, head_of

_LEAST_BETWEEN = 4  # more messages than the head and these, or there is nothing to compact
_ROUNDS = 6  # newest rounds of calls in 0.22's tail whose results stay
_DEMOTED_FROM = 1_500  # characters
_QUOTED, _QUOTED_EACH = 24_000, 4_000  # characters of a person's words that 0.22 quotes
PICTURE_GONE = "[Attached image — stripped after compression]"
PREVIOUS = "the agent's previous summary"
_BETWEEN, _HEAD, _TAIL = "between head and tail", "in the head", "in the tail"


@dataclass(slots=True)
class Choice:
    """Hermes' answer, row by row. [`start`, `end`) is what it takes out, by its own count of rows;
    None for both where it has nothing to compact. `tail` is the first row of the tail, `demoted`
    the results of the tail that 0.22 cuts at the end, `stripped` the rows whose pictures go."""

    pruned: Pruned
    actions: list[Action]
    reasons: list[str]
    start: int | None = None
    end: int | None = None
    tail: int | None = None
    previous: bool = False
    demoted: dict[int, str] = field(default_factory=dict)
    stripped: set[int] = field(default_factory=set)

    @property
    def nothing(self) -> bool:
        return self.start is None

    def line(self, index: int) -> str | None:
        """The text that stands for the result of a row, None where it stays."""
        left = self.demoted.get(index) or self.pruned.lines.get(index)
        if left is None and index in self.stripped:
            return self.pruned.rows[index].envelope
        return left


def choose(pruned: Pruned, rules: Rules, *, session: str = "", tail: int | None = None) -> Choice:
    """What Hermes does with the rows that it has `pruned`. `session` is the id by which its search
    finds what it cut, `tail` the row a person wants the tail to start at."""
    rows = pruned.rows
    kept = Choice(pruned, [Action.KEEP] * len(rows), [_TAIL] * len(rows))
    if len(rows) <= head_of(rows, rules) + _LEAST_BETWEEN and tail is None:
        return _nothing(rows, rules)
    echoes = blank_echoes(rows) if rules.lean else frozenset()
    walk = Walk(pruned, rules, echoes)
    span = walk.span()
    start, end = span.start, span.end
    if tail is not None:
        end = next((at for at, i in enumerate(walk.places) if i >= tail), walk.size)
        start = min(start, end)
    kept.start, kept.end = start, end
    for i in echoes:
        kept.actions[i], kept.reasons[i] = Action.DROP, "an empty echo of your words"
    scan = _scan_lean if rules.lean else _scan_legacy
    if start >= end or not scan(kept, walk, start, end):
        return _nothing(rows, rules)
    if rules.lean and rules.recency:
        _demote(kept, walk, end, session)
        _quote(kept, walk)
    if rules.lean:
        _say_again(kept, walk)
    _strip_pictures(kept, walk, start, rules)
    return kept


def _nothing(rows: Sequence[Row], rules: Rules) -> Choice:
    """Hermes returns what it was given; nothing is pruned either."""
    kept, why = [Action.KEEP] * len(rows), ["nothing to compact"] * len(rows)
    return Choice(Pruned(rows, lean=rules.lean), kept, why)


def _scan_legacy(kept: Choice, walk: Walk, start: int, end: int) -> bool:
    """0.19 takes the newest summary before the tail for the one to go on with. What stands between
    the head and that summary is in neither the summary nor the context afterwards."""
    first = 1 if walk.rows and walk.rows[0].role == "system" else 0
    last = min(end, walk.size) - 1  # only results: the end is moved behind them all
    newest = next((i for i in range(last, first - 1, -1) if walk.rows[i].summary), None)
    kept.previous = newest is not None
    kept.tail = walk.places[end] if end < walk.size else None
    for at in range(walk.size):
        i = walk.places[at]
        if at < start:
            kept.reasons[i] = _HEAD
        elif at < end:
            kept.actions[i], kept.reasons[i] = Action.SUMMARISE, _BETWEEN
            if newest is not None and at < newest:
                kept.actions[i] = Action.DROP
                kept.reasons[i] = "before its previous summary: Hermes leaves it out"
            elif at == newest:
                kept.reasons[i] = PREVIOUS
    return True


def _scan_lean(kept: Choice, walk: Walk, start: int, end: int) -> bool:
    """0.22 looks for summaries everywhere, takes them out, and moves the tail behind the newest."""
    first = 1 if walk.rows and walk.rows[0].role == "system" else 0
    found = [i for i in range(first, walk.size) if walk.rows[i].summary]
    newest = found[-1] if found else -1
    last = max(end, newest + 1)
    told = {i for i in found if not walk.rows[i].merged}
    if (
        newest >= 0
        and not [i for i in range(start, last) if i not in told]
        and not (newest < start and newest not in told)
    ):
        return False
    kept.previous = bool(found)
    kept.tail = walk.places[last] if last < walk.size else None
    for at, i in enumerate(walk.places):
        if at < start:
            kept.reasons[i] = _HEAD
        if start <= at < last or at in told:
            kept.actions[i] = Action.SUMMARISE
            kept.reasons[i] = PREVIOUS if at in told else _BETWEEN
    return True


def _demote(kept: Choice, walk: Walk, end: int, session: str) -> None:
    """Large results in the tail that are older than the newest rounds: a line tells where to find
    them."""
    rounds, above = 0, None
    hint = f" Recover with session_search(query=..., session_id='{session}')" if session else ""
    for at in range(walk.size - 1, end - 1, -1):
        row, i = walk.rows[at], walk.places[at]
        if row.role != TOOL:
            continue
        rounds += above is None or above - at > 1
        above = at
        line = kept.pruned.lines.get(i)
        size = row.chars if line is None else len(line)
        marked = row.skill_mark or row.stub if line is None else " chars)" in line
        if rounds > _ROUNDS and size >= _DEMOTED_FROM and not marked:
            kept.demoted[i] = (
                f"[{row.tool or 'tool'} output demoted at compaction — {size:,} chars "
                f"preserved in session history.{hint}]"
            )


def _quote(kept: Choice, walk: Walk) -> None:
    """A person's words are quoted behind the summary, the newest first, as far as there is room.
    What is quoted by its beginning only is not quoted."""
    room = _QUOTED
    for at in range(walk.size - 1, -1, -1):
        row, i = walk.rows[at], walk.places[at]
        if kept.actions[i] is not Action.SUMMARISE or not row.quoted or row.summary:
            continue
        if room <= 0:
            kept.reasons[i] = "your words, older than what Hermes quotes"
        elif row.chars <= min(room, _QUOTED_EACH):
            kept.actions[i], kept.reasons[i] = Action.QUOTE, "your words"
        else:
            kept.reasons[i] = "your words, of which Hermes quotes the beginning"
        room -= min(row.chars, _QUOTED_EACH, max(0, room))


def _say_again(kept: Choice, walk: Walk) -> None:
    """A request that is not answered yet stands behind the summary once more."""
    last = walk.last_request(0)
    if last < 0 or kept.actions[walk.places[last]].stays:
        return
    for row in reversed(walk.rows[last + 1 :]):
        if row.role != ASSISTANT or row.call_ids:
            break
        if row.said:
            return
    i = walk.places[last]
    kept.actions[i], kept.reasons[i] = Action.QUOTE, "your words, said again behind the summary"


def _strip_pictures(kept: Choice, walk: Walk, start: int, rules: Rules) -> None:
    """Pictures before the newest that a person sent; 0.22 keeps only the newest of tools, too."""
    staying = [i for i in walk.places if kept.actions[i].stays]
    rows, pruned = kept.pruned.rows, kept.pruned
    gone = pruned.pictures | set(pruned.lines)
    # The place of each among what is sent, the summary among them.
    head = sum(1 for i in walk.places[:start] if kept.actions[i].stays)
    merged = rules.lean and start == 0
    place = {i: at + (at >= head and not merged) for at, i in enumerate(staying)}
    sent = [i for i in staying if rows[i].images and i not in gone]
    asked = [i for i in sent if rows[i].role == USER]
    shown = [i for i in sent if rows[i].role == TOOL]
    anchor = place[asked[-1]] if asked else -1
    newest = place[shown[-1]] if shown and rules.lean else -1
    unread = _unread(staying, rows) if rules.lean else frozenset()
    for i in sent:
        at, row = place[i], rows[i]
        stale = at < anchor
        if rules.lean:
            stale = stale or (anchor == 0 == at and newest > 0)
            stale = stale or (row.role == TOOL and at != newest)
        if stale and i not in unread and (rules.lean or row.envelope is None):
            kept.stripped.add(i)


def _unread(staying: Sequence[int], rows: Sequence[Row]) -> frozenset[int]:
    end = len(staying)
    while end and rows[staying[end - 1]].steers:
        end -= 1
    start = end
    while start and rows[staying[start - 1]].role == TOOL:
        start -= 1
    return frozenset(staying[start:end])
