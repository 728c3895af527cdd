"""Error lines: which they are, and whether they were resolved later."""

from __future__ import annotations

import pytest

from tests.facts.extracting import facts, used
from tests.sessions_in_memory import (
    Draft,
    call,
    ran,
    result,
)


@pytest.mark.parametrize(
    ("printed", "line"),
    [
        (
            "# shop/cli\ncli/main.go:47:38: cannot use text as []byte value\n"
            "FAIL\tshop/cli [build failed]",
            "cli/main.go:47:38: cannot use text as []byte value",
        ),
        (
            "a.go:8:13: string `x` has 4 occurrences, make it a constant (goconst)\n1 issues:\n"
            "[lint] ERROR task failed",
            "a.go:8:13: string `x` has 4 occurrences, make it a constant (goconst)",
        ),
        (
            "┃ [D] ↘ Nested modules could be aliased.\n┃       lib/a.ex:135:5 #(A.b)\n"
            "Use `mix credo explain` to explain issues.",
            "┃ [D] ↘ Nested modules could be aliased.",
        ),
        (
            '{"message": "Not Found"}\ngh: Not Found (HTTP 404)\n{\n  "message": "Not Found",\n}',
            "gh: Not Found (HTTP 404)",
        ),
        ('[lint] ERROR task failed\n{"error": 1}', "[lint] ERROR task failed"),
        ('{"error": "no such key"}', '{"error": "no such key"}'),
        ("would reformat a.py\nRun 'fmt --help' for details.", "would reformat a.py"),
    ],
)
def test_the_lines_of_compilers_and_linters_are_quoted(printed: str, line: str) -> None:
    assert facts(ran("make check", printed, 1, call_id="1")).errors[0].line == line
    warning = "a.c:1:2: warning: unused variable\nmake: *** [x] Error 1"
    assert facts(ran("make", warning, 1, call_id="1")).errors[0].line != warning.split("\n")[0]


def test_a_file_that_could_not_be_read_was_a_try() -> None:
    failed = used("Read", "a.py", "1", error=True)
    assert len(facts(failed).open_errors) == 1
    assert facts(failed, ran("make", "ok", call_id="2")).open_errors == ()
    assert facts(failed, used("Edit", "b.py", "2")).open_errors == ()


def test_an_error_that_comes_back_stands_behind_those_that_came_meanwhile() -> None:
    found = facts(
        ran("pytest a", "FAILED t.py::test_a - x", 1, call_id="1"),
        ran("pytest b", "FAILED t.py::test_b - y", 1, call_id="2"),
        ran("pytest a", "1 passed", call_id="3"),
        ran("pytest a", "FAILED t.py::test_a - x", 1, call_id="4"),
    ).errors
    assert [(error.line, error.count) for error in found] == [
        ("FAILED t.py::test_b - y", 1),
        ("FAILED t.py::test_a - x", 2),
    ]


def test_an_error_is_open_until_its_command_passes() -> None:
    failing = ran(
        "cd app && pytest -q", "E   assert 1 == 2\nFAILED t.py::test_a - x", 1, call_id="1"
    )
    assert [error.line for error in facts(failing).open_errors] == [
        "E   assert 1 == 2",
        "FAILED t.py::test_a - x",
    ]
    found = facts(failing, ran("pytest -q 2>&1 | tail -3", "2 passed", call_id="2"))
    assert found.open_errors == ()
    assert {error.resolved for error in found.errors} == {"m4"}
    assert {error.message for error in found.errors} == {"m2"}
    assert {error.command for error in found.errors} == {"cd app && pytest -q"}


def test_a_command_that_passes_otherwise_resolves_nothing() -> None:
    failing = ran("npm test", "Error: boom", 1, call_id="1")
    found = facts(failing, ran("npm run lint", "fine", call_id="2"), ran("ls", "a", call_id="3"))
    assert [error.line for error in found.open_errors] == ["Error: boom"]


def test_a_larger_run_that_passes_resolves_a_part_of_it() -> None:
    failing = ran("mix test test/a_test.exs", "1 test, 1 failure", 2, call_id="1")
    assert facts(failing, ran("mix test", "0 failures", call_id="2")).open_errors == ()


def test_an_error_that_comes_back_is_open_again() -> None:
    failing = ran("make", "error: no rule", 2, call_id="1")
    found = facts(
        failing, ran("make", "", call_id="2"), ran("make", "error: no rule", 2, call_id="3")
    )
    (error,) = found.errors
    assert (error.resolved, error.count, error.message) == (None, 2, "m6")


def test_an_error_that_the_same_command_prints_no_more_is_gone() -> None:
    found = facts(
        ran("make", "error: one\nerror: two", 2, call_id="1"),
        ran("make", "error: two", 2, call_id="2"),
    )
    assert [error.line for error in found.open_errors] == ["error: two"]


def test_an_error_that_moved_to_another_line_is_listed_once() -> None:
    found = facts(
        ran("npx tsc 2>&1 | head", "a.ts(1,2): error TS1: x", call_id="1"),
        ran("npx tsc 2>&1 | tail", "a.ts(3,2): error TS1: x", call_id="2"),
    )
    assert [error.line for error in found.open_errors] == ["a.ts(3,2): error TS1: x"]
    assert (
        facts(
            ran("npx tsc", "a.ts(1,2): error TS1: x", 1, call_id="1"),
            ran("npm run check", call_id="2"),
        ).open_errors
        == ()
    )


def test_a_test_that_passes_by_name_is_resolved() -> None:
    found = facts(
        ran("pytest -v", "FAILED t.py::test_a - x\nFAILED t.py::test_b - y", 1, call_id="1"),
        ran("pytest -v t.py", "t.py::test_a PASSED\nFAILED t.py::test_b - y", 1, call_id="2"),
    )
    assert [error.line for error in found.open_errors] == ["FAILED t.py::test_b - y"]


def test_a_failed_edit_is_resolved_by_one_that_works() -> None:
    failed = used("Edit", "a.py", "1", error=True)
    assert [error.line for error in facts(failed).open_errors] == ["no such text"]
    assert facts(failed, used("Write", "a.py", "2")).open_errors == ()
    assert len(facts(failed, used("Write", "b.py", "2")).open_errors) == 1
    assert len(facts(failed, used("Read", "a.py", "2")).open_errors) == 1


@pytest.mark.parametrize(
    "drafts",
    [
        (call("Read", {"file_path": "l"}, call_id="1"), result("Error\nFAILED a::b", call_id="1")),
        ran("cat server.log", "Traceback\nValueError: x\nerror: y", call_id="1"),
        ran("grep -rn error src | head", "src/a.py:1: error: no", call_id="1"),
        ran("pytest -q", "3 passed\nError: logged on purpose", call_id="1"),
        ran("pytest -q | tail -5", "Error: logged on purpose\n3 passed in 0.1s", call_id="1"),
        ran("grep foo src", "", 1, call_id="1"),
        (
            call("Bash", {"command": "rm x"}, call_id="1"),
            result("The user doesn't want to proceed with this tool use.", call_id="1", error=True),
        ),
        (call("Bash", {"command": "x"}, call_id="1"), result("<tool_use_error>Sibling tool call "
         "errored</tool_use_error>", call_id="1", error=True)),
    ],
)  # fmt: skip
def test_what_only_speaks_of_errors_is_none(drafts: tuple[Draft, ...]) -> None:
    assert facts(drafts).errors == ()


def test_a_pipe_does_not_hide_a_well_known_error() -> None:
    found = facts(
        ran("npm run check 2>&1 | tail -5", "src/a.ts(1,2): error TS2304: no", call_id="1")
    )
    assert [error.line for error in found.open_errors] == ["src/a.ts(1,2): error TS2304: no"]


def test_only_the_last_line_of_a_traceback_is_quoted() -> None:
    output = "Traceback (most recent call last):\n  x\nValueError: bad \x1b[31mred\x1b[0m"
    assert [e.line for e in facts(ran("python a.py", output, 1, call_id="1")).errors] == [
        "ValueError: bad red"
    ]
