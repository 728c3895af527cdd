"""Tool calls that break an active rule: an edit of what must not be touched, a forbidden command.

A call is held against the rules that were in force when it was made. Where a rule or a call leaves
open whether it is broken, there is no alarm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

from redline.compaction.checked_out import branch_after, branch_told
from redline.compaction.forbidden import forbids
from redline.compaction.shown_files import shown_files
from redline.compaction.under import Place, is_scratch
from redline.facts.outcome import outcome
from redline.facts.shell import take_apart
from redline.facts.shell_words import UNKNOWN, Simple, joined, simple_commands
from redline.facts.shell_writes import Deed, Write, writes
from redline.facts.tools import ToolCall, ToolUse, arguments, read_call
from redline.ledger.ban_words import APPROVED
from redline.ledger.bans import Act, Bans, PathBan, Touch, bans
from redline.ledger.rule import Ledger, Rule, RuleState
from redline.model import Agent, Kind, Message, Part, PartType, Session, SessionSource
from redline.text import one_line

_LONGEST = 160  # characters of what was done
_LASTING = frozenset((Agent.CLAUDE_CODE, Agent.HERMES))  # their shell stays where it went
_FOLDER_FIELDS = ("workdir", "cwd", "working_directory")
_DELETED = re.compile(r"^\*\*\* Delete File: (.+)$", re.M)
_MOVED = re.compile(r"^\*\*\* Update File: (.+)\n\*\*\* Move to: ", re.M)
_TOUCHED = {
    Deed.CHANGE: Touch.CHANGE,
    Deed.WRITE: Touch.CHANGE,
    Deed.REMOVE: Touch.REMOVE,
    Deed.MOVE: Touch.MOVE,
}
_WORDS = {Deed.CHANGE: "edits", Deed.WRITE: "writes", Deed.REMOVE: "removes", Deed.MOVE: "moves"}
_OTHER_TOOLS = re.compile(
    r"(?:^|_)(?:write|edit|create|delete|remove|move|rename|append|insert|replace|update|patch|put)"
    r"(?:_|$).*(?:file|director|folder|path|content|block|lines|text)|^(?:delete|move|rename)_?file"
)
_PATHS = ("path", "file_path", "source", "destination", "from", "to", "old_path", "new_path",
          "relative_path", "target_file")  # fmt: skip
_GIT_TOOLS = re.compile(r"(?:^|_)git_(commit|push|merge|rebase|stash|tag|add)$")
_REMOTE_TOOLS = {"merge_pull_request": ("gh", "pr", "merge"), "push_files": ("git", "push"),
                 "create_release": ("gh", "release", "create")}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Breach:
    """`what` the call of `message` did against `rule`, in words. `call` is the id of the call,
    `part` its place in the message. `failed` is None while there is no result."""

    rule: Rule
    message: str
    call: str | None
    what: str
    tool: str = ""
    part: int = 0
    time: datetime | None = None
    failed: bool | None = None

    @property
    def key(self) -> tuple[str, str, int, str]:
        """The same for the same deed, before and after its result."""
        return self.rule.id, self.message, self.part, self.what

    @property
    def line(self) -> str:
        """`edits src/legacy/a.py: "Never touch src/legacy"`."""
        ended = ", which failed" if self.failed else ""
        return f'{one_line(self.what, _LONGEST)}{ended}: "{one_line(self.rule.text, _LONGEST)}"'


def breaches(session: Session, ledger: Ledger, *, since: str | None = None) -> tuple[Breach, ...]:
    """The calls of the live branch that break a rule which is active in `ledger`, in order. A call
    that was never carried out, because a person or the agent held it back, is none.

    With `since`, the id of a message of the context, only that message and later ones are read.
    Raises RedlineError where the file has changed under the session.
    """
    watch = Watch(session, ledger)
    if not watch.watches:
        return ()
    if since is None:
        messages: Iterable[Message] = session.source.history()
    else:
        ids = [message.id for message in session.context]
        messages = session.context[ids.index(since) if since in ids else len(ids) :]
        said = {rule.message for rule in ledger.active} - {message.id for message in messages}
        watch.said |= {name for name in said if name}
    for message in messages:
        watch.take(message)
    return watch.found


class Watch:
    """Holds calls against the active rules, message by message, as they come."""

    def __init__(self, session: Session, ledger: Ledger) -> None:
        self.said: set[str] = set()
        self._found: dict[int, Breach] = {}
        self._count = 0
        self._rules: list[tuple[Rule, Bans]] = []
        self._agent = session.info.agent
        self._place = Place(session.info.project)
        self._folder = ""
        self._branch = ""
        self._links: dict[str, str] = {}
        self._prompts: dict[str, str] = {}  # the last prompt, by the rules said before it
        self._open: dict[str, _Open] = {}
        self._taken: dict[str, int] = {}
        self._source: SessionSource = session.source
        self.use(session, ledger)

    @property
    def watches(self) -> bool:
        """Whether any rule can be broken by a call."""
        return bool(self._rules)

    @property
    def found(self) -> tuple[Breach, ...]:
        return tuple(self._found.values())

    def use(self, session: Session, ledger: Ledger) -> None:
        """The session as it is now, and its rules."""
        self._source = session.source
        rules = ledger.in_state(RuleState.ACTIVE)
        self._rules = [(rule, found) for rule in rules if (found := bans(rule))]
        self._of_branches = any(
            ban.act is Act.COMMIT and ban.targets
            for _, found in self._rules
            for ban in found.commands
        )

    def take(self, message: Message) -> tuple[Breach, ...]:
        """What `message` breaks. One that got more parts may be given again."""
        before = self._taken.get(message.id, 0)
        self._taken[message.id] = len(message.parts)
        new: list[Breach] = []
        for part in message.parts[before:]:
            match part.type:
                case PartType.TOOL_CALL:
                    new += self._called(message, part)
                case PartType.TOOL_RESULT:
                    new += self._ended(part)
                case PartType.TEXT if part.kind is Kind.PROMPT:
                    self._prompted(message, part)
        return tuple(new)

    def _prompted(self, message: Message, part: Part) -> None:
        text = self._source.text(part)
        for rule, found in self._rules:
            if found.gated and (rule.message is None or rule.message in self.said):
                self._prompts[rule.id] = text
        self.said.add(message.id)

    def _called(self, message: Message, part: Part) -> list[Breach]:
        value = self._source.value(part)
        call = read_call(part.tool, value)
        folder, branch = self._folder, self._branch
        deeds = self._deeds(call, value)
        waiting = _Open(call, [], folder, branch, deeds, message, part)
        new = self._noted(waiting)
        if part.call_id is not None:
            self._open[part.call_id] = waiting
        return new

    def _noted(self, done: _Open) -> list[Breach]:
        """The breaches of a call that were not noted yet."""
        known = {self._found[number].key for number in done.numbers}
        new: list[Breach] = []
        message, part = done.message, done.part
        for rule, found in self._in_force(message):
            for what in dict.fromkeys(_broken(found, done.deeds, self._place)):
                breach = Breach(
                    rule, message.id, part.call_id, what, done.call.tool, part.index, message.time
                )
                if breach.key not in known:
                    self._count += 1
                    done.numbers.append(self._count)
                    self._found[self._count] = breach
                    new.append(breach)
        return new

    def _in_force(self, message: Message) -> Iterator[tuple[Rule, Bans]]:
        """The rules that were said by now, but for those that the last prompt allowed. One of
        another session was said at its time."""
        for rule, found in self._rules:
            if rule.message is not None and rule.message not in self.said:
                continue
            if rule.origin is not None and rule.time and message.time and message.time < rule.time:
                continue
            if found.gated and (last := self._prompts.get(rule.id)):
                asked = any(re.search(rf"\b{word}", last, re.I) for word in _acts(found))
                if asked or APPROVED.search(last[:400]):
                    continue
            yield rule, found

    def _deeds(self, call: ToolCall, value: object) -> _Deeds:
        given = arguments(value)
        deeds = _Deeds()
        if call.use is ToolUse.SHELL:
            folder = next(
                (given[name] for name in _FOLDER_FIELDS if isinstance(given.get(name), str)), ""
            )
            start = joined(self._folder, str(folder)) if folder else self._folder
            line = simple_commands(call.command, start)
            deeds.commands = list(line.commands)
            for simple in line.commands:
                self._branch = branch_after(simple, self._branch)
                deeds.branches.append(self._branch)
                deeds.reads += [joined(simple.folder, path) for path in shown_files(simple)]
            if self._agent in _LASTING and not call.background:
                self._folder = line.folder
            for simple in line.commands:
                deeds.writes += writes(simple)
                self._note_link(simple)
            deeds.writes += _patched(call.paths, _texts(value, given), start)
        elif call.use is ToolUse.READ:
            deeds.reads += call.paths
        elif call.use is ToolUse.CHANGE:
            deeds.writes += _patched(call.paths, _texts(value, given), "")
        elif call.use is ToolUse.OTHER:
            _of_other_tool(call, given, deeds)
        deeds.writes = [
            replace(write, path=self._through_links(write.path))
            for write in deeds.writes
            if not is_scratch(write.path)
        ]
        return deeds

    def _note_link(self, simple: Simple) -> None:
        """`ln -s src/legacy old`: what is done below old is done below src/legacy."""
        words = simple.words
        if simple.program == "ln" and any(
            re.match(r"-\w*s|--symbolic", word) for word in words[1:]
        ):
            operands = [word for word in words[1:] if not word.startswith("-")]
            if len(operands) == 2:
                link = joined(simple.folder, operands[1].rstrip("/"))
                target = joined(link.rpartition("/")[0], operands[0])
                self._links["/".join(self._place.steps(link))] = target

    def _through_links(self, path: str) -> str:
        if not self._links:
            return path
        steps = self._place.steps(path)
        for size in range(len(steps), 0, -1):
            if target := self._links.get("/".join(steps[:size])):
                return "/".join((target, *steps[size:]))
        return path

    def _ended(self, part: Part) -> list[Breach]:
        """The result of a call: whether it failed, or was never carried out. What git says of the
        branch may tell only now that the call broke a rule."""
        waiting = self._open.pop(part.call_id or "", None)
        if waiting is None:
            return []
        new: list[Breach] = []
        call, numbers = waiting.call, waiting.numbers
        if part.error and call.use is ToolUse.SHELL:
            self._folder, self._branch = waiting.folder, waiting.branch
        elif self._of_branches and (told := self._told(waiting.deeds, part)):
            self._branch = told
            waiting.deeds.branches = [each or told for each in waiting.deeds.branches]
            new = self._noted(waiting)
        if not numbers:
            return []
        command = take_apart(call.command) if call.use is ToolUse.SHELL else None
        ended = outcome(call, command, part, self._source.text(part))
        for number in numbers:
            if ended is None:
                del self._found[number]
            else:
                self._found[number] = replace(self._found[number], failed=ended.failed)
        return new

    def _told(self, deeds: _Deeds, part: Part) -> str:
        """The branch that the result of a call of git names, "" where it names none."""
        git = any(simple.program == "git" for simple in deeds.commands)
        return branch_told(self._source.text(part)) if git else ""


@dataclass(slots=True)
class _Deeds:
    """What one call does."""

    commands: list[Simple] = field(default_factory=list)
    writes: list[Write] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    branches: list[str] = field(default_factory=list)  # checked out at each of the commands


@dataclass(frozen=True, slots=True)
class _Open:
    """A call that has no result yet: what it broke, and what the shell was in before."""

    call: ToolCall
    numbers: list[int]
    folder: str
    branch: str
    deeds: _Deeds
    message: Message
    part: Part


def _broken(found: Bans, deeds: _Deeds, place: Place) -> Iterator[str]:
    """What of `deeds` is forbidden by `found`, in words."""
    for ban in found.paths:
        for write in deeds.writes:
            if _TOUCHED[write.deed] in ban.touches and _hits(ban, write, place):
                yield f"{_WORDS[write.deed]} {write.path}"
        if Touch.READ in ban.touches:
            yield from (f"reads {path}" for path in deeds.reads if _named(ban, path, place))
        if Touch.ADD in ban.touches:
            for simple in deeds.commands:
                for path in _added(simple):
                    if any(place.under(joined(simple.folder, path), name) for name in ban.paths):
                        yield f"commits {path}"
    for command in found.commands:
        branches = deeds.branches or [""] * len(deeds.commands)
        for simple, branch in zip(deeds.commands, branches, strict=True):
            if forbids(command, simple, branch):
                line = " ".join((*simple.through, *simple.words))
                yield f"runs {line.replace(UNKNOWN, '...')}"


def _hits(ban: PathBan, write: Write, place: Place) -> bool:
    if any(place.under(write.path, name) for name in ban.exempt):
        return False
    if ban.outside:
        return place.outside(write.path, ban.paths)
    return any(place.under(write.path, name, tree=write.tree) for name in ban.paths)


def _named(ban: PathBan, path: str, place: Place) -> bool:
    exempt = any(place.under(path, name) for name in ban.exempt)
    return not exempt and any(place.under(path, name) for name in ban.paths)


def _added(simple: Simple) -> list[str]:
    """The paths that git is told to take into a commit."""
    words = simple.words
    if simple.program != "git" or len(words) < 3 or words[1] not in ("add", "commit", "stage"):
        return []
    named = [word for word in words[2:] if not word.startswith("-")]
    return named if words[1] != "commit" else [word for word in named if "/" in word or "." in word]


def _patched(paths: Iterable[str], texts: str, folder: str) -> list[Write]:
    """What an edit of `paths` does; a patch in `texts` says which of them go."""
    deleted = {match.strip() for match in _DELETED.findall(texts)}
    moved = {match.strip() for match in _MOVED.findall(texts)}
    return [
        Write(
            joined(folder, path),
            Deed.REMOVE if path in deleted else Deed.MOVE if path in moved else Deed.CHANGE,
        )
        for path in paths
    ]


def _texts(value: object, given: dict[str, object]) -> str:
    """What a call is given as text, where that holds a patch."""
    texts = (value, *(given.get(name) for name in ("input", "patch", "command", "cmd")))
    flat = [" ".join(map(str, text)) if isinstance(text, list) else text for text in texts]
    return "\n".join(text for text in flat if isinstance(text, str) and "*** " in text)


def _of_other_tool(call: ToolCall, given: dict[str, object], deeds: _Deeds) -> None:
    """Tools of servers: for files, and for git."""
    name = call.tool.lower().rpartition("__")[2].replace("-", "_")
    if match := _GIT_TOOLS.search(name):
        words = ["git", match[1]]
        files = given.get("files")
        if isinstance(files, list):
            words += [file for file in files if isinstance(file, str)]
        deeds.commands.append(Simple(tuple(words)))
    elif name in _REMOTE_TOOLS:
        words = list(_REMOTE_TOOLS[name])
        if isinstance(branch := given.get("branch"), str) and words[1] == "push":
            words += ["origin", branch]
        deeds.commands.append(Simple(tuple(words)))
    elif _OTHER_TOOLS.search(name):
        removes = name.startswith(("delete", "remove"))
        moves = name.startswith(("move", "rename"))
        for field_name in _PATHS:
            if isinstance(path := given.get(field_name), str) and path.strip():
                left = moves and field_name in ("source", "from", "old_path", "path")
                deed = Deed.REMOVE if removes else Deed.MOVE if left else Deed.CHANGE
                deeds.writes.append(Write(path.strip(), deed, removes or left))


def _acts(found: Bans) -> Iterator[str]:
    """The words by which a person asks for what `found` forbids."""
    for command in found.commands:
        yield from (re.escape(command.words[-1]),) if command.words else (command.act.value,)
    for ban in found.paths:
        yield from (re.escape(path.strip("/")) for path in ban.paths)
