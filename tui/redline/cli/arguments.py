"""The commands with their arguments. Nothing is loaded to declare them."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from redline.amounts import tokens_of

if TYPE_CHECKING:
    from redline.handoff.budget import Size

# Declared here rather than asked of the floors, so that --help loads none of them; a test
# compares them with what the floors know.
STRATEGIES = (
    "redline",
    "clear",
    "claude-code",
    "codex",
    "codex-remote",
    "codex-remote-v1",
    "hermes",
    "hermes-legacy",
    "pi",
    "scored",
    "fresh",
)
AGENTS = ("claude-code", "codex", "pi", "hermes")
ROLES = ("user", "assistant", "tool")
_DIGITS = 12  # of a count, as of a number of tokens

MODULES = {
    "open": "screens",
    "demo": "demo",
    "sessions": "sessions",
    "search": "search",
    "follow": "follow",
    "inspect": "inspect",
    "show": "show",
    "contents": "contents",
    "plan": "plan",
    "compare": "compare",
    "rules": "rules",
    "handoff": "handoff",
    "remember": "remember",
    "audit": "audit",
    "evaluate": "evaluate",
    "promote": "promote",
    "compact": "compact",
    "restore": "restore",
    "receipts": "receipts",
    "undo": "undo",
    "config": "config",
    "doctor": "doctor",
}
NAMES = tuple(MODULES)

SESSION = "path, id, id's start, or `last`: the newest session of this project"


def add_all(commands: Any, only: str | None = None) -> None:
    """Declares every command, or what `only` this one needs, on `commands` (what `add_subparsers`
    gives): to declare all of them takes longer than to start Python."""
    from redline.cli.compact_arguments import compact, restore
    from redline.cli.evaluate_arguments import evaluate
    from redline.cli.promote_arguments import promote
    from redline.cli.receipts_arguments import receipts
    from redline.cli.remember_arguments import remember
    from redline.cli.rules_arguments import rules

    for declare, names in (
        (_open, ("open",)),
        (_demo, ("demo",)),
        (_sessions, ("sessions",)),
        (_search, ("search",)),
        (_follow, ("follow",)),
        (_inspect, ("inspect",)),
        (_show, ("show",)),
        (_contents, ("contents",)),
        (_plan, ("plan",)),
        (_compare, ("compare",)),
        (rules, ("rules",)),
        (_handoff, ("handoff",)),
        (remember, ("remember",)),
        (_audit, ("audit",)),
        (evaluate, ("evaluate",)),
        (promote, ("promote",)),
        (compact, ("compact",)),
        (restore, ("restore",)),
        (receipts, ("receipts", "undo")),
        (_config, ("config", "doctor")),
    ):
        if only is None or only in names:
            declare(commands)


def tokens(text: str) -> int:
    """A number of tokens: `20000`, `20k`, `1.5k`, `1m`. Raises ArgumentTypeError."""
    value = tokens_of(text)
    if value is None:
        raise argparse.ArgumentTypeError(f"a number of tokens was expected (20000, 20k): {text!r}")
    return value


def command_of(commands: Any, name: str, text: str, **more: Any) -> argparse.ArgumentParser:
    """A command called `name` on `commands`; `text` says what it does."""
    made: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text, **more)
    return made


def with_session(command: argparse.ArgumentParser) -> None:
    command.add_argument("session", metavar="SESSION", help=SESSION)


def with_json(command: argparse.ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print JSON instead of text")


def _with_view(command: Any) -> None:
    """Another view of the session than the live one."""
    command.add_argument(
        "--leaf",
        type=named,
        metavar="ID",
        help="another leaf of the session's tree, or the start of its id",
    )
    command.add_argument(
        "--before", type=ordinal, metavar="N", help="as it was just before compaction N, from 1"
    )


def named(text: str) -> str:
    """An id, or the start of one. Raises ArgumentTypeError where there is none."""
    if not text.strip():
        raise argparse.ArgumentTypeError("no id was given")
    return text


def ordinal(text: str) -> int:
    """A number from 1. Raises ArgumentTypeError."""
    if not text.isdecimal() or len(text) > _DIGITS or int(text) < 1:
        most = f" of at most {_DIGITS} digits" if len(text) > _DIGITS else ""
        raise argparse.ArgumentTypeError(f"a number from 1{most} was expected: {text[:40]!r}")
    return int(text)


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"a number from 0 to 1 was expected: {text!r}")
    return value


def with_plan(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group(
        "the plan", "ID is a message's id or the start of one; ID#N is one part of it, from 0"
    )
    group.add_argument(
        "--strategy",
        metavar="NAME",
        help=f"whose rules cut: {', '.join(STRATEGIES)}, or one that a package adds",
    )
    group.add_argument("--tail", type=tokens, metavar="TOKENS", help="budget of the kept tail")
    group.add_argument(
        "--turns", type=ordinal, metavar="N", help="scored: the most of the last turns that stay"
    )
    group.add_argument(
        "--score", type=_share, metavar="S", help="scored: above this a message stays, 0 to 1"
    )
    group.add_argument("--cut", type=named, metavar="ID", help="message the kept tail starts at")
    for action, what in (
        ("keep", "stay word for word"),
        ("drop", "go without a trace"),
        ("clear", "stay with their tool results cleared"),
        ("quote", "are quoted in the handoff"),
        ("shorten", "stay with the middle of their tool results taken out"),
        ("summarise", "are retold in the handoff"),
    ):
        group.add_argument(
            f"--{action}",
            type=named,
            metavar="ID",
            nargs="+",
            action="extend",
            default=[],
            help=f"messages that {what}",
        )
    _with_view(group)
    group.add_argument("--plan", metavar="PLAN", help="a plan saved with `redline plan -o`")


def _open(commands: Any) -> None:
    command = command_of(commands, "open", "open the screens at a session's desk")
    command.add_argument("session", metavar="SESSION", nargs="?", help=SESSION)


def _demo(commands: Any) -> None:
    command = command_of(
        commands, "demo", "open the screens on copies of the sample sessions, in a scratch folder"
    )
    command.add_argument(
        "--headless",
        action="store_true",
        help="go the whole way once without a screen and print what was done",
    )
    command.add_argument("--keep", metavar="DIR", help="scratch folder to use and leave behind")


def _sessions(commands: Any) -> None:
    command = command_of(commands, "sessions", "list the sessions of all agents")
    command.add_argument("--agent", choices=AGENTS, help="only this agent's")
    command.add_argument("--project", metavar="DIR", help="only those of this folder and below")
    with_json(command)


def _search(commands: Any) -> None:
    command = command_of(commands, "search", "find where something was said, in all sessions")
    command.add_argument(
        "text",
        metavar="TEXT",
        nargs="+",
        help='words that must all occur in one message, any case; "a phrase" is exact text',
    )
    command.add_argument("--agent", choices=AGENTS, help="only this agent's sessions")
    command.add_argument("--project", metavar="DIR", help="only those of this folder and below")
    command.add_argument(
        "--role", choices=ROLES, help="only what the user, the model or tools said"
    )
    command.add_argument("--since", metavar="WHEN", help="not before: 3d, 12h, 2026-08-01")
    command.add_argument(
        "--limit",
        type=ordinal,
        metavar="N",
        help="at most N places (default: 50, and no more than 10 of one session)",
    )
    with_json(command)


def _follow(commands: Any) -> None:
    command = command_of(commands, "follow", "show one session's window, live, as its file grows")
    with_session(command)
    command.add_argument(
        "--latest",
        action="store_true",
        help="go on to the project's newest session when the agent does",
    )
    command.add_argument(
        "--handoff",
        metavar="FILE",
        help="write the handoff there whenever a trigger is met or a step of the plan ends",
    )
    with_json(command)


def _inspect(commands: Any) -> None:
    command = command_of(
        commands, "inspect", "show the window by category, turns, compactions, rules and damage"
    )
    with_session(command)
    _with_view(command)
    with_json(command)


def _show(commands: Any) -> None:
    command = command_of(commands, "show", "print the context as text, or one message whole")
    with_session(command)
    command.add_argument(
        "--resume", action="store_true", help="what the agent's own loader would find on resume"
    )
    command.add_argument(
        "--message",
        type=named,
        metavar="ID",
        help="one message, whole; also one outside the context",
    )
    command.add_argument(
        "--history", action="store_true", help="all messages, also those outside the context"
    )
    _with_view(command)
    with_json(command)


def _contents(commands: Any) -> None:
    command = command_of(
        commands,
        "contents",
        "list the whole history by turn: compactions, errors, branches and subagents",
    )
    with_session(command)
    _with_view(command)
    with_json(command)


def _plan(commands: Any) -> None:
    command = command_of(commands, "plan", "show what a compaction would keep, clear and summarise")
    with_session(command)
    with_plan(command)
    command.add_argument("-o", "--output", metavar="PLAN", help="save the plan in this file")
    with_json(command)


def _compare(commands: Any) -> None:
    command = command_of(commands, "compare", "set all strategies side by side, with their price")
    with_session(command)
    command.add_argument(
        "--strategy",
        metavar="S",
        nargs="+",
        action="extend",
        default=[],
        help="only these (default: all there are)",
    )
    command.add_argument("--tail", type=tokens, metavar="TOKENS", help="one tail budget for all")
    command.add_argument("--messages", action="store_true", help="what each does to each message")
    command.add_argument("--take", metavar="S", help="with -o: the strategy whose plan is saved")
    command.add_argument("-o", "--output", metavar="PLAN", help="save that plan in this file")
    _with_view(command)
    with_json(command)


def _handoff(commands: Any) -> None:
    command = command_of(commands, "handoff", "write a handoff for the next agent")
    with_session(command)
    with_plan(command)
    command.add_argument("--focus", default="", metavar="TEXT", help="what matters next")
    command.add_argument(
        "--budget",
        type=_size,
        metavar="SIZE",
        help="how long it may be: 8k (tokens), 20%% (of the context) or 4000c (characters)",
    )
    command.add_argument(
        "--fit",
        type=tokens,
        metavar="TOKENS",
        help="how long the whole file may be, with the messages the plan keeps",
    )
    command.add_argument(
        "--writer",
        metavar="WRITER",
        help="who writes it: offline (without a model), litellm's name of a model,"
        " `command: PROGRAM ARGS` that reads the prompt on standard input, or fork (of the session,"
        " in its own agent) (default: the setting)",
    )
    command.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="where to; `-` is standard output (default: redline's handoffs folder)",
    )
    command.add_argument("--format", choices=("md", "json"), help="default: by FILE, else md")
    command.add_argument("--replace", action="store_true", help="write over an existing FILE")
    command.add_argument("--dry-run", action="store_true", help="show what would be written")
    command.add_argument("--copy", action="store_true", help="put it on the clipboard instead")
    command.add_argument(
        "--latest",
        action="store_true",
        help="write none: tell the newest of the session's project, and how to start with it",
    )
    command.add_argument(
        "--json",
        action="store_true",
        help="print JSON instead of text: what was written where, and how",
    )


def _size(text: str) -> Size:
    from redline.handoff.budget import size_of

    size = size_of(text)
    if size is None:
        raise argparse.ArgumentTypeError(f"8k, 20% or 4000c was expected: {text!r}")
    return size


def _audit(commands: Any) -> None:
    command = command_of(
        commands,
        "audit",
        "show what a handoff, or else the agent's own last compaction, keeps and loses",
    )
    with_session(command)
    command.add_argument("--handoff", metavar="FILE", help="the handoff to audit")
    command.add_argument(
        "--compaction",
        type=named,
        metavar="N",
        help="the agent's compaction with this number or id",
    )
    command.add_argument(
        "--all", action="store_true", help="every compaction of the agent, a row each"
    )
    with_plan(command)
    with_json(command)


def _config(commands: Any) -> None:
    command = command_of(commands, "config", "show the settings with their origin")
    command.add_argument(
        "verb",
        nargs="?",
        default="show",
        choices=("show", "path", "edit"),
        help="print the settings, or their file's path, or open it in $EDITOR (default: show)",
    )
    with_json(command)
    command = command_of(
        commands, "doctor", "say what was looked for where, what was found and what is missing"
    )
    with_json(command)
