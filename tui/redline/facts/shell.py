"""What a shell command is about: its parts, what it can be recognised by, how it ended."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LONGEST = 6_000  # characters of a command that are looked at
_SEPARATOR = re.compile(r"&&|\|\||[;|\n]")
QUOTED = re.compile(r"'[^']*'|\"(?:[^\"\\]|\\.)*\"", re.S)
_HERE_DOCUMENT = re.compile(r"<<-?\s*['\"]?(\w+)")
_REDIRECTION = re.compile(r"\d*>&\d|\d*>>?\s*\S+|<\s*\S+")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=\S*\s+")
_NUMBER = re.compile(r"-n\s*\d+|-\d+")

# A command with these says nothing of the work when it fails: it looked for something.
LOOKING = _words(
    "ls cat head tail grep egrep fgrep rg ag find fd wc which whereis type stat file diff cmp sed"
    " awk jq yq test [ tree ps pgrep lsof pwd du df env printenv date uname readlink realpath"
    " basename dirname sort uniq cut tr less more man nl xxd od command bd"
)
_LOOKING_GIT = _words(
    "log show diff status blame grep branch remote rev-parse rev-list ls-files ls-tree cat-file"
    " merge-base describe reflog tag config for-each-ref check-ignore shortlog name-rev"
)
_SILENT = _words("cd echo printf export set source . true false sleep pushd popd :")
_WRAPPERS = _words("sudo time nice env command exec nohup timeout xargs")
# Of these only the subcommand says which step it is: the rest changes from try to try.
_STEPS = _words("git gh glab hg")
# Of these even the operands change: a later one that works is the next try.
_TRIES = LOOKING | _words("cp mv rm mkdir rmdir touch chmod chown ln kill pkill curl wget")
_RUNNERS = _words("pytest tox nox make jest vitest rspec mocha ava ctest phpunit")
_COMMIT = re.compile(
    r"\bgit(?:\s+-[cC]\s+\S+|\s+--?(?![cC]\s)[\w-]+(?:=\S+)?)*\s+(?:commit|cherry-pick|merge|revert|rebase|am)\b"
)
_AMENDS = re.compile(r"\bcommit\b[^;&|\n]*\s--amend\b")
_CODE_AT_HEAD = re.compile(r"(?:\A\s*Exit code:?|^Process exited with code)\s+(-?\d{1,5})\b", re.M)
_RUNS_ON = re.compile(r"^Process running with session ID \d", re.M)
_CODE_IN_JSON = re.compile(r"\"exit_code\":\s*(-?\d{1,5})\b")
_CODE_OF_CUT = re.compile(r"\A\[terminal\] ran `.*` -> exit (-?\d{1,5}), \d+ lines output")
_CODE_AT_TAIL = re.compile(r"Command exited with code (-?\d{1,5})\s*\Z")
_ENDS = 400  # characters at each end of a result where a status stands


@dataclass(frozen=True, slots=True)
class Step:
    """One simple command: its program, and the words it is recognised by when it is run again."""

    program: str
    key: str


@dataclass(frozen=True, slots=True)
class Command:
    """A shell line, taken apart.

    `masked` is one whose exit status says little: a pipe, `||` or a later step hides it. `looking`
    is one that only looks for something. `commits` is one that makes git commits, `amends` one that
    puts a new one in the place of the last.
    """

    steps: tuple[Step, ...]
    masked: bool
    looking: bool
    commits: bool
    amends: bool = False

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(step.key for step in self.steps)

    @property
    def last(self) -> str:
        """What the line was run for: its last step, "" where it has none."""
        return self.steps[-1].key if self.steps else ""


def take_apart(command: str) -> Command:
    """The steps of `command`, without quoted text, redirections and what only prints."""
    text = command[:_LONGEST]
    text = without_documents(text)
    bare = QUOTED.sub(" Q ", text)
    commits = bool(_COMMIT.search(bare))
    amends = commits and bool(_AMENDS.search(bare))
    bare = _REDIRECTION.sub(" ", bare)
    steps: list[Step] = []
    masked = False
    looking = True
    position = 0
    separator = ""
    for match in [*_SEPARATOR.finditer(bare), None]:
        piece = bare[position : match.start() if match else len(bare)].strip()
        before, separator = separator, match.group() if match else ""
        position = match.end() if match else len(bare)
        step = _step(piece)
        if step is None:
            masked = masked or separator == "|" or (before in ("||", ";", "\n") and bool(piece))
            continue
        looks = _looks(step)
        if before == "|" and looks:
            masked = True  # a filter: what counts is the step before it
            continue
        masked = masked or separator in ("|", "||") or (before in (";", "\n") and bool(steps))
        looking = looking and looks
        steps.append(step)
    return Command(tuple(steps), masked, looking, commits, amends)


def covers(passed: Command, failed: str) -> bool:
    """Whether `passed` ran what failed under the key `failed`, or a larger run that holds it."""
    if failed in passed.keys:
        return True
    for key in passed.keys:
        if failed.startswith(key + " ") and (" " in key or key in _RUNNERS):
            return True
    return False


def exit_status(text: str, *, error: bool) -> int | None:
    """The exit status as the agent's result tells it, None where it does not.

    Claude Code starts a failed result with "Exit code N", pi ends it with "Command exited with code
    N", Codex states it in its header, Hermes in JSON and in the line an old result is cut to;
    a result without a mark of failure is status 0, but for a command that Codex left running.
    """
    head, tail = text[:_ENDS], text[-_ENDS:]
    match = _CODE_AT_HEAD.search(head) or _CODE_OF_CUT.match(text)
    if match is None and text.startswith('{"'):
        match = _CODE_IN_JSON.search(tail) or _CODE_IN_JSON.search(head)
    if match is None and error:
        match = _CODE_AT_TAIL.search(tail)
    if match is not None:
        return int(match[1])
    return None if error or _RUNS_ON.search(head) else 0


def printed(text: str) -> str:
    """What a command printed, or a tool says of its failure, where the agent packs it as JSON
    (Hermes, and Codex until 2025: `output`, `error`); otherwise `text` itself."""
    if not text.startswith("{"):
        return text
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    told = [value.get("output"), value.get("error")]
    said = [part for part in told if isinstance(part, str) and part]
    packed = said and ("error" in value or "exit_code" in value or "metadata" in value)
    return "\n".join(said) if packed else text


def without_documents(text: str) -> str:
    """`text` without the lines of its here-documents."""
    at = 0
    for _ in range(20):
        here = _HERE_DOCUMENT.search(text, at)
        start = text.find("\n", here.end()) if here else -1
        if here is None or start < 0:
            break
        end = re.compile(rf"^[ \t]*{re.escape(here[1])}\b", re.M).search(text, start)
        text = text[:start] + "\n" + (text[end.end() :] if end else "")
        at = here.end()
    return text


def _looks(step: Step) -> bool:
    if step.program == "git":
        return step.key.partition(" ")[2] in _LOOKING_GIT
    return step.program in LOOKING


def _step(piece: str) -> Step | None:
    while match := _ASSIGNMENT.match(piece):
        piece = piece[match.end() :]
    words = piece.strip("(){} \t\"'").split()
    while words and words[0] in _WRAPPERS:
        words = words[1:]
        while words and (words[0].startswith("-") or words[0].isdigit()):
            words = words[1:]
    if not words:
        return None
    program = words[0].rsplit("/", 1)[-1]
    if program in _SILENT or program.startswith(("#", "$", "}")):
        return None
    if program in _STEPS:
        skip = False
        for word in words[1:]:
            if skip:
                skip = False
            elif word in ("-C", "-c", "-R"):
                skip = True
            elif not word.startswith("-"):
                return Step(program, f"{program} {word}")
        return Step(program, program)
    if program in _TRIES:
        return Step(program, program)
    return Step(program, _NUMBER.sub("", " ".join([program, *words[1:]])).strip())
