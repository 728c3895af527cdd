"""Follows a rollout record by record to the history that Codex would send.

Rules of Codex 0.171 (its rollout reconstruction): items are appended, a compaction puts its
`replacement_history` in the place of everything, one without is rebuilt from the prompts, a
rollback takes back the last turns. A turn counts from a real prompt on. A rollback that reaches a
compaction undoes it: then the records are walked again without that compaction.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from redline.agents.codex.compacting import Compaction, rebuilt, retained
from redline.agents.codex.item import COMPACTIONS, DROPPED, INTER_AGENT, KNOWN, MESSAGE, Item, Reply
from redline.agents.codex.kinds import goes_with_turn, starts_turn
from redline.agents.codex.parts import content_kinds
from redline.agents.codex.usage import Counter
from redline.agents.records import Record
from redline.model import Damage, DamageKind, Kind, Pointer

# Records that hold nothing the model is sent.
SILENT = frozenset(
    {
        "world_state",
        "inter_agent_communication_metadata",
        "security_risk_score",
        "token_usage_record",
        "retained_context",
        "realtime_item",
    }
)
# The events that tell of turns, counts and rollbacks; all others repeat what items say.
TELLING_EVENTS = frozenset(
    {
        "token_count",
        "task_started",
        "turn_started",
        "task_complete",
        "turn_complete",
        "turn_aborted",
        "thread_rolled_back",
    }
)


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What a rollback took back: records `first` to `last` (both counted), by sequence.

    `leaf` and `number` name its last record, `fork` the message it leaves after.
    """

    first: int
    last: int
    leaf: str
    number: int
    fork: str | None
    records: int
    answered: bool
    items: tuple[Item, ...]


@dataclass(slots=True)
class _Turn:
    """A turn while it goes on. `ahead` says that counts stand before the items they bill."""

    known: bool = False
    prompted: bool = False
    counts: bool = False
    compacted: list[int] = field(default_factory=list)
    undecided: Compaction | None = None


@dataclass(slots=True)
class Tally:
    """Figures of the live branch, and of the whole file."""

    records: int = 0
    unknown: int = 0
    tool_pairs: int = 0
    messages: int = 0
    prompts: int = 0
    turns: int = 0


class Walk:
    """The state after the records taken so far.

    `window` is the history that is sent now, `compactions` those that live, `taken_back` what
    rollbacks took. `undone` are the sequence numbers of compactions to pass over; `again` is what
    `take` finds to be undone: the caller then walks again with them. A `strict` walk takes only
    records that Codex's own loader reads; `unread` counts those of the window's that it does not.
    """

    def __init__(self, undone: frozenset[int] = frozenset(), *, strict: bool = False) -> None:
        self.undone = undone
        self.strict = strict
        self.unread = 0
        self.again: frozenset[int] = frozenset()
        self.window: list[Item] = []
        self.compactions: list[Compaction] = []
        self.taken_back: list[TakenBack] = []
        self.counter = Counter()
        self.tally = Tally()
        self.model: str | None = None
        self.project: str | None = None
        self.updated: object = None
        self.damage: list[Damage] = []
        self.sequence = 0
        self.last_item: Item | None = None
        self._turns: list[_Turn] = [_Turn()]
        self._reply: Reply | None = None
        self._outputs_since = False
        self._ahead: bool | None = None
        self._pending: Any = None
        self._idents: set[str] = set()
        self._open_calls: set[str] = set()

    # -- records

    def take(self, path: Path, record: Record) -> None:
        """The next record."""
        self.sequence += 1
        self.tally.records += 1
        value = record.value
        kind, payload = value.get("type"), value.get("payload")
        if isinstance(stamp := value.get("timestamp"), str):
            self.updated = stamp
        if not isinstance(stamp, str) or not isinstance(payload, dict):
            self.unread += 1
            if self.strict:
                return
        if not isinstance(payload, dict):
            self._bare(path, record, kind)
            return
        match kind:
            case "event_msg":
                self._event(payload)
            case "response_item":
                self._item(payload, path, record, ("payload",))
            case "turn_context":
                self._context(payload)
            case "compacted":
                self._compacted(payload, path, record)
            case "inter_agent_communication":
                self._item(payload, path, record, ("payload",), INTER_AGENT)
            case "session_meta":
                pass
            case _ if kind not in SILENT:
                self._unknown(record, kind)

    def skip(self, record: Record) -> None:
        """Passes over a record that a rollback took back; the ids of its items stay used."""
        self.sequence += 1
        payload = record.value.get("payload")
        if record.value.get("type") == "response_item" and isinstance(payload, dict):
            self._ident(payload, "")
        self._close()

    def _bare(self, path: Path, record: Record, kind: object) -> None:
        """A line of the files of before 2025-09: the item itself, a mark, or the header."""
        value = record.value
        if kind in KNOWN or kind in DROPPED:
            self._item(value, path, record, ())
        elif "record_type" in value:
            self._close()  # written after each request
        elif not ("id" in value and "timestamp" in value and kind is None):
            self._unknown(record, kind)

    def _unknown(self, record: Record, kind: object) -> None:
        self.tally.unknown += 1
        named = kind if isinstance(kind, str) else "no type"
        self.damage.append(Damage(record.number, DamageKind.UNKNOWN, f"record type {named[:60]}"))

    def _event(self, payload: Mapping[str, Any]) -> None:
        match payload.get("type"):
            case "token_count":
                self._count(payload.get("info"))
            case "task_started" | "turn_started":
                self._close()
                self._turns.append(_Turn(known=True))
                self._start()
            case "task_complete" | "turn_complete":
                self._close()
                turn = self._turns[-1]
                if turn.undecided is not None:
                    turn.undecided.trigger, turn.undecided = "manual", None
            case "turn_aborted":
                self._close()
            case "thread_rolled_back":
                turns = payload.get("num_turns")
                if type(turns) is int and turns > 0:
                    self._roll_back(turns)

    def _context(self, payload: Mapping[str, Any]) -> None:
        if isinstance(model := payload.get("model"), str) and model:
            self.model = model
        if isinstance(folder := payload.get("cwd"), str) and folder:
            self.project = folder

    # -- items

    def _item(
        self,
        value: Mapping[str, Any],
        path: Path,
        record: Record,
        pointer: Pointer,
        kind: str | None = None,
    ) -> None:
        named = value.get("type") if kind is None else kind
        if not isinstance(named, str) or (named not in KNOWN and named != INTER_AGENT):
            if named not in DROPPED:
                self._unknown(record, f"item {named}" if isinstance(named, str) else None)
            return
        if named == MESSAGE and not self._is_message(value, record):
            return
        item = Item(
            named,
            value,
            path,
            record.number,
            record.start,
            record.end,
            pointer,
            self._ident(value, f"line:{record.number}"),
            self.sequence,
            record.value.get("timestamp"),
        )
        self.last_item = item
        if item.answered:
            self._answered(item)
        else:
            self._given(item)
        self._pair(item)
        self.window.append(item)

    def _is_message(self, value: Mapping[str, Any], record: Record) -> bool:
        """Whether the message is one that is sent: Codex leaves out those of the system."""
        if not isinstance(value.get("content"), list):
            detail = "the content of a message is no list"
            self.damage.append(Damage(record.number, DamageKind.WRONG_TYPE, detail))
            return False
        return value.get("role") != "system"

    def _ident(self, value: Mapping[str, Any], otherwise: str) -> str:
        """The item's own id, or its place where it has none or one that was used before."""
        own = value.get("id")
        if isinstance(own, str) and own and own not in self._idents:
            self._idents.add(own)
            return own
        return otherwise

    def _answered(self, item: Item) -> None:
        if self._reply is not None and self._outputs_since and not self.counter.seen:
            self._close()  # no counts tell the requests apart: a result ends the reply
        if self._reply is None:
            self._reply = Reply(item.ident, self._pending, self.model)
            self._pending = None
            self.tally.messages += 1
            if self._ahead is None:
                self._ahead = self._reply.usage is not None
            if self._reply.usage is not None:
                self._billed(self._reply)
        self._outputs_since = False
        item.reply = self._reply

    def _given(self, item: Item) -> None:
        self.tally.messages += 1
        if item.type == INTER_AGENT or starts_turn(item.value):
            item.boundary = True
            self._close()
            self._start()
            turn = self._turns[-1]
            turn.prompted = turn.counts = True
            if turn.undecided is not None:
                turn.undecided.trigger, turn.undecided = "auto", None
        elif item.type in COMPACTIONS:
            self._close()
        if item.role == "user":
            item.prompts = prompts_in(item.value["content"])
            self.tally.prompts += item.prompts
            self.tally.turns += item.prompts > 0

    def _pair(self, item: Item) -> None:
        call = item.call_id
        if call is None:
            return
        if item.type.endswith("_output"):
            self._outputs_since = True
            if call in self._open_calls:
                self._open_calls.discard(call)
                self.tally.tool_pairs += 1
        else:
            self._open_calls.add(call)

    # -- replies and what they were billed

    def _start(self) -> None:
        self._ahead = None
        self._pending = None

    def _close(self) -> None:
        self._reply = None
        self._outputs_since = False

    def _count(self, info: object) -> None:
        count = self.counter.take(info)
        if count is None:
            return
        if count.usage is None:
            if self.compactions:
                self.compactions[-1].reported(count.total, self.counter.window)
            return
        reply = self._reply
        if reply is not None and reply.usage is None and self._ahead is not True:
            reply.usage, self._ahead = count.usage, False
            self._billed(reply)
        elif self._ahead is not False:
            # Files of 2025 hold the count of a request before its items.
            self._pending, self._ahead = count.usage, True
        self._close()

    def _billed(self, reply: Reply) -> None:
        billed = reply.usage.billed if reply.usage else None
        if self.compactions and billed and self.compactions[-1].tokens_after is None:
            self.compactions[-1].tokens_after = billed

    # -- compactions and rollbacks

    def _compacted(self, payload: Mapping[str, Any], path: Path, record: Record) -> None:
        message = payload.get("message")
        if self.sequence in self.undone:
            return
        if not isinstance(message, str):
            detail = "a compaction without its message: Codex passes over it"
            self.damage.append(Damage(record.number, DamageKind.WRONG_TYPE, detail))
            return
        past = Compaction.of(path, record, self.sequence, message)
        past.close(self.window, self.tally.messages, self.counter)
        history = payload.get("replacement_history")
        if isinstance(history, list):
            window = retained(past, history, self.window, self._ident)
        else:
            window = rebuilt(past, self.window)
        turn = self._turns[-1]
        turn.compacted.append(self.sequence)
        if turn.known and turn.prompted:
            past.trigger = "auto"
        elif turn.known:
            turn.undecided = past
        replies: set[int] = set()
        for item in window:
            item.boundary = item.type == INTER_AGENT or starts_turn(item.value)
            if item.copied or id(item.reply) in replies:
                continue
            self.tally.messages += 1
            if item.reply is not None:
                replies.add(id(item.reply))
            elif item.role == "user" and not item.summary:
                item.prompts = prompts_in(item.value["content"])
                self.tally.prompts += item.prompts
                self.tally.turns += item.prompts > 0
        self.window = window
        self.compactions.append(past)
        self._close()
        self._start()

    def _roll_back(self, turns: int) -> None:
        """Takes back the last `turns` turns."""
        undone = self._drop_turns(turns)
        if undone:
            self.again = self.undone | undone
            return
        places = [at for at, item in enumerate(self.window) if item.boundary]
        if not places:
            return
        cut = places[max(0, len(places) - turns)]
        while cut > places[0] and goes_with_turn(self.window[cut - 1].value):
            cut -= 1
        gone, self.window = self.window[cut:], self.window[:cut]
        self._close()
        self._start()
        self._forget(gone)

    def _drop_turns(self, turns: int) -> frozenset[int]:
        """Ends the last `turns` turns with a prompt; gives the compactions in them."""
        undone: set[int] = set()
        while turns > 0 and self._turns:
            turn = self._turns.pop()
            undone.update(turn.compacted)
            turns -= turn.counts
        self._turns.append(_Turn())
        return frozenset(undone)

    def _forget(self, gone: list[Item]) -> None:
        own = [item for item in gone if not item.copied]
        replies: set[int] = set()
        for item in own:
            if item.reply is None:
                self.tally.messages -= 1
            elif id(item.reply) not in replies:
                replies.add(id(item.reply))
                self.tally.messages -= 1
            self.tally.prompts -= item.prompts
            self.tally.turns -= item.prompts > 0
        floor = self.compactions[-1].sequence + 1 if self.compactions else 1
        own = [item for item in own if item.sequence >= floor]
        if not own:
            return
        last = own[-1]
        fork = self.window[-1] if self.window else None
        self.taken_back.append(
            TakenBack(
                own[0].sequence,
                self.sequence,
                last.ident,
                last.number,
                None if fork is None else fork.reply.ident if fork.reply else fork.ident,
                self.sequence - own[0].sequence,
                any(item.answered for item in own),
                tuple(own[:3]),
            )
        )


def prompts_in(content: Any) -> int:
    """How many parts of a user message are a human's own words or pictures."""
    kinds = content_kinds("user", content)
    return sum(kind is Kind.PROMPT for pieces in kinds for kind, _span in pieces)
