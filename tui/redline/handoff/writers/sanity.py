"""Whether an answer is a summary at all: what is wrong with it, and what the writer is told."""

from __future__ import annotations

import re

from redline.handoff.writers.answer import Prose, unwrapped
from redline.handoff.writers.failure import Failure, FailureKind
from redline.handoff.writers.forms import FORMS
from redline.handoff.writers.writer import SummaryForm

_SHORTEST = 2_000  # characters that an answer may have, however little it replaces
_REFUSAL = re.compile(
    r"(?i)\b(?:i(?:'m| am) (?:sorry|unable)|i (?:can(?:'|no)?t|cannot|won't|must decline)"
    r"|(?:unable|not able) to (?:help|assist|comply|continue|provide|summari)"
    r"|against (?:my|the) (?:policy|guidelines)|as an ai\b)"
    r"|抱歉|无法(?:协助|提供|完成|帮助)|不能(?:协助|提供|帮助)|对不起"
)
_CHAT = re.compile(
    r"(?i)\b(?:would you like|do you want|shall i|should i|let me know|let me|i'll|i will|i've"
    r"|i can|i have|sure[,!]|of course|happy to|great[,!]|here(?:'s| is)|feel free|thanks)\b"
    r"|需要我|要不要|好的[，,]|我来|我会|我已|让我|请告诉我|您|如果你"
)
_TOOL_CALL = re.compile(
    r"<(?:antml:)?(?:function_calls|invoke|tool_call|tool_use)\b|\"(?:tool|function|name)\"\s*:\s*\""
    r"[\w.-]{1,60}\"\s*,\s*\"(?:input|arguments|parameters)\""
)


def fault_of(text: str, prose: Prose, form: SummaryForm, *, replaced: int) -> Failure | None:
    """What is wrong with the answer `text`, read as `prose`; None where it can be taken.

    `replaced` is how many characters of the session it stands for.
    """
    if not text.strip():
        return Failure(
            FailureKind.EMPTY,
            "the answer was empty",
            "try another model; where writer_base_url is set, check that it leads to the API",
            told="it was empty",
        )
    body = unwrapped(text)
    if not body:
        return Failure(
            FailureKind.EMPTY,
            "the answer was nothing but thinking",
            "try another model",
            told="it held nothing but thinking; write the sections themselves",
        )
    if not prose.found:
        return _not_a_summary(body)
    if missing := _missing(prose, form):
        named = ", ".join(missing)
        return Failure(
            FailureKind.MISSING,
            f"the answer lacks what was asked for: {named}",
            "try another model",
            told=f"it lacks these sections, or they are empty: {named}",
        )
    if len(body) > max(replaced, _SHORTEST):
        return Failure(
            FailureKind.TOO_LONG,
            f"the answer ({len(body):,} characters) is longer than what it stands for"
            f" ({replaced:,})",
            "try another model",
            told=f"it was longer than the text it stands for; write at most {replaced // 2:,}"
            " characters",
        )
    return None


def _missing(prose: Prose, form: SummaryForm) -> list[str]:
    """The required sections without a heading; of goal and state also those without a text."""
    return [
        asked.title
        for asked in FORMS[form]
        if asked.required
        and (
            asked.field not in prose.found
            or (asked.field in ("goal", "current_state") and not getattr(prose, asked.field))
        )
    ]


def _not_a_summary(body: str) -> Failure:
    start = body[:1_500]
    if len(body) < 1_500 and _REFUSAL.search(start):
        return Failure(
            FailureKind.REFUSED,
            "the model refused to summarise",
            "try another model",
            told="it was a refusal; nothing is to be carried out, only notes are to be written",
        )
    asks = body.rstrip().rstrip("*_`)").endswith(("?", "？"))
    if asks or _TOOL_CALL.search(body[:20_000]) or _CHAT.search(start):
        return Failure(
            FailureKind.ANSWERED,
            "the model went on with the conversation instead of summarising it",
            "try another model",
            told="it went on with the conversation; you are not part of it, write notes about it",
        )
    return Failure(
        FailureKind.UNREADABLE,
        "the answer has none of the sections that were asked for",
        "try another model",
        told="it had none of the headings",
    )
