"""The command line: what can be asked for, and how errors end.

Only argparse and the standard library are loaded here; each command imports what it needs when it
runs, so that `redline --help` answers at once.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from redline.cli import arguments, typed
from redline.errors import RedlineError
from redline.version import __version__

INTERRUPTED = 130
FAULT = 70  # a fault of redline's own (EX_SOFTWARE of sysexits.h)
_FRAMES = 8  # that are told of one, the innermost


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole grammar of the command line, or what is needed to read `only` this command."""
    root = argparse.ArgumentParser(
        prog="redline",
        description="See what a coding agent's context holds, decide what the next one keeps, "
        "and undo it.",
        epilog="Without a command the screens open; with a SESSION they open at its desk. "
        "SESSION is a path, an id, an id's start, or `last` (the newest of this project).",
    )
    root.add_argument("--version", action="version", version=f"redline {__version__}")
    commands = root.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    arguments.add_all(commands, only)
    return root


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit status (0 done, 1 no, 2 wrong use, 130 interrupted, 70 a
    fault of redline's own)."""
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        _speak_utf8()
        if argv is None:  # a command is short, and makes few cycles: a tenth of its time
            gc.set_threshold(100_000, 50, 50)
        root = parser(words[0] if words and words[0] in arguments.NAMES else None)
        if words and not words[0].startswith("-") and words[0] not in arguments.NAMES:
            words = _screens_or_hint(words, root)
        if words[:1] == ["search"]:
            words = typed.search_words(words)
        elif words[:1] == ["rules"]:
            words = typed.rule_words(words)
        options = root.parse_args(words)
        module = import_module(f"redline.cli.{arguments.MODULES.get(options.command, 'screens')}")
        status = int(module.run(options))
        sys.stdout.flush()
        return status
    except RedlineError as error:
        _complain(error)
        return error.status
    except KeyboardInterrupt:
        print("redline: interrupted, nothing was left half-written", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`redline show | head`): not our error, and nothing to flush into.
        _close_output()
        return 0
    except UnicodeEncodeError as error:
        name = error.object.encode("utf-8", "replace").decode()
        hint = "use a UTF-8 locale: LC_ALL=C.UTF-8"
        _complain(RedlineError(f"this locale has no file name for {name}", hint))
        return RedlineError("").status
    except OSError as error:
        _complain(RedlineError(f"{_place(error)}: {error.strerror or error}"))
        _close_output()
        return RedlineError("").status
    except Exception as error:
        if sys.flags.dev_mode:
            raise
        _complain(_own_fault(error))
        return FAULT


def _own_fault(error: Exception) -> RedlineError:
    """What is said of an error that nobody foresaw: what a report needs, and nothing of a session
    but what the error itself names."""
    import traceback

    from redline.redaction import redact
    from redline.text import one_line

    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    frames = [
        f"{os.path.relpath(frame.filename, package)}:{frame.lineno}"
        if frame.filename.startswith(package)
        else f"{os.path.basename(frame.filename)}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]
    said = one_line(redact(str(error)).text, 200)
    return RedlineError(
        f"this is a fault of redline itself: {type(error).__name__}{': ' if said else ''}{said}",
        f"at {' > '.join(frames[-_FRAMES:])}\n"
        f"please report these lines, redline {__version__}, and what `redline doctor` says; what a "
        "command had begun to write is finished or taken back by the next one",
    )


def _screens_or_hint(words: list[str], root: argparse.ArgumentParser) -> list[str]:
    """`redline SESSION` opens the desk; a mistyped command gets a hint instead."""
    from difflib import get_close_matches

    near = get_close_matches(words[0], arguments.NAMES, n=1, cutoff=0.75)
    if near and not os.path.exists(words[0]):
        root.error(f"there is no command {words[0]!r}; did you mean {near[0]!r}?")
    return ["open", *words]


def _close_output() -> None:
    """What is left in the buffer goes nowhere, so that the end of the program does not fail."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _place(error: OSError) -> str:
    """The file that `error` is about; where it names none, it was the output."""
    name = error.filename
    if name is None:
        return "cannot write the output"
    return os.fsdecode(name) if isinstance(name, str | bytes) else str(name)


def _complain(error: RedlineError) -> None:
    from redline.text import safe

    print(f"redline: {safe(error.message)}", file=sys.stderr)
    if error.hint:
        for line in safe(error.hint).split("\n"):
            print(f"         {line}", file=sys.stderr)


def _speak_utf8() -> None:
    """Session text is Unicode whatever the locale says; what the terminal lacks is replaced.

    Where a stream was closed before the start, what is written to it goes nowhere.
    """
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  # open as long as the program runs
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit(main())
