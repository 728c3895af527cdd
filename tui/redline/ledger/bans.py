"""What a rule forbids, as far as a tool call can be held against it: paths and commands.

A rule whose words leave open what it forbids gives nothing: no alarm is better than a false one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, StrEnum, auto
from functools import lru_cache

from redline.ledger import ban_words as words
from redline.ledger.masking import FILL, mask
from redline.ledger.named_paths import TESTS, named_paths
from redline.ledger.objects import about
from redline.ledger.programs import commands_named
from redline.ledger.rule import Rule, RuleFamily


class Touch(Enum):
    """What may not be done to a path."""

    CHANGE = auto()
    REMOVE = auto()
    MOVE = auto()
    ADD = auto()  # to a git commit
    READ = auto()


class Act(StrEnum):
    """What may not be run. `WORDS` is a command in so many words."""

    WORDS = "words"
    COMMIT = "commit"
    AMEND = "amend"
    PUSH = "push"
    FORCE = "force push"
    MERGE = "merge"
    REBASE = "rebase"
    TAG = "tag"
    STASH = "stash"
    DEPLOY = "deploy"
    PUBLISH = "publish"
    RELEASE = "release"
    INSTALL = "install"
    TESTS = "tests"
    ALL_TESTS = "all tests"
    MIGRATE = "migrations"
    RESET = "hard reset"


@dataclass(frozen=True, slots=True)
class PathBan:
    """`paths` as the rule writes them (`TESTS` stands for all tests), but for those `exempt`; with
    `outside` everything of the project but `paths`."""

    touches: frozenset[Touch]
    paths: tuple[str, ...]
    exempt: tuple[str, ...] = ()
    outside: bool = False


@dataclass(frozen=True, slots=True)
class CommandBan:
    """`words` of the command; of a push or a commit the `targets`, which are branches, of an
    install the names; empty: any."""

    act: Act
    words: tuple[str, ...] = ()
    targets: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Bans:
    """All that `rule` forbids. `gated`: a later word of the person allows it."""

    paths: tuple[PathBan, ...] = ()
    commands: tuple[CommandBan, ...] = ()
    gated: bool = False

    def __bool__(self) -> bool:
        return bool(self.paths or self.commands)


_ALL = frozenset((Touch.CHANGE, Touch.REMOVE, Touch.MOVE))
_TOUCHES = {
    "touch": _ALL,
    "remove": frozenset((Touch.REMOVE,)),
    "move": frozenset((Touch.MOVE,)),
    "commit": frozenset((Touch.ADD,)),
    "read": frozenset((Touch.READ,)),
}
_READ = frozenset((Touch.READ,))
_ACTS = {
    "force": Act.FORCE,
    "commit": Act.COMMIT,
    "push": Act.PUSH,
    "merge": Act.MERGE,
    "rebase": Act.REBASE,
    "amend": Act.AMEND,
    "tag": Act.TAG,
    "stash": Act.STASH,
    "deploy": Act.DEPLOY,
    "publish": Act.PUBLISH,
    "release": Act.RELEASE,
    "install": Act.INSTALL,
    "reset": Act.RESET,
}
# Objects that leave an act as wide as it is: "push to the remote", "deploy to production".
_WIDE_WORDS = """
    git github gitlab origin remote upstream branch pr mr pull request npm pypi registry package
    production prod staging server commit push deployment release version tag history app site live
    anything remotely bare yourself behalf directly straight ever please
    任何东西 代码 远程 仓库 远端 线上 生产 分支 到 东西
    """
_WIDE = frozenset(_WIDE_WORDS.split())
_WIDE_INSTALL_WORDS = """
    package dependency library module tool software dep lib plugin extension npm pip 依赖 包 库
    第三方库 新依赖 第三方
"""
_WIDE_INSTALL = frozenset(_WIDE_INSTALL_WORDS.split())
_BRANCH = re.compile(
    r"\b(?:to|on|onto|into|origin|upstream)[\s/]+(?:the )?[`'\"]?(?:origin/)?(?P<a>main|master"
    r"|develop"
    r"|trunk|production|release[\w/.-]*)\b|(?<![\w/])(?P<b>main|master|trunk)(?:\s*(?:branch"
    r"|分支))|(?:到|至)\s*(?P<c>main|master)",
    re.I,
)
_PLAIN_WORD = re.compile(r"[a-z]+", re.I)
_MIGRATIONS = re.compile(r"\bmigrations?\b|\bmigrate\b|迁移", re.I)
_WHOLE = re.compile(r"\b(?:full|whole|entire|complete|all)\b|全部|所有|整个|全量", re.I)


@lru_cache(maxsize=512)
def bans(rule: Rule) -> Bans:
    """What `rule` forbids; nothing where it is a wish or does not say so plainly."""
    if rule.family is RuleFamily.PREFER:
        return Bans()
    text = rule.text
    masked = words.PURPOSE.sub(lambda match: " " * len(match.group()), mask(text))
    gated = bool(words.GATED.search(masked)) or rule.family is RuleFamily.GATE
    paths: list[PathBan] = []
    commands: list[CommandBan] = []
    start = 0
    for match in [*words.PIECES.finditer(masked), None]:
        end = match.start() if match else len(masked)
        for ban in _Piece(text[start:end], masked[start:end], gated).bans():
            (paths if isinstance(ban, PathBan) else commands).append(ban)  # type: ignore[arg-type]
        start = match.end() if match else end
    return Bans(tuple(dict.fromkeys(paths)), tuple(dict.fromkeys(commands)), gated)


_Ban = PathBan | CommandBan


class _Piece:
    """One clause of a rule."""

    def __init__(self, text: str, masked: str, gated: bool) -> None:
        self.gated = gated
        self.exempt: tuple[str, ...] = ()
        self.outside = False
        if match := words.EXCEPT.search(masked):
            text, masked = self._without_exception(text, masked, match)
        if match := words.OUTSIDE.search(masked):
            self.outside = True
        self.text, self.masked = text, masked

    def _without_exception(self, text: str, masked: str, match: re.Match[str]) -> tuple[str, str]:
        rest = masked[match.end() :]
        ends = [found.start() for found in re.finditer(r"[,，]|以外|之外", rest)]
        stop = ends[0] if ends else len(rest)
        end = match.end() + stop
        self.exempt = named_paths(text[match.end() : end], masked[match.end() : end], verb=True)
        more = 2 if rest[stop : stop + 2] in ("以外", "之外") else 0
        blank = " " * (end + more - match.start())
        return (
            text[: match.start()] + blank + text[end + more :],
            masked[: match.start()] + blank + masked[end + more :],
        )

    def bans(self) -> Iterator[_Ban]:
        masked = self.masked
        if match := words.ONLY.search(masked):
            paths = named_paths(self.text, masked, verb=False)
            if paths:
                yield PathBan(_ALL, (*paths, *self.exempt), (), True)
            return
        found = False
        if match := words.ASK_BEFORE.search(masked):
            for ban in self._after(match.end(), 0, match.start()):
                found = True
                yield ban
        elif match := words.ASK_AFTER.search(masked):
            for verb in words.VERB.finditer(masked, 0, match.start()):
                yield from self._emit([verb], 0, match.start())
            return
        before = 0
        for cue in words.CUE.finditer(masked):
            for ban in self._after(cue.end(), before, cue.start()):
                found = True
                yield ban
            before = cue.end()
        said = words.FORBIDDEN.search(masked)
        if not found and said:
            for command in commands_named(self.text[: said.start()], sure=False):
                found = True
                yield CommandBan(Act.WORDS, command)
        if not found and words.PRESERVE.search(masked):
            paths = named_paths(self.text, masked, verb=True)
            if paths:
                yield PathBan(_ALL, paths, self.exempt, self.outside)

    def _after(self, at: int, before: int, cue: int) -> Iterator[_Ban]:
        """What is forbidden by the words at `at`; the object may stand between `before` and the
        cue."""
        masked = self.masked
        between = words.BETWEEN.match(masked, at)
        start = between.end() if between else at
        verb = words.VERB.match(masked, start)
        if verb is None and (inner := re.compile(r"\s*[在对把将往向给]").match(masked, start)):
            verb = words.VERB.search(masked, inner.end())
            if verb is not None:
                yield from self._emit([verb], inner.end(), verb.end())
                return
        if verb is None and (passive := words.PASSIVE.search(masked, start)):
            verb = words.VERB.match(masked, passive.end())
            if verb is not None and (paths := self._paths(start, passive.start(), verb=False)):
                yield PathBan(_touches([verb]), paths, self.exempt, self.outside)
            return
        if verb is None:
            end = self._stop(start)
            for command in commands_named(self.text[start:end], sure=False):
                yield CommandBan(Act.WORDS, command)
            return
        verbs = [verb]
        position = verb.end()
        while (joint := words.JOINT.match(masked, position)) and (
            more := words.VERB.match(masked, joint.end())
        ):
            verbs.append(more)
            position = more.end()
        end = self._stop(position)
        if not self.gated and words.CONDITION.match(masked, end):
            return
        emitted = list(self._emit(verbs, position, end))
        if not emitted or (not self._paths(position, end) and before < cue):
            # "src/legacy must not be changed", "src/legacy 不要动"
            paths = self._paths(before, cue, verb=False)
            if paths and (touches := _touches(verbs) - {Touch.ADD}):
                yield PathBan(touches, paths, self.exempt, self.outside)
                return
        yield from emitted

    def _stop(self, start: int) -> int:
        masked = self.masked
        ends = [len(masked)]
        ends += [m.start() for m in (words.STOP.search(masked, start),) if m]
        ends += [m.start() for m in (words.CUE.search(masked, start),) if m]
        return max(start, min(ends))

    def _paths(self, start: int, end: int, *, verb: bool = True) -> tuple[str, ...]:
        return named_paths(self.text[start:end], self.masked[start:end], verb=verb)

    def _emit(self, verbs: list[re.Match[str]], start: int, end: int) -> Iterator[_Ban]:
        text, masked = self.text[start:end], self.masked[start:end]
        touches = _touches(verbs)
        paths = named_paths(text, masked, verb=touches != _READ)
        if touches == _READ:
            paths = tuple(path for path in paths if path != TESTS)
        if paths and touches and _means_more(masked):
            return
        if paths and touches:
            yield PathBan(touches, paths, self.exempt, self.outside)
        elif touches >= _ALL and self.exempt and words.REST.search(masked):
            yield PathBan(touches, self.exempt, (), True)
        for verb in verbs:
            name = verb.lastgroup or ""
            if name == "run":
                yield from _run(text, masked)
            elif name in _ACTS and not (name == "commit" and paths):
                yield from _act(_ACTS[name], text, masked)


def _means_more(masked: str) -> bool:
    """Whether what stands before the first path says that only something of it is meant."""
    at = masked.find(FILL)
    lead = masked[: max(at, 0)]
    lead = words.OUTSIDE.sub(" ", lead)
    return any(word.lower() not in words.LEADING for word in _PLAIN_WORD.findall(lead))


def _touches(verbs: list[re.Match[str]]) -> frozenset[Touch]:
    found: frozenset[Touch] = frozenset()
    for verb in verbs:
        found |= _TOUCHES.get(verb.lastgroup or "", frozenset())
    return found


def _run(text: str, masked: str) -> Iterator[_Ban]:
    named = commands_named(text, sure=True)
    for command in named:
        yield CommandBan(Act.WORDS, command)
    plain = masked.replace(FILL, " ")
    if named:
        return
    if words.TESTS.search(plain):
        yield CommandBan(Act.ALL_TESTS if _WHOLE.search(plain) else Act.TESTS)
    elif _MIGRATIONS.search(plain):
        yield CommandBan(Act.MIGRATE)


def _act(act: Act, text: str, masked: str) -> Iterator[_Ban]:
    if act is Act.RESET:
        yield CommandBan(act)
        return
    objects = set(about(text, masked, against=True).order)
    if act is Act.INSTALL:
        names = frozenset(objects - _WIDE_INSTALL - _WIDE)
        if not names or not any(name in _WIDE_INSTALL for name in objects):
            yield CommandBan(act, targets=names)
        return
    targets = frozenset(
        (match["a"] or match["b"] or match["c"]).lower() for match in _BRANCH.finditer(text)
    )
    rest = objects - _WIDE - targets - {f"origin/{name}" for name in targets}
    if rest:
        return
    if act in (Act.PUSH, Act.FORCE, Act.COMMIT):
        yield CommandBan(act, targets=targets)
    elif not targets or act is Act.DEPLOY:
        yield CommandBan(act)
