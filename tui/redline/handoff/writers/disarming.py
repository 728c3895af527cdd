"""A writer's answer with nothing in it that acts on a terminal or on the agent that reads it.

An answer can be hostile: it is made from tool output that anybody may have written. Escape
sequences go whole, not their first character alone, which would leave their text. Tags that an
agent takes for its own program's are shown in square brackets.
"""

from __future__ import annotations

import re

from redline.text import plain

# ECMA-48, 5.4 and 5.6: control strings up to BEL or ST (or the line's end, where they have none),
# control sequences, and all shorter escapes. Possessive, so that each is read once.
_ESCAPES = re.compile(
    r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*+(?:\x07|\x9c|\x1b\\|(?=\x1b)|(?=\n)|$)"
    r"|(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]?"
    r"|\x1b[ -/]*+[0-~]?"
)
# What Claude Code, Codex, pi and Hermes put around what no user typed, and what models are taught.
_OWN = (
    r"(?:system(?:[-_](?:reminder|message|prompt|notification|instructions?))?|assistant|human"
    r"|(?:local-)?command-[a-z]{2,12}|bash-(?:input|stdout|stderr)|[a-z-]{2,40}-hook"
    r"|(?:teammate|channel|cross-session|user)-message|task-notification"
    r"|tool_(?:calls?|uses?|results?|responses?|outputs?)|ide_[a-z_]{2,30}|user[-_]memory[-_]input|new-diagnostics"
    r"|persisted-output|tick|user_instructions|environment_context|turn_aborted"
    r"|permissions instructions|collaboration_mode|important|instructions?"
    r"|function_(?:calls|results)|(?:antml:)?invoke|antml:[a-z_]{2,20})"
)
_TAG = re.compile(rf"<(\s{{0,4}}/?\s{{0,4}}{_OWN}(?![\w-])[^<>\n]{{0,200}})>", re.IGNORECASE)
_OPEN_TAG = re.compile(rf"<(?=\s{{0,4}}/?\s{{0,4}}{_OWN}(?![\w-]))", re.IGNORECASE)
_TURN = re.compile(r"<\|([\w-]{1,40})\|>")


def disarmed(text: str) -> str:
    """`text` without control and hidden characters or escape sequences, and with the tags of an
    agent's own shown in square brackets. Doing it twice changes nothing."""
    text = plain(_ESCAPES.sub("", text))
    if "<" not in text:
        return text
    return _TURN.sub(r"[\1]", _OPEN_TAG.sub("[", _TAG.sub(r"[\1]", text)))
