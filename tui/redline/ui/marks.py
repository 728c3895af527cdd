"""Letters, fills and words for what the screens show, so that nothing is told by colour alone.

Chrome is made of characters that are one cell wide in every locale (East Asian width N, Na or H).
"""

from __future__ import annotations

from redline.amounts import short as short
from redline.compaction.plan import Action
from redline.context.window import Category
from redline.handoff.audit import AuditClass, Verdict
from redline.ledger.rule import RuleState
from redline.model import Kind, Message, PartType, Role

CURSOR = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"  # U+276F
TIED = "\N{BOX DRAWINGS LIGHT DOUBLE DASH VERTICAL}"  # U+254E, one cell even in Chinese terminals
DASH = "\N{BOX DRAWINGS LIGHT DOUBLE DASH HORIZONTAL}"  # U+254C
OPENED = "\N{BLACK DOWN-POINTING SMALL TRIANGLE}"  # U+25BE
CLOSED = "\N{BLACK RIGHT-POINTING SMALL TRIANGLE}"  # U+25B8
CHECK = "\N{CHECK MARK}"  # U+2713
CROSS = "\N{BALLOT X}"  # U+2717
ALARM = "!"  # a call in it broke a rule
MEMORY = "m"  # something of it goes to the long-term memory
OUT = "."  # not in the context any more

ACTION_MARK = {
    Action.KEEP: "+",
    Action.CLEAR: "~",
    Action.SHORTEN: "<",
    Action.QUOTE: '"',
    Action.SUMMARISE: "s",
    Action.DROP: "-",
}

ACTION_WORD = {
    Action.KEEP: "kept",
    Action.CLEAR: "cleared",
    Action.SHORTEN: "shortened",
    Action.QUOTE: "quoted",
    Action.SUMMARISE: "summarised",
    Action.DROP: "dropped",
}

CATEGORY_FILL = {
    Category.SYSTEM: "#",
    Category.USER: "=",
    Category.ASSISTANT: "%",
    Category.THINKING: "*",
    Category.TOOL: ":",
    Category.SUMMARY: "~",
}
FREE_FILL = "."
RESERVE_FILL = "/"

STATE_MARK = {
    RuleState.PROPOSED: "?",
    RuleState.ACTIVE: CHECK,
    RuleState.SUPERSEDED: "<",
    RuleState.REVOKED: CROSS,
    RuleState.DISMISSED: "-",
}

VERDICT_MARK = {
    Verdict.MISSING: CROSS,
    Verdict.CHANGED: "!",
    Verdict.WEAKENED: "<",
    Verdict.REWORDED: "~",
    Verdict.UNKNOWN: "?",
    Verdict.VERBATIM: CHECK,
}

CLASS_WORD = {
    AuditClass.RULE: "rule",
    AuditClass.USER_WORDS: "words",
    AuditClass.FILE_CHANGED: "changed",
    AuditClass.FILE_REFERENCED: "file",
    AuditClass.GIT_COMMIT: "commit",
    AuditClass.ISSUE: "issue",
    AuditClass.ERROR: "error",
    AuditClass.URL: "url",
    AuditClass.COMMAND: "command",
    AuditClass.DECISION: "decision",
}


def speaker(message: Message) -> tuple[str, Category]:
    """The word for what a message is (at most 9 letters), and the category of its colour."""
    kinds = {part.kind for part in message.parts}
    types = {part.type for part in message.parts}
    if Kind.PROMPT in kinds:
        return "user", Category.USER
    if Kind.SUMMARY in kinds:
        return "summary", Category.SUMMARY
    if Kind.TOOL_RESULT in kinds:
        failed = any(part.error for part in message.parts)
        return ("error" if failed else "result"), Category.TOOL
    if message.role is Role.ASSISTANT:
        if Kind.REPLY not in kinds and PartType.TOOL_CALL in types:
            return "call", Category.TOOL
        if types <= {PartType.THINKING, PartType.OPAQUE} and types:
            return "thinking", Category.THINKING
        if PartType.TEXT not in types and PartType.TOOL_CALL in types:
            return "call", Category.TOOL
        return "assistant", Category.ASSISTANT
    if Kind.NOTICE in kinds:
        return "notice", Category.SYSTEM
    return "injected", Category.SYSTEM
