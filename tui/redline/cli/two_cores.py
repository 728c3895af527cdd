"""A large session read on two cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from redline.cli.beside import Beside
from redline.model import Block, Message, Part, Session

if TYPE_CHECKING:
    from redline.cli.workplace import Workplace
    from redline.context.window import Window
    from redline.ledger.rule import Ledger

_Place = tuple[int, int, int]


def on_two_cores(
    place: Workplace, read: Callable[[], Session]
) -> tuple[Session, Window, Callable[[], Ledger]]:
    """What `read` gives, its window, and what waits for its rules.

    Two copies of this process get ready while the session is read: one loads the tokenizer and
    then counts, the other finds rules while the window is measured.
    """
    finding = Beside(lambda: place.ledger_store().load)
    counting = Beside(lambda: _counter(place))
    session = read()
    ledger = finding.ask(_only_prompts(session))
    _lend(place, session, counting)
    return session, place.window(session), ledger


# -- counting --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Counter:
    """A tokenizer that counts elsewhere."""

    name: str
    asked: str
    beside: Beside[tuple[str, str], tuple[str, int]]

    def count(self, text: str) -> int:
        return self.beside.ask((self.asked, text))()[1] if text else 0


def _counter(place: Workplace) -> Callable[[tuple[str, str]], tuple[str, int]]:
    from redline.context.tokenizer import make

    usual = place.settings.tokenizer
    made = {usual: make(usual, place.environment)}

    def count(question: tuple[str, str]) -> tuple[str, int]:
        name, text = question
        if name not in made:
            made[name] = make(name, place.environment)
        return made[name].name, made[name].count(text)

    return count


def _lend(
    place: Workplace, session: Session, counting: Beside[tuple[str, str], tuple[str, int]]
) -> None:
    from redline.context.measure import model_of
    from redline.context.tokenizer import lend

    asked = place.settings.tokenizer_of(model_of(session))
    name, _ = counting.ask((asked, ""))()
    lend(asked, place.environment, _Counter(name, asked, counting))


# -- rules -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Prompts:
    """The prompts of a session with their texts, which another process can be given."""

    messages: tuple[Message, ...]
    texts: dict[_Place, str]

    def text(self, part: Part) -> str:
        return self.texts[_place(part)]

    def value(self, part: Part) -> object:
        return self.text(part)

    def prompts(self) -> Iterator[Message]:
        return iter(self.messages)

    def history(self) -> Iterator[Message]:
        return iter(self.messages)

    def resume(self) -> Iterator[Block]:
        return iter(())


def _only_prompts(session: Session) -> Session:
    """`session` with nothing in it but what a person said."""
    said: list[Message] = []
    texts: dict[_Place, str] = {}
    for message in session.prompts():
        parts = message.prompts
        texts.update((_place(part), session.text(part)) for part in parts)
        said.append(replace(message, parts=parts))
    return Session(session.info, (), _Prompts(tuple(said), texts))


def _place(part: Part) -> _Place:
    return part.origin.record, part.origin.start, part.index
