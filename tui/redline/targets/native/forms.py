"""Which agent's own form a session is written in: one module an agent."""

from __future__ import annotations

from collections.abc import Mapping

from redline.errors import RedlineError
from redline.model import Agent
from redline.targets.native.draft import Draft, Work


def draft_of(work: Work) -> Draft:
    """The session in the form of its agent. Nothing is written and nothing checked.

    Raises RedlineError where the agent has no form of its own, or the plan does not fit into it.
    """
    agent = work.session.info.agent
    match agent:
        case Agent.CLAUDE_CODE:
            from redline.targets.native import claude_code

            return claude_code.draft(work)
        case Agent.CODEX:
            from redline.targets.native import codex

            return codex.draft(work)
        case Agent.PI:
            from redline.targets.native import pi

            return pi.draft(work)
        case Agent.HERMES:
            from redline.targets.native import hermes

            return hermes.draft(work)
        case _:
            raise RedlineError(
                f"{agent.value} sessions have no form of their own that could be written",
                "write a handoff file, and start a new session with it",
            )


def summary_of(agent: Agent, text: str, sections: Mapping[str, str] | None = None) -> str:
    """The handoff `text` (Markdown, as edited) as `agent` writes a summary, secrets taken out.

    `sections` are what a writer wrote in the agent's own form, by their heading. Nothing of the
    handoff is lost: what the agent's form has no section for stands below it, and at the end the
    rules that are confirmed once more.
    """
    from redline.handoff.markdown import parse
    from redline.handoff.writers.summaries import summary_text
    from redline.handoff.writers.writer import SummaryForm
    from redline.redaction import redact
    from redline.targets.native.untold import closing, render_untold

    if agent is Agent.HERMES:
        from redline.agents.hermes.encoding import unmarked

        text = unmarked(text)
    forms = {
        Agent.CLAUDE_CODE: SummaryForm.CLAUDE_CODE,
        Agent.PI: SummaryForm.PI,
        Agent.HERMES: SummaryForm.HERMES,
    }
    form = forms.get(agent)  # Codex has none: it hands on what its model wrote as it is
    if form is None or not text.strip():
        return redact(text).text.strip()
    handoff = parse(text)
    told = summary_text(handoff, form, sections or {}).strip()
    blocks = (told, render_untold(handoff, told), closing(handoff))
    return redact("\n\n".join(filter(None, blocks))).text.strip()
