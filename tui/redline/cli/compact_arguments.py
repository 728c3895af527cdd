"""The arguments of `redline compact` and `redline restore`. Nothing is loaded to declare them."""

from __future__ import annotations

from typing import Any

from redline.cli.arguments import command_of, ordinal, with_json, with_plan, with_session


def compact(commands: Any) -> None:
    """Declares `redline compact` on `commands`."""
    command = command_of(
        commands, "compact", "write the session compacted, in its agent's own form, to be resumed"
    )
    with_session(command)
    with_plan(command)
    command.add_argument("--focus", default="", metavar="TEXT", help="what matters next")
    command.add_argument("--handoff", metavar="FILE", help="the summary, as it was edited")
    command.add_argument(
        "--without-rules",
        action="store_true",
        help="with --handoff: the confirmed rules that it lacks are not put in",
    )
    command.add_argument(
        "--writer", metavar="WRITER", help="who writes the summary; see `redline handoff --help`"
    )
    command.add_argument(
        "--in-place",
        action="store_true",
        help="the session itself goes on compacted, where its agent can do that and is closed"
        " (default: a new session, the original stays as it is)",
    )
    command.add_argument(
        "--keep-time",
        action="store_true",
        help="with --in-place: the file keeps its time, so that its agent does not take the session"
        " for the latest one (pi)",
    )
    command.add_argument(
        "--force",
        action="store_true",
        help="also a session that becomes larger in place, or a --handoff that is none",
    )
    command.add_argument("--dry-run", action="store_true", help="show what would be written")
    with_json(command)


def restore(commands: Any) -> None:
    command = command_of(
        commands, "restore", "write a new session as it was before its agent compacted it"
    )
    with_session(command)
    command.add_argument(
        "--before",
        type=ordinal,
        metavar="N",
        help="before the agent's compaction N, from 1 (default: the last)",
    )
    command.add_argument(
        "--repair",
        action="store_true",
        help="a copy of the session as it is now, of which the agent finds all on resume",
    )
    command.add_argument("--dry-run", action="store_true", help="show what would be written")
    with_json(command)
