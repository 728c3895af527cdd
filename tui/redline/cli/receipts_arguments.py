"""The arguments of `redline receipts` and `redline undo`. Nothing is loaded to declare them."""

from __future__ import annotations

from typing import Any

from redline.cli.arguments import command_of, ordinal, with_json


def receipts(commands: Any) -> None:
    """Declares both on `commands`."""
    command = command_of(
        commands, "receipts", "list what was written, and show what was there before"
    )
    command.add_argument(
        "verb",
        nargs="?",
        default="list",
        choices=("list", "show", "search", "prune"),
        help="default: list, newest first; show what a receipt changed, or a file of it as it was;"
        " search what was there and what was written; prune old receipts and their copies",
    )
    command.add_argument("words", nargs="*", metavar="ID [FILE]|TEXT", help="of show and of search")
    command.add_argument(
        "--written", action="store_true", help="with show ID FILE: as it was written"
    )
    command.add_argument(
        "--older", metavar="AGE", help="with prune: older than 30d (the default), 12h, 2026-08-01"
    )
    command.add_argument(
        "--keep",
        type=ordinal,
        metavar="N",
        help="with prune: the newest N stay, whatever their age",
    )
    command.add_argument(
        "--dry-run", action="store_true", help="with prune: only say what would be freed"
    )
    with_json(command)
    command = command_of(commands, "undo", "take a commit back, or an undo")
    command.add_argument(
        "receipt",
        nargs="?",
        metavar="RECEIPT",
        help="its id or the start of one (default: the last thing done in this folder)",
    )
    with_json(command)
