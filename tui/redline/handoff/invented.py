"""What a text claims and the session does not hold: names, paths, numbers that a model made up.

Nothing is judged by likeness: a claim (`claims`) holds where it, or a form that means the same,
stands in the session as a whole token. The session is read once for all that is asked of it, the
newest first and no further than needed; what was found, or not found, is not looked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from redline.errors import RedlineError
from redline.handoff.claims import Claim, ClaimKind, claims
from redline.model import Message, PartType, Session

_FIRST_BATCH, _LARGEST_BATCH = 16_000, 2_000_000  # characters


@dataclass(frozen=True, slots=True)
class Invented:
    """A token of a text, from `start` up to `end`, that nothing in the session stands behind."""

    start: int
    end: int
    text: str
    kind: ClaimKind


class Known:
    """What a session holds. `also` are texts that count as well, such as the rules of the ledger;
    `today` is the date of a handoff that is written now. Any one thread may use it."""

    def __init__(
        self, session: Session, *, also: Iterable[str] = (), today: date | None = None
    ) -> None:
        self._session = session
        self._also = tuple(also)
        self._today = today
        self._held: set[str] = set()
        self._missing: set[str] = set()

    def invented(
        self, text: str, *, cancelled: Callable[[], bool] = lambda: False
    ) -> tuple[Invented, ...]:
        """The claims of `text` that do not hold, in the order they stand. Where `cancelled` says
        so it ends early and names none of which it is not sure."""
        made = claims(text, project=self._session.info.project or "")
        self._look_for(made, cancelled)
        return tuple(
            Invented(claim.start, claim.end, claim.text, claim.kind)
            for claim in made
            if self._fails(claim)
        )

    def _fails(self, claim: Claim) -> bool:
        return all(any(form.key in self._missing for form in way) for way in claim.ways)

    def _look_for(self, made: Iterable[Claim], cancelled: Callable[[], bool]) -> None:
        known = self._held | self._missing
        wanted = {
            form.key: form
            for claim in made
            for way in claim.ways
            for form in way
            if form.key not in known
        }
        for text in _batches(self._texts()):
            if not wanted or cancelled():
                return
            for key in [key for key, form in wanted.items() if form.stands_in(text)]:
                del wanted[key]
                self._held.add(key)
        self._missing.update(wanted)

    def _texts(self) -> Iterator[str]:
        """All that the session says, what is most likely to be spoken of first."""
        session = self._session
        info = session.info
        named = (info.id, str(info.path), info.project, info.title, info.model, session.version)
        yield "\n".join(str(name) for name in named if name)
        yield from self._also
        yield from _days(self._today)
        seen = set()
        for message in reversed(session.context):
            seen.add(message.id)
            yield from _said(session, message)
        for message in session.source.history():
            if message.id not in seen:
                yield from _said(session, message)


def _batches(texts: Iterable[str]) -> Iterator[str]:
    """`texts` joined to fewer: small ones at first, where most is found, then larger ones."""
    limit, size, batch = _FIRST_BATCH, 0, []
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= limit:
            yield "\n".join(batch)
            limit, size, batch = min(2 * limit, _LARGEST_BATCH), 0, []
    yield "\n".join(batch)


def _days(today: date | None) -> Iterator[str]:
    if today is not None:
        yield "\n".join(str(today - timedelta(days=days)) for days in range(2))


def _said(session: Session, message: Message) -> Iterator[str]:
    """The texts of a message; a call's input with its line ends as such, and when it was."""
    yield (
        f"{message.id} {message.time:%Y-%m-%d %Y-%m-%dT%H:%M %H:%M}" if message.time else message.id
    )
    for part in message.parts:
        if part.type in (PartType.IMAGE, PartType.OPAQUE):
            continue
        try:
            text = session.text(part)
        except RedlineError:  # the file has changed under the session
            continue
        yield f"{part.tool or ''} {part.call_id or ''}"
        if part.type is PartType.TOOL_CALL and "\\" in text:
            text = text.replace("\\n", "\n").replace("\\t", "\t").replace('\\"', '"')
        yield text
