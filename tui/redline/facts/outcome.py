"""How a tool call ended, by what its result says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from redline.facts.error_lines import clean, error_lines, first_line, known_errors
from redline.facts.shell import Command, exit_status, printed
from redline.facts.tools import ToolCall
from redline.model import Part, PartState

# What a tool never did, because a person or the agent itself held it back.
_NOT_RUN = re.compile(
    r"The user doesn't want to (?:proceed|take this action)|\[Request interrupted"
    r"|Command aborted\s*\Z"
    r"|Sibling tool call errored|was cancelled|Cancelled: parallel tool call|Interrupted by user"
)
_TAKEN_OUT = (
    "[Old tool result content cleared",
    "[Old tool output cleared",
    "[Duplicate tool output",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """`status` is a shell command's, None where nothing tells it. `failed` is what the agent or the
    status says, `lines` are the error lines, which a command that went on may print too. `known` is
    false where the text was taken out; `output` is the text of a shell command, cleaned."""

    status: int | None = None
    failed: bool = False
    lines: tuple[str, ...] = ()
    known: bool = True
    output: str = ""

    @property
    def error(self) -> bool:
        """Whether there is an error to tell of."""
        return self.failed or bool(self.lines)


def outcome(call: ToolCall, command: Command | None, part: Part, text: str) -> Outcome | None:
    """How `call` ended by its result `part` with the body `text`; `command` is the shell command
    taken apart. None where the tool never ran."""
    text = "" if text.startswith(_TAKEN_OUT) else text
    if part.error and _NOT_RUN.search(text[:600] + text[-200:]):
        return None
    if command is None:
        said = first_line(clean(printed(text))) if part.error else []
        return Outcome(failed=part.error, lines=tuple(said), output=text)
    status = exit_status(text, error=part.error)
    # A result that the agent cleared still lies whole on disk, unless it was overwritten.
    known = bool(text) or part.state is PartState.LIVE
    if call.background or not known:
        status = None
    failed = part.error or bool(status)
    if not known:
        return Outcome(status, failed, known=False)
    output = clean(printed(text))
    lines: tuple[str, ...] = ()
    if failed:
        lines = tuple(error_lines(output))
    elif command.masked and not command.looking:
        lines = tuple(known_errors(output))
    return Outcome(status, failed, lines, output=output)
