"""Codex's own ways to run commands and to change files."""

from __future__ import annotations

import json

import pytest

from tests.facts.extracting import facts
from tests.sessions_in_memory import call, result

PATCH = (
    "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-old > void\n+(x) => change\n"
    "*** Add File: src/b.ts\n+new > thing\n*** End Patch"
)


@pytest.mark.parametrize(
    "given",
    [
        {"command": ["apply_patch", PATCH]},
        {"command": ["bash", "-lc", f"apply_patch <<'PATCH'\n{PATCH}\nPATCH\n"]},
        {"cmd": f"cd web && apply_patch << EOF\n{PATCH}\nEOF"},
    ],
)
def test_a_patch_run_as_a_command_changes_the_files_it_names_and_no_others(
    given: dict[str, object],
) -> None:
    found = facts(
        call("shell", given, call_id="1"),
        result('{"output":"Success.","metadata":{"exit_code":0}}', call_id="1"),
    )
    assert [fact.path for fact in found.changed] == ["src/a.ts", "src/b.ts"]
    assert "Begin Patch" not in found.commands[0].command


def test_a_patch_that_failed_as_a_command_changes_nothing() -> None:
    output = json.dumps({"output": "no such file\n", "metadata": {"exit_code": 1}})
    found = facts(
        call("shell", {"command": ["apply_patch", PATCH]}, call_id="1"),
        result(output, call_id="1", error=True),
    )
    assert found.changed == ()
    assert found.commands[0].status == 1


def test_what_else_a_command_with_a_patch_writes_counts_too() -> None:
    command = f"apply_patch <<'P'\n{PATCH}\nP\necho done > notes.md"
    found = facts(call("exec_command", {"cmd": command}, call_id="1"), result("", call_id="1"))
    assert [fact.path for fact in found.changed] == ["src/a.ts", "src/b.ts", "notes.md"]


def test_a_command_that_runs_on_has_no_status_and_mends_nothing() -> None:
    failed = "Chunk ID: 1\nWall time: 1 seconds\nProcess exited with code 1\nOutput:\nError: boom"
    runs = "Chunk ID: 2\nWall time: 10 seconds\nProcess running with session ID 7\nOutput:\n"
    given = {"cmd": "npm test"}
    found = facts(
        call("exec_command", given, call_id="1"),
        result(failed, call_id="1", error=True),
        call("exec_command", given, call_id="2"),
        result(runs, call_id="2"),
    )
    assert [fact.status for fact in found.commands] == [1, None]
    assert [error.resolved for error in found.errors] == [None]


def test_the_plan_of_codex_is_its_list_of_things_to_do() -> None:
    steps = [{"step": "Write it", "status": "completed"}, {"step": "Test it", "status": "pending"}]
    given = {"plan": steps}
    found = facts(call("update_plan", given, call_id="1"), result("Plan updated", call_id="1"))
    assert [(todo.text, todo.status) for todo in found.todos] == [
        ("Write it", "completed"),
        ("Test it", "pending"),
    ]
