"""Messages, replies and prompts of a rollout, in all its dialects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.codex.reader import open_session
from redline.model import DamageKind, Kind, Part, PartType, Role, Usage
from tests.agents.codex.files import JSON, event, item, line, meta, said, write
from tests.agents.codex.rolling import (
    asked,
    call,
    count,
    done,
    estimate,
    history,
    image,
    marked,
    message,
    opened,
    output,
    sealed,
    started,
    user,
)


def kinds(parts: tuple[Part, ...]) -> list[tuple[str, str]]:
    return [(part.type.value, part.kind.value) for part in parts]


def test_a_reply_is_all_items_up_to_its_count_and_its_results_come_after(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        user("Look"),
        event("token_count", info=None),
        sealed(),
        said("assistant", "I look."),
        call("c1"),
        output("c1"),
        call("c2"),
        count(900, 900, cached=600),
        count(900, 900, cached=600),
        output("c2"),
        said("assistant", "Seen."),
        count(1_200, 2_100),
    )
    assert [m.role for m in session.context] == [
        Role.USER,
        Role.ASSISTANT,
        Role.USER,
        Role.USER,
        Role.ASSISTANT,
    ]
    reply = session.context[1]
    assert kinds(reply.parts) == [
        ("opaque", "reply"),
        ("text", "reply"),
        ("tool_call", "tool_call"),
        ("tool_call", "tool_call"),
    ]
    assert reply.usage == Usage(300, 600, None, 10)
    assert session.context[4].usage == Usage(1_200, 0, None, 10)
    assert session.counts.tool_pairs == 2


def test_without_any_count_a_result_ends_the_reply(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        user("Look"),
        call("c1"),
        output("c1"),
        call("c2"),
        output("c2"),
        said("assistant", "!"),
    )
    assert [m.role.value for m in session.context] == [
        "user",
        *["assistant", "user"] * 2,
        "assistant",
    ]


def test_a_count_that_stands_before_its_items_bills_them(tmp_path: Path) -> None:
    """Builds of 2025 wrote the items of a request after its count."""
    session = opened(
        tmp_path,
        user("Look"),
        count(500, 500),
        sealed(),
        call("c1"),
        output("c1"),
        count(800, 1_300),
        said("assistant", "Seen."),
        user("More"),
        count(900, 2_200),
        said("assistant", "No more."),
    )
    replies = [m for m in session.context if m.role is Role.ASSISTANT]
    assert [m.usage.input if m.usage else None for m in replies] == [500, 800, 900]
    assert session.info.billed == 900


def test_an_estimate_and_an_empty_count_bill_nobody(tmp_path: Path) -> None:
    session = opened(
        tmp_path, user("Look"), said("assistant", "A"), estimate(9_000, 1), event("token_count")
    )
    assert session.context[1].usage is None
    assert session.info.billed is None


def test_each_turn_is_told_once_however_often_it_is_written(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        user("hi"),
        marked("hi"),
        event("agent_message", message="Hello"),
        event("item_completed", item={"type": "AgentMessage", "text": "Hello"}),
        said("assistant", "Hello"),
    )
    assert [(m.role.value, m.head) for m in session.context] == [
        ("user", "hi"),
        ("assistant", "Hello"),
    ]
    assert session.counts.prompts == session.counts.turns == 1


CONTEXT = "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>"
ENVIRONMENT = "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>"
PUT_IN: list[tuple[str, Kind]] = [
    (CONTEXT, Kind.INJECTED),
    (ENVIRONMENT, Kind.INJECTED),
    ("<ENVIRONMENT_CONTEXT>\nx\n</ENVIRONMENT_CONTEXT>", Kind.INJECTED),
    ("  <skill>\nx\n</skill>\n", Kind.INJECTED),
    ("<user_instructions>\nx\n</user_instructions>", Kind.INJECTED),
    ("<external_editor>\nx\n</external_editor>", Kind.INJECTED),
    ('<hook_prompt hook_run_id="1">x</hook_prompt>', Kind.INJECTED),
    ("<turn_aborted>\nx\n</turn_aborted>", Kind.NOTICE),
    ("<subagent_notification>x</subagent_notification>", Kind.NOTICE),
    ("<external_editor>\nx\n</external_other>", Kind.PROMPT),
    ('<codex_internal_context source="goal">x</codex_internal_context>', Kind.INJECTED),
    ('<codex_internal_context source="my goal">x</codex_internal_context>', Kind.PROMPT),
    ("<environment_context> is what I want to know about", Kind.PROMPT),
    ("Another language model started to solve this problem\nDone.", Kind.SUMMARY),
]


@pytest.mark.parametrize(("text", "kind"), PUT_IN)
def test_only_a_persons_words_are_a_prompt(text: str, kind: Kind, tmp_path: Path) -> None:
    (message,) = opened(tmp_path, user(text)).context
    assert [part.kind for part in message.parts] == [kind]


def test_texts_that_were_put_in_come_bundled_in_one_message(tmp_path: Path) -> None:
    session = opened(tmp_path, user(CONTEXT, ENVIRONMENT), user("Go"))
    assert [[part.kind for part in m.parts] for m in session.context] == [
        [Kind.INJECTED, Kind.INJECTED],
        [Kind.PROMPT],
    ]


def test_the_prompt_of_an_editor_is_what_follows_its_list_of_files(tmp_path: Path) -> None:
    text = "# Context from my IDE setup:\n\n## Open tabs:\n- a.py\n\n"
    text += "## My request for Codex:\nFix it\n"
    (message,) = (session := opened(tmp_path, user(text))).context
    assert [(p.kind, session.text(p)) for p in message.parts] == [
        (Kind.INJECTED, text[: text.index("Fix")]),
        (Kind.PROMPT, "Fix it\n"),
    ]
    assert message.head == "Fix it"


def test_labels_around_a_picture_are_no_prompt_and_the_picture_is_one(tmp_path: Path) -> None:
    blocks: list[str | JSON] = ['<image name=[Image #1] path="/a.png">', image(), "</image>", "See"]
    (message,) = opened(tmp_path, user(*blocks)).context
    assert kinds(message.parts) == [
        ("text", "injected"),
        ("image", "prompt"),
        ("text", "injected"),
        ("text", "prompt"),
    ]


def test_what_the_events_of_a_turn_do_not_tell_of_was_put_in(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        user("rules of a host"),
        started("t1"),
        user("Do it"),
        marked("Do it"),
        user("a skill of a new kind"),
        said("assistant", "Yes"),
        done("t1"),
        started("t2"),
        user("No event at all"),
        said("assistant", "Yes"),
    )
    assert [m.head for m in session.context if m.prompts] == ["Do it", "No event at all"]
    assert (session.counts.prompts, session.counts.turns) == (2, 2)
    assert [m.head for m in session.source.history() if m.prompts] == ["Do it", "No event at all"]


def test_events_of_2025_tell_what_they_repeat(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        user("be brief"),
        marked("be brief", kind="user_instructions"),
        user("Do it"),
        marked("Do it", kind="plain"),
        said("assistant", "Yes"),
    )
    assert [m.head for m in session.context if m.prompts] == ["Do it"]


def test_a_paginated_rollout_marks_prompts_in_its_own_way(tmp_path: Path) -> None:
    mark = event("item_completed", item={"type": "UserMessage", "id": "i"})
    session = opened(tmp_path, started("t1"), user("a"), user("b"), mark, said("assistant", "c"))
    assert [m.head for m in session.context if m.prompts] == ["b"]


def test_the_old_flat_rollouts_open(tmp_path: Path) -> None:
    records = [
        {"id": "x", "timestamp": "2025-07-01T00:00:00Z", "instructions": None},
        message("user", "hi"),
        {"record_type": "state"},
        {"type": "function_call", "name": "shell", "arguments": "{}", "call_id": "c"},
        {"type": "function_call_output", "call_id": "c", "output": '{"output":"x"}'},
        {"record_type": "state"},
        message("assistant", "Hello"),
    ]
    session = open_session(write(tmp_path / "rollout-2025-07-01-x.jsonl", *records))
    assert [m.role.value for m in session.context] == ["user", "assistant", "user", "assistant"]
    assert [session.text(p) for m in session.context for p in m.parts][-1] == "Hello"
    assert session.resume_lost == 4  # the Codex of today reads no line of it


RESULTS: list[tuple[Any, bool]] = [
    ('{"output":"x","metadata":{"exit_code":0,"duration_seconds":0.1}}', False),
    ('{"output":"x","metadata":{"exit_code":2,"duration_seconds":0.1}}', True),
    ("Exit code: 1\nWall time: 1 seconds\nOutput:\nx", True),
    ("Exit code: 0\nWall time: 1 seconds\nOutput:\nExit code: 1", False),
    ("Chunk ID: 1\nWall time: 1\nProcess exited with code 127\nOutput:\nx", True),
    ("Chunk ID: 1\nWall time: 1\nProcess exited with code 0\nOutput:\nx", False),
    ("apply_patch verification failed: no such file", True),
    ([{"type": "input_text", "text": "Exit code: 3\nOutput:"}], True),
    ("Process exited", False),
]


@pytest.mark.parametrize(("told", "error"), RESULTS)
def test_a_result_is_an_error_where_its_status_is_not_0(
    told: object, error: bool, tmp_path: Path
) -> None:
    session = opened(tmp_path, user("Go"), call("c"), output("c", told))
    assert [
        p.error for m in session.context for p in m.parts if p.type is PartType.TOOL_RESULT
    ] == [error]


def test_calls_of_every_form_tell_their_tool_and_their_input(tmp_path: Path) -> None:
    session = opened(
        tmp_path,
        call("c1", '{"cmd":"ls"}', name="exec_command"),
        item("custom_tool_call", name="apply_patch", input="*** Begin Patch", call_id="c2"),
        item("local_shell_call", call_id="c3", action={"type": "exec", "command": ["ls"]}),
        item("function_call", name="echo", namespace="mcp__x", arguments="no json", call_id="c4"),
        item("web_search_call", action={"type": "search", "query": "q"}),
    )
    parts = session.context[0].parts
    assert [(p.type.value, p.wire, p.tool, p.call_id) for p in parts] == [
        ("tool_call", "function_call", "exec_command", "c1"),
        ("tool_call", "custom_tool_call", "apply_patch", "c2"),
        ("tool_call", "local_shell_call", "local_shell", "c3"),
        ("tool_call", "function_call", "mcp__x__echo", "c4"),
        ("text", "web_search_call", "web_search", None),
    ]
    assert [session.source.value(p) for p in parts] == [
        {"cmd": "ls"},
        "*** Begin Patch",
        {"type": "exec", "command": ["ls"]},
        "no json",
        {"type": "search", "query": "q"},
    ]
    assert session.text(parts[0]) == '{"cmd":"ls"}'
    assert session.text(parts[2]) == '{"command": ["ls"], "type": "exec"}'


def test_an_image_in_a_result_is_a_part_of_its_own(tmp_path: Path) -> None:
    told = [{"type": "input_text", "text": "seen"}, image()]
    session = opened(tmp_path, call("c"), output("c", told))
    assert [(p.type.value, p.call_id) for p in session.context[1].parts] == [
        ("tool_result", "c"),
        ("image", "c"),
    ]


def test_what_agents_say_to_each_other_is_no_prompt(tmp_path: Path) -> None:
    between = {"author": "/root", "recipient": "/a", "content": "Do it", "trigger_turn": True}
    session = opened(
        tmp_path,
        line("inter_agent_communication", between),
        item(
            "agent_message",
            author="/a",
            recipient="/root",
            content=[{"type": "input_text", "text": "Ok"}],
        ),
    )
    assert [(m.head, kinds(m.parts)) for m in session.context] == [
        ("Do it", [("text", "injected")]),
        ("Ok", [("text", "injected")]),
    ]


def test_snapshots_and_words_of_the_system_are_not_sent(tmp_path: Path) -> None:
    session = opened(
        tmp_path, item("ghost_snapshot", ghost_commit={"id": "a"}), said("system", "x"), user("hi")
    )
    assert history(session) == ["hi"]
    assert session.counts.unknown == 0


def test_unknown_records_are_counted_and_the_rest_is_read(tmp_path: Path) -> None:
    session = opened(
        tmp_path, user("hi"), line("future", {"x": 1}), item("future_item"), said("assistant", "A")
    )
    assert history(session) == ["hi", "A"]
    assert session.counts.unknown == 2
    assert {found.kind for found in session.damage} == {DamageKind.UNKNOWN}


def test_a_result_without_its_call_is_named(tmp_path: Path) -> None:
    session = opened(tmp_path, user("hi"), output("c9"))
    assert [(f.kind, f.record) for f in session.damage] == [(DamageKind.ORPHAN, 3)]


def test_an_id_that_is_used_twice_names_its_first_message(tmp_path: Path) -> None:
    records = [user("a"), said("assistant", "x"), user("b"), said("assistant", "y")]
    for record in records[1::2]:
        record["payload"]["id"] = "msg_1"
    session = opened(tmp_path, *records)
    assert [m.id for m in session.context] == ["line:2", "msg_1", "line:4", "line:5"]


def test_two_records_on_one_line_are_two_messages(tmp_path: Path) -> None:
    glued = json.dumps(user("a")) + json.dumps(user("b"))
    session = opened(tmp_path, glued, said("assistant", "x"))
    assert history(session) == ["a", "b", "x"]
    assert len({m.id for m in session.context}) == 3


def test_the_base_instructions_are_the_system_prompt_and_no_message(tmp_path: Path) -> None:
    path = write(tmp_path / "r.jsonl", meta(base_instructions={"text": "You are"}), user("hi"))
    session = open_session(path)
    assert session.system is not None
    assert session.text(session.system.parts[0]) == "You are"
    assert history(session) == ["hi"]


def test_the_model_of_a_reply_is_the_one_of_its_turn(tmp_path: Path) -> None:
    session = opened(tmp_path, *asked("t1", "a"), *asked("t2", "b"))
    assert {m.model for m in session.context if m.role is Role.ASSISTANT} == {"gpt-5.5"}
    assert session.info.model == "gpt-5.5"
