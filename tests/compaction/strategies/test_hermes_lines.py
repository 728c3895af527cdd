"""The lines that Hermes leaves of results, one for each of its tools."""

from __future__ import annotations

import json

import pytest

from redline.compaction.strategies.hermes_lines import elided, line

_LONG = "x" * 300


def _line(tool: str, arguments: object, content: str, *, lean: bool = False) -> str:
    return line(tool, json.dumps(arguments), content, lean=lean)


@pytest.mark.parametrize(
    ("tool", "arguments", "content", "expected"),
    [
        ("terminal", {"command": "npm test"}, '{"exit_code": 0}\n' + "a\n" * 45 + "b",
         "[terminal] ran `npm test` -> exit 0, 47 lines output"),
        ("terminal", {"command": "y" * 81}, "",
         f"[terminal] ran `{'y' * 77}...` -> exit ?, 0 lines output"),
        ("read_file", {"path": "config.py"}, "z" * 3_400,
         "[read_file] read config.py from line 1 (3,400 chars)"),
        ("write_file", {"path": "f", "content": "a\nb"}, _LONG,
         "[write_file] wrote to f (2 lines)"),
        ("write_file", {"path": "f"}, _LONG, "[write_file] wrote to f (? lines)"),
        ("search_files", {"pattern": "x", "path": "src"}, '{"total_count": 7}',
         "[search_files] content search for 'x' in src -> 7 matches"),
        ("patch", {"path": "f.py"}, "d" * 60, "[patch] replace in f.py (60 chars result)"),
        ("browser_click", {"ref": "e5"}, _LONG, "[browser_click] ref=e5 (300 chars)"),
        ("web_search", {"query": "q"}, _LONG, "[web_search] query='q' (300 chars result)"),
        ("web_extract", {"urls": [{"url": "http://a"}, "b"]}, _LONG,
         "[web_extract] http://a (+1 more) (300 chars)"),
        ("web_extract", {"urls": []}, _LONG, "[web_extract] ? (300 chars)"),
        ("web_extract", {"urls": "http://a"}, _LONG, "[web_extract] ? (300 chars)"),
        ("delegate_task", {"goal": "g" * 61}, _LONG,
         f"[delegate_task] '{'g' * 57}...' (300 chars result)"),
        ("execute_code", {"code": "a\nb"}, "1\n2", "[execute_code] `a b` (2 lines output)"),
        ("skill_view", {"name": "s"}, _LONG, "[skill_view] name=s (300 chars)"),
        ("vision_analyze", {"question": "q" * 60}, _LONG,
         f"[vision_analyze] '{'q' * 50}' (300 chars)"),
        ("memory", {"action": "add", "target": "user"}, _LONG, "[memory] add on user"),
        ("todo", {}, _LONG, "[todo] updated task list"),
        ("clarify", {}, _LONG, "[clarify] asked user a question"),
        ("process", {"action": "poll"}, _LONG, "[process] poll session=?"),
        ("Bash", {"a": 1, "b": "w" * 50, "c": 3}, _LONG,
         f"[Bash] a=1 b={'w' * 40} (300 chars result)"),
    ],
)  # fmt: skip
def test_each_tool_has_its_line(tool: str, arguments: object, content: str, expected: str) -> None:
    assert _line(tool, arguments, content) == expected


@pytest.mark.parametrize("lean", [False, True])
@pytest.mark.parametrize("arguments", [None, 7, "", "not json", "[1]", "{" * 100_000])
def test_inputs_that_are_no_object_leave_the_result_a_line(arguments: object, lean: bool) -> None:
    assert line("Bash", arguments, _LONG, lean=lean) == "[Bash] (300 chars result)"


def test_a_line_is_there_whatever_the_arguments_hold() -> None:
    urls = {"urls": [{"url": 7}, "b"]}
    assert _line("web_extract", urls, _LONG) == "[web_extract] (300 chars result)"


@pytest.mark.parametrize(
    ("tool", "arguments", "payload", "expected"),
    [
        ("write_file", {"path": "f"}, {"error": "no  such\nfolder"},
         "[write_file] f FAILED: no such folder"),
        ("memory", {"action": "add", "target": "user"}, {"success": False},
         "[memory] add on user FAILED"),
        ("terminal", {"command": "rm x"}, {"status": "blocked", "error": "BLOCKED: NOT consented"},
         "[terminal] `rm x` BLOCKED, not run; the user did NOT consent, do not retry or reach the "
         "same outcome another way"),
        ("patch", {"path": "f"}, {"status": "pending_approval"},
         "[patch] `f` awaiting the user's approval, not run"),
        ("cronjob_manage", {"action": "run"}, {"job": {"execution_error": "boom"}},
         "[cronjob] run FAILED: boom"),
        ("cronjob_manage", {"action": "run"}, {"job": {"execution_skipped": "busy"}},
         "[cronjob] run SKIPPED: busy"),
        ("process_manage", {"action": "poll", "session_id": "p"}, {"exit_code": 2},
         "[process] poll session=p FAILED: exit code 2"),
        ("process_manage", {"action": "kill", "session_id": "p"},
         {"exit_code": -9, "completion_reason": "killed"}, "[process] kill session=p"),
        ("clarify", {}, {"responses": [{"status": "answered", "user_response": "yes"}]},
         '[clarify] user responded: "yes"'),
        ("clarify", {}, {"user_response": "[user did not respond in time]"},
         "[clarify] asked user a question"),
    ],
)  # fmt: skip
def test_the_newer_lines_say_how_it_ended(
    tool: str, arguments: object, payload: object, expected: str
) -> None:
    assert _line(tool, arguments, json.dumps(payload), lean=True) == expected


def test_the_older_lines_do_not_say_how_it_ended() -> None:
    failed = json.dumps({"success": False})
    assert _line("write_file", {"path": "f"}, failed) == "[write_file] wrote to f (? lines)"


def test_a_large_skill_says_how_to_load_it_again() -> None:
    found = _line("skill_view", {"name": "s"}, "t" * 5_001, lean=True)
    assert found.startswith("[skill_view] name=s (5,001 chars) [SKILL_PRUNED: ")
    assert found.endswith("reload with skill_view(name='s')]")


def test_an_answer_is_kept_as_far_as_it_fits() -> None:
    answers = {"responses": [{"status": "answered", "user_response": "a" * 300}]}
    found = _line("clarify", {}, json.dumps(answers), lean=True)
    assert len(found) <= 199
    assert found.startswith('[clarify] user responded: "aaa')
    assert elided("short", 199) == "short"
