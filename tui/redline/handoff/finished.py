"""Next steps that the session shows as finished: marked with what shows it, never dropped.

A step counts as finished where its entry of the agent's todo list is completed, its command passed
when it last ran, its commit was made, the file it would create was written, or what is done says
the same. Two texts say the same where their names and numbers are equal and nearly all their words:
when unsure, a step stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from redline.facts.fact import CommandFact, Facts
from redline.handoff.evidence import proves
from redline.handoff.handoff import Handoff
from redline.text import one_line

_SAME = 0.8  # of the words of two texts
_FEWEST = 2  # words, below which two texts are only compared whole
_QUOTED = 80  # characters of what shows it
_MARK = re.compile(r" \(the session shows this as finished: [^\n]*\)$")
_RUN = re.compile(
    r"(?:please )?(?:run|execute|try|运行|执行|跑一下|跑)\s*[:：]?\s*"
    r"`?(?P<command>[^`\n]+?)`?[.。]?$",
    re.IGNORECASE,
)
_ONCE_MORE = re.compile(r"\b(?:again|re-?run|once more|after|when|until|if)\b|再|重新|之后", re.I)
_CREATE = re.compile(
    r"(?:create|write|新建|创建|编写)\s*(?:(?:the|a|an|new|file)\s+)*`?(?P<path>[\w./@+-]+\.\w+)`?",
    re.IGNORECASE | re.ASCII,
)
_COMMIT = re.compile(r"\b(?:git )?commit\b|提交", re.IGNORECASE)
_HASH = re.compile(r"\b(?=[0-9]*[a-f])[0-9a-f]{7,40}\b")
# Names, paths and numbers: what must be equal for two texts to be of the same thing.
_EXACT = re.compile(
    r"[\w@~-]*[./_\d][\w./@-]*\w|[a-z]+[A-Z]\w*|[A-Z]\w*[A-Z]\w*|\d+|`[^`\n]+`", re.ASCII
)
_WORD = re.compile(r"[a-z]{3,}|[\u3400-\u9fff]{2}")
_CHINESE = re.compile(r"[\u3400-\u9fff]+")
_ENDING = re.compile(r"(?:ing|ed|es|s|e)$")
_EMPTY = frozenset(
    ("the", "and", "for", "with", "that", "this", "into", "from", "was", "were", "has", "have")
)


@dataclass(frozen=True, slots=True)
class Finished:
    """The next step at `index` of a handoff, what shows that it is finished, and the message that
    does (empty where the handoff itself says so)."""

    index: int
    step: str
    evidence: str
    message: str = ""


def finished_steps(handoff: Handoff, facts: Facts) -> tuple[Finished, ...]:
    """The next steps of `handoff` that are finished already, in order."""
    found = []
    for index, step in enumerate(handoff.next_plan):
        plain = without_mark(step)
        shown = next(_shown(plain, handoff, facts), None)
        if shown is not None:
            found.append(Finished(index, plain, one_line(shown[0], _QUOTED), shown[1]))
    return tuple(found)


def with_marks(handoff: Handoff, facts: Facts) -> Handoff:
    """`handoff` with a mark behind each step that is finished; a mark that no longer holds goes."""
    steps = [without_mark(step) for step in handoff.next_plan]
    for done in finished_steps(handoff, facts):
        first, newline, rest = steps[done.index].partition("\n")
        mark = f" (the session shows this as finished: {done.evidence})"
        steps[done.index] = first + mark + newline + rest
    return replace(handoff, next_plan=tuple(steps))


def without_mark(step: str) -> str:
    """`step` as its writer wrote it."""
    first, newline, rest = step.partition("\n")
    return _MARK.sub("", first) + newline + rest


def _shown(step: str, handoff: Handoff, facts: Facts) -> Iterator[tuple[str, str]]:
    """What shows that `step` is finished, with the message it stands in."""
    words = _Words(step)
    open_texts = [_Words(todo.text) for todo in facts.todos if todo.status != "completed"]
    if any(words.says(other) for other in open_texts):
        return
    for todo in facts.todos:
        if todo.status == "completed" and words.says(_Words(todo.text)):
            yield f"todo completed: {todo.text}", todo.message
    if (passed := _passed(step, facts)) is not None:
        yield f"`{passed.command}` passed", passed.message
    hashes = _HASH.findall(step) if _COMMIT.search(step) else []
    for commit in facts.commits:
        named = any(sha.startswith(commit.sha) or commit.sha.startswith(sha) for sha in hashes)
        if named or (commit.subject and words.says(_Words(commit.subject))):
            yield f"commit {commit.sha} {commit.subject}", commit.message
    if (created := _CREATE.match(step)) is not None:
        path = created["path"].removeprefix("./")
        for file in facts.changed:
            if file.path == path or file.path.endswith("/" + path):
                yield f"{file.path} was written", file.message
    for item in handoff.done:
        if words.says(_Words(item)):
            yield f"done: {item}", ""


def _passed(step: str, facts: Facts) -> CommandFact | None:
    """The last run of the command that `step` is to run, where it passed."""
    asked = _RUN.match(step.strip())
    if asked is None or _ONCE_MORE.search(step):
        return None
    wanted = " ".join(asked["command"].split())
    runs = [c for c in facts.commands if " ".join(c.command.split()) == wanted]
    return runs[-1] if runs and proves(runs[-1]) else None


class _Words:
    """A text by its words, and by what must be equal in another one that says the same."""

    def __init__(self, text: str) -> None:
        plain = text.strip().strip("-*•[] \t.。")
        self.whole = " ".join(plain.casefold().split())
        self.exact = frozenset(
            token.strip("`").removeprefix("./") for token in _EXACT.findall(plain)
        )
        rest = _EXACT.sub(" ", plain).lower()
        found = {_ENDING.sub("", word) for word in _WORD.findall(rest) if word not in _EMPTY}
        for run in _CHINESE.findall(rest):
            found.update(run[at : at + 2] for at in range(len(run) - 1))
        self.words = frozenset(found)

    def says(self, other: _Words) -> bool:
        """Whether both say the same."""
        if self.whole == other.whole:
            return bool(self.whole)
        if self.exact != other.exact or min(len(self.words), len(other.words)) < _FEWEST:
            return False
        return len(self.words & other.words) >= _SAME * len(self.words | other.words)
