"""A request body of any dialect opens as the session it is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.messages.reader import open_session, scan
from redline.errors import RedlineError
from redline.model import Agent, DamageKind, Kind, PartType, Role, Session, Usage
from tests.agents.messages.bodies import (
    REMINDER,
    anthropic,
    anthropic_response,
    chat,
    chat_response,
    item,
    opened,
    picture,
    reply,
    responses,
    responses_response,
    said,
    text,
    user,
    write,
)

Shape = list[tuple[str, list[tuple[PartType, Kind]]]]


def shape(session: Session) -> Shape:
    return [
        (message.role.value, [(part.type, part.kind) for part in message.parts])
        for message in session.context
    ]


CALL = (PartType.TOOL_CALL, Kind.TOOL_CALL)
RESULT = (PartType.TOOL_RESULT, Kind.TOOL_RESULT)
PICTURE = (PartType.IMAGE, Kind.TOOL_RESULT)
PROMPT = (PartType.TEXT, Kind.PROMPT)
PUT_IN = (PartType.TEXT, Kind.INJECTED)
SEALED = (PartType.OPAQUE, Kind.REPLY)
THOUGHT = (PartType.THINKING, Kind.REPLY)
REPLY = (PartType.TEXT, Kind.REPLY)


def test_a_body_for_anthropic(tmp_path: Path) -> None:
    session = opened(tmp_path, anthropic())
    assert shape(session) == [
        ("system", [PUT_IN, PUT_IN]),
        ("user", [PUT_IN, PROMPT]),
        ("assistant", [THOUGHT, SEALED, CALL, CALL]),
        ("user", [RESULT, RESULT, PICTURE]),
    ]
    info = session.info
    assert (info.agent, info.model, info.title, info.project) == (
        Agent.MESSAGES,
        "claude-opus-4-8",
        "Fix the login",
        None,
    )
    assert scan(tmp_path / "body.json") == (info,)
    assert session.damage == ()
    assert session.counts.tool_pairs == 2
    results = [part for part in session.context[3].parts if part.type is PartType.TOOL_RESULT]
    assert [(part.call_id, part.tool, part.error) for part in results] == [
        ("t1", "Bash", False),
        ("t2", "Bash", True),
    ]
    assert session.text(results[1]) == "a\nb"
    assert session.context[3].parts[2].pixels == (1, 1)


def test_a_body_of_chat_completions(tmp_path: Path) -> None:
    session = opened(tmp_path, chat())
    assert shape(session) == [
        ("system", [PUT_IN]),
        ("system", [PUT_IN]),
        ("user", [PROMPT, (PartType.IMAGE, Kind.PROMPT)]),
        ("assistant", [THOUGHT, CALL]),
        ("user", [RESULT]),
    ]
    made = session.context[3].parts[1]
    assert (made.call_id, made.tool, session.text(made)) == ("c1", "ls", '{"path": 1}')
    assert session.source.value(made) == {"path": 1}
    assert session.context[2].parts[1].pixels == (1, 1)
    assert session.context[4].parts[0].tool == "ls"


def test_a_body_of_responses(tmp_path: Path) -> None:
    session = opened(tmp_path, responses())
    assert shape(session) == [
        ("system", [PUT_IN]),
        ("system", [PUT_IN]),
        ("user", [PUT_IN, PROMPT]),
        ("assistant", [SEALED, REPLY, CALL]),
        ("user", [RESULT, PICTURE]),
    ]
    assert session.context[4].parts[1].pixels == (1, 1)
    assert session.context[3].head == "I look."
    assert session.info.model == "gpt-5-codex"


def test_a_prompt_that_is_a_mere_text_is_a_message(tmp_path: Path) -> None:
    session = opened(tmp_path, {"model": "gpt-5", "input": "Fix the login"})
    assert shape(session) == [("user", [PROMPT])]
    assert said(session) == ["Fix the login"]
    assert session.info.title == "Fix the login"


@pytest.mark.parametrize("body", [anthropic(), chat(), responses()])
def test_a_bare_list_of_messages_opens_too(tmp_path: Path, body: dict[str, Any]) -> None:
    whole = shape(opened(tmp_path, body))
    bare = shape(opened(tmp_path, body.get("messages") or body.get("input")))
    assert bare == whole[len(whole) - len(bare) :]
    assert len(bare) >= len(whole) - 1


def test_the_tools_of_a_body_weigh_in_the_system_prompt(tmp_path: Path) -> None:
    system = opened(tmp_path, anthropic()).context[0]
    assert system.role is Role.SYSTEM
    tools = system.parts[-1]
    session = opened(tmp_path, anthropic())
    assert json.loads(session.text(tools)) == anthropic()["tools"]
    assert tools.chars == len(session.text(tools))


def test_functions_of_the_first_chat_completions_are_calls_and_results(tmp_path: Path) -> None:
    made = reply(None, function_call={"name": "ls", "arguments": "{}"})
    answered = {"role": "function", "name": "ls", "content": "login.py"}
    session = opened(tmp_path, [user(), made, answered, reply()])
    assert shape(session)[1:3] == [("assistant", [CALL]), ("user", [RESULT])]
    assert session.damage == ()


@pytest.mark.parametrize(
    ("body", "response", "usage", "model"),
    [
        (anthropic(), anthropic_response(), Usage(3, 9000, 20, 7), "claude-opus-4-8"),
        (chat(), chat_response(), Usage(200, 800, None, 5), "gpt-5-2025-08-07"),
        (responses(), responses_response(), Usage(200, 800, None, 5), "gpt-5-codex"),
    ],
)
def test_the_response_beside_a_request_is_the_last_reply_with_its_usage(
    tmp_path: Path, body: Any, response: Any, usage: Usage, model: str
) -> None:
    session = opened(tmp_path, {"request": body, "response": response})
    last = session.context[-1]
    assert (last.role, last.usage, last.model) == (Role.ASSISTANT, usage, model)
    assert said(session)[-1] == "Fixed."
    assert session.info.billed == usage.billed


def test_reminders_and_summaries_are_no_prompts(tmp_path: Path) -> None:
    texts = [
        "This session is being continued from a previous conversation. Never push.",
        "The conversation history before this point was compacted into the following summary:\n\nx",
        "Another language model started to solve this problem and wrote a summary.",
        "[CONTEXT COMPACTION — REFERENCE ONLY] Earlier turns were compacted.",
        "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nNever push.\n</INSTRUCTIONS>",
        REMINDER,
        "<command-name>/compact</command-name>",
        "Ran `make`\n```\nNever push.\n```",
        "[Request interrupted by user]",
    ]
    session = opened(tmp_path, [part for one in texts for part in (user(one), reply())])
    kinds = [message.parts[0].kind for message in session.context[::2]]
    assert kinds == [*[Kind.SUMMARY] * 4, *[Kind.INJECTED] * 4, Kind.NOTICE]
    assert session.info.title == ""


@pytest.mark.parametrize("start", ["Summary:", "summary of the context", "Please summarise this"])
def test_a_prompt_that_merely_speaks_of_a_summary_stays_one(tmp_path: Path, start: str) -> None:
    session = opened(tmp_path, [user(f"{start} fix the login"), reply()])
    assert shape(session)[0] == ("user", [PROMPT])


def test_what_was_typed_behind_a_reminder_is_a_prompt_of_its_own(tmp_path: Path) -> None:
    session = opened(tmp_path, [user(f"{REMINDER}\nFix the login"), reply()])
    assert shape(session)[0] == ("user", [PUT_IN, PROMPT])
    assert session.info.title == "Fix the login"
    blocks = list(session.source.resume())
    assert [block.text for block in blocks] == [f"{REMINDER}\nFix the login", "Done."]


def test_documents_are_no_words_of_a_human(tmp_path: Path) -> None:
    typed = {"type": "document", "source": {"type": "text", "data": "Never touch the login."}}
    sealed = {"type": "document", "source": {"type": "base64", "data": "JVBERi0="}}
    session = opened(tmp_path, [user([typed, sealed, text("Read it")]), reply()])
    kinds = [(part.type, part.kind) for part in session.context[0].parts]
    assert kinds == [PUT_IN, (PartType.OPAQUE, Kind.INJECTED), PROMPT]
    assert said(session)[0] == "Never touch the login."


def test_the_resume_view_speaks_in_the_words_of_the_body(tmp_path: Path) -> None:
    def words(body: Any) -> list[tuple[str, str, str | None]]:
        blocks = opened(tmp_path, body).source.resume()
        return [(block.role, block.type, block.id) for block in blocks]

    assert words(anthropic()) == [
        ("system", "text", None),
        ("user", "text", None),
        ("user", "text", None),
        ("assistant", "thinking", None),
        ("assistant", "redacted_thinking", None),
        ("assistant", "tool_use", "t1"),
        ("assistant", "tool_use", "t2"),
        ("user", "tool_result", "t1"),
        ("user", "tool_result", "t2"),
    ]
    assert words(chat()) == [
        ("system", "text", None),
        ("user", "text", None),
        ("user", "image_url", None),
        ("assistant", "reasoning_content", None),
        ("assistant", "function", "c1"),
        ("tool", "tool", "c1"),
    ]
    assert words(responses()) == [
        ("system", "text", None),
        ("developer", "input_text", None),
        ("user", "input_text", None),
        ("user", "input_text", None),
        ("", "reasoning", None),
        ("assistant", "output_text", None),
        ("", "function_call", "f1"),
        ("", "function_call_output", "f1"),
    ]


def test_two_replies_in_one_body_of_responses_are_two_messages(tmp_path: Path) -> None:
    more = (item("assistant", "One.", kind="output_text"), item("user", "Go on"))
    session = opened(tmp_path, responses(*more, item("assistant", "Two.", kind="output_text")))
    assert [message.head for message in session.context[-3:]] == ["One.", "Go on", "Two."]


def test_a_developer_message_is_the_system_prompt_only_where_it_stands_first(
    tmp_path: Path,
) -> None:
    developer = {"role": "developer", "content": "Be brief."}
    session = opened(tmp_path, [developer, user(), reply(), developer, user("Go on")])
    roles = [message.role for message in session.context]
    assert (roles[0], roles[3]) == (Role.SYSTEM, Role.DEVELOPER)


def test_a_message_has_an_id_of_its_own_also_where_two_claim_one(tmp_path: Path) -> None:
    session = opened(tmp_path, [user(id="m"), reply(id="m"), user("Go on"), reply(id="a")])
    assert [message.id for message in session.context] == ["m", "m:2", "message:3", "a"]
    assert session.leaf == "a"


def test_a_result_without_its_call_is_named(tmp_path: Path) -> None:
    session = opened(tmp_path, [user(), {"role": "tool", "tool_call_id": "x", "content": "y"}])
    assert [(one.record, one.kind) for one in session.damage] == [(2, DamageKind.ORPHAN)]


@pytest.mark.parametrize(
    "broken", [None, 7, "x", [], {}, {"role": "user"}, {"role": 5, "content": 1}]
)
def test_a_broken_message_costs_itself(tmp_path: Path, broken: Any) -> None:
    session = opened(tmp_path, {"messages": [user(), broken, reply(), user("Go on"), reply("Yes")]})
    assert said(session) == ["Fix the login", "Done.", "Go on", "Yes"]
    assert [one.record for one in session.damage] == [2]


def test_the_same_image_weighs_the_same_however_long_its_base64(tmp_path: Path) -> None:
    for size in (100, 5_000_000):
        session = opened(tmp_path, [user([picture(PIXELS[:200] + "A" * size)]), reply()])
        part = session.context[0].parts[0]
        assert (part.type, part.chars) == (PartType.IMAGE, 0)


PIXELS = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk" * 4


def test_there_is_no_branch_and_no_compaction(tmp_path: Path) -> None:
    path = write(tmp_path, anthropic())
    last = open_session(path).leaf
    assert last is not None
    assert open_session(path, leaf=last).leaf == last
    assert open_session(path, leaf=last[:1]).leaf == last
    with pytest.raises(RedlineError, match="no branch"):
        open_session(path, leaf="gone")
    with pytest.raises(RedlineError, match="no compaction 1"):
        open_session(path, before=1)
