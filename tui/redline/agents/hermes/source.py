"""Fetches what a session of Hermes leaves on disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from redline.agents.bodies import call_text, follow, texts
from redline.agents.hermes import wire
from redline.agents.hermes.archive import Archive
from redline.agents.hermes.messages import message_of
from redline.agents.hermes.rows import decoded
from redline.errors import RedlineError
from redline.model import Block, Message, Part, PartType

SESSION_ROW = 0  # the record of what the row of the session holds itself: the system prompt


class HermesSource:
    """`SessionSource` of a session of Hermes. `history` and `context` are row numbers."""

    def __init__(
        self,
        path: Path,
        session: str,
        archive: Archive,
        history: Sequence[int],
        context: Sequence[int],
    ) -> None:
        self._path = path
        self._session = session
        self._archive = archive
        self._history = history
        self._context = context

    def value(self, part: Part) -> object:
        """The decoded body of `part`. Raises RedlineError where its row is gone."""
        column, *rest = part.origin.pointer
        number = part.origin.record
        if number == SESSION_ROW:
            return self._archive.system_prompt(self._session)
        values = self._archive.stored(number)
        if values is None:
            raise RedlineError(
                f"{self._path}, row {number}: it is not there any more", "open the session again"
            )
        name = str(column)
        return follow(decoded(name, values.get(name)), tuple(rest))

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
