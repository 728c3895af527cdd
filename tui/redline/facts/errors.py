"""Errors of a session while it is read: which ones are open, and what showed them gone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from redline.facts.error_lines import check_of, form_of, test_of
from redline.facts.fact import ErrorFact
from redline.facts.shell import Command, covers


@dataclass(slots=True)
class _Entry:
    line: str
    message: str
    call_id: str | None
    command: str | None
    time: datetime | None
    keys: set[str] = field(default_factory=set)
    test: str | None = None
    placed: bool = False
    resolved: str | None = None
    resolution: str | None = None
    count: int = 0


class ErrorLog:
    """Each error line once. A line printed again after it was resolved is open again."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._open: dict[str, _Entry] = {}

    def failed(
        self,
        lines: Iterable[str],
        *,
        message: str,
        key: str,
        call_id: str | None = None,
        command: str | None = None,
        time: datetime | None = None,
    ) -> None:
        """A result at `message` failed with `lines`; a success under `key` would resolve them."""
        lines = list(lines)
        self._moved({form_of(line): line for line in lines}, key, message)
        for line in lines:
            entry = self._entries.get(line)
            if entry is None or entry.resolved is not None:
                count = entry.count if entry else 0
                self._entries.pop(line, None)
                entry = _Entry(line, message, call_id, command, time, count=count)
                entry.test = test_of(line)
                entry.placed = form_of(line) != line
                self._entries[line] = self._open[line] = entry
            entry.count += 1
            entry.keys.add(key)

    def passed(self, key: str, message: str, how: str) -> None:
        """What fails under `key` works at `message`."""
        for entry in [entry for entry in self._open.values() if key in entry.keys]:
            self._resolve(entry, message, how)

    def command_passed(self, command: Command, message: str) -> None:
        """`command` ran well: it resolves what failed in the same command or in a part of it."""
        if not self._open or not command.steps:
            return
        checks = {check_of(step.key) for step in command.steps} - {None}
        for entry in list(self._open.values()):
            if any(covers(command, key) for key in entry.keys):
                self._resolve(entry, message, "the command passed later")
            elif entry.placed and checks.intersection(check_of(key) for key in entry.keys):
                self._resolve(entry, message, "a check of the same kind passed later")

    def ran_again(self, command: str, output: str, message: str) -> None:
        """The same `command` failed again: lines that it does not print any more are gone."""
        for entry in [entry for entry in self._open.values() if entry.command == command]:
            if entry.line not in output:
                self._resolve(entry, message, "not printed any more when the command ran again")

    def tests_passed(self, output: str, message: str) -> None:
        """Tests that are reported as passed by name, though the run as a whole may fail."""
        if "PASS" not in output:
            return
        for entry in [entry for entry in self._open.values() if entry.test]:
            if f"{entry.test} PASSED" in output or f"--- PASS: {entry.test}" in output:
                self._resolve(entry, message, "the test passed later")

    def facts(self) -> tuple[ErrorFact, ...]:
        """All errors in the order they were printed (again)."""
        return tuple(
            ErrorFact(
                line=entry.line,
                message=entry.message,
                call_id=entry.call_id,
                command=entry.command,
                time=entry.time,
                resolved=entry.resolved,
                resolution=entry.resolution,
                count=entry.count,
            )
            for entry in self._entries.values()
        )

    def _moved(self, printed: dict[str, str], key: str, message: str) -> None:
        """Errors that are printed again with another line number are the same ones."""
        lines = set(printed.values())
        for entry in list(self._open.values()):
            if (
                entry.placed
                and entry.line not in lines
                and form_of(entry.line) in printed
                and key in entry.keys
            ):
                self._resolve(entry, message, "printed again at another place")

    def _resolve(self, entry: _Entry, message: str, how: str) -> None:
        entry.resolved = message
        entry.resolution = how
        self._open.pop(entry.line, None)
