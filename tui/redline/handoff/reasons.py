"""What a file was changed for: the words of the agent, else of the user, just before the change."""

from __future__ import annotations

import re

from redline.facts.fact import Facts
from redline.handoff.purpose import one_line, request
from redline.patterns import lazy

_LONGEST = 100  # characters
_SCANNED = 4_000
_END = lazy(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_LEAD = lazy(
    r"^(?:\W*(?:(?:now|ok(?:ay)?|great|good|perfect|right|next|then|also|so|and|first|finally"
    r"|let me|let's|i'?ll|i will|i need to|i should|we need to|i'm going to|i can|just|actually"
    r"|wait|please|can you|could you|好的|现在|接下来|让我|我来|我会)"
    r"(?=[\s,，:：]|[\u3400-\u9fff])[,，:：.!]?\s*))+",
    re.I,
)
_SAYS_NOTHING = lazy(
    r"(?:check|see|look|read|view|find|verify)\b(?:(?! and | then |, ).)*|(?:run|test|try|continue"
    r"|start|do|go|proceed|implement|make (?:all )?the edits(?: in order)?"
    r"|(?:make|apply) (?:the|these|those|this) (?:changes?|edits?|fix(?:es)?)"
    r"|(?:fix|update|edit|change|write|create) (?:it|this|that|them|these"
    r"|the (?:file|code|tests?)))\b"
    r"(?:\W*(?:it|this|that|everything|all|now|here|again|the (?:file|code|tests?)))*\W*",
    re.I,
)
_WORDS = lazy(r"[^\W\d_]{2,}|[\u3400-\u9fff]")
_LEAST_WORDS = 3


def reasons(facts: Facts) -> dict[str, str]:
    """By the path of a changed file what it was changed for, where somebody said so."""
    asked = {prompt.text: request(prompt.text) for prompt in facts.prompts}
    found: dict[str, str] = {}
    for fact in facts.changed:
        told = asked.get(fact.said) or fact.said
        if told and (why := reason(told)):
            found[fact.path] = why
    return found


def reason(said: str) -> str:
    """The last sentence of `said` that says what is done, in short; "" where none does."""
    for sentence in reversed(_END.split(said[-_SCANNED:])):
        line = one_line(sentence).strip(" *#>-`:：.。")
        line = line[_LEAD.match(line).end() :] if _LEAD.match(line) else line  # type: ignore[union-attr]
        if len(_WORDS.findall(line)) >= _LEAST_WORDS and not _SAYS_NOTHING.fullmatch(line):
            line = line[:1].upper() + line[1:]
            return line if len(line) <= _LONGEST else line[: _LONGEST - 3].rstrip() + "..."
    return ""
