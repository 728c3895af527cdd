"""The arguments of `redline evaluate`. Nothing is loaded to declare them."""

from __future__ import annotations

from typing import Any

from redline.cli.arguments import SESSION, ordinal, tokens

_ABOUT = "measure what survives of what was said, compaction after compaction"


def evaluate(commands: Any) -> None:
    """Declares `redline evaluate` on `commands`."""
    command = commands.add_parser("evaluate", help=_ABOUT, description=_ABOUT)
    command.add_argument(
        "session",
        metavar="SESSION",
        nargs="?",
        help=f"{SESSION}; or `sample`; it is copied in memory (default: sessions made up)",
    )
    command.add_argument(
        "--rounds",
        type=ordinal,
        default=5,
        metavar="N",
        help="compactions, one after the other (default: 5)",
    )
    command.add_argument(
        "--budget",
        default="30%,20%,10%",
        metavar="SIZES",
        help="how long a handoff may be, several by comma: 20%% (of the characters of the first "
        "session), 8k (tokens), 4000c (characters), none (default: 30%%,20%%,10%%)",
    )
    command.add_argument(
        "--strategy",
        default="fresh",
        metavar="NAMES",
        help="whose rules cut, several by comma (default: fresh)",
    )
    command.add_argument(
        "--writer",
        metavar="NAMES",
        action="append",
        default=[],
        help="offline, a model's name, or `command: PROGRAM ARGS`; several by comma or by naming "
        "the option again (default: offline)",
    )
    command.add_argument("--tail", type=tokens, metavar="TOKENS", help="budget of the kept tail")
    command.add_argument(
        "--sessions", type=ordinal, default=3, metavar="N", help="how many sessions (default: 3)"
    )
    command.add_argument(
        "--seed",
        type=int,
        default=0,
        metavar="N",
        help="another one plants other things (default: 0)",
    )
    command.add_argument(
        "--planted",
        type=ordinal,
        default=20,
        metavar="N",
        help="things planted in a session (default: 20)",
    )
    command.add_argument(
        "--characters",
        type=ordinal,
        default=8_000,
        metavar="N",
        help="length of a session that is made up (default: 8000)",
    )
    command.add_argument(
        "--plants",
        default="known",
        metavar="FILE",
        help="what is planted: known, held-out, or a JSON file of your own (default: known)",
    )
    command.add_argument("--keep", metavar="DIR", help="write the sessions and handoffs there")
    command.add_argument(
        "--ways",
        action="store_true",
        help="compare the ways of working in a simulated run of an agent instead",
    )
    command.add_argument(
        "--requests",
        type=ordinal,
        default=400,
        metavar="N",
        help="with --ways: requests of a run (default: 400)",
    )
    command.add_argument(
        "--window",
        type=tokens,
        default=200_000,
        metavar="TOKENS",
        help="with --ways: the model's limit (default: 200k)",
    )
    command.add_argument(
        "--model",
        default="claude-opus-4-6",
        metavar="NAME",
        help="with --ways: whose prices count (default: claude-opus-4-6)",
    )
    command.add_argument("--json", action="store_true", help="print JSON instead of text")
