"""What a simple command would do to files: also to whole folders, and to those it only hints at.

`redline.facts.shell_files` lists the files that were surely changed; this is for the question
whether a command lays hands on a path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from redline.facts.shell_words import UNKNOWN, Simple, joined


class Deed(Enum):
    """What is done to a file: its text changes, it is removed, or moved away, or a new one is put
    in its place."""

    CHANGE = auto()
    REMOVE = auto()
    MOVE = auto()
    WRITE = auto()


@dataclass(frozen=True, slots=True)
class Write:
    """`path` as seen from where the line starts; with `tree` all that is below it."""

    path: str
    deed: Deed
    tree: bool = False


_NULL = re.compile(r"/dev/|&|-$|\d+$|$")
_FORMATTERS = {
    "prettier": ("--write", "-w"),
    "eslint": ("--fix",),
    "black": (),
    "isort": (),
    "autopep8": ("-i", "--in-place"),
    "gofmt": ("-w",),
    "goimports": ("-w",),
    "rustfmt": (),
    "biome": ("--write", "--apply"),
    "stylelint": ("--fix",),
    "rubocop": ("-a", "-A", "--auto-correct", "--autocorrect"),
    "clang-format": ("-i",),
    "shfmt": ("-w",),
}
_CHECKS = frozenset(("--check", "--diff", "--list-different", "-l"))
_RUNNERS = frozenset(("npx", "bunx", "pnpx", "uvx"))
_OPENED = re.compile(
    r"\bopen\(\s*(?:[rf]{0,2})(['\"])(?P<a>[^'\"\n]{1,300})\1\s*,\s*(?:mode\s*=\s*)?['\"][rb]*[wax+]"
    r"|\bPath\(\s*(['\"])(?P<b>[^'\"\n]{1,300})\3\s*\)\.(?:write_\w+|unlink|touch)\("
    r"|\b(?:writeFile|appendFile|unlink|rm)(?:Sync)?\(\s*(['\"`])(?P<c>[^'\"`\n]{1,300})\5"
    r"|\b(?:os\.(?:remove|unlink)|shutil\.rmtree)\(\s*(['\"])(?P<d>[^'\"\n]{1,300})\7"
)
_INTERPRETERS = re.compile(r"(?:python[\d.]*|node|ruby|perl|deno|bun|php)$")
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")
_MOST = 64  # words that one with braces stands for


def writes(simple: Simple) -> list[Write]:
    """What `simple` writes, in the order of its words. Scratch devices are left out."""
    found = [(path, Deed.WRITE, False) for path in simple.writes]
    found += _of_program(simple)
    return [
        Write(joined(simple.folder, path), deed, tree)
        for word, deed, tree in found
        for path in expanded(word)
        if not _NULL.match(path) and not path.startswith(UNKNOWN)
    ]


def expanded(word: str) -> list[str]:
    """The words that one with braces stands for: `a/{b,c}` is `a/b` and `a/c`."""
    found: list[str] = []
    waiting = [word]
    while waiting and len(found) + len(waiting) < _MOST:
        each = waiting.pop(0)
        if match := _BRACES.search(each):
            choices = match[1].split(",")
            waiting[:0] = [each[: match.start()] + one + each[match.end() :] for one in choices]
        else:
            found.append(each)
    return [*found, *waiting][:_MOST]


_Found = tuple[str, Deed, bool]


def _of_program(simple: Simple) -> Iterator[_Found]:
    words = list(simple.words)
    program = simple.program
    if program in _RUNNERS and len(words) > 1:
        words = words[1:]
        program = words[0]
    rest = words[1:]
    if simple.before:
        named = _named_before(simple.before)
        rest = [name for word in rest for name in (named if word == "{}" else (word,))]
        rest += [] if "{}" in words else named
    flags = [word for word in rest if word.startswith("-") and len(word) > 1]
    operands = [word for word in rest if word not in flags]
    match program:
        case "git":
            yield from _git(rest)
        case "rm" | "unlink" | "shred" | "rmdir" | "trash":
            tree = program == "rm" and any(re.match(r"-\w*[rR]|--recursive", f) for f in flags)
            for path in operands:
                yield path, Deed.REMOVE, tree and not simple.before
        case "mv":
            yield from _moved(operands, away=True)
        case "rsync" if any(re.match(r"-\w*n|--dry-run", flag) for flag in flags):
            return
        case "cp" | "rsync" | "install" | "ln":
            yield from _moved(operands, away=False)
        case "tee" | "touch" | "truncate" | "sponge":
            for path in operands:
                yield path, Deed.WRITE, False
        case "mkdir":
            for path in operands:
                yield path, Deed.WRITE, False
        case "chmod" | "chown" | "chgrp":
            tree = any(re.match(r"-\w*R|--recursive", flag) for flag in flags)
            for path in operands[1:]:
                yield path, Deed.CHANGE, tree
        case "dd":
            for word in operands:
                if word.startswith("of="):
                    yield word[3:], Deed.WRITE, False
        case "sed" | "perl" | "gsed" | "ruby":
            yield from _in_place(rest, program)
        case "find":
            if "-delete" in rest:
                everything = not any(word.startswith("-") and word != "-delete" for word in rest)
                for path in _named_before(tuple(words)):
                    yield path, Deed.REMOVE, everything
        case "tar" | "unzip":
            for place, word in enumerate(rest[:-1]):
                if word in (("-C", "--directory") if program == "tar" else ("-d",)):
                    yield rest[place + 1], Deed.WRITE, False
        case "curl" | "wget" | "sort" | "gcc" | "cc" | "clang":
            for place, word in enumerate(rest[:-1]):
                if word in (("-O", "-o") if program == "wget" else ("-o", "--output")):
                    yield rest[place + 1], Deed.WRITE, False
        case "patch":
            for path in operands[:1]:
                yield path, Deed.CHANGE, False
        case "ruff":
            if rest[:1] == ["format"] or "--fix" in rest:
                yield from _formatted(operands[1:], flags, ())
        case _ if program in _FORMATTERS:
            yield from _formatted(operands, flags, _FORMATTERS[program])
        case _ if _INTERPRETERS.match(program):
            yield from _scripted("\n".join((*rest, simple.document)))
    if program == "perl" or program == "ruby":
        yield from _scripted(simple.document)


def _git(words: list[str]) -> Iterator[_Found]:
    folder = ""
    while words and words[0].startswith("-"):
        if words[0] == "-C" and len(words) > 1:
            folder = joined(folder, words[1])
        words = words[2:] if words[0] in ("-C", "-c") else words[1:]
    if not words:
        return
    for path, deed, tree in _of_git(words[0], words[1:]):
        yield joined(folder, path), deed, tree


def _of_git(verb: str, rest: list[str]) -> Iterator[_Found]:
    operands = [word for word in rest if not word.startswith("-")]
    flags = [word for word in rest if word.startswith("-")]
    match verb:
        case "rm" | "mv" | "clean" if any(re.match(r"-\w*n|--dry-run", flag) for flag in flags):
            return
        case "clean" if any(re.match(r"-\w*f|--force", flag) for flag in flags):
            for path in operands:
                yield path, Deed.REMOVE, False
        case "rm":
            for path in operands:
                yield path, Deed.REMOVE, any(re.match(r"-\w*r", flag) for flag in flags)
        case "mv":
            yield from _moved(operands, away=True)
        case "restore" if "--staged" not in rest or "--worktree" in rest:
            for path in operands:
                yield path, Deed.CHANGE, False
        case "checkout" if "--" in rest:
            for path in rest[rest.index("--") + 1 :]:
                yield path, Deed.CHANGE, False
        case "checkout" if len(operands) > 1 or any(
            "/" in word and "." in word for word in operands
        ):
            for path in operands:
                yield path, Deed.CHANGE, False


def _moved(operands: list[str], *, away: bool) -> Iterator[_Found]:
    if len(operands) < 2:
        return
    *sources, target = operands
    if away:
        for source in sources:
            yield source, Deed.MOVE, True
    yield target, Deed.WRITE, False
    for source in sources:  # where the target is a folder
        name = source.rstrip("/").rsplit("/", 1)[-1]
        if name and name not in (".", ".."):
            yield f"{target.rstrip('/') or '/'}/{name}", Deed.WRITE, False


def _in_place(rest: list[str], program: str) -> Iterator[_Found]:
    """sed -i, perl -pi: the operands that are no script."""
    if not any(re.match(r"-\w*i|--in-place", word) for word in rest):
        return
    script_given = False
    operands: list[str] = []
    skip = False
    for word in rest:
        if skip:
            skip = False
        elif word in ("-e", "--expression", "-f") or re.fullmatch(r"-\w*e", word):
            script_given = skip = True
        elif word and not word.startswith("-"):
            operands.append(word)
    for path in operands if script_given or program == "ruby" else operands[1:]:
        yield path, Deed.CHANGE, False


def _formatted(operands: list[str], flags: list[str], wanted: tuple[str, ...]) -> Iterator[_Found]:
    if _CHECKS.isdisjoint(flags) and (not wanted or not set(wanted).isdisjoint(flags)):
        for path in operands:
            yield path, Deed.CHANGE, False


def _scripted(text: str) -> Iterator[_Found]:
    """Files that a script in the line opens to write, where it names them."""
    for match in _OPENED.finditer(text):
        path = match["a"] or match["b"] or match["c"] or match["d"]
        yield path, Deed.REMOVE if match["d"] else Deed.WRITE, bool(match["d"])


def _named_before(words: tuple[str, ...]) -> list[str]:
    """The paths that the command piped into this one looked in."""
    program, rest = words[0].rsplit("/", 1)[-1], words[1:]
    operands = [word for word in rest if not word.startswith("-")]
    if program == "find":
        paths = []
        for word in rest:
            if word.startswith(("-", "(", "!")):
                break
            paths.append(word)
        return paths
    if program in ("grep", "rg", "egrep", "ag", "fd"):
        return operands[1:]
    if program == "git" and operands[:1] == ["ls-files"]:
        return operands[1:]
    return operands if program in ("ls", "echo", "printf") else []
