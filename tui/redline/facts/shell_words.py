"""A shell line as the simple commands it runs, with their words, redirections and folder."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

UNKNOWN = "\ue001"  # stands in a word for what only the shell would know
_LONGEST = 20_000  # characters of a command that are looked at
_DEEPEST = 4  # commands inside commands
_ASSIGNED = re.compile(r"([A-Za-z_]\w*)=(.*)", re.S)
_NAME = re.compile(r"\{?([A-Za-z_]\w*)\}?")
_KEYWORDS = frozenset(("then", "do", "else", "elif", "if", "while", "until", "!", "{", "}", "time"))
_SHELLS = frozenset(("bash", "sh", "zsh", "dash", "ksh"))
# Programs that run another one, with their options that take a value.
_WRAPPERS = {
    "sudo": "ugpCRTUrt",
    "doas": "uC",
    "env": "uCS",
    "command": "",
    "builtin": "",
    "exec": "a",
    "nohup": "",
    "nice": "n",
    "ionice": "cn",
    "stdbuf": "ioe",
    "setsid": "",
    "timeout": "ks",
    "xargs": "IiLnPdsE",
    "caffeinate": "tw",
}


@dataclass(frozen=True, slots=True)
class Simple:
    """One simple command. `words` start with its program, `through` are the programs it is run by
    (`sudo`, `xargs`). `writes` are the targets of redirections, `document` its here-document.
    `folder` is where it runs: "" where the line starts, a path relative to that, or an absolute
    one. `before` are the words of the command that is piped into it."""

    words: tuple[str, ...]
    folder: str = ""
    writes: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    document: str = ""
    before: tuple[str, ...] = ()

    @property
    def program(self) -> str:
        return posixpath.basename(self.words[0]) if self.words else ""


@dataclass(frozen=True, slots=True)
class Line:
    """The commands of a line in order, those inside others too, and the folder it ends in."""

    commands: tuple[Simple, ...]
    folder: str = ""


def simple_commands(command: str, folder: str = "") -> Line:
    """Takes `command` apart, which starts in `folder`. Nothing in it makes this raise."""
    parser = _Parser(command[:_LONGEST], folder, {}, 0)
    parser.run()
    return Line(tuple(parser.found), parser.folder)


@dataclass(slots=True)
class _Draft:
    words: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    document: str = ""


class _Parser:
    def __init__(self, text: str, folder: str, known: dict[str, str], depth: int) -> None:
        self.text = text
        self.folder = folder
        self.known = known
        self.depth = depth
        self.found: list[Simple] = []
        self.at = 0
        self._draft = _Draft()
        self._word: list[str] | None = None
        self._redirection = ""
        self._folders: list[str] = []
        self._documents: list[tuple[str, _Draft]] = []
        self._before: tuple[str, ...] = ()

    # -- characters --------------------------------------------------------------------------------

    def run(self) -> None:
        text, size = self.text, len(self.text)
        while self.at < size:
            char = text[self.at]
            self.at += 1
            if char in " \t\r":
                self._end_word()
            elif char == "\n":
                self._end_command()
                self._read_documents()
            elif char == "\\":
                if self.at < size and text[self.at] != "\n":
                    self._add(text[self.at])
                self.at += 1
            elif char == "'":
                self._add(self._until("'"))
            elif char == '"':
                self._quoted()
            elif char == "`":
                self._inner(self._until("`"))
            elif char == "$":
                self._dollar()
            elif char == "#" and self._word is None:
                end = text.find("\n", self.at)
                self.at = size if end < 0 else end
            elif char in "<>":
                self._redirect(char)
            elif char == "&" and text[self.at : self.at + 1] == ">":
                self._end_word()
                self.at += 1
                self._redirect(">")
            elif char in ";&|()":
                self._operator(char)
            else:
                self._add(char)
        self._end_command()

    def _add(self, text: str) -> None:
        if self._word is None:
            self._word = []
        self._word.append(text)

    def _until(self, mark: str) -> str:
        end = self.text.find(mark, self.at)
        end = len(self.text) if end < 0 else end
        found = self.text[self.at : end]
        self.at = end + 1
        return found

    def _quoted(self) -> None:
        self._add("")
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == '"':
                return
            if char == "\\" and self.at < len(self.text):
                self._add(self.text[self.at])
                self.at += 1
            elif char == "$":
                self._dollar()
            elif char == "`":
                self._inner(self._until("`"))
            else:
                self._add(char)

    def _dollar(self) -> None:
        if self.text.startswith("(", self.at):
            self.at += 1
            self._inner(self._to_bracket())
            return
        match = _NAME.match(self.text, self.at)
        if match is None:
            self._add(UNKNOWN)
            return
        self.at = match.end()
        name = match[1]
        if name == "PWD":
            self._add(self.folder or ".")
        elif name == "HOME":
            self._add("~")
        else:
            self._add(self.known.get(name, UNKNOWN))

    def _to_bracket(self) -> str:
        """The text up to the bracket that closes one that was just read."""
        start, depth, quote = self.at, 1, ""
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if quote:
                if char == quote:
                    quote = ""
            elif char == "\\":
                self.at += 1
            elif char in "'\"":
                quote = char
            elif char == "(":
                depth += 1
            elif char == ")":
                depth -= 1
                if not depth:
                    return self.text[start : self.at - 1]
        return self.text[start:]

    def _inner(self, command: str) -> None:
        """A command whose output is a part of the word."""
        self._add(UNKNOWN)
        self._nested(command, self.folder)

    def _nested(self, command: str, folder: str) -> None:
        if self.depth < _DEEPEST:
            inner = _Parser(command, folder, dict(self.known), self.depth + 1)
            inner.run()
            self.found += inner.found

    def _redirect(self, char: str) -> None:
        text = self.text
        if self._word is not None and "".join(self._word).isdigit():
            self._word = None  # a file descriptor
        self._end_word()
        if text.startswith("(", self.at):  # a process in the place of a file
            self.at += 1
            self._inner(self._to_bracket())
            return
        start = self.at
        while self.at < len(text) and text[self.at] in "<>&|-" and self.at < start + 2:
            self.at += 1
        self._redirection = char + text[start : self.at]

    def _operator(self, char: str) -> None:
        piped = char == "|" and not self.text.startswith("|", self.at)
        words = tuple(self._draft.words) + (
            ("".join(self._word),) if self._word is not None and not self._redirection else ()
        )
        self._end_command()
        if piped:
            self._before = words
        if char == "(":
            self._folders.append(self.folder)
        elif char == ")" and self._folders:
            self.folder = self._folders.pop()

    # -- words and commands ------------------------------------------------------------------------

    def _end_word(self) -> None:
        if self._word is None:
            return
        word, self._word = "".join(self._word), None
        kind, self._redirection = self._redirection, ""
        if not kind:
            self._draft.words.append(word)
        elif kind in ("<<", "<<-"):
            self._documents.append((word, self._draft))
        elif kind == "<<<":
            self._draft.document = word
        elif kind[0] == ">" and "&" not in kind:
            self._draft.writes.append(word)
        elif kind[0] == ">" and not word.isdigit() and word != "-":
            self._draft.writes.append(word)  # >&file

    def _read_documents(self) -> None:
        """What stands below a line up to the word that it names."""
        documents, self._documents = self._documents, []
        for word, draft in documents:
            end = re.compile(rf"^\t*{re.escape(word)}[ \t]*\r?$", re.M).search(self.text, self.at)
            draft.document = self.text[self.at : end.start() if end else len(self.text)]
            self.at = end.end() if end else len(self.text)
        for _, draft in documents:
            self._note(draft)

    def _end_command(self) -> None:
        self._end_word()
        draft, self._draft = self._draft, _Draft()
        self._redirection = ""
        if not any(waiting is draft for _, waiting in self._documents):
            self._note(draft)

    def _note(self, draft: _Draft) -> None:
        before, self._before = self._before, ()
        words = draft.words
        while words and words[0] in _KEYWORDS:
            words = words[1:]
        through: list[str] = []
        while words:
            if match := _ASSIGNED.fullmatch(words[0]):
                if len(words) == 1:
                    self.known[match[1]] = match[2]
                words = words[1:]
            elif (program := posixpath.basename(words[0])) in _WRAPPERS:
                through.append(program)
                words = _wrapped(words, _WRAPPERS[program])
            else:
                break
        if not words and not draft.writes and not through:
            return
        self.found.append(
            Simple(
                tuple(words),
                self.folder,
                tuple(draft.writes),
                tuple(through),
                draft.document,
                before if through[-1:] == ["xargs"] else (),
            )
        )
        self._after(words, draft.document)

    def _after(self, words: list[str], document: str) -> None:
        """What a command means for those after it, and the commands it holds."""
        if not words:
            return
        program = posixpath.basename(words[0])
        if program == "for" and words[2:3] == ["in"]:  # of more than one word it is not known
            self.known[words[1]] = words[3] if len(words) == 4 else UNKNOWN
        elif program in ("cd", "pushd"):
            operands = [word for word in words[1:] if not word.startswith("-")]
            self.folder = joined(self.folder, operands[0] if operands else "~")
        elif program in _SHELLS:
            for script in _scripts(words[1:], document):
                self._nested(script, self.folder)
        elif program == "eval":
            self._nested(" ".join(words[1:]), self.folder)
        elif program == "find":
            for command in _executed(words):
                self.found.append(Simple(tuple(command), self.folder, before=tuple(words)))


def joined(folder: str, path: str) -> str:
    """`path` as seen from where `folder` is seen from."""
    if path.startswith(("/", "~")) or not folder:
        return path
    return posixpath.normpath(posixpath.join(folder, path))


def _wrapped(words: list[str], valued: str) -> list[str]:
    """The words behind a wrapper and its options."""
    program, rest = posixpath.basename(words[0]), words[1:]
    while rest and rest[0].startswith("-") and len(rest[0]) > 1:
        flag, rest = rest[0], rest[1:]
        if flag == "--":
            break
        if len(flag) == 2 and flag[1] in valued:
            rest = rest[1:]
    return rest[1:] if program == "timeout" and rest else rest


def _scripts(words: list[str], document: str) -> Iterator[str]:
    for place, word in enumerate(words[:-1]):
        if re.fullmatch(r"-[a-z]*c[a-z]*", word):
            yield words[place + 1]
            return
    if document:
        yield document


def _executed(words: list[str]) -> Iterator[list[str]]:
    place = 0
    while place < len(words):
        if words[place] in ("-exec", "-execdir", "-ok"):
            end = next((i for i in range(place, len(words)) if words[i] in (";", "+")), len(words))
            if command := words[place + 1 : end]:
                yield command
            place = end
        place += 1
