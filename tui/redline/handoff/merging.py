"""A handoff that follows another one: what the earlier one holds and this session cannot tell.

Files, rules, the user's words, anchors and decisions are tracked over all handoffs, each once. What
was found out since wins: a rule that was taken back stays so, a check that ran again says for
itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from redline.facts.fact import Facts
from redline.handoff.handoff import Anchors, Constraint, Failure, Files, Handoff, UserWords
from redline.handoff.quoting import placed, quoted
from redline.handoff.spoken import apart
from redline.ledger.rule import Ledger
from redline.redaction import redact

_Item = TypeVar("_Item")
_DECISIONS = 80
_COMMANDS = 40
_RESOLVED = 20
_DONE = 200
_GOALS = 8
_REJECTED = 40
_FINDINGS = 40
_PASSED = "passed: "


def merge(
    new: Handoff, earlier: Handoff, facts: Facts, ledger: Ledger, *, trusted: bool
) -> Handoff:
    """`new` with what only `earlier` has: words and what is done before its own, the rest after.

    `trusted` says that a person handed the earlier one in: its rules stay confirmed. One that was
    found in a session binds nobody by itself.
    """
    words = _more(new.user_words, _unsaid(earlier, facts), lambda item: _plain(item.text))
    done = _more(new.done, _still_done(earlier.done, facts), _plain)[-_DONE:]
    changed = _united(new.files.changed, earlier.files.changed, str)
    return replace(
        new,
        goal=new.goal or earlier.goal,
        earlier_goals=_goals(new, earlier),
        constraints=_rules(new, earlier, ledger, trusted=trusted),
        done=(*done, *new.done),
        decisions=_united(new.decisions, earlier.decisions, lambda item: _plain(item.content))[
            :_DECISIONS
        ],
        rejected=_united(new.rejected, earlier.rejected, _plain)[:_REJECTED],
        findings=_united(new.findings, earlier.findings, _plain)[:_FINDINGS],
        reasons={**earlier.reasons, **new.reasons},
        files=Files(
            changed,
            tuple(
                path
                for path in _united(new.files.referenced, earlier.files.referenced, str)
                if path not in set(changed)
            ),
        ),
        errors=_errors(new, earlier, facts),
        user_words=(*words, *new.user_words),
        anchors=Anchors(
            _united(new.anchors.commits, earlier.anchors.commits, _first_word),
            _united(new.anchors.issues, earlier.anchors.issues, str),
            _united(new.anchors.urls, earlier.anchors.urls, str),
            _united(new.anchors.commands, earlier.anchors.commands, _command)[:_COMMANDS],
        ),
        plan=new.plan or earlier.plan,
        skills=_united(new.skills, earlier.skills, str),
        sources=_shifted(new.sources, {"/user_words/": len(words), "/done/": len(done)}),
        notes=_united(new.notes, earlier.notes, lambda note: (note.after, note.text)),
    )


def _goals(new: Handoff, earlier: Handoff) -> tuple[str, ...]:
    """What the work was for before, the newest last."""
    then = [*earlier.earlier_goals, earlier.goal, *new.earlier_goals]
    return tuple(dict.fromkeys(goal for goal in then if goal and goal != new.goal))[-_GOALS:]


def _united(
    new: Iterable[_Item], earlier: Iterable[_Item], key: Callable[[_Item], object]
) -> tuple[_Item, ...]:
    """`new` as it is, then what only `earlier` has."""
    return (*new, *_more(new, earlier, key))


def _more(
    new: Iterable[_Item], earlier: Iterable[_Item], key: Callable[[_Item], object]
) -> tuple[_Item, ...]:
    """What only `earlier` has, each once by its key."""
    known = {key(item) for item in new}
    found = {key(item): item for item in reversed(tuple(earlier)) if key(item) not in known}
    return tuple(reversed(found.values()))


def _shifted(
    sources: Mapping[str, tuple[str, ...]], by: Mapping[str, int]
) -> dict[str, tuple[str, ...]]:
    """`sources` where items were put before those of some lists."""
    found = {}
    for pointer, messages in sources.items():
        start = next((start for start in by if pointer.startswith(start)), None)
        place = pointer if start is None else f"{start}{int(pointer[len(start) :]) + by[start]}"
        found[place] = messages
    return found


def _plain(text: str) -> str:
    return " ".join(text.split())


def _forms(text: str) -> tuple[str, str]:
    """A text as it stands in a session, and as a handoff has it."""
    return _plain(text), _plain(redact(text).text)


def _first_word(text: str) -> str:
    return text.split(" ", 1)[0]


def _command(text: str) -> str:
    """A command without the exit status behind it."""
    return _plain(text.rpartition("  # exit ")[0] or text)


def _rules(
    new: Handoff, earlier: Handoff, ledger: Ledger, *, trusted: bool
) -> tuple[Constraint, ...]:
    known = {form for rule in ledger.rules for form in _forms(rule.text)}
    more = (
        rule if trusted else replace(rule, confirmed=False)
        for rule in earlier.constraints
        if _plain(apart(rule.text)[0]) not in known
    )
    return _united(new.constraints, more, lambda rule: _plain(rule.text))


def _still_done(done: Iterable[str], facts: Facts) -> Iterable[str]:
    """What was done, but for the checks that ran again."""
    ran = {_plain(command.command) for command in facts.commands}
    for item in done:
        check = item.removeprefix(_PASSED).rpartition(" (exit ")
        if not (item.startswith(_PASSED) and _plain(check[0] or check[2]) in ran):
            yield item


def _errors(new: Handoff, earlier: Handoff, facts: Facts) -> tuple[Failure, ...]:
    """All that are open, and the newest that were resolved."""
    known = {form for error in facts.errors for form in _forms(error.line)}
    more = [error for error in earlier.errors if _plain(error.message) not in known]
    resolved = [error for error in more if error.resolution]
    room = max(0, _RESOLVED - sum(bool(error.resolution) for error in new.errors))
    left = [error for error in more if not error.resolution] + resolved[:room]
    return _united(new.errors, left, lambda error: _plain(error.message))


def _unsaid(earlier: Handoff, facts: Facts) -> Iterable[UserWords]:
    """The user's words that this session does not hold."""
    said = {form for prompt in facts.prompts for form in _forms(prompt.text)}
    said |= {_plain(quoted(redact(p.text).text, p.message)) for p in facts.prompts}
    return (
        replace(words, text=placed(words.text, earlier.transcript))
        for words in earlier.user_words
        if _plain(words.text) not in said
    )
