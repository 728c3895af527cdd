"""The summary before this handoff, brought up to date: summaries must not nest and grow.

Of what it planned, what is shown to be done since moves to `done`; the rest is marked as what it
is. Its own words of the state come last and in short.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from redline.compaction.plan import Action, Plan
from redline.errors import RedlineError
from redline.facts.compacted import summary_of, unread
from redline.facts.fact import Facts
from redline.handoff.earlier import NOT_SEEN, Earlier, read_earlier
from redline.handoff.handed_in import handed_in
from redline.model import CompactionKind, Message, PastCompaction, Session

_THEN = " then (all above is newer, and may have finished what is pending here)"
_PERHAPS = "perhaps done, what it names was worked on since"
_CODE = re.compile(r"`([^`\n]{3,200})`")
_WORD = re.compile(r"[^\W_]{3,}")
_NEAR = 0.7  # of the words of an item that a finished one shares with it
_LEAST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Previous:
    """`text` is what the handoff says of the earlier summary, `source` the id of its message ("" if
    none), `done` what it planned and what is done since, with the message that shows it, `open` the
    rest. `earlier` is the summary itself."""

    text: str = ""
    source: str = ""
    done: tuple[tuple[str, str], ...] = ()
    open: tuple[str, ...] = ()
    earlier: Earlier | None = None


def previous_summary(session: Session, plan: Plan | None, facts: Facts, given: str) -> Previous:
    """The summary that came before. `given` is an earlier handoff; otherwise it is the session's
    own last compaction, or the handoff it began with. A summary that the plan keeps is only named.
    """
    if given.strip():
        return _brought_up(
            "An earlier handoff", "", read_earlier(given), facts, _ids(session.source.history())
        )
    past = [c for c in session.compactions if c.kind is not CompactionKind.MICRO]
    if not past:
        return _begun_with(session, facts)
    last = past[-1]
    number = session.compactions.index(last) + 1
    name = f"Compaction {number} of this session ({_how(last)})"
    source = last.summary.id if last.summary else ""
    place = plan.outline.index.get(source) if plan is not None and source else None
    if plan is not None and place is not None and plan.actions[place] is Action.KEEP:
        return Previous(f"{name}; its summary stays in the context as it is.", source)
    try:
        text = summary_of(session, last)
    except RedlineError:
        text = ""
    if not text.strip():
        return Previous(f"{name}. {unread(last) or _UNREADABLE}", source)
    earlier = read_earlier(text)
    if earlier.handoff is None and (begun := _begun(session)):
        earlier = replace(earlier, handoff=read_earlier(begun).handoff)
    return _brought_up(f"{name}; its summary", source, earlier, facts, _since(session, last))


def _begun(session: Session) -> str:
    """The handoff the session began with, "" where there is none."""
    try:
        return handed_in(session)
    except RedlineError:
        return ""


def _begun_with(session: Session, facts: Facts) -> Previous:
    text = _begun(session)
    if not text:
        return Previous()
    since = _ids(session.source.history())
    return _brought_up("The handoff this session began with", "", read_earlier(text), facts, since)


_UNREADABLE = "The summary cannot be read."


def _brought_up(
    name: str, source: str, earlier: Earlier, facts: Facts, since: frozenset[str]
) -> Previous:
    done: list[tuple[str, str]] = []
    open_items: list[str] = []
    lines: list[str] = []
    for item in earlier.pending:
        shown = _shown_done(item, facts, since)
        if shown is not None:
            done.append((f"{item} (planned before; {shown[0]})", shown[1]))
            continue
        open_items.append(item)
        lines.append(f"- {_PERHAPS if _touched(item, facts, since) else NOT_SEEN}: {item}")
    pieces = []
    if lines:
        pieces += [f"{name} planned{_THEN}:", "\n".join(lines)]
    if earlier.state:
        said = "It said of the state then:" if lines else f"{name} said of the state{_THEN}:"
        pieces += [said, earlier.state]
    text = "\n\n".join(pieces) or f"{name} said nothing of the state."
    return Previous(text, source, tuple(done), tuple(open_items), earlier)


def _how(compaction: PastCompaction) -> str:
    time = compaction.time.strftime(", %Y-%m-%d %H:%M UTC") if compaction.time else ""
    return f"{compaction.trigger or compaction.kind.value}{time}"


def _ids(messages: Iterable[Message]) -> frozenset[str]:
    return frozenset(message.id for message in messages)


def _since(session: Session, last: PastCompaction) -> frozenset[str]:
    """The ids of the messages after the compaction: those of the context that it did not keep."""
    return _ids(session.context) - {*last.preserved, last.summary.id if last.summary else ""}


def _shown_done(item: str, facts: Facts, since: frozenset[str]) -> tuple[str, str] | None:
    """What shows that `item` is done, and the message it is in: a command of it that passed, a todo
    that was ticked, a git commit that says so."""
    named = set(_CODE.findall(item))
    for command in reversed(facts.commands):
        if command.command in named and command.message in since:
            if command.failed or command.status not in (0, None):
                return None
            return f"`{command.command}` passed since", command.message
    for todo in facts.todos:
        if todo.status == "completed" and todo.message in since and _near(item, todo.text):
            return "ticked since", todo.message
    for commit in facts.commits:
        if commit.message in since and not commit.replaced_by and _near(item, commit.subject):
            return f"git commit {commit.sha}", commit.message
    return None


def _near(item: str, said: str) -> bool:
    """Whether two lines say the same: nearly all words of the shorter one are in the other."""
    first, second = _words(item), _words(said)
    shorter = min(len(first), len(second))
    if " ".join(item.lower().split()) == " ".join(said.lower().split()):
        return True
    return shorter >= _LEAST_WORDS and len(first & second) >= _NEAR * max(len(first), len(second))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _touched(item: str, facts: Facts, since: frozenset[str]) -> bool:
    """Whether a file that `item` names was changed since, or a command of it was run."""
    named = _CODE.findall(item)
    return any(
        fact.message in since and any(code in fact.command for code in named)
        for fact in facts.commands
    ) or any(
        fact.message in since and fact.path.rpartition("/")[2] in item
        for fact in facts.changed
        if len(fact.path.rpartition("/")[2]) > _LEAST_WORDS
    )
