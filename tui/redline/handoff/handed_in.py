"""The handoff that a session began with: pasted into its first prompt, attached to it, or read from
the file that the prompt names."""

from __future__ import annotations

import re
from itertools import islice

from redline.facts.pasted import pasted_handoff, read_handoff
from redline.model import Kind, PartType, Session

_LOOKED_AT = 40  # messages from the start of the session
_FILE = re.compile(r"[^\s'\"`/\\]+\.md\b")


def handed_in(session: Session) -> str:
    """Its Markdown, "" where the session began otherwise. Raises RedlineError as `text` does.

    Tool output and attachments are taken only where a prompt before them names such a file.
    """
    named: set[str] = set()
    asked: set[str] = set()
    for message in islice(session.source.history(), _LOOKED_AT):
        for part in message.parts:  # pi puts the file before the words
            if part.kind is Kind.PROMPT and part.type is PartType.TEXT:
                text = session.text(part)
                if found := pasted_handoff(text):
                    return found
                named.update(_FILE.findall(text))
        for part in message.parts:
            match part.kind:
                case Kind.TOOL_CALL if part.call_id and named:
                    called = session.text(part)
                    if any(name in called for name in named):
                        asked.add(part.call_id)
                case Kind.INJECTED if part.type is PartType.TEXT and named:  # attached with `@`
                    if found := read_handoff(session.text(part)):
                        return found
                case Kind.TOOL_RESULT if part.call_id in asked and (
                    part.type is PartType.TOOL_RESULT
                ):
                    if found := read_handoff(session.text(part)):
                        return found
    return ""
