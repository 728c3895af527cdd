"""Which of its messages Hermes summarises (`_find_tail_cut_by_tokens`, 0.19 and 0.22).

Between a head and a tail, the tail by tokens. It starts where no call is parted from its results,
and holds the last request and the last reply a person read; 0.22 leaves out the first of them
where that alone would be too much, and says it again behind the summary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from redline.compaction.strategies.hermes_messages import ASSISTANT, SYSTEM, TOOL, USER
from redline.compaction.strategies.hermes_prices import OVERHEAD
from redline.compaction.strategies.hermes_pruning import MOST_PROTECTED, Pruned, Rules, walk
from redline.compaction.strategies.hermes_rows import Row

_LEAST_TAIL = 3  # messages
_PROBED = 4  # messages behind the head in which 0.22 looks for a summary of a process before


@dataclass(frozen=True, slots=True)
class Span:
    """Hermes' rows [start, end) are summarised. Where `blank` says so rows are taken out before:
    empty echoes of a request."""

    start: int
    end: int


class Walk:
    """Rows of a pruned conversation without those in `left_out`, by their place among the rest."""

    def __init__(
        self, pruned: Pruned, rules: Rules, left_out: frozenset[int] = frozenset()
    ) -> None:
        self._rules = rules
        self.rows: Sequence[Row] = pruned.rows
        self.places: Sequence[int] = range(len(pruned.rows))
        self._prices = pruned.newest()
        if left_out:
            self.places = [i for i in self.places if i not in left_out]
            self.rows = [pruned.rows[i] for i in self.places]
            self._prices = [self._prices[i] for i in self.places]

    @property
    def size(self) -> int:
        return len(self.rows)

    def _is(self, index: int, role: str) -> bool:
        return self.rows[index].role == role

    def span(self) -> Span:
        """What is summarised."""
        start = self._behind_results(head_of(self.rows, self._rules))
        end = self.tail(start)
        if self._rules.lean:
            end = self._bridge(start, end)
        return Span(start, end)

    def tail(self, head: int) -> int:
        """Where the tail starts behind a head that ends at `head`."""
        rules, size = self._rules, self.size
        room = max(0, size - head - 1)
        floor = max(_LEAST_TAIL, min(rules.last, MOST_PROTECTED))
        least = min(floor, max(_LEAST_TAIL, room - 2), room) if room > 1 else 0
        ceiling = rules.ceiling
        free = rules.lean and ceiling >= least * OVERHEAD
        cut, _, total = walk(self._prices, head, ceiling, 0 if free else least)
        if cut <= head and 0 < total <= ceiling:
            _, cut, _ = walk(self._prices, head, rules.tail, least)
        spare = size - least
        cut = min(cut, size - max(0 if free else least, 1) if rules.lean else spare)
        if cut <= head:
            cut = max(spare, head + 1)
        cut = self._before_group(cut)
        cut = self._anchored_lean(cut, head, ceiling) if rules.lean else self._anchored(cut, head)
        cut = self._behind_results(max(cut, head + 1))
        return min(size, cut) if rules.lean else cut

    def _anchored(self, cut: int, head: int) -> int:
        return self._with_reply(self._with_request(cut, head), head)

    def _anchored_lean(self, cut: int, head: int, ceiling: int) -> int:
        asked = self._with_request(cut, head)
        request = self.last_request(head)
        split = (
            asked < cut
            and self.rows[request].plain
            and self._plain_price(request) <= ceiling
            and self._calls_in(request, cut)
            and walk(self._prices, asked, ceiling, 0)[0] > asked
        )
        if not split:
            cut = asked
            replied = self._with_reply(cut, head)
            large = sum(self._prices[replied:cut]) > ceiling if replied < cut else False
            if not (large and self._calls_in(replied, cut)):
                cut = replied
        if self._rules.requests > 1:
            asks = [i for i in range(self.size - 1, head - 1, -1) if self._asks(i)]
            if asks:
                cut = min(cut, max(asks[min(self._rules.requests, len(asks)) - 1], head + 1))
        return cut

    def _plain_price(self, index: int) -> int:
        row = self.rows[index]
        return row.lean + row.thinking

    def _calls_in(self, first: int, end: int) -> bool:
        return any(row.call_ids for row in self.rows[first:end])

    def _behind_results(self, index: int) -> int:
        while index < self.size and self._is(index, TOOL):
            index += 1
        return index

    def _before_group(self, index: int) -> int:
        """Before the call whose results stand around `index`."""
        if index <= 0 or index >= self.size:
            return index
        at = index - 1
        while at >= 0 and self._is(at, TOOL):
            at -= 1
        return at if at >= 0 and self.rows[at].call_ids else index

    def _asks(self, index: int) -> bool:
        row = self.rows[index]
        return row.asks if self._rules.lean else row.role == USER and not row.summary

    def last_request(self, first: int) -> int:
        """The last request at or after row `first`, -1 where there is none."""
        return self._last(first, self._asks)

    def _last(self, first: int, wanted: Callable[[int], bool]) -> int:
        return next((i for i in range(self.size - 1, first - 1, -1) if wanted(i)), -1)

    def _with_request(self, cut: int, head: int) -> int:
        """The cut with the last request behind it. One that would stand at the head's edge goes
        with its answer into the summary."""
        request = self.last_request(head)
        if request < 0 or request >= cut:
            return cut
        if request >= head + 1:
            return request
        end = request + 1
        if end < self.size and self._is(end, ASSISTANT):
            end = self._behind_results(end + 1)
        return max(end, head + 1)

    def _with_reply(self, cut: int, head: int) -> int:
        """The cut with the last reply in words behind it, the last of any kind where there is no
        such."""
        lean = self._rules.lean

        def replies(index: int) -> bool:
            return self._is(index, ASSISTANT) and not (lean and self.rows[index].summary)

        reply = self._last(head, lambda i: replies(i) and self.rows[i].said)
        reply = reply if reply >= 0 else self._last(head, replies)
        if reply < 0 or reply >= cut:
            return cut
        return max(self._before_group(reply), head + 1)

    def _bridge(self, start: int, end: int) -> int:
        """0.22 puts no request first into the tail, where the summary may be merged into it."""
        request = self.last_request(0)
        if end != request:
            return end
        bridge = request - 1
        if bridge >= 0 and self._is(bridge, TOOL):
            bridge = self._before_group(request)
        elif bridge < 0 or not self._is(bridge, ASSISTANT):
            bridge = -1
        return bridge if bridge > start else end


def head_of(rows: Sequence[Row], rules: Rules) -> int:
    """Where the head ends, before it is moved behind results."""
    system = 1 if rows and rows[0].role == SYSTEM else 0
    first = rules.first
    if rules.lean and first > 0 and any(r.summary for r in rows[system : system + first + _PROBED]):
        first = 0
    return system + first


def blank_echoes(rows: Sequence[Row]) -> frozenset[int]:
    """Empty messages behind the last request, where a reply follows: 0.22 takes them out."""
    last = next((i for i in reversed(range(len(rows))) if rows[i].asks), -1)
    at = last + 1
    while last >= 0 and at < len(rows) and rows[at].blank:
        at += 1
    if last < 0 or at == last + 1 or at >= len(rows) or rows[at].role != ASSISTANT:
        return frozenset()
    return frozenset(range(last + 1, at))
