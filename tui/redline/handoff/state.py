"""Where the work stands: what it is for, what was said last, what fails, what comes next."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from redline.compaction.plan import Action, Plan
from redline.facts.fact import CommandFact, Facts, PromptFact, TodoFact
from redline.handoff.evidence import still_failing
from redline.handoff.json_form import shortened
from redline.handoff.purpose import (
    as_typed,
    asks_for_work,
    is_command,
    is_go_on,
    is_labelled,
    is_small,
    one_line,
    only_amends,
    request,
    sets_goal,
    sets_scope,
    sets_value,
    short,
    stated_goal,
)
from redline.model import Kind, PartType, Role, Session
from redline.redaction import redact

_STATE_CHARS = 800
_BRIEF_CHARS = 140
_NEXT_CHARS = 2_000
_COMMAND_CHARS = 300  # a longer command is a script
_FAILED = 5  # commands that printed open errors, the newest
_GOALS = 8  # earlier ones, the newest
_OPEN = ("in_progress", "pending")


@dataclass(frozen=True, slots=True)
class Sourced:
    """A text and the messages it comes from."""

    text: str
    messages: tuple[str, ...] = ()


class State:
    """The state of `session` at its end, under `plan` (None: nothing is kept). `rules` are the
    texts of its rules: none of them is what the work is for."""

    def __init__(
        self, session: Session, plan: Plan | None, facts: Facts, rules: Collection[str]
    ) -> None:
        self._session, self._plan, self._facts, self._rules = session, plan, facts, rules
        self.unanswered = _unanswered(session, facts)

    def goal(self, earlier: str) -> Sourced:
        """The newest goal that was called one, or wanted before small orders only; else the newest
        prompt that says what the work is for, the one still open before all. That of the handoff
        before this one, where the user only said to go on or to have a look. A prompt that only
        states rules is none as long as there is another one."""
        prompts = self._facts.prompts
        last = prompts[-1] if prompts else None
        goals = self._goals()
        if (stated := _stated(goals)) is not None:
            return Sourced(_goal(stated), (stated.message,))
        asked = [p for p in prompts if asks_for_work(p.text) and not self._only_rules(p)]
        orders = [prompt for prompt in asked if not is_small(prompt.text)]
        if earlier and not goals and not asked:
            return Sourced(shortened(earlier))
        if earlier and stated_goal(earlier) is not None and not orders:
            return Sourced(shortened(earlier))
        scope = goals or [p for p in prompts if sets_scope(p.text) and not self._only_rules(p)]
        said = [prompt for prompt in prompts if not is_go_on(prompt.text)]
        said = [p for p in said if not is_command(p.text) and not self._only_rules(p)] or said
        chosen: PromptFact | None = None
        if last is not None and self.unanswered and (last in scope or (not scope and last in said)):
            chosen = last
        elif scope:
            chosen = scope[-1]
        elif said or prompts:
            chosen = (said or prompts)[0]
        if chosen is None:
            return Sourced(shortened(one_line(self._session.info.title)))
        return Sourced(_goal(chosen), (chosen.message,))

    def earlier_goals(self, now: str) -> list[tuple[str, str]]:
        """(text, message) of what the work was for before, in order, each once."""
        found = {_goal(prompt): prompt.message for prompt in self._goals()}
        found.pop(now, None)
        return list(found.items())[-_GOALS:]

    def _goals(self) -> list[PromptFact]:
        return [
            prompt
            for prompt in self._facts.prompts
            if not self._only_rules(prompt)
            and (sets_goal(prompt.text) or stated_goal(prompt.text) is not None)
        ]

    def _only_rules(self, prompt: PromptFact) -> bool:
        """Whether a prompt states a rule or gives a value, and nothing of what the work is for."""
        text = prompt.text
        stated = stated_goal(text)
        if stated is not None and stated not in self._rules:
            return False
        return request(text) in self._rules or only_amends(text) or sets_value(text)

    def text(self) -> Sourced:
        """What was said last, what runs, what fails, what is a claim only: a paragraph each."""
        facts = self._facts
        parts: list[str] = []
        sources: list[str] = []
        if (prompt := facts.last_prompt) is not None:
            answered = "not answered yet" if self.unanswered else "answered"
            parts.append(f"The user's last words ({answered}): {short(as_typed(prompt.text), 400)}")
            sources.append(prompt.message)
        if (reply := facts.last_reply) is not None:
            parts.append(f"The agent's last words: {short(reply.text, _STATE_CHARS)}")
            sources.append(reply.message)
        if running := [todo.text for todo in facts.todos if todo.status == "in_progress"]:
            parts.append("In progress: " + "; ".join(running))
        if failing := still_failing(facts):
            named = "; ".join(f"`{one_line(c.command)}`{status(c)}" for c in failing[-5:])
            parts.append(f"Failed when it last ran: {named}")
        if facts.open_errors:
            parts.append(_open_errors(facts))
        if lost := self._without_evidence():
            parts.append(
                f"The results of {lost} tool calls were taken out of the messages that stay: what "
                "these say of them is a claim, so run or read again before relying on it."
            )
        return Sourced("\n\n".join(parts), tuple(dict.fromkeys(sources)))

    def line(self) -> str:
        """The same in a line, without the user's words."""
        facts = self._facts
        parts = [f"fails: `{one_line(c.command)}`" for c in still_failing(facts)[-2:]]
        if (reply := facts.last_reply) is not None:
            parts.append(short(one_line(reply.text), _BRIEF_CHARS))
        return redact("; ".join(parts)).text

    def next_steps(self, todos: Sequence[TodoFact]) -> Iterator[tuple[str, str]]:
        """(text, message): the last prompt while it is not answered, then `todos` by status."""
        prompts = self._facts.prompts
        if prompts and self.unanswered:
            asked = [prompt for prompt in prompts if not is_go_on(prompt.text)]
            if asked:
                yield short(as_typed(asked[-1].text), _NEXT_CHARS), asked[-1].message
        for wanted in _OPEN:
            yield from ((todo.text, todo.message) for todo in todos if todo.status == wanted)

    def question(self) -> tuple[str, str] | None:
        """(text, message) of what the agent asked last, where nobody answered."""
        reply, prompt = self._facts.last_reply, self._facts.last_prompt
        if reply is None or self.unanswered or (prompt and prompt.message == reply.message):
            return None
        paragraphs = [line.strip() for line in reply.text.strip().split("\n") if line.strip()]
        if not paragraphs or not paragraphs[-1].rstrip("*_`").endswith(("?", "？")):
            return None
        return short(paragraphs[-1], 400), reply.message

    def _without_evidence(self) -> int:
        """How many tool results the plan takes out beside a reply or call that stays."""
        if self._plan is None:
            return 0
        plan = self._plan
        return sum(
            part.type is PartType.TOOL_RESULT
            and plan.action_of(i, part.index) in (Action.CLEAR, Action.SHORTEN)
            for i, message in enumerate(plan.outline.messages)
            for part in message.parts
        )


def status(command: CommandFact) -> str:
    """The exit status of a command in brackets, "" where it is not known."""
    return f" (exit {command.status})" if command.status is not None else ""


def _goal(prompt: PromptFact) -> str:
    return shortened(redact(stated_goal(prompt.text) or request(prompt.text)).text)


def _stated(goals: Sequence[PromptFact]) -> PromptFact | None:
    """The newest of `goals` that was called one; or that was wanted, where it came before small
    orders only."""
    small = True
    for prompt in reversed(goals):
        stated = stated_goal(prompt.text)
        if stated is not None and (small or is_labelled(stated)):
            return prompt
        small = small and is_small(prompt.text)
    return None


def _open_errors(facts: Facts) -> str:
    count = len(facts.open_errors)
    found: dict[str, int] = {}
    for error in facts.open_errors:
        if error.command and len(error.command) <= _COMMAND_CHARS:
            command = one_line(error.command)
            found[command] = found.get(command, 0) + 1
    told = ", ".join(f"`{command}` ({times})" for command, times in list(found.items())[-_FAILED:])
    by = f", printed by {told}" if told else ""
    return f"{count} {'error is' if count == 1 else 'errors are'} open, see Errors{by}."


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
