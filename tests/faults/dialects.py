"""One conversation in the words of every agent, so that a kind of fault is tried on all of them.

`Dialect.lines` gives the records of a file, one a line, each step in a record of its own;
`Dialect.place` is where the agent would keep the file, `Dialect.home` what tells it so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redline.agents.claude_code.finding import slug
from tests.agents.hermes.made_up import Made

JSON = dict[str, Any]
CWD = "/home/dev/shop"
MODEL = "claude-opus-4-5"
ID = "5e550000-0000-4000-8000-000000000001"
PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
    "AABJRU5ErkJggg=="
)


@dataclass(frozen=True)
class Picture:
    """An image of `data` (base64)."""

    data: str = PIXEL


Content = str | list[Any]  # texts, pictures, and whatever else a file may hold there


@dataclass(frozen=True)
class Prompt:
    content: Content


@dataclass(frozen=True)
class Reply:
    """`usage` has any of input, output, read and write, of whatever type."""

    content: Content
    usage: Mapping[str, Any] | None = None
    model: str = MODEL


@dataclass(frozen=True)
class Call:
    id: str
    usage: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Result:
    id: str
    content: Any


Step = Prompt | Reply | Call | Result
ASK: tuple[Step, ...] = (
    Prompt("Fix the login"),
    Call("t1"),
    Result("t1", "login.py"),
    Reply("Fixed.", {"input": 10, "read": 900, "write": 90, "output": 40}),
)


@dataclass(frozen=True)
class Dialect:
    """`records` gives what comes before the first step, then one list of objects for each step."""

    name: str
    home: str
    file: str
    records: Callable[[Sequence[Step], str], Iterator[list[JSON]]]

    def lines(self, *steps: Step, cwd: str = CWD) -> list[list[bytes]]:
        """The lines before the first step, then those of each step."""
        return [list(map(line, found)) for found in self.records(steps, cwd)]

    def place(self, home: Path, cwd: str = CWD) -> Path:
        return home / self.file.format(slug=slug(cwd), id=ID)

    def write(self, folder: Path, *steps: Step, cwd: str = CWD) -> Path:
        return self.write_lines(folder, self.lines(*steps, cwd=cwd), cwd=cwd)

    def write_lines(
        self, folder: Path, groups: Sequence[Sequence[bytes]], *, cwd: str = CWD, end: bytes = b"\n"
    ) -> Path:
        path = self.place(folder, cwd)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"".join(one + end for group in groups for one in group))
        return path


def line(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _blocks(content: Any, picture: Callable[[Picture], JSON], text: str = "text") -> Any:
    """`content` with its texts and pictures as blocks of an agent; a mere text stays one."""
    if not isinstance(content, list):
        return content
    found: list[Any] = []
    for one in content:
        if isinstance(one, Picture):
            found.append(picture(one))
        elif isinstance(one, str):
            found.append({"type": text, "text": one})
        else:
            found.append(one[0] if isinstance(one, tuple) else one)  # (x,) is x as it is
    return found


def _usage(usage: Mapping[str, Any] | None, **names: str) -> JSON | None:
    if usage is None:
        return None
    return {names[key]: value for key, value in usage.items()}


def _of_anthropic(picture: Picture) -> JSON:
    source = {"type": "base64", "media_type": "image/png", "data": picture.data}
    return {"type": "image", "source": source}


def _anthropic(step: Step) -> JSON:
    """A step as a message of Anthropic's API."""
    match step:
        case Prompt(content):
            return {"role": "user", "content": _blocks(content, _of_anthropic)}
        case Result(id, content):
            body = _blocks(content, _of_anthropic)
            block = {"type": "tool_result", "tool_use_id": id, "content": body}
            return {"role": "user", "content": [block]}
        case Call(id, usage):
            block = {"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "ls"}}
            return _anthropic_reply([block], usage, MODEL)
        case Reply(content, usage, model):
            listed = content if isinstance(content, list) else [content]
            return _anthropic_reply(_blocks(listed, _of_anthropic), usage, model)


def _anthropic_reply(content: Any, usage: Mapping[str, Any] | None, model: str) -> JSON:
    names = {
        "input": "input_tokens",
        "output": "output_tokens",
        "read": "cache_read_input_tokens",
        "write": "cache_creation_input_tokens",
    }
    stated = _usage(usage, **names)
    return {"role": "assistant", "model": model, "content": content, "usage": stated}


def _claude_code(steps: Sequence[Step], cwd: str) -> Iterator[list[JSON]]:
    yield []
    for at, step in enumerate(steps):
        message = _anthropic(step)
        if message["role"] == "assistant":
            message["id"] = f"msg_{at}"
        yield [
            {
                "parentUuid": f"r{at - 1}" if at else None,
                "isSidechain": False,
                "cwd": cwd,
                "sessionId": ID,
                "version": "2.1.100",
                "type": message["role"],
                "uuid": f"r{at}",
                "timestamp": f"2026-08-07T17:30:{at % 60:02d}.000Z",
                "message": message,
            }
        ]


def _of_pi(picture: Picture) -> JSON:
    return {"type": "image", "mimeType": "image/png", "data": picture.data}


def _pi(steps: Sequence[Step], cwd: str) -> Iterator[list[JSON]]:
    time = "2026-08-07T17:30:00.000Z"
    yield [{"type": "session", "version": 3, "id": ID, "timestamp": time, "cwd": cwd}]
    for at, step in enumerate(steps):
        message: JSON
        match step:
            case Prompt(content):
                message = {"role": "user", "content": _blocks(content, _of_pi)}
            case Result(id, content):
                listed = [content] if isinstance(content, str) else content
                body = _blocks(listed, _of_pi)
                message = {"role": "toolResult", "toolCallId": id, "content": body}
            case Call(id, usage):
                arguments = {"command": "ls"}
                block = {"type": "toolCall", "id": id, "name": "bash", "arguments": arguments}
                message = _pi_reply([block], usage, MODEL)
            case Reply(content, usage, model):
                listed = content if isinstance(content, list) else [content]
                message = _pi_reply(_blocks(listed, _of_pi), usage, model)
        entry = {"id": f"r{at}", "parentId": f"r{at - 1}" if at else None, "timestamp": time}
        yield [{"type": "message", **entry, "message": message}]


def _pi_reply(content: Any, usage: Mapping[str, Any] | None, model: str) -> JSON:
    names = {"input": "input", "output": "output", "read": "cacheRead", "write": "cacheWrite"}
    stated = _usage(usage, **names)
    common = {"role": "assistant", "provider": "anthropic", "stopReason": "stop"}
    return {**common, "model": model, "content": content, "usage": stated}


def _of_codex(picture: Picture) -> JSON:
    return {"type": "input_image", "image_url": f"data:image/png;base64,{picture.data}"}


def _codex(steps: Sequence[Step], cwd: str) -> Iterator[list[JSON]]:
    def record(kind: str, **payload: Any) -> JSON:
        return {"timestamp": "2026-08-07T17:30:00.000Z", "type": kind, "payload": payload}

    model = next((step.model for step in steps if isinstance(step, Reply)), MODEL)
    version = {"cli_version": "0.171.0", "originator": "codex-tui", "source": "cli"}
    meta = {"id": ID, "timestamp": "2026-08-07T17:30:00.000Z", "cwd": cwd, **version}
    yield [record("session_meta", **meta), record("turn_context", cwd=cwd, model=model)]
    spent = 0
    for step in steps:
        usage: Mapping[str, Any] | None = None
        match step:
            case Prompt(content):
                listed = content if isinstance(content, list) else [content]
                body = _blocks(listed, _of_codex, "input_text")
                found = [record("response_item", type="message", role="user", content=body)]
            case Result(id, content):
                body = _blocks(content, _of_codex, "input_text")
                kind = "function_call_output"
                found = [record("response_item", type=kind, call_id=id, output=body)]
            case Call(id, usage):
                called = {"name": "shell", "arguments": '{"command": ["ls"]}', "call_id": id}
                found = [record("response_item", type="function_call", **called)]
            case Reply(content, usage, _):
                listed = content if isinstance(content, list) else [content]
                body = _blocks(listed, _of_codex, "output_text")
                found = [record("response_item", type="message", role="assistant", content=body)]
        if usage is not None:
            sent = sum(usage.get(key, 0) for key in ("input", "read", "write"))
            output = usage.get("output", 0)
            spent += sent + output
            last = {
                "input_tokens": sent,
                "cached_input_tokens": usage.get("read", 0),
                "output_tokens": output,
                "total_tokens": sent + output,
            }
            total = {**last, "total_tokens": spent}
            info = {"last_token_usage": last, "total_token_usage": total}
            found.append(record("event_msg", type="token_count", info=info))
        yield found


def _plain(steps: Sequence[Step], cwd: str) -> Iterator[list[JSON]]:
    yield []
    for step in steps:
        yield [_anthropic(step)]


@dataclass(frozen=True)
class Rows(Dialect):
    """An agent that keeps its sessions in a database: there are no lines to break."""

    def write(self, folder: Path, *steps: Step, cwd: str = CWD) -> Path:
        path = self.place(folder, cwd)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        made = Made(path, schema=31)
        model = next((step.model for step in steps if isinstance(step, Reply)), MODEL)
        made.clock = 1_786_123_799.0  # 2026-08-07T17:29:59Z
        made.session(ID, cwd=cwd, model=model)
        for step in steps:
            match step:
                case Prompt(content):
                    made.row("user", _blocks(content, _of_chat), session=ID)
                case Result(id, content):
                    body = _blocks(content, _of_chat)
                    made.row("tool", body, session=ID, tool_call_id=id, tool_name="terminal")
                case Call(id):
                    made.call("terminal", id, session=ID, command="ls")
                case Reply(content):
                    made.row("assistant", _blocks(content, _of_chat), session=ID)
        return made.close()


def _of_chat(picture: Picture) -> JSON:
    return {
        "type": "image_url",
        "image_url": {"url": f"data:image/png;base64,{picture.data}"},
    }


CLAUDE_CODE = Dialect("claude-code", ".claude", ".claude/projects/{slug}/{id}.jsonl", _claude_code)
PI = Dialect("pi", ".pi/agent", ".pi/agent/sessions/--shop--/2026-08-07_{id}.jsonl", _pi)
PLAIN = Dialect("messages", "dumps", "dumps/messages.jsonl", _plain)
CODEX = Dialect(
    "codex",
    ".codex",
    ".codex/sessions/2026/08/07/rollout-2026-08-07T17-30-00-{id}.jsonl",
    _codex,
)
HERMES = Rows("hermes", ".hermes", ".hermes/state.db", lambda _steps, _cwd: iter(()))
DIALECTS = (CLAUDE_CODE, CODEX, PI, PLAIN)  # one record a line
WRITERS = (*DIALECTS, HERMES)
AGENTS = (CLAUDE_CODE, CODEX, PI, HERMES)  # whose sessions are listed
