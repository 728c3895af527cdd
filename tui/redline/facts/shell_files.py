"""Files that a shell command changed, where the command names them in so many words."""

from __future__ import annotations

import posixpath
import re
import shlex

from redline.facts.shell import QUOTED, without_documents

_LONGEST = 6_000  # characters of a command that are looked at
_HINT = re.compile(r">|\b(?:mv|cp|rm|tee|sed|perl)\s")
_OPERATORS = "();<>|&\n"
_COMMENT = re.compile(r"^[ \t]*#[^\n]*", re.M)
_OPERATOR = re.compile(f"[{re.escape(_OPERATORS)}]")
_HIDDEN = "\ue000"  # an operator in quotes, which is none
_NO_NAME = re.compile(
    r"[\ue000*?$`{}\[\]]|^-|^&|^\d*$|^/(?:dev|tmp|var/tmp|private/tmp|proc)(?:/|$)|/$"
)
_WRAPPERS = frozenset(("sudo", "command", "env", "then", "do", "else"))


def files_changed(command: str) -> list[str]:
    """The files that `command` writes, moves or removes, each once, by the path it gives.

    A relative one behind an absolute `cd` is made absolute. Patterns, variables, folders and
    scratch files are left out.
    """
    if not _HINT.search(command) or len(command) > _LONGEST:
        return []
    text = _COMMENT.sub("", without_documents(command))
    text = QUOTED.sub(lambda match: _OPERATOR.sub(_HIDDEN, match.group()), text)
    lexer = shlex.shlex(text, posix=True, punctuation_chars=_OPERATORS)
    lexer.whitespace_split = True
    lexer.whitespace = " \t\r"
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:
        return []
    found: dict[str, None] = {}
    folder = ""
    step: list[str] = []
    for word in [*words, "\n"]:
        if word and not word.strip(_OPERATORS) and not set(word) & set("<>"):
            folder = _step(step, folder, found)
            step = []
        else:
            step.append(word)
    return list(found)


def _step(words: list[str], folder: str, found: dict[str, None]) -> str:
    """Note what one simple command changes; the folder that the next one runs in."""
    plain: list[str] = []
    redirection = ""
    for word in words:
        if set(word) <= set("<>&|") and set(word) & set("<>"):
            redirection = word
            if plain and plain[-1].isdigit():
                redirection = plain.pop() + word
        elif redirection:
            if redirection in (">", ">>", "&>", ">|", "1>", "1>>"):
                _note(word, folder, found)
            redirection = ""
        else:
            plain.append(word)
    while plain and (plain[0] in _WRAPPERS or re.fullmatch(r"\w+=.*", plain[0], re.S)):
        plain = plain[1:]
    if not plain:
        return folder
    program, rest = plain[0], plain[1:]
    if program == "git" and rest[:1] in (["mv"], ["rm"]):
        program, rest = rest[0], rest[1:]
    operands = [
        word for word in rest if not word.startswith("-") and word not in ("<", "<<", "<<<")
    ]
    match program:
        case "cd" | "pushd":
            target = operands[0] if operands else "~"
            return target if target.startswith(("/", "~")) else posixpath.join(folder, target)
        case "tee":
            for word in operands:
                _note(word, folder, found)
        case "rm" if not any("r" in word.lower() for word in rest if word.startswith("-")):
            for word in operands:
                _note(word, folder, found)
        case "mv" | "cp" if len(operands) > 1:
            *sources, target = operands
            inside = len(sources) > 1 or target.endswith("/") or target in (".", "..")
            for source in sources:
                if "." not in posixpath.basename(source):
                    continue  # a folder, as far as one can tell
                if program == "mv":
                    _note(source, folder, found)
                name = posixpath.join(target, posixpath.basename(source))
                _note(name if inside else target, folder, found)
        case "sed" | "perl" if any(re.match(r"-\w*i", word) for word in rest):
            given = any(word in ("-e", "--expression") for word in rest)
            for word in [word for word in operands if word][0 if given else 1 :]:
                if re.fullmatch(r"[\w./~@+-]+\.\w+", word):
                    _note(word, folder, found)
    return folder


def _note(path: str, folder: str, found: dict[str, None]) -> None:
    path = path.strip()
    if not path or _NO_NAME.search(path):
        return
    if not path.startswith(("/", "~")):
        path = posixpath.normpath(posixpath.join(folder, path))
    if not _NO_NAME.search(path) and not path.startswith("../"):
        found[path] = None
