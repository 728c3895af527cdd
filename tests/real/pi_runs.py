"""How the real pi is asked to go on, and what it must send then."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from redline.agents.opening import open_session
from redline.agents.pi.messages import BASH
from redline.agents.pi.wire import SUMMARY_END, SUMMARY_START, wire_id
from redline.compaction.plan import Action, Pins
from redline.model import Part, PartType, Session
from redline.places import Places, places
from redline.targets.commit import commit
from redline.targets.native.draft import Draft, Work
from redline.targets.native.native import NativeSession
from redline.targets.receipt import Receipt
from tests.agents.pi.made_up import (
    PNG,
    call,
    chain,
    entry,
    header,
    message,
    reply,
    result,
    user,
)
from tests.real.agents import RealAgent
from tests.targets.native.making import NOW

Sent = list[tuple[str, str | None, str]]  # kind of block, call, text
Lines = list[dict[str, Any]]
PROMPTS = ("And now?", "And then, at last?", "And after that?")
MADE_UP = ("tool_result", "No result provided")  # for a call that was interrupted
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}


def conversation() -> Lines:
    """A session near its limit: parallel calls, an image, an error, a command of the user's, an
    extension's message, an edit, a system prompt."""
    shown = [{"type": "text", "text": "a plot"}, IMAGE]
    tools = [{"name": "read", "description": "Read", "parameters": {"type": "object"}}]
    system = {"sections": {"preamble": "An old prompt"}, "toolsAdded": tools}
    return chain(
        entry("model_change", "m0", None, provider="anthropic", modelId="claude-opus-4-5"),
        message("s0", None, "system", "", **system),
        user("u1", None, "Fix the login, and never touch src/legacy"),
        reply(
            "a1", None, "I look at it.", call("t1", "read", path="login.py"), call("t2"),
            stop="toolUse", billed=190_000,
        ),
        result("r1", None, "t1", "def login(): pass\n" * 600),
        result("r2", None, "t2", shown),
        reply("a2", None, "Both are empty.", billed=190_000),
        message("b1", None, BASH, None, command="git status", output="clean", exitCode=0),
        user("u2", None, [{"type": "text", "text": "It should look so"}, IMAGE]),
        reply("a3", None, call("t3", "edit", path="login.py"), stop="toolUse", billed=190_000),
        result("r3", None, "t3", "1 failed", isError=True),
        reply("a4", None, "One test fails.", billed=190_000),
        entry("custom_message", "c1", None, customType="lint", content="2 warnings", display=True),
        entry("context_edit", "e1", None, targetId="r3", replacement={"content": "failed (cut)"}),
        user("u3", None, "Then mend it"),
        reply(
            "a5", None, {"type": "thinking", "thinking": "easy", "thinkingSignature": "c2ln"},
            "Mended.", billed=190_000,
        ),
    )  # fmt: skip


def placed(pi: RealAgent, lines: Lines, start: dict[str, Any] | None = None) -> Path:
    """A session of the work folder."""
    first = {**(start or header()), "cwd": str(pi.work)}
    path = pi.home / ".pi/agent/sessions/--work--/old.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in (first, *lines)))
    return path


def copied(pi: RealAgent, source: Path) -> Path:
    """A real session file, as if it had been made in the work folder."""
    head, _, rest = source.read_bytes().partition(b"\n")
    path = placed(pi, [], json.loads(head))
    path.write_bytes(path.read_bytes() + rest)
    return path


def where(pi: RealAgent) -> Places:
    return places({"REDLINE_HOME": str(pi.home / "redline")})


def published(pi: RealAgent, task: Work) -> tuple[Draft, Receipt]:
    """The session of `task`, written as a commit writes it."""
    target = NativeSession(task)
    change = target.preview()
    assert not any("is not there" in warning for warning in change.warnings)
    receipt = commit((change,), session=task.session.info, places=where(pi), now=NOW)
    assert target.draft is not None
    return target.draft, receipt


def expected(session: Session, draft: Draft, task: Work) -> Sent:
    """What the request must hold: the summary, and what stays, in order."""
    found: Sent = []
    at = task.plan.summary_at if task.summary else None
    for number, stays in enumerate(draft.stays):
        if number == at:
            found.append(("text", None, task.summary))
        if stays.message.stop in ("error", "aborted"):
            continue
        for left in stays.parts:
            part = left.part
            if part.type in (PartType.THINKING, PartType.OPAQUE) or left.body == "":
                continue
            found.append(_expected(part, session, left.body))
    if at is not None and at >= len(draft.stays):
        found.append(("text", None, task.summary))
    return _joined(found)


def _expected(part: Part, session: Session, body: str | None) -> tuple[str, str | None, str]:
    if part.type is PartType.IMAGE and body is None:
        return ("image", None, "")
    said = session.text(part) if body is None else body
    match part.type:
        case PartType.TOOL_CALL:
            arguments = session.source.value(part)
            return ("tool_use", wire_id(part.call_id), json.dumps(arguments, sort_keys=True))
        case PartType.TOOL_RESULT:
            return ("tool_result", wire_id(part.call_id), said)
    return ("text", None, said)


def sent(body: dict[str, Any], exchanges: int = 0) -> Sent:
    """The blocks of a request, without the prompt that was given at the end and as many `exchanges`
    before it."""
    found: Sent = []
    for said in body["messages"]:
        content = said["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        for block in blocks if said["role"] != "system" else ():
            found += _sent(block)
    given = 1 + 2 * exchanges
    assert {one[0] for one in found[-given:]} == {"text"}
    return _joined(found[:-given])


def _sent(block: dict[str, Any]) -> Sent:
    match block["type"]:
        case "tool_use":
            return [("tool_use", block["id"], json.dumps(block["input"], sort_keys=True))]
        case "tool_result":
            content = block.get("content") or ""
            items = [{"type": "text", "text": content}] if isinstance(content, str) else content
            said = "\n".join(item["text"] for item in items if item["type"] == "text")
            images: Sent = [("image", None, "") for item in items if item["type"] == "image"]
            return [("tool_result", block["tool_use_id"], said), *images]
        case "image":
            return [("image", None, "")]
    return [("text", None, block.get("text", ""))]


def _joined(blocks: Sent) -> Sent:
    """Without what pi puts around a summary."""
    found: Sent = []
    for kind, ident, said in blocks:
        text = said
        if kind == "text" and said.startswith(SUMMARY_START):
            text = said.removeprefix(SUMMARY_START).removesuffix(SUMMARY_END)
        found.append((kind, ident, text))
    return found


def resumes(pi: RealAgent, draft: Draft, task: Work, *, times: int = 1) -> dict[str, Any]:
    """pi's first request is the conversation: the summary, what stays, and the prompt; and so is
    that of each prompt to a new process. Gives the last one."""
    wanted = expected(task.session, draft, task)
    first: dict[str, Any] = {}
    for number, prompt in enumerate(PROMPTS[:times]):
        before = len(pi.api.requests)
        pi.run("-p", *draft.argv[1:], prompt)
        first = pi.api.requests[before]
        assert prompt in json.dumps(first["messages"][-1])
        found = sent(first, number)
        calls = [ident for kind, ident, _ in found if kind == "tool_use"]
        assert sorted(map(str, calls)) == sorted(
            str(ident) for kind, ident, _ in found if kind == "tool_result"
        )
        assert [one for one in found if one[::2] != MADE_UP or one in wanted] == wanted
        said = json.dumps(first["messages"][-1 - 2 * number :])
        assert all(earlier in said for earlier in PROMPTS[:number])
    return first


CUT = Pins(cut="u3")
HEAD = Pins(cut="u3", actions={"u1": Action.KEEP})
PLANS = (
    ("redline", CUT),
    ("redline", HEAD),
    ("pi", CUT),
    ("hermes", CUT),
    ("clear", Pins(actions={"r1": Action.CLEAR})),
    ("codex", None),
    ("scored", CUT),
)


def lower(pi: RealAgent, **figures: int) -> None:
    """pi compacts where these settings say."""
    path = pi.home / ".pi/agent/settings.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "compaction": figures}))


def goes_on(pi: RealAgent, draft: Draft) -> None:
    """A second prompt works, and so does pi's own next compaction, with a third one behind it."""
    before = len(pi.api.requests)
    pi.run("-p", *draft.argv[1:], "And then?")
    (second,) = pi.api.requests[before:]
    said = json.dumps(second["messages"])
    assert all(word in said for word in ("And now?", "Understood. Done.", "And then?"))
    compactions = len(open_session(draft.path).compactions)
    lower(pi, reserveTokens=199_500, keepRecentTokens=10)
    pi.api.answer = "## Goal\nWhat pi itself made of it"
    pi.run("-p", *draft.argv[1:], "What is left?")
    session = open_session(draft.path)
    assert len(session.compactions) > compactions
    assert session.resume_lost == 0
    asked = [json.dumps(body["messages"]) for body in pi.api.requests]
    (third,) = [said for said in asked if "What is left?" in said and "<conversation>" not in said]
    assert "What pi itself made of it" in third


@contextmanager
def running(pi: RealAgent, draft: Draft) -> Iterator[subprocess.Popen[str]]:
    """A pi that runs with the session, ready for commands."""
    program = pi.folder / "node_modules/.bin/pi"
    started = subprocess.Popen(
        [str(program), "--mode", "rpc", *draft.argv[1:]],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=pi.environment,
        cwd=pi.work,
        text=True,
    )
    try:
        assert answer(started, {"type": "get_state"})["success"]
        yield started
    finally:
        started.kill()
        started.communicate()


def answer(running: subprocess.Popen[str], command: dict[str, Any]) -> dict[str, Any]:
    assert running.stdin is not None
    assert running.stdout is not None
    running.stdin.write(json.dumps({"id": "1", **command}) + "\n")
    running.stdin.flush()
    for line in running.stdout:
        found: dict[str, Any] = json.loads(line)
        if found.get("type") == "response":
            return found
    pytest.fail("pi ended without an answer")
