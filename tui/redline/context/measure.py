"""Measures a session: what its context weighs, by message and by category."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from redline.context.apportion import apportion
from redline.context.billed import billed_input, model_of
from redline.context.calibration import Calibration, calibrate, is_final, weighed
from redline.context.counting import (
    Counted,
    count_messages,
    growths,
    requests,
)
from redline.context.families import family
from redline.context.limits import find_limits
from redline.context.tokenizer import tokenizer
from redline.context.window import Category, Source, Window, category_of
from redline.model import CompactionKind, Message, Session
from redline.settings import Settings

# A billed growth outside these ratios to its estimate is no measure of what was added: the agent
# cleared results without a word, or put in text that is not on disk.
_TRUSTED = (0.5, 2.0)
_SLACK = 200.0  # tokens; small growths may be off by more than the ratios
_MOST_STRETCH = 1.25  # of messages towards what was billed; the rest is text no message holds


def measure(
    session: Session,
    settings: Settings,
    environment: Mapping[str, str] | None = None,
    *,
    before: Window | None = None,
) -> Window:
    """The window of `session`. Plans are made on it and edited without measuring again.

    `before` is the window of the same session as it was earlier: what was counted for it, of
    messages that are the same objects (see `redline.agents.opening.reopen`), is not counted again.
    What is billed is the truth: messages up to the last request and the overhead add up to it.
    Raises RedlineError where the file has changed since the session was opened.
    """
    env = os.environ if environment is None else environment
    model = model_of(session)
    models = family(model)
    counter = tokenizer(settings.tokenizer_of(model), env)
    counts = count_messages(
        session.context,
        session.source,
        counter,
        models,
        before.counts if before is not None else None,
    )
    counted = counts.counted
    pairs = growths(session.context, counted, models)
    fitted = calibrate([growth for _, _, growth in pairs], models, settings.image_tokens)
    weights = [_part_weights(each, fitted) for each in counted]
    answered = requests(session.context)
    if answered:
        spans = [(first, second, growth.tokens) for first, second, growth in pairs]
        figures = _measured(session.context, weights, answered, spans)
    else:
        stored = [session.system] if session.system is not None else []
        system = count_messages(stored, session.source, counter, models)
        held = _total([_part_weights(each, fitted) for each in system.counted])
        figures = _estimated(session, weights, held)
    parts = _as_parts(figures.tokens, session.context)
    limits = find_limits(session, model, settings, env)
    return Window(
        session=session,
        limit=limits.limit,
        limit_source=limits.limit_source,
        threshold=limits.threshold,
        threshold_source=limits.threshold_source,
        billed=figures.billed,
        used=figures.used,
        source=Source.ESTIMATED if figures.billed is None else Source.MEASURED,
        overhead=figures.overhead,
        tokens=tuple(map(sum, parts)),
        parts=parts,
        categories=_categories(figures.overhead, session.context, parts),
        counts=counts,
    )


@dataclass(frozen=True, slots=True)
class _Figures:
    billed: int | None
    used: int
    overhead: int
    tokens: list[int]  # of all parts of all messages, one after the other


def _part_weights(counted: Counted, fitted: Calibration) -> list[float]:
    """Tokens of each part of one message, unrounded. A reply's final output is shared out: what
    its texts do not explain is thinking that is not stored, where there is such a part."""
    weights = [weighed(fitted.factors, amounts) for amounts in counted.parts]
    estimate = sum(weights)
    if not is_final(counted.output, estimate) or counted.output is None:
        return weights
    if counted.hidden and counted.output > estimate:
        more = (counted.output - estimate) / len(counted.hidden)
        return [w + more if at in counted.hidden else w for at, w in enumerate(weights)]
    return _scaled(weights, counted.output / estimate) if estimate > 0 else weights


def _scaled(weights: Sequence[float], by: float) -> list[float]:
    return [weight * by for weight in weights]


def _total(weights: Sequence[Sequence[float]]) -> float:
    return sum(map(sum, weights))


def _measured(
    messages: Sequence[Message],
    weights: list[list[float]],
    answered: Sequence[int],
    spans: Sequence[tuple[int, int, int]],
) -> _Figures:
    """The figures of a context with at least one billed request.

    Every growth that was billed fixes the messages it was made of; the first request fixes the
    overhead; what then still differs from the last request is shared by the messages between.
    """
    first, last = answered[0], answered[-1]
    start, billed = billed_input(messages[first]) or 0, billed_input(messages[last]) or 0
    for begin, end, grown in spans:
        estimate = _total(weights[begin:end])
        ratio = grown / estimate if estimate > 0 else 0.0
        close = abs(grown - estimate) <= _SLACK
        if grown > 0 and (_TRUSTED[0] <= ratio <= _TRUSTED[1] or (close and ratio > 0)):
            weights[begin:end] = [_scaled(each, ratio) for each in weights[begin:end]]
    head = _total(weights[:first])
    overhead = min(max(0, round(start - head)), billed)
    if head > start:
        weights[:first] = [_scaled(each, start / head) for each in weights[:first]]
        head = float(start)
    middle, wanted = _total(weights[first:last]), billed - overhead - head
    if middle > 0 and wanted >= 0:
        stretch = min(wanted / middle, _MOST_STRETCH)
        weights[first:last] = [_scaled(each, stretch) for each in weights[first:last]]
        middle *= stretch
    sent = [weight for each in weights[:last] for weight in each]
    overhead = max(overhead, billed - round(head + middle)) if sum(sent) > 0 else billed
    later = [weight for each in weights[last:] for weight in each]
    after = round(sum(later))
    return _Figures(
        billed,
        billed + after,
        overhead,
        apportion(sent, billed - overhead) + apportion(later, after),
    )


def _estimated(session: Session, weights: Sequence[Sequence[float]], system: float) -> _Figures:
    """The figures of a context no request has billed yet. `system` is what the stored system prompt
    weighs: the least that is overhead.

    After a compaction the agent's own figure, where it wrote one, is the least that is used: what
    the summary and the preserved messages do not explain of it is overhead.
    """
    flat = [weight for each in weights for weight in each]
    total = round(sum(flat))
    overhead = round(system)
    full = [c for c in session.compactions if c.kind is not CompactionKind.MICRO]
    if full and full[-1].reported_after:
        rebuilt = set(full[-1].preserved)
        if full[-1].summary:
            rebuilt.add(full[-1].summary.id)
        known = sum(
            sum(each)
            for message, each in zip(session.context, weights, strict=True)
            if message.id in rebuilt
        )
        overhead = max(overhead, round(full[-1].reported_after - known))
    return _Figures(None, overhead + total, overhead, apportion(flat, total))


def _as_parts(flat: Sequence[int], messages: Sequence[Message]) -> tuple[tuple[int, ...], ...]:
    rest = iter(flat)
    return tuple(tuple(next(rest) for _ in message.parts) for message in messages)


def _categories(
    overhead: int, messages: Sequence[Message], parts: Sequence[Sequence[int]]
) -> Mapping[Category, int]:
    totals = dict.fromkeys(Category, 0)
    totals[Category.SYSTEM] = overhead
    for message, tokens in zip(messages, parts, strict=True):
        for part, count in zip(message.parts, tokens, strict=True):
            totals[category_of(part)] += count
    return totals
