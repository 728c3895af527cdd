"""Fetches bodies, the whole history and the loader's view of one rollout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from redline.agents.bodies import call_text, follow, texts
from redline.agents.codex.billing import billed
from redline.agents.codex.compacting import REBUILT, Compaction
from redline.agents.codex.item import Item
from redline.agents.codex.parts import decoded, message_of
from redline.agents.codex.resume import resume_blocks
from redline.agents.codex.rollout import Rollout
from redline.agents.codex.state import ThreadState, state_at
from redline.agents.codex.tally import TakenBack
from redline.agents.codex.view import Branch, history, walk_to
from redline.agents.codex.walk import Walk
from redline.agents.requests import Requests
from redline.model import Billed, Block, Kind, Message, Origin, Part, PartType, Session


class RolloutSource:
    """`SessionSource` of a Codex session; `stop` is the number of records that it is of."""

    def __init__(
        self,
        rollout: Rollout,
        walk: Walk,
        gone: Sequence[TakenBack],
        again: Callable[[Session], Session],
        requests: Requests | None = None,
    ) -> None:
        self.rollout = rollout
        self._again = again
        self._requests, self._billed = requests, len(requests) if requests is not None else 0
        self._system = walk.system
        self._prompts = [item for item in walk.prompts if item.ident not in walk.put_in]
        self._branch = Branch.of(walk, gone)
        self._window = tuple(walk.window)
        self._unread = walk.unread
        self._built: dict[tuple[Path, int], Compaction] = {
            (past.path, past.number): past for past in walk.compactions if past.built
        }

    def text(self, part: Part) -> str:
        """The whole body of `part`, see `SessionSource.text`."""
        if part.type is PartType.IMAGE:
            return ""
        value = self._body(part.origin)
        if part.kind is Kind.TOOL_CALL:
            body = "" if value is None else call_text(value)
        else:
            body = texts(value)
        return body[slice(*part.origin.span)] if part.origin.span else body

    def value(self, part: Part) -> object:
        """The decoded body of `part`; a call's arguments out of their string of JSON."""
        value = self._body(part.origin)
        return decoded(value) if part.kind is Kind.TOOL_CALL else value

    def history(self) -> Iterator[Message]:
        """Every message of the live branch, see `SessionSource.history`."""
        with self.rollout.bodies.held_open(self.rollout.path):
            yield from history(self.rollout, self._branch)

    def billed(self) -> Iterator[Billed]:
        """See `redline.agents.billing.Bills`."""
        if self._requests is None:
            return billed(self.rollout.path)
        return self._requests.first(self._billed)

    def prompts(self) -> Iterator[Message]:
        """The messages of `history` that hold a person's words."""
        with self.rollout.bodies.held_open(self.rollout.path):
            for item in self._prompts:
                value = self._body(item.origin(()))
                if isinstance(value, dict):
                    message = message_of([replace(item, value=value)])
                    if message.prompts:
                        yield message

    def resume(self) -> Iterator[Block]:
        """What Codex itself would send, see `SessionSource.resume`."""
        window: Sequence[Any] = self._window
        if self._unread:
            window = walk_to(self.rollout, [], stop=self._branch.stop, strict=True).window
        return resume_blocks(window, self._system)

    def reopen(self, session: Session) -> Session:
        """See `redline.agents.opening.reopen`."""
        return self._again(session)

    def window(self) -> tuple[Item, ...]:
        """The items that Codex would send, in order: what its own compaction works over."""
        return self._window

    def state(self) -> ThreadState:
        """What is set where this view of the thread ends. Raises RedlineError where the file cannot
        be read."""
        return state_at(self.rollout, self._branch)

    def _body(self, origin: Origin) -> object:
        pointer = origin.pointer
        if pointer[:1] == (REBUILT,):
            past = self._built.get((origin.path, origin.record))
            number = pointer[1]
            value: Mapping[str, Any] = {}
            if past is not None and isinstance(number, int):
                value = past.built.get(number, {})
            return follow(value, pointer[2:])
        return follow(self.rollout.value(origin), pointer)
