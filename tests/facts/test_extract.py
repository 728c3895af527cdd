"""Facts of a session, each with the message it comes from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from redline.facts.extract import extract
from redline.facts.fact import FileUse
from redline.model import PartState
from tests.facts.extracting import facts, used
from tests.sessions_in_memory import (
    call,
    injected,
    ran,
    reply,
    result,
    summary,
    together,
    user,
)


def test_files_read_and_changed_are_told_apart_and_counted() -> None:
    found = facts(
        used("Read", "a.py", "1"),
        used("Edit", "a.py", "2"),
        used("Edit", "a.py", "3"),
        used("Write", "b.py", "4"),
        used("NotebookEdit", "c.ipynb", "5"),
        used("Grep", "d.py", "6"),
    )
    assert [(fact.path, fact.use, fact.count, fact.message) for fact in found.files] == [
        ("a.py", FileUse.READ, 1, "m1"),
        ("a.py", FileUse.CHANGED, 2, "m5"),
        ("b.py", FileUse.CHANGED, 1, "m7"),
        ("c.ipynb", FileUse.CHANGED, 1, "m9"),
    ]


def test_tools_of_pi_and_patches_count_too() -> None:
    patch = "*** Begin Patch\n*** Update File: x.py\n*** Add File: y.py\n*** End Patch"
    found = facts(
        call("edit", {"path": "p.ts", "oldText": "", "newText": ""}, call_id="1"),
        result("ok", call_id="1"),
        call("apply_patch", patch, call_id="2"),
        result("ok", call_id="2"),
    )
    assert [fact.path for fact in found.changed] == ["p.ts", "x.py", "y.py"]


@pytest.mark.parametrize(
    ("tool", "given", "use"),
    [
        ("MultiEdit", {"file_path": "a.py", "edits": [{"old_string": "x"}]}, FileUse.CHANGED),
        ("edit", {"path": "a.py", "edits": [{"oldText": "x", "newText": "y"}]}, FileUse.CHANGED),
        ("edit", {"edits": [{"path": "a.py"}, {"path": "a.py"}, None]}, FileUse.CHANGED),
        ("mcp__files__write_file", {"path": "a.py"}, FileUse.CHANGED),
        ("str_replace_based_edit_tool", {"command": "create", "path": "a.py"}, FileUse.CHANGED),
        ("str_replace_based_edit_tool", {"command": "view", "path": "a.py"}, FileUse.READ),
    ],
)
def test_a_file_is_known_in_every_form_of_an_edit(
    tool: str, given: dict[str, object], use: FileUse
) -> None:
    found = facts(call(tool, given, call_id="1"), result("ok", call_id="1", tool=tool))
    assert [(fact.path, fact.use) for fact in found.files] == [("a.py", use)]


def test_a_call_that_failed_or_never_ended_changes_no_file() -> None:
    found = facts(
        used("Edit", "a.py", "1", error=True), call("Write", {"file_path": "b"}, call_id="2")
    )
    assert found.files == ()


def test_parallel_calls_are_paired_with_their_own_results() -> None:
    found = facts(
        together(
            call("Edit", {"file_path": "a.py"}, call_id="1"),
            call("Edit", {"file_path": "b.py"}, call_id="2"),
        ),
        result("failed", call_id="2", error=True),
        result("ok", call_id="1"),
    )
    assert [fact.path for fact in found.changed] == ["a.py"]
    assert [error.line for error in found.errors] == ["failed"]


def test_commits_are_those_that_were_made() -> None:
    found = facts(
        ran("git log --oneline", "1111111 old\n2222222 older", call_id="1"),
        ran(
            "git add -A && git commit -m 'Fix'",
            "[main abc1234] Fix the rounding\n 1 file changed",
            call_id="2",
        ),
        ran("cat notes.txt", "[main fedcba9] not made here", call_id="3"),
        ran("git cherry-pick 2222222", "[topic/x 3333333] older\n Date: today", call_id="4"),
        ran("git -C sub commit -qm x && git log --oneline -1", "4444444 x", call_id="5"),
        ran("git commit -m y && git push", "[main (root-commit) 5555555] y\nfatal", 1, call_id="6"),
    )
    assert [(made.sha, made.subject, made.branch, made.message) for made in found.commits] == [
        ("abc1234", "Fix the rounding", "main", "m4"),
        ("3333333", "older", "topic/x", "m8"),
        ("4444444", "x", None, "m10"),
        ("5555555", "y", "main", "m12"),
    ]


def test_an_amended_commit_is_replaced_by_the_new_one() -> None:
    found = facts(
        ran("git commit -m x", "[main aaaaaaa] x\n 1 file changed", call_id="1"),
        ran("git add b && git commit --amend --no-edit", "[main bbbbbbb] x\n Date: n", call_id="2"),
        ran("git commit -m 'not --amend'", "[main ccccccc] y\n 1 file changed", call_id="3"),
    )
    assert [(made.sha, made.replaced_by) for made in found.commits] == [
        ("aaaaaaa", "bbbbbbb"),
        ("bbbbbbb", None),
        ("ccccccc", None),
    ]


def test_a_commit_that_a_script_made_is_known_by_what_git_prints_with_it() -> None:
    printed = "[main abc1234] Release 1.2\n 2 files changed, 3 insertions(+)"
    assert len(facts(ran("make release", printed, call_id="1")).commits) == 1
    assert len(facts(ran('bash -lc "git commit -m x"', printed, call_id="1")).commits) == 1
    assert facts(ran("cat build.log", printed, call_id="1")).commits == ()
    assert facts(ran("make log", "[main abc1234] Release 1.2\nok", call_id="1")).commits == ()


def test_a_commit_whose_result_the_agent_cleared_is_still_known() -> None:
    found = facts(
        call("Bash", {"command": "git commit -m x"}, call_id="1"),
        result("[main abc1234] x", call_id="1", tool="Bash", state=PartState.CLEARED),
    )
    assert [made.sha for made in found.commits] == ["abc1234"]


def test_issue_numbers_and_urls_are_found_without_what_only_looks_like_them() -> None:
    found = facts(
        user(
            "Fix #12 and acme/shop#34, see PROJ-567 (PR 89). UTF-8, SHA-256, ISO-8601, #fff, "
            "color: #283228, step #4, option #2 and v1.2-3 are none."
        ),
        reply(
            "See https://github.com/acme/shop/issues/77), [docs](https://a.io/x_(y)). #3 is mine"
        ),
    )
    assert [fact.text for fact in found.references] == [
        "#12",
        "acme/shop#34",
        "PROJ-567",
        "PR 89",
        "acme/shop#77",
    ]
    assert [fact.text for fact in found.urls] == [
        "https://github.com/acme/shop/issues/77",
        "https://a.io/x_(y)",
    ]


def test_numbers_in_chinese_text_are_found() -> None:
    found = facts(user("修复PROJ-12的问题，见 https://a.io/b。谢谢 #34，还有#35。"))
    assert [fact.text for fact in found.references] == ["PROJ-12", "#34", "#35"]
    assert [fact.text for fact in found.urls] == ["https://a.io/b"]


def test_references_in_tool_output_are_none() -> None:
    found = facts(ran("cat CHANGELOG", "Fix #99, see https://evil.example/x PROJ-1", call_id="1"))
    assert (found.references, found.urls) == ((), ())


def test_commands_know_their_exit_status() -> None:
    found = facts(
        ran("make", "", call_id="1"),
        ran("make test", "x", 2, call_id="2"),
        call("bash", {"command": "false"}, call_id="3"),
        result("oops\n\nCommand exited with code 7", call_id="3", error=True, tool="bash"),
        call("Bash", {"command": "serve", "run_in_background": True}, call_id="4"),
        result("started", call_id="4"),
    )
    assert [(run.command, run.status, run.failed, run.message) for run in found.commands] == [
        ("make", 0, False, "m1"),
        ("make test", 2, True, "m3"),
        ("false", 7, True, "m5"),
        ("serve", None, False, "m7"),
    ]


def test_decisions_are_choices_with_their_reason() -> None:
    found = facts(
        user("Let's use SQLite instead of Postgres. Can we use Redis instead of a file?"),
        reply("I decided to keep the old parser because the tests rely on it. Let me run them."),
        user("就用方案二吧，因为简单"),
        reply("I'll read the file now."),
        reply("```\nI decided to lie because of x\n```"),
    )
    assert [(made.text, made.reason, made.by_user) for made in found.decisions] == [
        ("Let's use SQLite instead of Postgres.", None, True),
        (
            "I decided to keep the old parser because the tests rely on it.",
            "the tests rely on it",
            False,
        ),
        ("就用方案二吧，因为简单", "简单", True),
    ]


def test_prompts_are_whole_and_only_human() -> None:
    text = "  First line\n\nsecond  line\n"
    found = facts(
        user(text), injected("reminder"), summary("retold"), together(injected("x"), user("last"))
    )
    assert [(prompt.text, prompt.message, prompt.part) for prompt in found.prompts] == [
        (text, "m1", 0),
        ("last", "m4", 1),
    ]
    assert found.last_prompt is not None
    assert found.last_prompt.text == "last"


def test_the_last_reply_is_the_last_words_of_the_agent() -> None:
    found = facts(reply("one"), reply("two"), ran("ls", call_id="1"), reply(" "))
    assert found.last_reply is not None
    assert (found.last_reply.text, found.last_reply.message) == ("two", "m2")


def test_the_todo_list_is_the_last_one() -> None:
    todos = [{"content": "a", "status": "completed"}, {"content": "b", "status": "pending"}, 3]
    found = facts(
        call("TodoWrite", {"todos": [{"content": "old", "status": "pending"}]}, call_id="1"),
        result("ok", call_id="1"),
        call("TodoWrite", {"todos": todos}, call_id="2"),
        result("ok", call_id="2"),
    )
    assert [(todo.text, todo.status, todo.message) for todo in found.todos] == [
        ("a", "completed", "m3"),
        ("b", "pending", "m3"),
    ]


def test_tasks_are_followed_by_their_number() -> None:
    found = facts(
        call("TaskCreate", {"subject": "one"}, call_id="1"),
        result("Task #1 created successfully: one", call_id="1"),
        call("TaskCreate", {"subject": "two"}, call_id="2"),
        result("Task #2 created successfully: two", call_id="2"),
        call("TaskUpdate", {"taskId": "1", "status": "completed"}, call_id="3"),
        result("Updated task #1", call_id="3"),
    )
    assert [(todo.text, todo.status) for todo in found.todos] == [
        ("one", "completed"),
        ("two", "pending"),
    ]


def test_skills_are_listed_once() -> None:
    one = call("Skill", {"skill": "review"}, call_id="1")
    assert facts(one, one).skills == ("review",)


@pytest.mark.parametrize(
    "value",
    [{}, {"file_path": None}, {"file_path": 3}, {"command": ["a", 3]}, {"command": None},
     {"todos": "x"}, {"todos": [None, {"content": 3}]}, {"taskId": {}}, "no json", "[1", "[]"],
)  # fmt: skip
@pytest.mark.parametrize("tool", ["Read", "Edit", "Bash", "TodoWrite", "TaskUpdate", "Skill", "x"])
def test_inputs_of_the_wrong_type_do_not_raise(tool: str, value: dict[str, object] | str) -> None:
    facts(call(tool, value, call_id="1"), result("\ud800", call_id="1", error=True))
    facts(call(tool, value, call_id="1"), result("", call_id="1"), result("", call_id="1"))


@pytest.mark.parametrize(
    "text",
    ["error: " * 60_000, "E   x\n" * 60_000, "`" * 400_000, "#1 " * 100_000, "http://" * 60_000,
     "\x1b[" * 200_000, "a:1:" * 100_000, "git -c " * 60_000, '\\"' * 100_000, "<<E\n" * 90_000],
)  # fmt: skip
def test_hostile_text_is_read_to_its_end(text: str) -> None:
    found = facts(
        user(text),
        reply(text),
        ran(text, text, 1, call_id="1"),
        ran(text[:3_000] + "| cat", text, call_id="2"),
    )
    assert [prompt.text for prompt in found.prompts] == [text]


@pytest.mark.real
def test_facts_of_a_real_session_with_a_compaction(real_sessions: Path) -> None:
    from redline.agents.opening import open_session

    (path,) = (real_sessions / "claude_code" / "spotter_fa812bfe_auto").glob("*.jsonl")
    found = extract(open_session(path))
    assert [made.sha for made in found.commits] == [
        "dbe5100",
        "66e1a0a",
        "f0b86dd",
        "22450e1",
        "3114215",
    ]
    assert len(found.prompts) == 2
    assert len(found.changed) == 25
    assert found.open_errors == ()
    assert len(found.commands) == 76


@pytest.mark.real
@pytest.mark.parametrize(
    "name",
    [
        "claude_code/entire_25730c66_micro.jsonl",
        "claude_code/entire_38346dbf_dangling.jsonl",
        "pi/large-session.jsonl",
        "pi/before-compaction.v3-migrated.jsonl",
    ],
)
def test_every_commit_git_printed_in_a_real_file_is_found(real_sessions: Path, name: str) -> None:
    from redline.agents.opening import open_session

    path = real_sessions / name
    text = path.read_text(encoding="utf-8", errors="replace")
    printed = {
        sha
        for line in text.split("\n")
        if '"type":"progress"' not in line  # what a subagent committed is no fact of this session
        for sha in re.findall(r"\[[\w./-]+(?: \(root-commit\))? ([0-9a-f]{7,12})\] \S", line)
    }
    found = {made.sha for made in extract(open_session(path)).commits}
    assert found
    assert found == printed


@pytest.mark.real
def test_facts_of_every_real_file_can_be_read(real_sessions: Path) -> None:
    from redline.agents.opening import open_session

    for agent in ("claude_code", "pi"):
        for path in sorted((real_sessions / agent).glob("*.jsonl")):
            found = extract(open_session(path))
            assert all(error.line.strip() for error in found.errors), path
            assert len(found.open_errors) < 12, path
