"""The flags of `redline promote`."""

from __future__ import annotations

from typing import Any

from redline.cli.arguments import command_of, named, with_json, with_session


def promote(commands: Any) -> None:
    command = command_of(
        commands, "promote", "write active rules as a block into a file that agents read"
    )
    with_session(command)
    command.add_argument(
        "--to",
        metavar="FILE",
        help="CLAUDE.md, CLAUDE.local.md, AGENTS.md, .claude/rules/NAME.md of the project, or any "
        "file (default: what the agent reads in its project)",
    )
    command.add_argument(
        "--rule",
        type=named,
        metavar="ID",
        nargs="+",
        action="extend",
        default=[],
        help="only these rules",
    )
    command.add_argument(
        "--retire",
        type=named,
        metavar="ID",
        nargs="+",
        action="extend",
        default=[],
        help="rules that go from the file and stay out of it",
    )
    command.add_argument(
        "--state", action="store_true", help="instead of rules: goal, state and next steps"
    )
    command.add_argument(
        "--compact-instructions",
        action="store_true",
        help="instead of rules: what Claude Code's own compaction must keep",
    )
    command.add_argument("--remove", action="store_true", help="take the block out again")
    command.add_argument("--dry-run", action="store_true", help="show what would change")
    command.add_argument(
        "--files", action="store_true", help="only show which files the agent loads, in order"
    )
    with_json(command)
