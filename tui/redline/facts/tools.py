"""What a tool call does, by the name the agent gives the tool and by its input."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import StrEnum


class ToolUse(StrEnum):
    """What a call does, whatever its agent calls the tool."""

    SHELL = "shell"
    READ = "read"
    CHANGE = "change"
    TODO = "todo"
    SKILL = "skill"
    OTHER = "other"


# Claude Code, pi, Codex and Hermes; lower case.
_USES = {
    ToolUse.SHELL: (
        "bash", "shell", "shell_command", "exec_command", "local_shell", "container.exec",
        "terminal", "run_command", "execute_command",
    ),
    ToolUse.READ: ("read", "read_file", "view", "notebookread", "read_text_file"),
    ToolUse.CHANGE: (
        "edit", "multiedit", "write", "notebookedit", "write_file", "edit_file", "create_file",
        "apply_patch", "patch", "str_replace", "multi_edit", "str_replace_editor",
        "str_replace_based_edit_tool",
    ),
    ToolUse.TODO: ("todowrite", "taskcreate", "taskupdate", "update_plan", "todo"),
    ToolUse.SKILL: ("skill", "skill_view"),
}  # fmt: skip
_BY_NAME = {name: use for use, names in _USES.items() for name in names}
_PATH_FIELDS = ("file_path", "path", "notebook_path", "filename", "file")
_PATCH = re.compile(r"\*\*\* Begin Patch$.*?(?:^\*\*\* End Patch|\Z)", re.M | re.S)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.M)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as far as facts need it: paths for files, the command for a shell. A command that
    applies a patch (Codex of 2025) has the paths of the patch, and is told without its body.

    `background` is a command whose result does not tell its end.
    """

    tool: str
    use: ToolUse
    paths: tuple[str, ...] = ()
    command: str = ""
    url: str = ""
    background: bool = False


def tool_use(tool: str | None) -> ToolUse:
    """What the tool of this name is for; OTHER where the name says nothing. Of a tool that an MCP
    server offers (`mcp__files__write_file`) the last part is its name."""
    return _BY_NAME.get((tool or "").lower().rpartition("__")[2], ToolUse.OTHER)


def arguments(value: object) -> dict[str, object]:
    """A call's input as a dict: as it is, or decoded from the string some agents store."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def read_call(tool: str | None, value: object) -> ToolCall:
    """The call of `tool` with the input `value`. Wrong types leave the field empty."""
    name = tool or ""
    use = tool_use(name)
    given = arguments(value)
    match use:
        case ToolUse.SHELL:
            command = _command(given)
            paths = tuple(_patched(command, {})) if "*** Begin Patch" in command else ()
            command = _PATCH.sub("", command) if paths else command
            apart = any(given.get(field) is True for field in ("run_in_background", "background"))
            return ToolCall(name, use, paths, command, "", apart)
        case ToolUse.READ | ToolUse.CHANGE:
            paths = tuple(_paths(given)) or tuple(_patched(value, given))
            if given.get("command") == "view":  # one tool for both
                use = ToolUse.READ
            return ToolCall(name, use, paths)
        case ToolUse.OTHER:
            url = given.get("url")
            return ToolCall(
                name, use, tuple(_paths(given)), "", url if isinstance(url, str) else ""
            )
        case _:
            return ToolCall(name, use)


def _command(given: dict[str, object]) -> str:
    command = given.get("command", given.get("cmd"))
    if isinstance(command, list):
        words = [word for word in command if isinstance(word, str)]
        # ["bash", "-lc", "script"] is the script.
        return words[-1] if len(words) == 3 and words[1] in ("-c", "-lc") else " ".join(words)
    return command if isinstance(command, str) else ""


def _paths(given: dict[str, object]) -> list[str]:
    for field in _PATH_FIELDS:
        path = given.get(field)
        if isinstance(path, str) and path.strip():
            return [path.strip()]
    inner = given.get("edits", given.get("files"))
    edits = [edit for edit in inner if isinstance(edit, dict)] if isinstance(inner, list) else []
    named = (edit.get(field) for edit in edits for field in _PATH_FIELDS)
    return list(dict.fromkeys(p.strip() for p in named if isinstance(p, str) and p.strip()))


def _patched(value: object, given: dict[str, object]) -> list[str]:
    """The files named in the header lines of a patch."""
    texts = [value, given.get("input"), given.get("patch")]
    found: dict[str, None] = {}
    for text in texts:
        if isinstance(text, str):
            for match in _PATCHED.finditer(text):
                found[(match[1] or match[2]).strip()] = None
    return list(found)
