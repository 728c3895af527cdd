"""Which agent's own form a session is written in: one module an agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from redline.errors import RedlineError
from redline.model import Agent
from redline.targets.native.draft import Draft, Work

if TYPE_CHECKING:
    from redline.handoff.handoff import Handoff


def draft_of(work: Work) -> Draft:
    """The session in the form of its agent. Nothing is written and nothing checked.

    Raises RedlineError where the agent has no form of its own, or the plan does not fit into it.
    """
    agent = work.session.info.agent
    match agent:
        case Agent.CLAUDE_CODE:
            from redline.targets.native import claude_code

            return claude_code.draft(work)
        case _:
            raise RedlineError(
                f"{agent.value} sessions have no form of their own that could be written",
                "write a handoff file, and start a new session with it",
            )


def summary_of(agent: Agent, text: str, sections: Mapping[str, str] | None = None) -> str:
    """The handoff `text` (Markdown, as edited) as `agent` writes a summary, secrets taken out.

    `sections` are what a writer wrote in the agent's own form, by their heading. Nothing of the
    handoff is lost: what the agent's form has no section for stands below it.
    """
    from redline.handoff.markdown import parse
    from redline.handoff.writers.summaries import summary_text
    from redline.handoff.writers.writer import SummaryForm
    from redline.redaction import redact

    forms = {Agent.CLAUDE_CODE: SummaryForm.CLAUDE_CODE, Agent.PI: SummaryForm.PI}
    form = forms.get(agent)
    if form is None or not text.strip():
        return redact(text).text.strip()
    handoff = parse(text)
    told = summary_text(handoff, form, sections or {}).strip()
    more = _rest(handoff)
    return redact(f"{told}\n\n{more}" if more else told).text.strip()


# What the sections of an agent's own summary say of a handoff.
_TOLD = (
    ("version", "goal", "constraints", "current_state", "done", "next_plan", "blocked"),
    ("open_questions", "decisions", "rejected", "files", "errors", "user_words", "transcript"),
    ("sources", "brief", "focus", "anchors"),
)


def _rest(handoff: Handoff) -> str:
    """What an agent's own form has no section for, as Markdown; "" where there is nothing."""
    from redline.handoff.handoff import Anchors, Handoff
    from redline.handoff.markdown import render

    empty = Handoff(brief=True)
    others = {
        field.name: getattr(handoff, field.name)
        for field in fields(Handoff)
        if not any(field.name in names for names in _TOLD)
    }
    rest = replace(empty, **others, anchors=Anchors(commands=handoff.anchors.commands))
    if rest == empty:
        return ""
    return render(rest).partition("\n")[2].strip()  # without its title
