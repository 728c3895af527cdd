"""A large session read on two cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING

from redline.beside import Beside, Work
from redline.context.counted_beside import count_beside
from redline.model import Block, Message, Part, Session, SessionInfo

if TYPE_CHECKING:
    from redline.cli.workplace import Workplace
    from redline.context.window import Window
    from redline.ledger.rule import Ledger

_Place = tuple[int, int, int]
_Prompts = tuple[tuple[Message, ...], dict[_Place, str]]


def on_two_cores(
    place: Workplace, read: Callable[[], Session]
) -> tuple[Session, Window, Callable[[], Ledger]]:
    """What `read` gives, its window, and what waits for its rules.

    Two copies of this process get ready while the session is read: one loads the tokenizer and
    then counts, the other finds rules while the window is measured.
    """
    finding = Beside(lambda: _finder(place))
    count_beside(place.settings.tokenizer, place.environment)
    session = read()
    ledger = finding.ask(_Said(session))
    return session, place.window(session), ledger


# -- rules -----------------------------------------------------------------------------------------

_AT_ONCE = 200  # prompts


@dataclass(frozen=True, slots=True)
class _Said:
    """What a person said in `session`: first what is known of it, then its prompts, some at a
    time, with the texts of their parts."""

    session: Session

    def __iter__(self) -> Iterator[SessionInfo | _Prompts]:
        yield self.session.info
        prompts = self.session.prompts()
        while some := tuple(islice(prompts, _AT_ONCE)):
            texts = {_place(part): self.session.text(part) for m in some for part in m.prompts}
            yield tuple(replace(message, parts=message.prompts) for message in some), texts


@dataclass(slots=True)
class _Stream:
    """The source of a session of which only the prompts are known, and these only once."""

    pieces: Iterator[SessionInfo | _Prompts]
    texts: dict[_Place, str] = field(default_factory=dict)

    def text(self, part: Part) -> str:
        return self.texts[_place(part)]

    def value(self, part: Part) -> object:
        return self.text(part)

    def prompts(self) -> Iterator[Message]:
        for piece in self.pieces:
            if not isinstance(piece, SessionInfo):
                messages, self.texts = piece
                yield from messages

    def history(self) -> Iterator[Message]:
        return self.prompts()

    def resume(self) -> Iterator[Block]:
        return iter(())


def _finder(place: Workplace) -> Work[SessionInfo | _Prompts, Ledger]:
    store = place.ledger_store()
    _warm_up()

    def find(pieces: Iterator[SessionInfo | _Prompts]) -> Ledger:
        info = next(pieces)
        assert isinstance(info, SessionInfo)
        return store.load(Session(info, (), _Stream(pieces)))

    return find


def _warm_up() -> None:
    """Loads what finds rules, and compiles its patterns, while the session is still being read."""
    from redline.ledger.detect import family_of
    from redline.ledger.masking import mask
    from redline.ledger.resolving import resolved
    from redline.ledger.sentences import sentences

    said = (
        "Never edit a.py.",
        "The upload limit is 20 MB.",
        "We raised the upload limit to 30 MB.",
        "不要改 a.py。",
        "端口现在改成 9090。",
    )
    for text in said:
        for sentence in sentences(text, mask(text)):
            family_of(sentence)
    resolved(said)


def _place(part: Part) -> _Place:
    return part.origin.record, part.origin.start, part.index
