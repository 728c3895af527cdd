"""What stands in a message is shown and weighed as what it is: texts, nulls, images, base64."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from redline.agents.opening import open_session
from redline.model import Part, PartType, Session
from tests.faults.dialects import (
    ASK,
    CLAUDE_CODE,
    HERMES,
    PIXEL,
    PLAIN,
    Call,
    Dialect,
    Picture,
    Prompt,
    Reply,
    Result,
    Step,
    line,
)
from tests.faults.surfaces import Commands, said, window

SIZES = (100 * 1024, 5 * 1024 * 1024)  # bytes of base64
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def base64_of(size: int) -> str:
    """Base64 of an image of one pixel that goes on for `size` characters."""
    more = "".join(random.Random(7).choices(_LETTERS, k=65_536))
    return (PIXEL.rstrip("=")[:88] + more * (size // len(more) + 1))[:size]


def images(session: Session) -> list[tuple[Part, int]]:
    """The images of the context, each with its tokens."""
    weighed = window(session).parts
    return [
        (part, weighed[at][part.index])
        for at, message in enumerate(session.context)
        for part in message.parts
        if part.type is PartType.IMAGE
    ]


def places(picture: Picture) -> dict[str, tuple[Step, ...]]:
    """An image in a prompt, in a result, and several beside texts."""
    return {
        "prompt": (Prompt(["See", picture]), *ASK[1:3], Reply("Seen.")),
        "result": (Prompt("See"), Call("t1"), Result("t1", ["it", picture]), Reply("Seen.")),
        "several": (Prompt([picture, "See", picture]), Reply("Seen.")),
    }


@pytest.mark.parametrize("place", ["prompt", "result", "several"])
def test_an_image_weighs_the_same_however_long_its_base64(
    home: Path, writer: Dialect, place: str
) -> None:
    """A35: 100 KiB and 5 MiB, in what a human put in and in what a tool gave."""
    weights = []
    for size in SIZES:
        path = writer.write(home, *places(Picture(base64_of(size)))[place])
        session = open_session(path)
        found = images(session)
        assert found
        assert [part.pixels for part, _ in found] == [(1, 1)] * len(found)
        assert [part.chars for part, _ in found] == [0] * len(found)
        weights.append([tokens for _, tokens in found])
        assert "iVBOR" not in "".join(said(session))
        assert window(session).used < 20_000
    assert weights[0] == weights[1]
    assert min(weights[0]) > 100
    assert max(weights[0]) < 6_000


def _wires(data: str) -> dict[str, list[Any]]:
    """A list of messages with an image in each of the forms that requests have."""
    url = f"data:image/png;base64,{data}"
    anthropic = {"type": "image", "source": {"type": "base64", "data": data}}
    chat = {"type": "image_url", "image_url": {"url": url}}
    responses = {"type": "input_image", "image_url": url}
    called = {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"}
    asked = {"role": "user", "content": "See"}
    return {
        "anthropic": [{"role": "user", "content": [anthropic]}],
        "chat": [{"role": "user", "content": [chat]}],
        "responses": [{"type": "message", "role": "user", "content": [responses]}],
        "output": [
            asked,
            called,
            {"type": "function_call_output", "call_id": "c", "output": [responses]},
        ],
        "tool": [
            asked,
            {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "look"}}]},
            {"role": "tool", "tool_call_id": "c", "content": [chat]},
        ],
        "screen": [
            asked,
            {"type": "computer_call", "call_id": "c", "action": {"type": "screenshot"}},
            {
                "type": "computer_call_output",
                "call_id": "c",
                "output": {"type": "computer_screenshot", "image_url": url},
            },
        ],
    }


@pytest.mark.parametrize("wire", _wires(""))
@pytest.mark.parametrize("form", ["lines", "document"])
def test_every_form_of_image_in_a_request_weighs_as_an_image(
    home: Path, wire: str, form: str
) -> None:
    """A35: base64 in a source, in a data URL, in a result."""
    weights = []
    for size in SIZES:
        messages = _wires(base64_of(size))[wire]
        path = PLAIN.write_lines(home, [[line(one) for one in messages]])
        if form == "document":
            path.write_bytes(json.dumps({"messages": messages}, indent=1).encode())
        session = open_session(path)
        found = images(session)
        assert [part.pixels for part, _ in found] == [(1, 1)]
        weights.append(window(session).used)
        assert weights[-1] < 6_000
    assert weights[0] == weights[1] > 100


def test_images_that_are_only_named_are_images_too(home: Path) -> None:
    """A35: by a URL, by the id of a file, or broken."""
    broken: list[Any] = [
        {"type": "image", "source": {"type": "url", "url": "https://x/y.png"}},
        {"type": "image", "source": {"type": "file", "file_id": "f"}},
        {"type": "image", "source": None},
        {"type": "image"},
        {"type": "image", "source": {"type": "base64", "data": "no base64 \ud800"}},
    ]
    for dialect in (CLAUDE_CODE, PLAIN):
        session = open_session(dialect.write(home, Prompt([(one,) for one in broken]), Reply("x")))
        found = images(session)
        assert len(found) == len(broken)
        assert min(tokens for _, tokens in found) > 100


LISTS: list[tuple[list[Any], str]] = [
    ([("a",), (None,), "b"], "a\nb"),
    ([(None,), (None,)], ""),
    ([("a",), (7,), ({},), ([],), "b", (True,)], "a\nb"),
    ([({"type": "text"},), ({"type": "text", "text": None},), "b"], "b"),
    ([({"type": "text", "text": 7},), ({"type": "tool_reference", "tool_name": "x"},), "b"], "b"),
    ([({"type": None, "text": "a"},), "b"], "a\nb"),
    ([], ""),
]


@pytest.mark.parametrize("content", LISTS)
def test_a_result_shows_every_text_in_it(
    home: Path, writer: Dialect, content: tuple[list[Any], str]
) -> None:
    """A34: strings and nulls in the list; nothing is dropped and the call stays answered."""
    listed, wanted = content
    session = open_session(writer.write(home, *ASK[:2], Result("t1", listed), Reply("Fixed.")))
    result = session.context[2].parts[0]
    texts = [session.text(part) for part in session.context[2].parts]
    assert "\n".join(filter(None, texts)) == wanted
    assert result.call_id == "t1"
    assert session.counts.tool_pairs == 1
    if wanted:
        assert sum(window(session).parts[2]) >= 1


@pytest.mark.parametrize("content", [None, 7, True, "", {}, {"type": "text", "text": "a"}])
def test_a_result_of_any_type_stays_paired(home: Path, writer: Dialect, content: Any) -> None:
    """A34: what is no list and no text either."""
    session = open_session(writer.write(home, *ASK[:2], Result("t1", content), Reply("Fixed.")))
    assert session.counts.tool_pairs == 1
    assert said(session)[-1] == "Fixed."


def _runs(size: int) -> dict[str, str]:
    shuffled = random.Random(3)
    return {
        "base64": "".join(shuffled.choices(_LETTERS, k=size)),
        "hex": "".join(shuffled.choices("0123456789abcdef", k=size)),
        "wrapped": "\n".join("".join(shuffled.choices(_LETTERS, k=76)) for _ in range(size // 77)),
    }


@pytest.mark.parametrize("run", _runs(0))
@pytest.mark.parametrize("place", ["prompt", "result", "reply"])
def test_base64_in_a_text_is_text_and_weighs_as_such(
    home: Path, writer: Dialect, run: str, place: str
) -> None:
    """A36: far more than a quarter of its characters, as a prompt, a result or a reply."""
    size = 60_000
    text = _runs(size)[run]
    steps: dict[str, tuple[Step, ...]] = {
        "prompt": (Prompt(text), Reply("Fixed.")),
        "result": (*ASK[:2], Result("t1", text), Reply("Fixed.")),
        "reply": (Prompt("Say it"), Reply(text)),
    }
    tokens = window(open_session(writer.write(home, *steps[place]))).used
    assert (0.5 if run == "hex" else 0.7) * size < tokens < 1.6 * size


def test_a_million_characters_of_base64_are_about_a_million_tokens(
    home: Path, commands: Commands
) -> None:
    """A36: the row itself, through the command."""
    text = _runs(1_046_118)["base64"]
    for dialect in (CLAUDE_CODE, HERMES):
        path = dialect.write(home, *ASK[:2], Result("t1", text), Reply("Fixed."))
        used = commands.json("inspect", str(path))["window"]["used"]
        assert 800_000 < used < 1_400_000
