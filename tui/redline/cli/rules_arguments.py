"""The arguments of `redline rules`."""

from __future__ import annotations

from typing import Any

from redline.cli.arguments import command_of, with_json, with_session

RULE_STATES = ("proposed", "active", "superseded", "revoked", "dismissed")
RULE_VERBS = (
    "list",
    "show",
    "confirm",
    "edit",
    "dismiss",
    "add",
    "revoke",
    "supersede",
    "scope",
    "undo",
)


def rules(commands: Any) -> None:
    """Declares the command."""
    command = command_of(commands, "rules", "list the rules the user stated, and decide on them")
    with_session(command)
    command.add_argument(
        "verb",
        nargs="?",
        default="list",
        choices=RULE_VERBS,
        help="what to do (default: list); undo takes back the last step",
    )
    command.add_argument(
        "words",
        nargs="*",
        metavar="ID|TEXT",
        help="rule ids or their starts; TEXT of `add`; ID TEXT of `edit`; OLD and NEW or TEXT of "
        "`supersede`; ID and `session` or `project` of `scope`",
    )
    command.add_argument(
        "--all", action="store_true", help="with confirm and dismiss: every proposed rule"
    )
    command.add_argument(
        "--state", nargs="+", choices=RULE_STATES, default=[], help="with list: only in these"
    )
    command.add_argument(
        "--project",
        action="store_true",
        help="with list: over all sessions of the project, and which of its files say them",
    )
    with_json(command)
