"""Fetches what a session of Hermes leaves on disk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from redline.agents.bodies import call_text, follow, texts
from redline.agents.hermes import wire
from redline.agents.hermes.archive import Archive
from redline.agents.hermes.messages import message_of
from redline.agents.hermes.rows import decoded
from redline.agents.hermes.store import stamp as stamp_of
from redline.errors import RedlineError
from redline.model import Block, Message, Part, PartType, Session

SESSION_ROW = 0  # the record of what the row of the session holds itself: the system prompt


class HermesSource:
    """`SessionSource` of a session of Hermes. `history` and `context` are row numbers, `stamp` is
    that of the file before they were read."""

    def __init__(
        self,
        path: Path,
        session: str,
        archive: Archive,
        history: Sequence[int],
        context: Sequence[int],
        stamp: str,
    ) -> None:
        self._path = path
        self._session = session
        self._archive = archive
        self._history = history
        self._context = context
        self._stamp = stamp

    def value(self, part: Part) -> object:
        """The decoded body of `part`. Raises RedlineError where its row is gone."""
        column, *rest = part.origin.pointer
        number = part.origin.record
        if number == SESSION_ROW:
            return self._archive.system_prompt(self._session)
        name = str(column)
        return follow(decoded(name, self.row(number).get(name)), tuple(rest))

    def row(self, number: int) -> Mapping[str, Any]:
        """What the row `number` holds, column by column as stored. Raises RedlineError where it is
        gone."""
        values = self._archive.stored(number)
        if values is None:
            raise RedlineError(
                f"{self._path}, row {number}: it is not there any more", "open the session again"
            )
        return values

    def rows(self, numbers: Sequence[int]) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The same of many rows, each with its number; those that are gone are left out."""
        return self._archive.each_stored(numbers)

    def text(self, part: Part) -> str:
        """The whole body of `part`, see `SessionSource.text`."""
        if part.type is PartType.IMAGE:
            return ""
        value = self.value(part)
        if part.type is PartType.TOOL_CALL:
            return call_text({} if value is None else value)
        body = texts(value) if isinstance(value, str | list | dict) else str(value or "")
        return body[slice(*part.origin.span)] if part.origin.span else body

    def history(self) -> Iterator[Message]:
        """Every message, also those before compactions and those of the sessions before."""
        for row in self._archive.rows(self._history, []):
            yield message_of(self._path, row)

    def resume(self) -> Iterator[Block]:
        """What Hermes would load, block by block (see `wire`)."""
        yield from wire.blocks(wire.load(self._archive.rows(self._context, [])))

    def reopen(self, session: Session) -> Session:
        """`session` as the file is now; itself where nothing of it changed, whatever happened to
        others in the file. Messages that are as they were are the same objects."""
        from redline.agents.hermes.reader import open_session

        found = stamp_of(self._path)
        if found == self._stamp:
            return session
        now = open_session(
            self._path, id=self._session, leaf=session.asked_leaf, before=session.before
        )
        known = {message.id: message for message in session.context}
        kept = tuple(
            known[message.id] if known.get(message.id) == message else message
            for message in now.context
        )
        unchanged = (kept, now.counts, now.compactions, now.subagents, now.damage) == (
            session.context, session.counts, session.compactions, session.subagents,
            session.damage,
        )  # fmt: skip
        if unchanged:
            self._stamp = found
            return session
        return replace(now, context=kept)
