"""What the agent found out: statements of its replies that name something, with how much each
tells."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redline.facts.prose import sentences

_CAUSE = re.compile(
    r"\b(?:root cause|turns? out|caused by|due to|because"
    r"|the (?:actual |real |main )?(?:problem|issue|bug|reason|cause|culprit|fix)\b.{0,40}"
    r"\b(?:is|was)|found (?:that|out|the)|confirmed|it seems"
    r"|happens (?:when|only)|fails? (?:when|on|with|because))\b|原因是|问题在于|由于|发现",
    re.I,
)
# A name, a value, a place: what makes a statement one that can be relied on later.
_NAMES = re.compile(
    r"`[^`\n]+`|\b\w+_\w+|\b[a-z]+[A-Z]\w*|\b[\w.-]+/[\w./-]+|\b\d[\d.,:]*\s*%?|\b[A-Z]{2,}-\d+|#\d+"
    r"|\b[\w-]+\.[a-z]{1,5}\b|\b[A-Z]{2,}\b"
)
_STATES = re.compile(
    r"\b(?:is|are|was|were|has|have|had|uses?|needs?|lives?|runs?|takes?|holds?|owns?|returns?|comes?"
    r"|listens?|expects?|requires?|depends?|means|contains?|supports?|allows?|belongs?|sits?|stores?d?"
    r"|calls?|starts?|ends?|expires?|must|cannot|can't|now|only|always|never)\b"
    r"|[=:]|是|在|用|有|为|由|需要",
    re.I,
)
_PLANS = re.compile(
    r"^\W*(?:(?:now|ok(?:ay)?|first|next|then|so|and|but|great|perfect|good|excellent|sure|alright"
    r"|also|finally|actually|hmm|wait)\b[,!.:]?\s*)*(?:let me|let's|let us|i'?ll|i will|i'm going"
    r"|i am going|i need to|i should|we need to|we should|i can|i want|i'm|i have|i've|here's"
    r"|here (?:is|are)|you can|would you|do you|this (?:will|should)|try|run|next steps?"
    r"|我来|让我|接下来|现在)\b",
    re.I,
)
# An order, or a heading: it states nothing.
_ORDERS = re.compile(
    r"^\W*(?:only |always |actually |also )?(?:add|update|remove|delete|fix|squash|use|return"
    r"|create|make|move|rename|replace|change|set|put|write|read|check|see|look|find|verify|ensure|keep"
    r"|implement|refactor|extract|split|merge|export|import|wire|wrap|call|pass|skip|drop|run|test"
    r"|phase|step|task|option)\b",
    re.I,
)
_LEAST_WORDS = 5
_OPEN = re.compile(r"[?？:：]\s*$")
_HINT = re.compile(r"[\d`_/.#]|[A-Z]{2}|cause|because|turns out|found|原因|问题|发现", re.I)
_SHORTEST, _LONGEST = 12, 240  # characters


def findings(text: str) -> Iterator[tuple[str, float]]:
    """(sentence, weight) of what `text` states: 1 for a plain statement that names something, up
    to 4 for a cause. What is only planned or asked is none."""
    for sentence in sentences(text, _HINT):
        if not _SHORTEST <= len(sentence) * (1 if sentence.isascii() else 2) <= _LONGEST:
            continue
        if _OPEN.search(sentence) or _PLANS.match(sentence):
            continue
        if _ORDERS.match(sentence) or (sentence.isascii() and len(sentence.split()) < _LEAST_WORDS):
            continue
        cause, names = _CAUSE.search(sentence), len(_NAMES.findall(sentence))
        if cause or (names and _STATES.search(sentence)):
            weight = (2.0 if cause else 0.5) + min(names, 4) * 0.5
            yield sentence.replace("**", ""), weight
