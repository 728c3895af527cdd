"""Follows a rollout record by record to the history that Codex would send.

Rules of Codex 0.171 (its rollout reconstruction): items are appended, a compaction puts its
`replacement_history` in the place of everything, one without is rebuilt from the prompts, a
rollback takes back the last turns. A turn counts from a real prompt on. A rollback of the turn that
a replacement stands in undoes it: then the records are walked again without that compaction. One
with `resume_metadata` (0.171 writes it) is never undone, nor is what it stands on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from redline.agents.codex.compacting import Compaction, rebuilt, retained
from redline.agents.codex.item import COMPACTIONS, DROPPED, INTER_AGENT, KNOWN, MESSAGE, Item
from redline.agents.codex.kinds import goes_with_turn, starts_turn
from redline.agents.codex.loader import loads
from redline.agents.codex.names import read_name
from redline.agents.codex.replies import Replies
from redline.agents.codex.silent import SILENT
from redline.agents.codex.tally import TakenBack, Tally, Turn
from redline.agents.records import Record
from redline.agents.requests import Requests
from redline.model import Damage, DamageKind, Pointer

_AGENT_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Reached(NamedTuple):
    """The last record that was taken: its file, its end, its line, and how many there were."""

    path: Path
    end: int
    number: int
    records: int


class Walk:
    """The state after the records taken so far.

    `path` is the session's own file. `window` is the history that is sent now, `compactions` those
    that live, `taken_back` what rollbacks took. `undone` are the sequence numbers of compactions to
    pass over; `again` is what `take` finds to be undone: the caller then walks again with them. A
    `strict` walk takes only records that Codex's own loader reads; `unread` counts those that it
    does not. `put_in` are the ids of messages that are no prompts because Codex's events tell of
    others only; a walk that is given them goes along a branch that is known, and takes nothing
    back. `prompts` are the
    messages of the user's role, without what they hold. `spawned` gives the call that began an
    agent by the agent's thread. `system` are the base instructions that the file holds.
    """

    def __init__(
        self,
        path: Path | None = None,
        undone: frozenset[int] = frozenset(),
        *,
        strict: bool = False,
        put_in: frozenset[str] | None = None,
    ) -> None:
        self.path = path
        self.undone = undone
        self.strict = strict
        self.again: frozenset[int] = frozenset()
        self.unread = 0
        self.sequence = 0
        self.window: list[Item] = []
        self.compactions: list[Compaction] = []
        self.taken_back: list[TakenBack] = []
        self.spawned: dict[str, str] = {}
        self.replies = Replies()
        self.tally = Tally()
        self.requests = Requests()
        self.prompts: list[Item] = []
        self.damage: list[Damage] = []
        self.model: str | None = None
        self.project: str | None = None
        self.last_item: Item | None = None
        self.system: Item | None = None
        self.own_meta = False
        self._last: tuple[Path, int, int, int] | None = None
        self._left: list[Item] = []  # out of the window, but in the history that a branch tells
        self._left_at = 0
        self._estimated = 0  # the record of an estimate that no item came after
        self.put_in: set[str] = set(put_in or ())
        self._branch_is_known = put_in is not None
        self._first = Turn()
        self._turns: list[Turn] = [self._first]
        self._idents: set[str] = set()
        self._open_calls: dict[str, bool] = {}

    # -- records

    def take(self, path: Path, record: Record) -> None:
        """The next record."""
        self.sequence += 1
        self.tally.records += 1
        self._last = path, record.end, record.number, self.tally.records
        value = record.value
        kind, payload = value.get("type"), value.get("payload")
        if not loads(value, kind, payload):
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
                self._meta(payload, path, record)
            case str() if kind in SILENT:
                pass
            case _:
                self._unknown(record, kind)

    @property
    def reached(self) -> Reached | None:
        """The last record that was taken."""
        return None if self._last is None else Reached(*self._last)

    def skip(self, record: Record) -> None:
        """Passes over a record that a rollback took back; the ids of its items stay used."""
        self.sequence += 1
        payload = record.value.get("payload")
        if record.value.get("type") == "response_item" and isinstance(payload, dict):
            self._ident(payload, "")
        self.replies.start()

    def _bare(self, path: Path, record: Record, kind: object) -> None:
        """A line of the files of before 2025-09: the item itself, a mark, or the header."""
        value = record.value
        if isinstance(kind, str) and (kind in KNOWN or kind in DROPPED):
            self._item(value, path, record, ())
        elif "record_type" in value:
            self.replies.close()  # written after each request
        elif not ("id" in value and "timestamp" in value and kind is None):
            self._unknown(record, kind)

    def _unknown(self, record: Record, kind: object) -> None:
        self.tally.unknown += 1
        named = f"record type {kind[:60]}" if isinstance(kind, str) else "a record without a type"
        self.damage.append(Damage(record.number, DamageKind.UNKNOWN, named))

    def _event(self, payload: Mapping[str, Any]) -> None:
        match payload.get("type"):
            case "token_count":
                self._count(payload.get("info"))
            case "task_started" | "turn_started":
                self.settle()
                self._turns.append(Turn(known=True))
                self.replies.start()
            case "task_complete" | "turn_complete":
                self._turns[-1].decide("manual")
                self._turns[-1].done = True
                self.replies.close()
            case "user_message" if payload.get("kind") in (None, "plain"):
                self._marked()
            case "item_completed":
                item = payload.get("item")
                if isinstance(item, dict) and item.get("type") == "UserMessage":
                    self._marked()
            case "turn_aborted":
                self.replies.close()
            case "thread_rolled_back":
                turns = payload.get("num_turns")
                if type(turns) is int and turns > 0:
                    self._roll_back(turns)

    def _marked(self) -> None:
        if self._branch_is_known:
            return
        late = self._turns[-1].mark()
        if late is not None:
            self.put_in.discard(late.ident)
            self.tally.spoken(late)
        if self._first.unmarked and self._turns[-1].known:
            self._first.marked = True  # what was put in before the first turn
            self._put_in(self._first)

    def settle(self) -> None:
        """What Codex's events of this turn do not tell of, though they tell of prompts in it, was
        put in. Called where a turn or the walk ends."""
        self._put_in(self._turns[-1])

    def _put_in(self, turn: Turn) -> None:
        if turn.marked:
            for item in turn.unmarked:
                self.put_in.add(item.ident)
                self.tally.put_in(item)
                turn.put_in = item
            turn.unmarked.clear()

    def _meta(self, payload: Mapping[str, Any], path: Path, record: Record) -> None:
        """The first one of a file is its own, others are copied from a parent."""
        base = payload.get("base_instructions")
        if path != self.path or self.own_meta:
            return
        self.own_meta = True
        if isinstance(base, dict) and isinstance(text := base.get("text"), str) and text:
            content = [{"type": "input_text", "text": text}]
            value = {"type": MESSAGE, "role": "developer", "content": content}
            at = record.number, record.start, record.end
            body: Pointer = ("payload", "base_instructions", "text")
            place = f"line:{record.number}"
            self.system = Item(MESSAGE, value, path, *at, (), place, self.sequence, body=body)

    def _context(self, payload: Mapping[str, Any]) -> None:
        if isinstance(model := payload.get("model"), str) and model:
            self.model = model
        if isinstance(folder := payload.get("cwd"), str) and folder:
            self.project = folder

    def _count(self, info: object) -> None:
        count, billed = self.replies.count(info)
        if count is not None:
            self._estimated = self.sequence if count.usage is None else 0
            thread = f"{self.replies.counter.thread}"
            if count.usage is not None and self.requests.usage(thread) is None:
                self.requests.set(thread, self.model, count.usage)
        if billed is not None:
            self._billed(billed.usage.billed if billed.usage else None)
        elif count is not None and count.usage is None and self.compactions:
            self.compactions[-1].reported(count.total, self.replies.counter.window)

    def _billed(self, tokens: int | None) -> None:
        if tokens and self.compactions and self.compactions[-1].tokens_after is None:
            self.compactions[-1].tokens_after = tokens

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
            if not isinstance(named, str) or named not in DROPPED:
                self._unknown(record, f"item {named}" if isinstance(named, str) else None)
            return
        if named == MESSAGE and not self._is_sent(value, record):
            return
        item = Item(
            named,
            value,
            path,
            record.number,
            record.start,
            record.end,
            pointer,
            self._ident(value, self._place(path, record)),
            self.sequence,
            record.value.get("timestamp"),
        )
        self.last_item, self._estimated = item, 0
        if item.answered:
            if not self._first.marked and self._turns[-1] is self._first:
                self._first.unmarked.clear()  # no events tell of this turn
            if self.replies.take(item, self.model):
                self.tally.messages += 1
                self._billed(item.reply.usage.billed if item.reply and item.reply.usage else None)
        else:
            self._given(item)
        self._pair(item)
        self.window.append(item)

    def _is_sent(self, value: Mapping[str, Any], record: Record) -> bool:
        """Whether the message is one that is sent: Codex leaves out those of the system."""
        if not isinstance(value.get("content"), list):
            detail = "the content of a message is no list"
            self.damage.append(Damage(record.number, DamageKind.WRONG_TYPE, detail))
            return False
        return value.get("role") != "system"

    def _place(self, path: Path, record: Record) -> str:
        """What stands for the id of an item without one: its line, with its place where it shares
        the line; in a file that the session continues with the name of that file's rollout."""
        line = f"line:{record.number}" if record.leading else f"line:{record.number}@{record.start}"
        if self.path is None or path == self.path:
            return line
        named = read_name(path.name)
        return f"{named.rollout if named else path.stem}:{line}"

    def _ident(self, value: Mapping[str, Any], otherwise: str) -> str:
        """The item's own id, or its place where it has none or one that was used before."""
        own = value.get("id")
        if isinstance(own, str) and own and own not in self._idents:
            self._idents.add(own)
            return own
        return otherwise

    def _given(self, item: Item) -> None:
        item.boundary = item.type == INTER_AGENT or starts_turn(item.value)
        item.spoken = not self._branch_is_known or item.ident not in self.put_in
        if item.boundary:
            self.replies.start()
            self._turns[-1].counts = True
            self._turns[-1].decide("auto")
            if item.type == MESSAGE and not self._branch_is_known:
                self._turns[-1].spoke(item)
        elif item.type in COMPACTIONS:
            self.replies.close()
        self._add([item])

    def _add(self, items: Sequence[Item]) -> None:
        """Counts new items, and notes where prompts lie."""
        self.tally.add(items)
        self.prompts += [
            replace(item, value={})
            for item in items
            if item.role == "user" and not item.copied and not item.summary
        ]

    def _pair(self, item: Item) -> None:
        call = item.call_id
        if call is None:
            return
        if not item.type.endswith("_output"):
            self._open_calls[call] = item.value.get("name") == "spawn_agent"
            return
        self.replies.result()
        spawns = self._open_calls.pop(call, None)
        self.tally.tool_pairs += spawns is not None
        if spawns and isinstance(told := item.value.get("output"), str):
            for agent in _AGENT_ID.findall(told[:4_000]):
                self.spawned.setdefault(agent, call)

    # -- compactions and rollbacks

    def _compacted(self, payload: Mapping[str, Any], path: Path, record: Record) -> None:
        message = payload.get("message")
        if self.sequence in self.undone:
            return
        if not isinstance(message, str):
            detail = "a compaction without its message: Codex passes over it"
            self.damage.append(Damage(record.number, DamageKind.WRONG_TYPE, detail))
            return
        self.settle()
        place = self._place(path, record)
        past = Compaction.of(path, record, self.sequence, message, place)
        past.close(self.window, self.tally.messages, self.replies.counter)
        if self._estimated:  # remote compactions write it before their record
            past.begins = min(past.begins, self._estimated)
        history = payload.get("replacement_history")
        turn = self._turns[-1]
        if isinstance(history, list):
            told = [*self.window[: self._left_at], *self._left, *self.window[self._left_at :]]
            self.window = retained(past, history, told, self._ident)
            if isinstance(payload.get("resume_metadata"), dict):
                self._begins_anew()
            else:
                turn.replaced.append(self.sequence)
        else:
            self.window = rebuilt(past, self.window)
        for item in self.window:
            item.boundary = item.type == INTER_AGENT or starts_turn(item.value)
        self._add(self.window)
        if turn.known and turn.counts and not turn.done:
            past.trigger = "auto"
        elif turn.known and not turn.done:
            turn.undecided = past
        self._left, self._left_at = [], 0
        self.compactions.append(past)
        self.replies.start()

    def _begins_anew(self) -> None:
        """Codex reads no record before this compaction again, so that nothing undoes what was
        replaced so far: a rollback past it takes messages of the window only."""
        for turn in self._turns:
            turn.replaced.clear()

    def _roll_back(self, turns: int) -> None:
        """Takes back the last `turns` turns."""
        self.settle()
        self.replies.start()
        if self._branch_is_known:
            return
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
        self._took_back(gone)

    def _drop_turns(self, turns: int) -> frozenset[int]:
        """Ends the last `turns` turns with a prompt; gives the replacements in them."""
        undone: set[int] = set()
        while turns > 0 and self._turns:
            turn = self._turns.pop()
            undone.update(turn.replaced)
            turns -= turn.counts
        self._turns.append(Turn())
        return frozenset(undone)

    def _took_back(self, gone: list[Item]) -> None:
        """Notes a side branch; the compactions that live on stay in the history."""
        floor = self.compactions[-1].sequence + 1 if self.compactions else 1
        own = [item for item in gone if item.sequence >= floor and not item.copied]
        if len(self.window) <= self._left_at or not self._left:
            still = [item for item in gone if item.sequence < floor or item.copied]
            self._left, self._left_at = [*still, *self._left], len(self.window)
        self.tally.add(own, -1)
        taken = {item.ident for item in own}
        self._first.unmarked = [i for i in self._first.unmarked if i.ident not in taken]
        self.prompts = [item for item in self.prompts if item.ident not in taken]
        if not own:
            return
        above = self.window[-1] if self.window else None
        fork = None if above is None else above.reply.ident if above.reply else above.ident
        self.taken_back.append(
            TakenBack(
                own[0].sequence,
                self.sequence,
                own[-1].ident,
                fork,
                any(item.answered for item in own),
                tuple(own[:3]),
            )
        )
