"""The agent's own todo list, as it stands after its last call."""

from __future__ import annotations

import re

from redline.facts.fact import TodoFact
from redline.facts.tools import arguments

_CREATED = re.compile(r"[Tt]ask #(\d+)")


class TodoLog:
    """Follows the two ways agents keep a list: written whole each time, or task by task."""

    def __init__(self) -> None:
        self._list: list[TodoFact] = []
        self._tasks: dict[str, TodoFact] = {}

    def called(self, given: dict[str, object], message: str) -> None:
        """A call that writes the whole list: Claude Code's TodoWrite (`todos`: `content`,
        `status`), Codex's update_plan (`plan`: `step`, `status`)."""
        entries = given.get("todos", given.get("plan"))
        if given.get("merge") is True:
            return  # Hermes changes single entries; the result tells the whole list
        if isinstance(entries, list):
            self._list = [
                TodoFact(text, _status(entry), message)
                for entry in entries
                if isinstance(entry, dict)
                and (text := _first_text(entry, "content", "step", "text", "subject"))
            ]
        elif task := _number(given):
            known = self._tasks.get(task)
            status = _status(given, known.status if known else "pending")
            text = _first_text(given, "subject") or (known.text if known else "")
            if status == "deleted":
                self._tasks.pop(task, None)
            elif text:
                self._tasks[task] = TodoFact(text, status, message)

    def created(self, given: dict[str, object], output: str, message: str) -> None:
        """A TaskCreate call with its result, which tells the task's number, or a call of Hermes'
        that changed single entries, whose result is the list."""
        if given.get("merge") is True:
            self.called({"todos": arguments(output).get("todos")}, message)
            return
        text = _first_text(given, "subject", "description")
        if text and _number(given) is None and "todos" not in given and "plan" not in given:
            match = _CREATED.search(output[:500])
            number = match[1] if match else f"new-{len(self._tasks)}"
            self._tasks[number] = TodoFact(text, "pending", message)

    def facts(self) -> tuple[TodoFact, ...]:
        return (*self._list, *self._tasks.values())


def _number(given: dict[str, object]) -> str | None:
    number = given.get("taskId")
    return str(number) if isinstance(number, str | int) and number != "" else None


def _status(entry: dict[str, object], otherwise: str = "pending") -> str:
    status = entry.get("status")
    return status if isinstance(status, str) and status else otherwise


def _first_text(entry: dict[str, object], *fields: str) -> str:
    for name in fields:
        text = entry.get(name)
        if isinstance(text, str) and text.strip():
            return text.strip()
    return ""
