"""What a command works with: folders, settings, the session and its review."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from redline.errors import RedlineError

if TYPE_CHECKING:
    from redline.compaction.plan import Pins
    from redline.context.spending import Spending
    from redline.context.window import Window
    from redline.facts.fact import Facts
    from redline.ledger.store import LedgerStore
    from redline.model import Session, SessionInfo
    from redline.places import Places
    from redline.review import Choice, Review
    from redline.settings import Settings

ACTIONS = ("keep", "drop", "clear", "quote", "shorten", "summarise")


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where this run works: environment, folder, redline's own places and the settings."""

    environment: Mapping[str, str]
    cwd: Path
    places: Places
    settings: Settings

    def named(self, name: str) -> SessionInfo:
        """The session called `name`. Raises RedlineError where there is none or several."""
        from redline.catalogue.resolve import resolve

        cache = self.places.catalogue
        return resolve(name, cwd=self.cwd, environment=self.environment, cache=cache)

    def session(self, name: str, leaf: str | None = None, before: int | None = None) -> Session:
        """The session called `name`, live or in another view (see `open_session`). Raises
        RedlineError where there is none or several."""
        from redline.agents.opening import open_session

        return open_session(self.named(name), leaf=leaf, before=before)

    def opened(self, options: argparse.Namespace) -> Session:
        """The session of the command line in the view it asks for: `--leaf`, `--before`, or what a
        saved plan was made on. Raises RedlineError as `session` does."""
        leaf, before = options.leaf, options.before
        if leaf is None and before is None and getattr(options, "plan", None):
            from redline.compaction.saved import view_of

            leaf, before = view_of(_read_plan(Path(options.plan)))
        return self.session(options.session, leaf, before)

    def window(self, session: Session) -> Window:
        from redline.context.measure import measure

        return measure(session, self.settings, self.environment)

    def weight(self, text: str, session: Session) -> int:
        """Tokens of a text that is not in the session, for its model."""
        from redline.context.weighing import weigh

        return weigh(text, session, self.settings, self.environment)

    def spending(self, session: Session) -> Spending:
        """What `session` has cost so far."""
        from redline.context.spending import spending

        return spending(session, self.settings)

    def facts(self, session: Session) -> Facts:
        from redline.facts.extract import extract

        return extract(session)

    def ledger_store(self) -> LedgerStore:
        from redline.cli.output import note
        from redline.database import Database
        from redline.ledger.store import LedgerStore

        def tell(notice: str) -> None:
            note(f"redline: {notice}")

        return LedgerStore(Database(self.places.database, tell=tell))

    def review(self, session: Session, choice: Choice, *, tokens: bool = True) -> Review:
        """A review of `session`. Without `tokens` none are counted where the strategy cuts by
        none, for commands that show none: that is half of their time."""
        from redline.context.window import unmeasured
        from redline.review import Review

        counting = tokens or choice.strategy != "fresh"
        return Review.start(
            session,
            self.window(session) if counting else unmeasured(session),
            self.facts(session),
            self.ledger_store().load(session),
            choice,
        )


def workplace(cwd: Path | None = None) -> Workplace:
    """The workplace of this process. Raises RedlineError for settings that cannot be read."""
    from redline.places import places
    from redline.settings import load_settings

    environment = dict(os.environ)
    folder = cwd or _working_folder()
    found = places(environment)
    return Workplace(environment, folder, found, load_settings(found, folder, environment))


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        raise RedlineError("the working folder is gone", "change to one that exists") from error


def choice_of(
    options: argparse.Namespace, place: Workplace, session: Session, *, default: str | None = None
) -> Choice:
    """The strategy, budget and pins that the command line asks for.

    A saved plan comes first, flags change it. `ID#N` names one part of a message, from 0. Raises
    RedlineError where the plan belongs to another session.
    """
    from redline.compaction.plan import Action, Pins
    from redline.compaction.strategies.tuned import tuned
    from redline.review import Choice

    name = default or place.settings.strategy
    chosen = tuned(place.settings, session, place.environment)
    pins = Pins()
    if options.plan:
        name, saved, pins = _saved(Path(options.plan), session)
        chosen = replace(saved, own=chosen.own)
    if options.strategy:
        name = options.strategy
    if options.tail is not None:
        chosen = replace(chosen, tail_tokens=options.tail)
    if options.turns is not None:
        chosen = replace(chosen, turns=options.turns)
    if options.score is not None:
        chosen = replace(chosen, score=options.score)
    actions, parts = dict(pins.actions), dict(pins.parts)
    for word in ACTIONS:
        for named in getattr(options, word):
            message, mark, part = named.rpartition("#")
            if mark and part.isdecimal():
                parts[_message_id(message, session), int(part)] = Action(word)
            else:
                actions[_message_id(named, session)] = Action(word)
    cut = _message_id(options.cut, session) if options.cut else pins.cut
    return Choice(name, chosen, replace(pins, cut=cut, actions=actions, parts=parts))


def asks_for_plan(options: argparse.Namespace) -> bool:
    """Whether any flag says something of the plan."""
    return bool(
        options.plan
        or options.strategy
        or options.tail is not None
        or options.turns is not None
        or options.score is not None
        or options.cut
        or any(getattr(options, word) for word in ACTIONS)
    )


def _message_id(text: str, session: Session) -> str:
    """The id of the context message that `text` names: whole, or a start that fits only one."""
    ids = [message.id for message in session.context]
    if text in ids:
        return text
    near = [name for name in ids if name.startswith(text)]
    if len(near) == 1:
        return near[0]
    if near:
        raise RedlineError(f"{text!r} fits {len(near)} messages", "give more of the id")
    raise RedlineError(
        f"there is no message {text!r} in the context",
        "`redline show SESSION` lists the messages with their ids",
    )


def _saved(path: Path, session: Session) -> tuple[str, StrategySettings, Pins]:
    from redline.compaction.saved import load_pins

    return load_pins(_read_plan(path), session)


def _read_plan(path: Path) -> object:
    import orjson

    from redline.files import read_if_there

    saved = read_if_there(path)
    if saved is None:
        raise RedlineError(
            f"there is no plan {path}", "plans are saved with `redline plan -o PLAN`"
        )
    try:
        value: object = orjson.loads(saved)
    except orjson.JSONDecodeError as error:
        raise RedlineError(f"{path} is no saved plan: {error}") from error
    return value


if TYPE_CHECKING:
    from redline.compaction.strategies.strategy import StrategySettings
