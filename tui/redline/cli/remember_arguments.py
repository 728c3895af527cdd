"""The arguments of `redline remember`."""

from __future__ import annotations

from typing import Any

from redline.cli.arguments import command_of, with_json, with_session


def remember(commands: Any) -> None:
    """Declares the command."""
    command = command_of(
        commands, "remember", "merge what a session came to into its project's .agent/memory.json"
    )
    with_session(command)
    command.add_argument(
        "--to", metavar="FILE", help="another file (default: .agent/memory.json of the project)"
    )
    command.add_argument(
        "--handoff", metavar="FILE", help="take this handoff instead of writing one"
    )
    command.add_argument(
        "--writer", metavar="WRITER", help="who writes it, as in `redline handoff`"
    )
    command.add_argument(
        "--keep-original",
        action="store_true",
        help="leave a file that has to be mended beside the new one, as it was",
    )
    command.add_argument("--dry-run", action="store_true", help="show what would change")
    with_json(command)
