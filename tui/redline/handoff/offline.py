"""The handoff written without a model: everything in it is copied from the session.

It takes milliseconds, invents nothing, and loses none of what must not be lost: every prompt that
the plan does not keep, every rule, changed file, commit and open error stands in it word for word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import UTC, datetime
from typing import Any, TypeVar

from redline.compaction.plan import Action, Plan
from redline.facts.fact import (
    CommandFact,
    CommitFact,
    DecisionFact,
    ErrorFact,
    Facts,
    FileFact,
    PromptFact,
    TodoFact,
)
from redline.handoff.budget import Budget, default_budget
from redline.handoff.earlier import Earlier
from redline.handoff.evidence import last_checks, proves
from redline.handoff.fitting import COMMIT, Material, fitted
from redline.handoff.handoff import (
    Anchors,
    Constraint,
    Decision,
    Failure,
    Files,
    Handoff,
    UserWords,
)
from redline.handoff.merging import merge
from redline.handoff.previous import Previous, previous_summary
from redline.handoff.purpose import as_typed, is_go_on, one_line
from redline.handoff.quoting import quoted
from redline.handoff.reasons import reasons
from redline.handoff.spoken import spoken
from redline.handoff.state import Sourced, State, status
from redline.handoff.superseding import brought_up
from redline.ledger.rule import Ledger, RuleState
from redline.model import Session
from redline.redaction import redact

_T = TypeVar("_T")

_COMMANDS = 40  # newest first; a command longer than this many characters is no anchor
_COMMAND_CHARS = 400
_RESOLVED = 20  # resolved errors, newest first
_AGENT_DECISIONS = 40
_FINDINGS = 20  # what tells most, then the newest

_PLAN_FILES = 3  # the newest
_PLAN_FILE = re.compile(r"(?:^|/)(?:plans?/[^/]+|plan|todo|implementation[_-]plan)\.md$", re.I)
_PATH_IN_TEXT = re.compile(r"(?<![\w/])[\w.-]+(?:/[\w.-]+)+|(?<![\w/])[\w-]+\.[a-z]{1,4}\b")


def write(
    session: Session,
    plan: Plan | None,
    facts: Facts,
    ledger: Ledger,
    *,
    focus: str = "",
    previous: str = "",
    budget: Budget | None = None,
) -> Handoff:
    """The handoff of `session` for `plan` (None: nothing is kept). Secrets are taken out.

    `focus` raises what it speaks of in every list. `previous` is an earlier handoff or summary
    that this one follows; without it the session's own last compaction is named. `budget` bounds
    the handoff as Markdown.
    """
    return by_budget(session, plan, facts, ledger, focus=focus, previous=previous)(budget)


def by_budget(
    session: Session,
    plan: Plan | None,
    facts: Facts,
    ledger: Ledger,
    *,
    focus: str = "",
    previous: str = "",
) -> Callable[[Budget | None], Handoff]:
    """What gives the handoff of `write` for one budget after the other: what it is made of is
    gathered once."""
    material = _Writer(session, plan, facts, ledger, focus, previous).material()
    return lambda budget: fitted(material, budget or default_budget(session))


def without_secrets(handoff: Handoff) -> Handoff:
    """`handoff` with the secrets in every text of it redacted (not in `sources`: these are ids)."""
    clean: Handoff = _mapped(replace(handoff, sources={}), lambda text: redact(text).text)
    return replace(clean, sources=handoff.sources)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, tuple | list):
        return type(value)([_mapped(item, change) for item in value])
    if isinstance(value, Mapping):
        return {key: _mapped(item, change) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        changed = {f.name: _mapped(getattr(value, f.name), change) for f in fields(value)}
        return replace(value, **changed)
    return value


class _Writer:
    def __init__(
        self,
        session: Session,
        plan: Plan | None,
        facts: Facts,
        ledger: Ledger,
        focus: str,
        previous: str,
    ) -> None:
        self.session, self.plan, self.facts, self.ledger = session, plan, facts, ledger
        self.focus = focus.strip()
        self.previous = previous
        self.words = _keywords(self.focus)
        self.sources: dict[str, tuple[str, ...]] = {}
        self.state = State(session, plan, facts, {rule.text for rule in ledger.rules})
        self.own_words = 0

    def material(self) -> Material:
        """The whole handoff, and the sentences that a small one is made of."""
        came_before, handoff = self._handoff()
        carried = came_before.earlier.handoff if came_before.earlier else None
        rules = tuple(rule.text for rule in handoff.constraints)
        said = spoken(self.facts.prompts, carried, rules, stays=self._stays)
        handoff, said, own = brought_up(handoff, said, self.own_words)
        project = self.session.info.project or ""
        return Material(handoff, said, own, self.state.line(), project)

    def _handoff(self) -> tuple[Previous, Handoff]:
        facts = self.facts
        came_before = previous_summary(self.session, self.plan, facts, self.previous)
        if came_before.source:
            self.sources["/previous"] = (came_before.source,)
        earlier = came_before.earlier
        goal = self._sourced("goal", self.state.goal(_goal_of(earlier)))
        handoff = Handoff(
            goal=goal,
            earlier_goals=self._list("earlier_goals", self.state.earlier_goals(goal)),
            constraints=self._constraints(),
            current_state=self._sourced("current_state", self.state.text()),
            done=self._done_with(came_before),
            next_plan=self._next() or self._taken_over(came_before),
            blocked=(),
            open_questions=self._questions(),
            decisions=self._decisions(),
            rejected=self._list("rejected", ((r.text, r.message) for r in facts.rejected)),
            findings=self._findings(),
            reasons=reasons(facts),
            files=Files(
                self._list("files/changed", ((f.path, f.message) for f in facts.changed)),
                self._list("files/referenced", ((f.path, f.message) for f in _only_read(facts))),
            ),
            errors=self._errors(),
            user_words=self._user_words(),
            anchors=self._anchors(),
            plan=self._plan_list(),
            skills=tuple(dict.fromkeys(facts.skills)),
            previous=came_before.text,
            transcript=str(self.session.info.path),
            focus=self.focus,
        )
        handoff = replace(handoff, sources=self.sources)
        if earlier is not None:
            trusted = bool(self.previous.strip())
            for whole in (Handoff(files=earlier.files), earlier.handoff or Handoff()):
                handoff = merge(handoff, whole, facts, self.ledger, trusted=trusted)
        return came_before, without_secrets(handoff)

    def _done_with(self, came_before: Previous) -> tuple[str, ...]:
        """What is done, and of what was planned before what nothing here says already."""
        done = list(self._done())
        texts = [one_line(text) for text, _ in done]
        planned = (one for one in came_before.done if not any(text in one[0] for text in texts))
        return self._list("done", (*done, *planned))

    def _plan_list(self) -> tuple[str, ...]:
        """The agent's todo list, below the files of its plans."""
        files = [fact for fact in self.facts.files if _PLAN_FILE.search(fact.path)]
        named = {fact.path: fact.message for fact in files}
        plans = [(f"plan file: {path}", message) for path, message in named.items()]
        todos = [(_todo(todo), todo.message) for todo in self.facts.todos]
        return self._list("plan", (*plans[-_PLAN_FILES:], *todos))

    def _sourced(self, key: str, found: Sourced) -> str:
        if found.messages:
            self.sources[f"/{key}"] = found.messages
        return found.text

    def _findings(self) -> tuple[str, ...]:
        """What tells most of what the agent found out; of two that tell as much, the newer."""
        facts = list(enumerate(self.facts.findings))
        ranked = sorted(
            facts, key=lambda pair: (-self._match(pair[1].text), -pair[1].weight, -pair[0])
        )
        kept = sorted(place for place, _ in ranked[:_FINDINGS])
        chosen = [self.facts.findings[place] for place in kept]
        return self._list("findings", ((fact.text, fact.message) for fact in chosen))

    def _list(self, key: str, items: Iterable[tuple[str, str]]) -> tuple[str, ...]:
        """Texts of (text, message id), each once, those of the focus first; notes the sources."""
        found: dict[str, list[str]] = {}
        for text, message in items:
            if text:
                found.setdefault(text, []).append(message)
        ordered = self._raised(list(found), str)
        for place, text in enumerate(ordered):
            self.sources[f"/{key}/{place}"] = tuple(dict.fromkeys(found[text]))
        return tuple(ordered)

    def _raised(self, items: Sequence[_T], text: Callable[[_T], str]) -> list[_T]:
        """`items`, those that speak of the focus first, otherwise in their order."""
        if not self.words:
            return list(items)
        return sorted(items, key=lambda item: -self._match(text(item)))

    def _match(self, text: str) -> int:
        lowered = text.lower()
        return sum(word in lowered for word in self.words)

    # -- fields --------------------------------------------------------------------------------

    def _constraints(self) -> tuple[Constraint, ...]:
        found: list[Constraint] = []
        for rule in self.ledger.live:
            active = rule.state is RuleState.ACTIVE
            if rule.message:
                self.sources[f"/constraints/{len(found)}"] = (rule.message,)
            found.append(Constraint(rule.text, rule.id, active, rule.message or ""))
        return tuple(found)

    def _done(self) -> Iterable[tuple[str, str]]:
        for commit in self.facts.commits:
            if commit.replaced_by:
                continue
            yield f"{COMMIT}{commit.sha}: {commit.subject}".rstrip(": "), commit.message
        for command in last_checks(self.facts):
            if proves(command):
                yield f"passed: {command.command}{status(command)}", command.message
        for todo in self.facts.todos:
            if todo.status == "completed":
                yield todo.text, todo.message

    def _next(self) -> tuple[str, ...]:
        todos = self._raised(self.facts.todos, lambda todo: todo.text)
        words, self.words = self.words, []
        found = self._list("next_plan", self.state.next_steps(todos))
        self.words = words
        return found

    def _taken_over(self, came_before: Previous) -> tuple[str, ...]:
        """The next steps of the handoff before this one, where the user only said to go on."""
        if any(not is_go_on(prompt.text) for prompt in self.facts.prompts):
            return ()
        return came_before.open

    def _questions(self) -> tuple[str, ...]:
        asked = self.state.question()
        return () if asked is None else self._list("open_questions", [asked])

    def _decisions(self) -> tuple[Decision, ...]:
        agent = [fact for fact in self.facts.decisions if not fact.by_user]
        by_match = self._raised(list(reversed(agent)), lambda fact: fact.text)[:_AGENT_DECISIONS]
        kept = {id(fact) for fact in by_match}
        chosen = [fact for fact in self.facts.decisions if fact.by_user or id(fact) in kept]
        ordered = self._raised(chosen, lambda fact: fact.text)
        for place, fact in enumerate(ordered):
            self.sources[f"/decisions/{place}"] = (fact.message,)
        return tuple(
            Decision(fact.text, fact.reason or "", _scope(fact), _time(fact.time))
            for fact in ordered
        )

    def _errors(self) -> tuple[Failure, ...]:
        """Every open error, then the newest of those that were resolved."""
        open_errors = _distinct(self.facts.open_errors)
        lines = {fact.line for fact in open_errors}
        resolved = [
            fact
            for fact in _distinct(self.facts.errors)
            if fact.resolved is not None and fact.line not in lines
        ][-_RESOLVED:]
        ordered = [
            *self._raised(open_errors, lambda fact: fact.line),
            *self._raised(resolved, lambda fact: fact.line),
        ]
        for place, fact in enumerate(ordered):
            self.sources[f"/errors/{place}"] = tuple(
                message for message in (fact.message, fact.resolved) if message
            )
        return tuple(
            Failure(
                fact.line,
                "" if fact.resolved is None else fact.resolution or "did not come again",
                _time(fact.time),
            )
            for fact in ordered
        )

    def _user_words(self) -> tuple[UserWords, ...]:
        """Every prompt that does not stay as it is, whole or by its two ends; one that was said
        twice stands once."""
        found: dict[str, UserWords] = {}
        for prompt in self.facts.prompts:
            if prompt.text.strip() and not self._stays(prompt) and prompt.text not in found:
                self.sources[f"/user_words/{len(found)}"] = (prompt.message,)
                text = as_typed(quoted(redact(prompt.text).text, prompt.message))
                found[prompt.text] = UserWords(text, prompt.message, _time(prompt.time))
        self.own_words = len(found)
        return tuple(found.values())

    def _stays(self, prompt: PromptFact) -> bool:
        if self.plan is None:
            return False
        place = self.plan.outline.index.get(prompt.message)
        return place is not None and self.plan.action_of(place, prompt.part) is Action.KEEP

    def _anchors(self) -> Anchors:
        facts = self.facts
        commands = [
            command
            for command in {c.command: c for c in facts.commands}.values()
            if 0 < len(command.command) <= _COMMAND_CHARS
        ]
        newest = self._raised(list(reversed(commands)), lambda c: c.command)[:_COMMANDS]
        kept = {command.command for command in newest}
        return Anchors(
            self._list(
                "anchors/commits",
                ((_commit(commit), commit.message) for commit in facts.commits),
            ),
            self._list("anchors/issues", ((fact.text, fact.message) for fact in facts.references)),
            self._list("anchors/urls", ((fact.text, fact.message) for fact in facts.urls)),
            self._list(
                "anchors/commands",
                (
                    (command.command + _exit(command), command.message)
                    for command in commands
                    if command.command in kept
                ),
            ),
        )


def _goal_of(earlier: Earlier | None) -> str:
    return earlier.handoff.goal if earlier is not None and earlier.handoff is not None else ""


def _only_read(facts: Facts) -> list[FileFact]:
    changed = {fact.path for fact in facts.changed}
    return [fact for fact in facts.read if fact.path not in changed]


def _distinct(errors: Iterable[ErrorFact]) -> list[ErrorFact]:
    """Each error line once, as it stood last."""
    last: dict[str, ErrorFact] = {}
    for error in errors:
        if error.line.strip():
            last[error.line] = error
    return list(last.values())


def _todo(todo: TodoFact) -> str:
    mark = {"completed": "x", "in_progress": ">"}.get(todo.status, " ")
    return f"[{mark}] {todo.text}"


def _scope(fact: DecisionFact) -> str:
    """The paths a decision speaks of."""
    return ", ".join(dict.fromkeys(_PATH_IN_TEXT.findall(fact.text[:2_000])[:5]))


def _commit(commit: CommitFact) -> str:
    amended = f" (amended, now {commit.replaced_by})" if commit.replaced_by else ""
    return f"{commit.sha} {commit.subject}".strip() + amended


def _exit(command: CommandFact) -> str:
    return f"  # exit {command.status}" if command.status is not None else ""


def _time(time: datetime | None) -> str:
    return "" if time is None else time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _keywords(focus: str) -> list[str]:
    words = re.findall(r"[A-Za-z0-9_./-]{3,}|[\u3400-\u9fff]{2}", focus.lower())
    return [word for word in dict.fromkeys(words) if word not in _COMMON]


_COMMON = {"the", "and", "for", "with", "from", "that", "this", "about", "into", "only", "keep"}
