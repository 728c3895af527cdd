"""A session out of messages in memory: a program's own list, or a request it is to send."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from redline.agents.messages.conversation import Conversation
from redline.agents.messages.draft import Place
from redline.agents.messages.exchange import exchange_in
from redline.agents.messages.reader import Bodies, MessagesSource, counts_of
from redline.errors import RedlineError
from redline.model import Agent, Damage, Origin, Session, SessionInfo


class _Given(Bodies):
    """Bodies of a value in memory."""

    def __init__(self, value: object) -> None:
        super().__init__(Path())
        self._value = value

    def record(self, origin: Origin) -> Any:  # noqa: ARG002 - there is one record
        return self._value


def session_of(
    messages: Sequence[Mapping[str, Any]] | Mapping[str, Any],
    *,
    id: str = "messages",  # noqa: A002
    project: str | None = None,
    model: str | None = None,
) -> Session:
    """The session that `messages` are: a list in the form of OpenAI or Anthropic, or a whole
    request body with its system prompt and tools. It is read as it is now; do not change it while
    the session is in use.

    `id` names it in what redline stores, `model` is the one that is to answer. Raises RedlineError
    where there is no message in it.
    """
    damage: list[Damage] = []
    built = Conversation(damage)
    place = Place(Path(id), 1, 0, 0)
    if isinstance(messages, Mapping):
        exchange = exchange_in(messages)
        if exchange is None:
            raise RedlineError(
                "a request body with `messages` or `input` was expected", "or give the list itself"
            )
        built.preface(exchange.body, place.at(*exchange.pointer))
        items = list(exchange.items)
        stated = exchange.body.get("model")
        model = model or (stated if isinstance(stated, str) else None)
    else:
        items = [((at,), item) for at, item in enumerate(messages)]
    for number, (pointer, item) in enumerate(items, 1):
        built.take(item, replace(place.at(*pointer), record=number), number)
    found = built.messages()
    if not found:
        raise RedlineError("there is no message in what was given")
    prompts = [message.head for message in found if message.prompts]
    info = SessionInfo(
        Agent.MESSAGES,
        id,
        Path(id),
        project=project,
        title=prompts[0] if prompts else "",
        model=model,
        first_prompt=prompts[0] if prompts else "",
        last_prompt=prompts[-1] if prompts else "",
    )
    return Session(
        info=info,
        context=found,
        source=MessagesSource(_Given(messages), found, built.words),
        damage=tuple(damage),
        counts=counts_of(built, found, records=built.taken),
        leaf=found[-1].id,
        resume_messages=len(found),
    )
