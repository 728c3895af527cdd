"""What proxies and loggers write around requests, and which of them are one conversation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from redline.agents.messages.exchange import inside
from redline.agents.messages.reader import open_session, scan
from redline.agents.opening import recognise
from redline.errors import RedlineError
from redline.model import DamageKind
from tests.agents.messages.bodies import (
    JSON,
    anthropic,
    anthropic_response,
    opened,
    reply,
    responses,
    said,
    text,
    user,
    write,
    write_lines,
)

ASKED = user("And now?")


def grown(response: str = "Fixed.") -> JSON:
    return anthropic(reply([text(response)]), ASKED)


REQUEST, RESPONSE = anthropic(), anthropic_response()
REQUEST_TEXT, RESPONSE_TEXT = json.dumps(REQUEST), json.dumps(RESPONSE)
POSTED = {"request": {"postData": {"text": REQUEST_TEXT}}}
GOT = {"response": {"content": {"text": RESPONSE_TEXT}}}
WRAPPED: dict[str, Any] = {
    "plain": {"request": REQUEST, "response": RESPONSE},
    "http": {"request": {"body": REQUEST}, "response": {"status": 200, "body": RESPONSE}},
    "texts": {"request": {"url": "/", "body": REQUEST_TEXT}, "response": {"body": RESPONSE_TEXT}},
    "beside": {"method": "POST", "headers": {"x": "s"}, "body": REQUEST, "response": RESPONSE},
    "columns": {"request_body": REQUEST_TEXT, "response_body": RESPONSE_TEXT},
    "one": {**REQUEST, "response": RESPONSE},
    "har": {"log": {"entries": [POSTED | GOT]}},
    "list": [{"request": REQUEST, "response": RESPONSE}],
}


@pytest.mark.parametrize("entry", WRAPPED.values(), ids=WRAPPED)
def test_wrappers_are_looked_through(tmp_path: Path, entry: Any) -> None:
    plain = said(opened(tmp_path, {"request": anthropic(), "response": anthropic_response()}))
    session = opened(tmp_path, entry)
    assert said(session) == plain
    assert session.info.billed == 9023


def test_requests_that_grow_are_one_conversation_and_the_last_is_its_context(
    tmp_path: Path,
) -> None:
    first = anthropic_response(usage={"input_tokens": 800, "output_tokens": 70})
    path = write_lines(
        tmp_path,
        {"request": anthropic(), "response": first},
        {"request": grown(), "response": anthropic_response("Yes.")},
    )
    session = open_session(path)
    assert said(session)[-3:] == ["Fixed.", "And now?", "Yes."]
    assert [message.usage.billed for message in session.context if message.usage] == [800, 9023]
    assert {part.origin.record for message in session.context for part in message.parts} == {2}
    assert len(scan(path)) == 1
    assert (session.counts.records, session.counts.prompts) == (2, 2)


def test_what_a_request_adds_to_a_message_makes_no_other_conversation(tmp_path: Path) -> None:
    marked, later = anthropic(), grown()
    marked["messages"][-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
    later["messages"][1]["content"].pop(0)  # thinking of earlier turns is left out
    later["messages"][0]["content"] = "Fix the login"  # and the reminder
    assert len(scan(write_lines(tmp_path, {"body": marked}, {"body": later}))) == 1


def test_requests_of_several_conversations_are_several_sessions(tmp_path: Path) -> None:
    title = {"model": "claude-haiku-4-5", "messages": [user("Give it a title")]}
    path = write_lines(tmp_path, {"body": anthropic()}, {"body": title}, {"body": grown()})
    infos = scan(path)
    assert [info.id.split(".")[0] for info in infos] == ["1", "2"]
    assert [info.model for info in infos] == ["claude-opus-4-8", "claude-haiku-4-5"]
    with pytest.raises(RedlineError, match="2 conversations"):
        open_session(path)
    assert said(open_session(path, id=infos[0].id))[-1] == "And now?"
    assert said(open_session(path, id=infos[1].id)) == ["Give it a title"]
    assert recognise(path, "2") == infos[1]


def test_the_tenth_conversation_is_not_mistaken_for_the_first(tmp_path: Path) -> None:
    path = write_lines(tmp_path, *({"messages": [user(f"Ask {n}"), reply()]} for n in range(12)))
    assert recognise(path, "1").title == "Ask 0"
    assert recognise(path, "11").title == "Ask 10"


def test_the_id_is_the_bodys_own_or_tells_files_of_one_name_apart(tmp_path: Path) -> None:
    session = "6f1e0000-0000-4000-8000-000000000001"
    for user_id in (f"user_a_account_b_session_{session}", f'{{"session_id":"{session}"}}'):
        body = anthropic(metadata={"user_id": user_id})
        assert opened(tmp_path, body).info.id == session
    assert opened(tmp_path, responses(prompt_cache_key="abc")).info.id == "abc"
    one = opened(tmp_path, [user("One"), reply()]).info.id
    two = opened(tmp_path, [user("Two"), reply()]).info.id
    later = opened(tmp_path, [user("One"), reply(), user("Go on"), reply()]).info.id
    assert one.startswith("body-")
    assert one != two
    assert one == later


def test_one_message_a_line_is_a_conversation(tmp_path: Path) -> None:
    lines = [
        *anthropic()["messages"],
        reply("Done.", usage={"input_tokens": 9, "output_tokens": 2}),
    ]
    session = open_session(write_lines(tmp_path, *lines))
    assert [message.parts[0].origin.record for message in session.context] == [1, 2, 3, 4]
    assert said(session)[-1] == "Done."
    assert session.info.billed == 9


def test_broken_lines_cost_themselves(tmp_path: Path) -> None:
    glued = json.dumps(user("Go on } {")) + json.dumps(reply("Yes"))
    first = b"\xef\xbb\xbf" + json.dumps(user()).encode() + b"\r"
    lines = [first, reply("Done."), b"[]", b"{", b"null", glued.encode(), {"level": "info"}]
    session = open_session(write_lines(tmp_path, *lines))
    assert said(session) == ["Fix the login", "Done.", "Go on } {", "Yes"]
    assert [(one.record, one.kind) for one in session.damage] == [
        (3, DamageKind.NOT_AN_OBJECT),
        (4, DamageKind.UNREADABLE),
        (5, DamageKind.NOT_AN_OBJECT),
        (6, DamageKind.GLUED),
        (7, DamageKind.UNKNOWN),
    ]


def test_a_line_that_is_still_being_written_is_read_when_it_is_whole(tmp_path: Path) -> None:
    path = write_lines(tmp_path, user(), reply("Done."))
    whole = json.dumps(user("Go on")).encode()
    with path.open("ab") as file:
        file.write(whole[:20])
    assert said(open_session(path)) == ["Fix the login", "Done."]
    with path.open("ab") as file:
        file.write(whole[20:])
    assert said(open_session(path)) == ["Fix the login", "Done.", "Go on"]


def test_a_big_document_is_decoded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = anthropic(*(one for n in range(200) for one in (reply(f"{n} " * 20_000), user("Go on"))))
    session = open_session(write(tmp_path, body))
    said(session)
    path = tmp_path / "body.json"
    path.unlink()
    assert len(said(session)) == 411


def test_of_a_log_of_texts_each_is_decoded_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    def counted(value: object) -> object:
        seen.append(value)
        return inside(value)

    session = opened(tmp_path, {"request_body": json.dumps(anthropic())})
    monkeypatch.setattr("redline.agents.messages.reader.inside", counted)
    said(session)
    assert len(seen) == 1
