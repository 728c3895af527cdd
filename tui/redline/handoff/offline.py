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
from redline.handoff.budget import UNLIMITED, Budget
from redline.handoff.evidence import last_checks, proves, still_failing
from redline.handoff.fitting import fitted
from redline.handoff.handoff import (
    Anchors,
    Constraint,
    Decision,
    Failure,
    Files,
    Handoff,
    UserWords,
)
from redline.handoff.json_form import shortened
from redline.handoff.merging import merge
from redline.handoff.previous import Previous, previous_summary
from redline.handoff.purpose import is_go_on, one_line, request, sets_scope, short
from redline.ledger.rule import Ledger, RuleState
from redline.model import Kind, PartType, Role, Session
from redline.redaction import redact

_T = TypeVar("_T")

_COMMANDS = 40  # newest first; a command longer than this many characters is no anchor
_COMMAND_CHARS = 400
_RESOLVED = 20  # resolved errors, newest first
_AGENT_DECISIONS = 40
_STATE_CHARS = 800
_NEXT_CHARS = 2_000

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
    whole = _Writer(session, plan, facts, ledger, focus, previous).handoff()
    return fitted(whole, budget or UNLIMITED)


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
        self.unanswered = _unanswered(session, facts)

    def handoff(self) -> Handoff:
        facts = self.facts
        came_before = previous_summary(self.session, self.plan, facts, self.previous)
        if came_before.source:
            self.sources["/previous"] = (came_before.source,)
        earlier = came_before.earlier
        handoff = Handoff(
            goal=self._goal(earlier.handoff.goal if earlier and earlier.handoff else ""),
            constraints=self._constraints(),
            current_state=self._state(),
            done=self._list("done", (*self._done(), *came_before.done)),
            next_plan=self._next() or self._taken_over(came_before),
            blocked=(),
            open_questions=self._questions(),
            decisions=self._decisions(),
            files=Files(
                self._list("files/changed", ((f.path, f.message) for f in facts.changed)),
                self._list("files/referenced", ((f.path, f.message) for f in _only_read(facts))),
            ),
            errors=self._errors(),
            user_words=self._user_words(),
            anchors=self._anchors(),
            plan=self._list("plan", ((_todo(todo), todo.message) for todo in facts.todos)),
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
        return without_secrets(handoff)

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

    def _goal(self, earlier: str) -> str:
        """The newest prompt that says what the work is for; the one still open before all. That of
        the handoff before this one, where the user only said to go on."""
        prompts = self.facts.prompts
        last = prompts[-1] if prompts else None
        scope = [prompt for prompt in prompts if sets_scope(prompt.text)]
        said = [prompt for prompt in prompts if not is_go_on(prompt.text)]
        chosen: PromptFact | None = None
        if not said and earlier:
            return shortened(earlier)
        if last is not None and self.unanswered and (sets_scope(last.text) or not scope):
            chosen = last
        elif scope:
            chosen = scope[-1]
        elif said or prompts:
            chosen = (said or prompts)[0]
        if chosen is None:
            return shortened(one_line(self.session.info.title))
        self.sources["/goal"] = (chosen.message,)
        return shortened(redact(request(chosen.text)).text)

    def _constraints(self) -> tuple[Constraint, ...]:
        found: list[Constraint] = []
        for rule in self.ledger.live:
            active = rule.state is RuleState.ACTIVE
            if rule.message:
                self.sources[f"/constraints/{len(found)}"] = (rule.message,)
            found.append(Constraint(rule.text, rule.id, active, rule.message or ""))
        return tuple(found)

    def _state(self) -> str:
        facts = self.facts
        parts: list[str] = []
        sources: list[str] = []
        if (prompt := facts.last_prompt) is not None:
            answered = "not answered yet" if self.unanswered else "answered"
            parts.append(f"The user's last words ({answered}): {short(prompt.text, 400)}")
            sources.append(prompt.message)
        if (reply := facts.last_reply) is not None:
            parts.append(f"The agent's last words: {short(reply.text, _STATE_CHARS)}")
            sources.append(reply.message)
        if running := [todo.text for todo in facts.todos if todo.status == "in_progress"]:
            parts.append("In progress: " + "; ".join(running))
        if failing := still_failing(facts):
            named = "; ".join(f"`{one_line(c.command)}`{_status(c)}" for c in failing[-5:])
            parts.append(f"Failed when it last ran: {named}")
        if facts.open_errors:
            count = len(facts.open_errors)
            are = "error is" if count == 1 else "errors are"
            parts.append(f"{count} {are} open, see Errors.")
        if lost := self._without_evidence():
            parts.append(
                f"The results of {lost} tool calls were taken out of the messages that stay: what "
                "these say of them is a claim, so run or read again before relying on it."
            )
        if sources:
            self.sources["/current_state"] = tuple(dict.fromkeys(sources))
        return "\n\n".join(parts)

    def _without_evidence(self) -> int:
        """How many tool results the plan takes out beside a reply or call that stays."""
        if self.plan is None:
            return 0
        plan = self.plan
        return sum(
            part.type is PartType.TOOL_RESULT
            and plan.action_of(i, part.index) in (Action.CLEAR, Action.SHORTEN)
            for i, message in enumerate(plan.outline.messages)
            for part in message.parts
        )

    def _done(self) -> Iterable[tuple[str, str]]:
        for commit in self.facts.commits:
            if commit.replaced_by:
                continue
            yield f"git commit {commit.sha}: {commit.subject}".rstrip(": "), commit.message
        for command in last_checks(self.facts):
            if proves(command):
                yield f"passed: {command.command}{_status(command)}", command.message
        for todo in self.facts.todos:
            if todo.status == "completed":
                yield todo.text, todo.message

    def _next(self) -> tuple[str, ...]:
        first: list[tuple[str, str]] = []
        last = self.facts.prompts[-1] if self.facts.prompts else None
        if last is not None and self.unanswered:
            if is_go_on(last.text):
                asked = [p for p in self.facts.prompts if not is_go_on(p.text)]
                if asked:
                    first.append((short(asked[-1].text, _NEXT_CHARS), asked[-1].message))
            else:
                first.append((short(last.text, _NEXT_CHARS), last.message))
        todos = [todo for status in _OPEN for todo in self.facts.todos if todo.status == status]
        rest = self._raised(todos, lambda todo: todo.text)
        words, self.words = self.words, []
        found = self._list("next_plan", [*first, *((t.text, t.message) for t in rest)])
        self.words = words
        return found

    def _taken_over(self, came_before: Previous) -> tuple[str, ...]:
        """The next steps of the handoff before this one, where the user only said to go on."""
        if any(not is_go_on(prompt.text) for prompt in self.facts.prompts):
            return ()
        return came_before.open

    def _questions(self) -> tuple[str, ...]:
        """What the agent asked last, where nobody answered."""
        reply, prompt = self.facts.last_reply, self.facts.last_prompt
        if reply is None or self.unanswered or (prompt and prompt.message == reply.message):
            return ()
        paragraphs = [line.strip() for line in reply.text.strip().split("\n") if line.strip()]
        if not paragraphs or not paragraphs[-1].rstrip("*_`").endswith(("?", "？")):
            return ()
        return self._list("open_questions", [(short(paragraphs[-1], 400), reply.message)])

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
        """Every prompt that does not stay as it is, whole; one that was said twice stands once."""
        found: dict[str, UserWords] = {}
        for prompt in self.facts.prompts:
            if prompt.text.strip() and not self._stays(prompt) and prompt.text not in found:
                self.sources[f"/user_words/{len(found)}"] = (prompt.message,)
                found[prompt.text] = UserWords(prompt.text, prompt.message, _time(prompt.time))
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


_OPEN = ("in_progress", "pending")


def _unanswered(session: Session, facts: Facts) -> bool:
    """Whether the work on the last prompt is not finished: the context does not end on a reply
    without a call."""
    if facts.last_prompt is None:
        return False
    for message in reversed(session.context):
        kinds = {part.kind for part in message.parts}
        if kinds <= {Kind.NOTICE, Kind.INJECTED}:
            continue
        return message.role is not Role.ASSISTANT or not (
            Kind.REPLY in kinds and Kind.TOOL_CALL not in kinds
        )
    return False


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


def _status(command: CommandFact) -> str:
    return f" (exit {command.status})" if command.status is not None else ""


def _exit(command: CommandFact) -> str:
    return f"  # exit {command.status}" if command.status is not None else ""


def _time(time: datetime | None) -> str:
    return "" if time is None else time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _keywords(focus: str) -> list[str]:
    words = re.findall(r"[A-Za-z0-9_./-]{3,}|[\u3400-\u9fff]{2}", focus.lower())
    return [word for word in dict.fromkeys(words) if word not in _COMMON]


_COMMON = {"the", "and", "for", "with", "from", "that", "this", "about", "into", "only", "keep"}
