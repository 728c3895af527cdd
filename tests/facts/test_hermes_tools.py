"""The tools of Hermes are understood: what a command printed, how it ended, files, todo lists."""

from __future__ import annotations

import json

from redline.facts.fact import FileUse
from tests.facts.extracting import facts
from tests.sessions_in_memory import Draft, call, result


def _ran(command: str, output: str, status: int, call_id: str) -> tuple[Draft, Draft]:
    told = json.dumps({"output": output, "exit_code": status, "error": None})
    given = json.dumps({"command": command})
    return (
        call("terminal", given, call_id=call_id),
        result(told, call_id=call_id, tool="terminal"),
    )


def test_a_command_ends_with_the_status_in_its_json_and_its_errors_are_lines() -> None:
    output = "collected 2 items\nE   ValueError: no rate\n2 failed"
    found = facts(*_ran("pytest -q", output, 1, "c1"))
    assert [(command.status, command.failed) for command in found.commands] == [(1, True)]
    assert any(error.line == "E   ValueError: no rate" for error in found.errors)
    assert not any("\\n" in error.line for error in found.errors)


def test_a_result_that_was_cut_to_a_line_keeps_its_status() -> None:
    line = "[terminal] ran `pytest -q` -> exit 1, 47 lines output"
    found = facts(
        call("terminal", '{"command": "pytest -q"}', call_id="c1"),
        result(line, call_id="c1", tool="terminal"),
    )
    assert [command.status for command in found.commands] == [1]


def test_files_are_changed_by_write_file_and_patch() -> None:
    patch = "*** Begin Patch\n*** Update File: src/b.py\n@@\n*** End Patch"
    found = facts(
        call("write_file", '{"path": "src/a.py", "content": "x"}', call_id="c1"),
        result('{"bytes_written": 1}', call_id="c1", tool="write_file"),
        call("patch", json.dumps({"mode": "patch", "patch": patch}), call_id="c2"),
        result('{"success": true}', call_id="c2", tool="patch"),
    )
    changed = {file.path for file in found.files if file.use is FileUse.CHANGED}
    assert changed == {"src/a.py", "src/b.py"}


def _todo(
    given: dict[str, object], told: list[dict[str, str]], call_id: str
) -> tuple[Draft, Draft]:
    return (
        call("todo", json.dumps(given), call_id=call_id),
        result(json.dumps({"todos": told}), call_id=call_id, tool="todo"),
    )


def test_a_todo_list_changes_by_entry() -> None:
    first = [
        {"id": "1", "content": "tests", "status": "pending"},
        {"id": "2", "content": "docs", "status": "pending"},
    ]
    done = [{**first[0], "status": "completed"}, first[1]]
    found = facts(
        *_todo({"todos": first}, first, "c1"),
        *_todo({"todos": [{"id": "1", "status": "completed"}], "merge": True}, done, "c2"),
    )
    assert [(todo.text, todo.status) for todo in found.todos] == [
        ("tests", "completed"),
        ("docs", "pending"),
    ]
