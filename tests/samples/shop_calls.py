"""The calls of an agent at work in the made-up project `shop`."""

from __future__ import annotations

from tests.samples import texts
from tests.samples.claude_code import Call

HOME = "/home/dev/shop"
ROUNDING = "3f6c1d52-8a7e-4b1c-9c55-0d2b7a61e4f8"
EXPORT = "8b21e0a9-46d3-4f7a-8e0c-51a9c3d7f260"
POSTGRES = "c7d90f14-2b5a-4e83-a6f1-98e04b3d1a57"
SURVEY = "a5c1e07b94d2f6380"
FAILING = "tests/test_export.py::test_export_totals_match_the_invoice"


def read(path: str, seed: int, functions: int = 12) -> Call:
    text = texts.module(path, seed, functions)
    return Call("Read", {"file_path": f"{HOME}/{path}"}, texts.numbered(text))


def shell(command: str, result: str, what: str = "", *, error: bool = False) -> Call:
    given = {"command": command, "description": what} if what else {"command": command}
    return Call("Bash", given, result, error)


def edit(path: str, old: str, new: str) -> Call:
    given = {"file_path": f"{HOME}/{path}", "old_string": old, "new_string": new}
    shown = "\n".join(f"{at:6d}\t{line}" for at, line in enumerate(new.split("\n"), 40))
    done = f"The file {HOME}/{path} has been updated. Here's the result of running `cat -n`:\n"
    return Call("Edit", given, done + shown)


def todo(*items: tuple[str, str]) -> Call:
    given = [
        {"content": text, "status": state, "activeForm": f"Working on: {text}"}
        for text, state in items
    ]
    done = "Todos have been modified successfully. Continue to use the todo list."
    return Call("TodoWrite", {"todos": given}, done)


def committed(branch: str, short: str, subject: str, files: int) -> str:
    changed = f" {files} files changed, {files * 14} insertions(+), {files * 6} deletions(-)"
    return f"[{branch} {short}] {subject}\n{changed}"
