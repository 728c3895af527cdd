"""Counts every part of messages: how much of which calibration group it brings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from redline.context.billed import billed_input
from redline.context.calibration import NOTHING, Added, Amounts, Group, Growth
from redline.context.families import Family, family, text_kind
from redline.context.tokenizer import Tokenizer
from redline.model import Kind, Message, Part, PartState, PartType, Role, SessionSource

# What is sent in the place of a cleared result is a short sentence in all four agents.
PLACEHOLDER_TOKENS = 10.0
# Opaque parts are encrypted and base64: Codex 0.171 takes 3/4 of the characters as bytes, 650 of
# them as envelope, and 4 bytes a token (formats/codex.md).
_OPAQUE_ENVELOPE = 650


@dataclass(frozen=True, slots=True)
class Counted:
    """A message's parts, each with its amount a group, and the message's output as billed.

    `hidden` are the indexes of parts whose text is not stored although the reply was billed for
    it: thinking without text, and opaque parts.
    """

    parts: tuple[Amounts, ...]
    output: int | None = None
    hidden: tuple[int, ...] = ()

    @property
    def added(self) -> Added:
        if not self.parts:
            return Added(NOTHING, self.output)
        if len(self.parts) == 1:
            return Added(self.parts[0], self.output)
        a, b, c, d, e, f = map(sum, zip(*self.parts, strict=True))
        return Added((a, b, c, d, e, f), self.output)


@dataclass(frozen=True, slots=True)
class Counts:
    """What each of `messages` was counted to, by which tokenizer and for which models."""

    messages: tuple[Message, ...]
    counted: tuple[Counted, ...]
    tokenizer: str
    models: Family


def count_messages(
    messages: Sequence[Message],
    source: SessionSource,
    tokenizer: Tokenizer,
    models: Family,
    before: Counts | None = None,
) -> Counts:
    """Each message counted; one that was counted `before` is not read again, if it is the very
    same object. Raises RedlineError where a file has changed under the session."""
    known: dict[int, Counted] = {}
    if before is not None and (before.tokenizer, before.models) == (tokenizer.name, models):
        pairs = zip(before.messages, before.counted, strict=True)
        known = {id(message): counted for message, counted in pairs}
    fresh = [message for message in messages if id(message) not in known]
    weights = iter(_text_weights(fresh, source, tokenizer, models))
    known.update((id(message), _count_message(message, weights)) for message in fresh)
    return Counts(tuple(messages), tuple(known[id(m)] for m in messages), tokenizer.name, models)


def _count_message(message: Message, text_weights: Iterator[float]) -> Counted:
    parts: list[Amounts] = []
    hidden: list[int] = []
    reply = message.role is Role.ASSISTANT
    for at, part in enumerate(message.parts):
        amounts = [0.0] * len(Group)
        if part.type is PartType.IMAGE:
            amounts[Group.IMAGE] = 1.0
        else:
            group = _group(part, reply)
            amounts[group] = next(text_weights) if _is_text(part) else _weight(part)
            if part.type is PartType.TOOL_CALL:
                amounts[Group.CALL] = 1.0
        if reply and _is_hidden(part):
            hidden.append(at)
        if not reply and at == 0:
            amounts[Group.MESSAGE] = 1.0
        a, b, c, d, e, f = amounts
        parts.append((a, b, c, d, e, f))
    output = message.usage.output if message.usage and reply else None
    return Counted(tuple(parts), output, tuple(hidden))


def _group(part: Part, reply: bool) -> Group:
    if part.kind is Kind.TOOL_RESULT:
        return Group.RESULT
    return Group.REPLY if reply else Group.OTHER


def _is_hidden(part: Part) -> bool:
    if part.type is PartType.OPAQUE:
        return True
    return part.type is PartType.THINKING and part.chars == 0


def _is_text(part: Part) -> bool:
    """Whether what a part weighs is what its text does."""
    bodiless = part.type in (PartType.OPAQUE, PartType.IMAGE) or part.state is PartState.CLEARED
    return not bodiless and part.chars > 0


def _text_weights(
    messages: Sequence[Message], source: SessionSource, tokenizer: Tokenizer, models: Family
) -> list[float]:
    """Tokens of each text of `messages` by the family's starting factors."""
    factors: list[float] = []

    def texts() -> Iterator[str]:
        for message in messages:
            for part in filter(_is_text, message.parts):
                text = source.text(part)
                factors.append(models.factors[text_kind(text)])
                yield text

    return [
        count * factor for count, factor in zip(tokenizer.count_all(texts()), factors, strict=True)
    ]


def _weight(part: Part) -> float:
    """Tokens of a part that is no text."""
    if part.state is PartState.CLEARED:
        return PLACEHOLDER_TOKENS
    if part.type is PartType.OPAQUE:
        return max(0.0, (part.chars * 3 / 4 - _OPAQUE_ENVELOPE) / 4)
    return 0.0


def requests(messages: Sequence[Message]) -> list[int]:
    """The indexes of the replies whose request was billed, in order."""
    return [at for at, message in enumerate(messages) if billed_input(message) is not None]


def growths(
    messages: Sequence[Message], counted: Sequence[Counted], models: Family
) -> list[tuple[int, int, Growth]]:
    """What was added between each two consecutive requests, with the indexes of both replies.

    Left out are pairs that tell nothing: of another family of models, or with results that were
    cleared later.
    """
    found: list[tuple[int, int, Growth]] = []
    billed = [(at, tokens) for at, one in enumerate(messages) if (tokens := billed_input(one))]
    for (first, before), (second, after) in pairwise(billed):
        between = messages[first:second]
        if all(_is_of(messages[at], models) for at in (first, second)) and not any(
            p.state is PartState.CLEARED for m in between for p in m.parts
        ):
            added = tuple(each.added for each in counted[first:second])
            found.append((first, second, Growth(added, after - before)))
    return found


def _is_of(message: Message, models: Family) -> bool:
    return message.model is None or family(message.model) is models
